fray run letters.fray
