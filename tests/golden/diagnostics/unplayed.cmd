fray run unplayed.fray
