fray check brackets.fray
