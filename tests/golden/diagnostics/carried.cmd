for s in osric lite proc dew crucible; do echo "$s:"; sed "s/^use osric/use $s/" carried.fray | fray check /dev/stdin 2>&1; done
