" Colours of Fray scripts. The lines that end in words.def are written by lang/editors/words.py.
if exists('b:current_syntax')
  finish
endif

syntax case ignore
syntax match frayField "\%(^\|[{;]\)\s*\zs[^{};:\"]\{-1,}\ze\s*:"
syntax match frayInside "\<\%(rounded\s\+nearest\|at\s\+the\s\+end\s\+of\|together\s\+with\|rounded\s\+down\|apart\s\+from\|as\s\+soon\s\+as\|by\s\+default\|rounded\s\+up\|yields\s\+to\|at\s\+least\|precedes\|against\|at\s\+most\|chooses\|or\s\+else\|towards\|behind\|giving\|toward\|unless\|meets\|using\|where\|else\|from\|have\|into\|past\|then\|upon\|when\|with\|and\|are\|for\|has\|may\|not\|as\|at\|by\|in\|is\|or\|to\|vs\)\>'\@!" " words.def
syntax match frayStatement "\%(^\|[{};]\)\s*\zs\<\%(everything\s\+except\|default\s\+action\|default\s\+policy\|everything\s\+but\|expect\s\+in\s\+vain\|in\s\+this\s\+order\|perform\s\+phase\|exception\s\+to\|begin\s\+round\|house\s\+rules\|everything\|instead\s\+of\|when\s\+asked\|dice\s\+roll\|drop\s\+rule\|encounter\|no\s\+longer\|carry\s\+on\|dice\s\+ask\|replaces\|sequence\|spelling\|together\|whenever\|average\|compare\|copy\s\+of\|extends\|follows\|highest\|in\s\+full\|library\|resolve\|ruleset\|someone\|action\|adjust\|before\|cancel\|change\|define\|end\s\+of\|expect\|follow\|forbid\|lowest\|option\|permit\|policy\|random\|refuse\|remove\|repeat\|ruling\|spread\|stated\|switch\|after\|alias\|begin\|costs\|count\|event\|every\|exact\|force\|forks\|keeps\|limit\|needs\|order\|phase\|refer\|sweep\|table\|those\|total\|until\|up\s\+to\|while\|wrong\|base\|does\|each\|fork\|help\|kind\|load\|next\|none\|note\|odds\|once\|over\|pend\|pick\|plot\|quit\|redo\|roll\|rule\|save\|show\|side\|step\|stop\|this\|undo\|unit\|add\|all\|any\|ask\|let\|run\|set\|use\|why\|yes\|if\|no\|on\)\>'\@!" " words.def
syntax match frayNumber "\%(\w\|#\)\@1<!\d\+\%(\.\d\+\)\?%\?"
syntax match frayDice "\<\d*d\d\+\%(k[hl]\d\+\|d[hl]\d\+\|!\|r\d\+\)*\%([+-]\d\+\)\?\>"
syntax match frayOrdinal "#\d\+"
syntax match frayPart "{[^}\"]*}" contained
syntax region frayString start=+\d\@1<!"+ end=+"+ end=+$+ oneline contains=frayPart
syntax match frayComment "--.*$" contains=@Spell

highlight default link frayStatement Keyword
highlight default link frayInside Operator
highlight default link frayField Identifier
highlight default link frayNumber Number
highlight default link frayDice Constant
highlight default link frayOrdinal Number
highlight default link frayPart Special
highlight default link frayString String
highlight default link frayComment Comment

let b:current_syntax = 'fray'
