/* whole.c - files that are there whole or not at all.
 *
 * What is written has no name until it is complete: on Linux it is a file without one
 * (O_TMPFILE), which vanishes with the process; elsewhere it stands beside the file as NAME~. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "lang/app/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lang/app/host.h"

static bool write_all(int fd, const char *data, size_t length)
{
	while (length > 0) {
		ssize_t n = write(fd, data, length);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n == 0 ? ENOSPC : errno;
			return false;
		}
		data += n;
		length -= (size_t)n;
	}
	return true;
}

/* Pipes and devices are written to as they are: there is nothing to put in their place. */
static const char *write_through(const char *name, const char *data, size_t length)
{
	int fd = open(name, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write_all(fd, data, length);
	int why = errno;
	if (fd >= 0 && close(fd) != 0 && ok) {
		ok = false;
		why = errno;
	}
	return ok ? NULL : strerror(why);
}

/* A file without a name in that folder; -1 where there is no such thing. */
static int open_nameless(const char *name)
{
#ifdef O_TMPFILE
	char *folder = file_folder(name);
	int fd = open(folder ? folder : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	free(folder);
	return fd;
#else
	(void)name;
	return -1;
#endif
}

static bool give_name(int fd, const char *name)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	remove(name); /* left by a process that died here */
	return linkat(AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

static const char a_folder[] = "there is a folder of that name";

const char *file_may_write(const char *name)
{
	struct stat st;
	if (stat(name, &st) == 0 && S_ISDIR(st.st_mode))
		return a_folder;
	if (stat(name, &st) == 0 && !S_ISREG(st.st_mode))
		return NULL;
	char *folder = file_folder(name);
	const char *why = access(folder ? folder : ".", W_OK | X_OK) == 0 ? NULL : strerror(errno);
	free(folder);
	return why;
}

const char *file_write(const char *name, const char *data, size_t length)
{
	struct stat st;
	struct text beside = {0};
	if (stat(name, &st) == 0 && S_ISDIR(st.st_mode))
		return a_folder;
	if (stat(name, &st) == 0 && !S_ISREG(st.st_mode))
		return write_through(name, data, length);
	text_add(&beside, name, strlen(name));
	text_add(&beside, "~", 2);
	int fd = open_nameless(name);
	bool named = fd < 0;
	if (named)
		fd = open(beside.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	bool ok = fd >= 0 && write_all(fd, data, length) && fsync(fd) == 0;
	if (ok && !named)
		ok = named = give_name(fd, beside.data);
	int why = errno;
	if (fd >= 0 && close(fd) != 0 && ok) {
		ok = false;
		why = errno;
	}
	if (ok && rename(beside.data, name) != 0) {
		ok = false;
		why = errno;
	}
	if (!ok && named && fd >= 0)
		remove(beside.data);
	text_free(&beside);
	return ok ? NULL : strerror(why);
}
