fray run suffered.fray; printf 'begin\nstep round\nwhy did Eli not attack Mira\n' | fray repl suffered.fray
