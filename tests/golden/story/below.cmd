fray run --timeline below.fray
