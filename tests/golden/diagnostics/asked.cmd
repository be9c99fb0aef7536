fray check asked.fray
