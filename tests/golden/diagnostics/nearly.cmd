fray check nearly.fray
