fray repl held.fray
