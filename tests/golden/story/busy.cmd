fray run busy.fray
