fray repl osric_why.fray
