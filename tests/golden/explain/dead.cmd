fray repl dead.fray
