/* peak.c - runs a command, its output thrown away, and prints the nanoseconds it took, the
 * kilobytes it held at most, and the nanoseconds of processor it used. */
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
	long long took = (long long)(ended.tv_sec - begun.tv_sec) * 1000000000 + (ended.tv_nsec - begun.tv_nsec);
	long long busy = (long long)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000 + (long long)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000;
	printf("%lld %ld %lld\n", took, used.ru_maxrss, busy);
	return 0;
}
