cd ../../../examples/house && fray run --seed=3 - < ../../tests/golden/house/crucible.fray
