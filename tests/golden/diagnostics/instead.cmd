fray run --seed 3 instead.fray
