#!/bin/sh
# symbols.sh - the library is silent: it imports nothing that prints, reads, exits, looks at
# the clock or the environment. (native.c maps memory, no file: what may be executed is not to be had otherwise.) The build to look at is in BUILD (default build/debug).
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
lib=${BUILD:-build/debug}/libfray.a
[ -f "$lib" ] || { echo "$lib is not built"; exit 1; }

# printing and files; descriptors and names; processes; environment; time; chance; network; terminal
forbidden='
	v?f?printf|v?dprintf|v?asprintf|puts|fputs|putchar|putc|fputc|_IO_putc|fwrite|fread|fopen|fdopen|freopen|fclose|fflush|f?getc|_IO_getc|getchar|fgets|getline|getdelim|v?f?scanf|ungetc|fseek|ftell|tmpfile|perror|stderr|__v?f?printf_chk|__vfprintf_chk
	open|openat|creat|close|read|write|pread|pwrite|lseek|[fl]?stat|access|unlink|rename|remove|mkdir|rmdir|chdir|getcwd|realpath|opendir|readdir|mmap|open64|fopen64|stat64
	exit|_exit|_Exit|quick_exit|atexit|system|popen|fork|vfork|exec[lv]p?e?|posix_spawnp?|kill|raise|signal|sigaction|dlopen|dlsym
	getenv|secure_getenv|setenv|putenv|environ|setlocale
	time|clock|gettimeofday|clock_gettime|localtime|localtime_r|gmtime|gmtime_r|mktime|strftime|sleep|usleep|nanosleep|alarm
	rand|srand|rand_r|random|srandom|drand48|lrand48|getrandom|getentropy|arc4random
	socket|connect|bind|listen|accept|send|recv|sendto|recvfrom|poll|select|getaddrinfo
	isatty|ioctl|tcgetattr|tcsetattr|readline'
pattern=$(printf '%s' "$forbidden" | tr -d '\t' | tr '\n' '|' | sed 's/^|//')

# Each line: object, symbol. What one object defines, another may use.
nm -A -g "$lib" | awk -v pattern="^(__isoc99_|__)?($pattern)(_chk|64)?(@.*)?$" '
	{
		object = $1
		sub(/:[^:]*$/, "", object)
		sub(/.*:/, "", object)
		symbol = $NF
		kind = $(NF - 1)
		if (kind == "U" && !(object == "native.o" && symbol ~ /^mmap(64)?(@.*)?$/))
			used[symbol] = used[symbol] " " object
		else if (kind != "U")
			defined[symbol] = 1
	}
	END {
		for (s in used)
			if (!(s in defined) && s ~ pattern) {
				print "the library must not use " s ":" used[s]
				bad = 1
			}
		exit bad
	}'
