fray run --timeline --rules=proc ../../../examples/five-ways.fray
