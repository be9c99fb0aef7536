fray repl --seed 3 slips.fray
