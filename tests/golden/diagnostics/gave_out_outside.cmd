fray run gave_out_outside.fray "the cellar"; fray run gave_out_outside.fray "the stair"
