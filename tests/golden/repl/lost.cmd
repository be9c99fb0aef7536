fray repl ford.fray
