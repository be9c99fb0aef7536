fray check unreachable.fray
