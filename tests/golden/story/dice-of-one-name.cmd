fray run dice-of-one-name.fray
