fray repl blows.fray
