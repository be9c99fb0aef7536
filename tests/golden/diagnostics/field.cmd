fray check field.fray
