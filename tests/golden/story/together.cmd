fray run together.fray "spoiled twice"; fray run --why=full together.fray routines
