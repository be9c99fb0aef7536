fray run --seed=1 again.fray 2>/dev/null; fray run --seed=1 --why again.fray 2>/dev/null | grep -c "^round"
