fray check field-named.fray
