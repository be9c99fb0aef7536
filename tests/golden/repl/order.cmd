fray repl segments.fray
