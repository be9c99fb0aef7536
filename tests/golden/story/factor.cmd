fray run factor.fray && fray run --why factor.fray && fray run --json factor.fray | grep recast
