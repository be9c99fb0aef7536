fray run cue.fray --seed 2
