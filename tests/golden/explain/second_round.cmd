fray run second_round.fray
