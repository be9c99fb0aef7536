/* peak.c - runs a command, its output thrown away, and prints the nanoseconds it took and the
 * kilobytes it held at most. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct timespec begun, ended;
	struct rusage used;
	int status = 0;
	if (argc < 2)
		return 2;
	clock_gettime(CLOCK_MONOTONIC, &begun);
	pid_t child = fork();
	if (child == 0) {
		int null = open("/dev/null", O_WRONLY);
		dup2(null, 1);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &used) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return 1;
	clock_gettime(CLOCK_MONOTONIC, &ended);
	printf("%lld %ld\n", (long long)(ended.tv_sec - begun.tv_sec) * 1000000000 + (ended.tv_nsec - begun.tv_nsec), used.ru_maxrss);
	return 0;
}
