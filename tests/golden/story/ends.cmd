fray run ends.fray; fray run --brief ends.fray; fray run --json ends.fray | grep -o "\"told\":\"[^\"]*was to[^\"]*\""
