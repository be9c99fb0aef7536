fray run counted.fray
