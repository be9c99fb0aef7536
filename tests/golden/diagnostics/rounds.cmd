fray check rounds.fray
