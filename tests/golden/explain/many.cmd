fray repl --seed=1 many.fray
