fray repl three.fray
