fray repl crucible_steps.fray
