fray run --rules=osric characters.fray
