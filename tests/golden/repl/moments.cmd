fray repl --seed 3 moments.fray
