fray repl --seed 1 too_late.fray
