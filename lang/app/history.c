/* history.c - see history.h. Only a prompt with GNU readline has a history. */
#include "lang/app/history.h"

#if FRAY_READLINE

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>

enum { LINES_KEPT = 2000 };

/* Makes every folder of a path, as the XDG rules ask: for its owner alone. */
static void make_folders(char *path)
{
	for (char *p = path + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		mkdir(path, 0700); /* there already, or open() will fail below */
		*p = '/';
	}
}

char *history_path(void)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	const char *below = "/fray/history";
	if (!state || *state != '/') {
		if (!home || *home != '/')
			return NULL;
		state = home;
		below = "/.local/state/fray/history";
	}
	char *path = malloc(strlen(state) + strlen(below) + 1);
	if (!path)
		return NULL;
	strcpy(path, state);
	strcat(path, below);
	make_folders(path);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		if (fd >= 0)
			close(fd);
		free(path);
		return NULL;
	}
	fchmod(fd, 0600);
	close(fd);
	return path;
}

void history_read(const char *path)
{
	using_history();
	stifle_history(LINES_KEPT);
	history_truncate_file(path, LINES_KEPT);
	read_history(path);
}

void history_keep(const char *path, const char *line)
{
	HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;
	if (!line[strspn(line, " \t")] || (last && !strcmp(last->line, line)))
		return;
	add_history(line);
	if (path)
		append_history(1, path);
}

#endif
