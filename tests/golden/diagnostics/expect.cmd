fray run expect.fray
