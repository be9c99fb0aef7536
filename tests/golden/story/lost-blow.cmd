fray run lost-blow.fray; printf 'begin\nstep round\nstep round\nwhy did Ann come too late\nwhy does Ann not attack Ben\n' | fray repl lost-blow.fray
