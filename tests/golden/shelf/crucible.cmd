fray run --rules=crucible characters.fray
