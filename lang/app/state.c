/* state.c - see state.h. */
#include "lang/app/state.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes every folder of a path, as the XDG rules ask: for its owner alone. */
static void make_folders(char *path)
{
	for (char *p = path + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		mkdir(path, 0700); /* there already, or open() will fail later */
		*p = '/';
	}
}

char *state_path(const char *name)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	const char *below = "/fray/";
	if (!state || *state != '/') {
		if (!home || *home != '/')
			return NULL;
		state = home;
		below = "/.local/state/fray/";
	}
	char *path = malloc(strlen(state) + strlen(below) + strlen(name) + 1);
	if (!path)
		return NULL;
	strcpy(path, state);
	strcat(path, below);
	strcat(path, name);
	make_folders(path);
	return path;
}

char *state_file(const char *name)
{
	char *path = state_path(name);
	if (!path)
		return NULL;
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
