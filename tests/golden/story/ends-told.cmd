fray run charge-ends.fray; fray run --json charge-ends.fray | grep -o '"end":"[a-z ]*"' | sort | uniq -c
fray run long-spell.fray; fray run --json long-spell.fray | grep '"event":"cast"' | grep -o '"end":"[a-z ]*"'
