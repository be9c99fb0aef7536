fray run stopped.fray
