/* edit.c - see edit.h. */
#include "lang/app/edit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lang/app/files.h"
#include "lang/app/host.h"
#include "lang/app/state.h"

static const char *editor(void)
{
	static const char *const names[] = {"VISUAL", "EDITOR"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = getenv(names[i]);
		if (value && value[strspn(value, " \t")])
			return value;
	}
	return "vi";
}

/* The shell runs it, because $EDITOR may hold options; the file is its parameter, not its text. */
static bool run_editor(const char *command, const char *path)
{
	struct text line = {0};
	int status = -1;
	text_add(&line, command, strlen(command));
	text_add(&line, " \"$1\"", 6);
	/* Ctrl-C is a key of the editor */
	struct sigaction ignored = {.sa_handler = SIG_IGN}, before;
	sigemptyset(&ignored.sa_mask);
	sigaction(SIGINT, &ignored, &before);
	const pid_t child = fork();
	if (child == 0) {
		signal(SIGINT, SIG_DFL);
		execl("/bin/sh", "sh", "-c", line.data, "sh", path, (char *)NULL);
		_exit(127);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	sigaction(SIGINT, &before, NULL);
	text_free(&line);
	return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool put_text(int fd, const char *text, size_t length)
{
	while (length) {
		const ssize_t n = write(fd, text, length);
		if (n <= 0)
			return false;
		text += n;
		length -= (size_t)n;
	}
	return true;
}

char *edit_text(const char *text, size_t length)
{
	const char *command = editor();
	struct text path = {0};
	char *edited = NULL, *folder = state_path("edit-XXXXXX"); /* its owner's alone */
	if (!folder)
		folder = strdup("edit-XXXXXX");
	if (!folder || !mkdtemp(folder)) {
		complain("no file for the editor can be made: %s.", strerror(errno));
		free(folder);
		return NULL;
	}
	text_add(&path, folder, strlen(folder) + 1);
	free(folder);
	const size_t stem = path.length - 1;
	path.length = stem;
	text_add(&path, "/block.fray", 12);
	const int fd = open(path.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	const bool written = fd >= 0 && put_text(fd, text, length);
	if (fd >= 0 && close(fd) == 0 && written) {
		if (run_editor(command, path.data))
			edited = file_read(path.data, &length);
		else
			complain("the editor (%s) failed; nothing was changed.", command);
	} else {
		complain("%s cannot be written: %s.", path.data, strerror(errno));
	}
	unlink(path.data);
	path.data[stem] = '\0';
	rmdir(path.data); /* what the editor left beside it stays */
	text_free(&path);
	return edited;
}
