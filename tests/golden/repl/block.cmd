fray repl
