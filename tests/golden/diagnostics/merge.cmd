fray run merge.fray
