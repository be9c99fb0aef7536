for e in "surprised" "broken in surprise" "given up when the fight was over" "minds"; do fray run no-turn.fray "$e" 2>/dev/null; done
printf 'begin\nrun\nwhy not Ida assails Gob in round 2\n' | fray repl no-turn.fray 2>&1 | tail -5
fray run --json no-turn.fray minds 2>/dev/null | grep -o '"reason":"was surprised"\|"told":"Ida was to assail[^}]*'
fray run no-turn-crucible.fray 2>/dev/null
fray run --json no-turn.fray surprised 2>/dev/null | grep -o '"reason":"was surprised".*'
fray run no-turn-then.fray 2>/dev/null
fray run --json no-turn-then.fray 2>/dev/null | grep -o '"told":"Ann was to attack[^}]*'
printf 'begin\nrun\nwhy not Ann attacks Orc #2\n' | fray repl no-turn-then.fray 2>&1 | tail -1
fray run no-turn-dew.fray 2>/dev/null
