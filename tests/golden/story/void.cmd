fray repl void.fray
