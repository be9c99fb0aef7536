fray check scale.fray
