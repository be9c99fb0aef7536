fray run never_asked.fray
