fray run compound.fray
