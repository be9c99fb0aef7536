fray run --rules=lite characters.fray
