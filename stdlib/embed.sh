#!/bin/sh
# embed.sh - writes the standard library as one C file, on standard output.
#
# usage: sh stdlib/embed.sh FOLDER > stdlib.c
#
# Every *.fray below FOLDER becomes a string; see stdlib/builtins.h for the table. Only sh,
# find, sort and awk are needed. Question marks are escaped because C11 still reads trigraphs.
set -eu
export LC_ALL=C

folder=${1:?usage: embed.sh FOLDER}
cd "$folder"
find . -name '*.fray' | sed 's|^\./||' | sort | awk '
	BEGIN {
		print "/* Made from stdlib/ by stdlib/embed.sh. */"
		print "#include \"stdlib/builtins.h\""
	}
	{
		file[NR] = $0
		printf "\nstatic const char text_%d[] =\n", NR
		while ((got = (getline line < $0)) > 0) {
			gsub(/\\/, "&&", line)
			gsub(/"/, "\\\"", line)
			gsub(/\?/, "\\?", line)
			gsub(/\r/, "\\r", line)
			printf "\t\"%s\\n\"\n", line
		}
		if (got < 0) {
			print "embed.sh: cannot read " $0 > "/dev/stderr"
			exit 1
		}
		close($0)
		print "\t\"\";"
	}
	END {
		print "\nconst struct fray_builtin fray_builtins[] = {"
		for (i = 1; i <= NR; i++) {
			name = file[i]
			sub(/\.fray$/, "", name)
			printf "\t{ \"%s\", text_%d, sizeof text_%d - 1 },\n", name, i, i
		}
		print "\t{ 0, 0, 0 }\n};"
		printf "\nconst unsigned long fray_builtin_count = %d;\n", NR
	}'
