fray repl crowd.fray
