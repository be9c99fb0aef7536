fray run over.fray; fray run over-spell.fray
