fray repl lite_why.fray
