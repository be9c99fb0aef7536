fray run together.fray "spoiled twice"; fray run --why together.fray routines
