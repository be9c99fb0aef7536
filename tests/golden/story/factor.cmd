fray run factor.fray && fray run --why=full factor.fray && fray run --json factor.fray | grep recast
