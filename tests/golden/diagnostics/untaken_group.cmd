fray run untaken_group.fray
