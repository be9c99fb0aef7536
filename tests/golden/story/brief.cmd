fray run --brief ../../../examples/five-ways.fray; fray run --brief --rules=dew ../../../examples/five-ways.fray
