fray run blank.fray
