fray repl replaced.fray
