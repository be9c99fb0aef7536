fray run untaken.fray; fray repl untaken.fray | tail -25
