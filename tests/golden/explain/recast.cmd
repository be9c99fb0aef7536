fray repl recast.fray
