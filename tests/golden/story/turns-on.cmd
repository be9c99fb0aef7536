fray run turns-on.fray
