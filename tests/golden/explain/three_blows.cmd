fray repl three_blows.fray
