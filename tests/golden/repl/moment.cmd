fray repl --keep-going ford.fray
