fray run ruling.fray
