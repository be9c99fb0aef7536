fray run --seed 2 expect.fray
