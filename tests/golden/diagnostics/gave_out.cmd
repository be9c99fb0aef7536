fray run gave_out.fray
