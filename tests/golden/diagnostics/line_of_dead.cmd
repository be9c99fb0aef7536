fray repl unplayed.fray
