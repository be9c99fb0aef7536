fray check option.fray
