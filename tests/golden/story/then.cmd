fray run --seed=1 then.fray
