fray run --timeline held.fray && fray repl held.fray
