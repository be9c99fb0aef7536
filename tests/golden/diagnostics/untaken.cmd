fray run untaken.fray
