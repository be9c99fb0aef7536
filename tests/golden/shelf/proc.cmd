fray run --rules=proc characters.fray
