fray repl --rules=osric characters.fray
