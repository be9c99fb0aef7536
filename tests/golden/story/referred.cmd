cd ../../rules/dew
call() { fray run "$1.fray" "$2" | tr -s '\n ' ' ' | grep -o "referee's call: [^()]*([A-Za-z0-9.-]*)"; }
call attacks "P9 one below is a near miss"
call attacks "P10 double ones and double tens"
call attacks "P14 a knife with an even roll"
call further "more than a hundred"
call options "P15 no further than six"
call rounds "work left to the gamesmaster"
