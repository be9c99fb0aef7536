fray check verb.fray
