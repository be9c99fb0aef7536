fray run cycle.fray 2>&1 | grep -o 'each of these acts.*'
