fray run --brief brief-groups.fray
