fray run --timeline casters.fray
