printf 'begin\nAnn casts spark\nstep round\nwhy not Ann casts spark\npolicy zap { cast spark; wait }\nAnn follows zap\nAnn casts spark at Orc\nrun\n' | fray repl at-whom.fray
