/* pager.c - see pager.h. */
#include "lang/app/pager.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t pager;

bool pager_runs(void)
{
	return pager > 0;
}

/* The child: reads what is written, until the reader leaves. */
static void page(int in, const char *command)
{
	dup2(in, STDIN_FILENO);
	close(in);
	signal(SIGPIPE, SIG_DFL);
	setenv("LESS", "FRX", 0);
	if (command)
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	else
		execlp("less", "less", (char *)NULL);
	execlp("cat", "cat", (char *)NULL); /* there is none */
	_exit(127);
}

void pager_begin(void)
{
	const char *command = getenv("PAGER");
	int ends[2];
	if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO) ||
		(command && (!*command || !strcmp(command, "cat"))))
		return;
	fflush(stdout);
	if (pipe(ends) != 0)
		return;
	pager = fork();
	if (pager == 0) {
		close(ends[1]);
		page(ends[0], command);
	}
	close(ends[0]);
	if (pager > 0)
		dup2(ends[1], STDOUT_FILENO);
	close(ends[1]);
}

void pager_end(void)
{
	if (!pager_runs())
		return;
	fflush(stdout); /* a reader who has left already wants no more, and no message */
	clearerr(stdout);
	close(STDOUT_FILENO);
	signal(SIGINT, SIG_IGN); /* it is the pager's */
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
	pager = 0;
}
