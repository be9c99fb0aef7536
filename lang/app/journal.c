/* journal.c - see journal.h. */
#include "lang/app/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lang/app/files.h"
#include "lang/app/host.h"
#include "lang/app/state.h"

struct journal {
	int fd;               /* -1: nothing was kept yet, or it cannot be */
	int lock;             /* held while the prompt is open; -1: none */
	struct text head;
	bool begun;
};

static const char head_line[] = "-- fray session";

/* The script as another folder would name it. */
static void head_member(struct text *t, const char *name, const char *value)
{
	text_add(t, "-- ", 3);
	text_add(t, name, strlen(name));
	text_add(t, ": ", 2);
	text_add(t, value, strlen(value));
	text_add(t, "\n", 1);
}

struct journal *journal_new(const char *script, const char *rules, const char *seed)
{
	struct journal *j = calloc(1, sizeof *j);
	if (!j)
		return NULL;
	j->fd = j->lock = -1;
	text_add(&j->head, head_line, sizeof head_line - 1);
	text_add(&j->head, "\n", 1);
	char folder[PATH_MAX];
	bool here = getcwd(folder, sizeof folder) != NULL;
	if (here)
		head_member(&j->head, "folder", folder);
	if (script) {
		struct text whole = {0};
		if (*script != '/' && here) {
			text_add(&whole, folder, strlen(folder));
			text_add(&whole, "/", 1);
		}
		text_add(&whole, script, strlen(script) + 1);
		head_member(&j->head, "script", whole.data);
		text_free(&whole);
	}
	if (rules)
		head_member(&j->head, "rules", rules);
	if (seed)
		head_member(&j->head, "seed", seed);
	return j;
}

/* Writes all of it at once: a line is kept, or it is not. */
static void put(struct journal *j, const char *text, size_t length)
{
	while (j->fd >= 0 && length) {
		ssize_t n = write(j->fd, text, length);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			complain("this session can be kept no longer: the journal cannot be written.");
			close(j->fd);
			j->fd = -1;
			return;
		}
		text += n;
		length -= (size_t)n;
	}
}

/* ---- several at once ---- */

/* The path of a session's file: session, session.old; session.2, session.2.old .. */
static char *path_of(int number, const char *end)
{
	char name[40], digits[12] = "";
	if (number > 1)
		snprintf(digits, sizeof digits, ".%d", number);
	snprintf(name, sizeof name, "session%s%s", digits, end);
	return state_path(name);
}

/* The lock of a session; -1 when another prompt has it. */
static int lock_of(int number)
{
	char *path = path_of(number, ".lock");
	int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
	free(path);
	while (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
		if (errno == EINTR)
			continue;
		close(fd);
		fd = -1;
	}
	return fd;
}

int journal_sessions(int number[SESSIONS_MOST])
{
	int n = 0;
	for (int i = 1; i <= SESSIONS_MOST; i++) {
		char *path = path_of(i, "");
		const int lock = path && file_exists(path) ? lock_of(i) : -1;
		if (lock >= 0) {
			number[n++] = i;
			close(lock);
		}
		free(path);
	}
	return n;
}

void journal_when(int number, char *text, size_t size)
{
	struct stat st;
	struct tm day;
	char *path = path_of(number, "");
	*text = '\0';
	if (path && stat(path, &st) == 0 && localtime_r(&st.st_mtime, &day))
		strftime(text, size, "%Y-%m-%d %H:%M", &day);
	free(path);
}

static void begin(struct journal *j)
{
	int number = 0;
	j->begun = true;
	while (j->lock < 0 && number < SESSIONS_MOST)
		j->lock = lock_of(++number);
	char *path = j->lock < 0 ? NULL : path_of(number, "");
	if (!path) {
		complain("this session is not kept: there is no place for its journal.");
		return;
	}
	char *old = path_of(number, ".old");
	if (old)
		rename(path, old); /* there may be none */
	free(old);
	j->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
	free(path);
	put(j, j->head.data, j->head.length);
}

void journal_keep(struct journal *j, const char *lines, size_t length)
{
	if (!j)
		return;
	if (!j->begun)
		begin(j);
	put(j, lines, length);
}

void journal_free(struct journal *j)
{
	if (!j)
		return;
	if (j->fd >= 0)
		close(j->fd);
	if (j->lock >= 0)
		close(j->lock);
	text_free(&j->head);
	free(j);
}

struct journal *journal_again(int number)
{
	struct journal *j = journal_new(NULL, NULL, NULL);
	if (!j)
		return NULL;
	j->begun = true;
	j->lock = lock_of(number);
	char *path = j->lock < 0 ? NULL : path_of(number, "");
	if (path)
		j->fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	free(path);
	return j;
}

/* The value of a head line that begins with `-- name: `, malloc'ed. */
static char *member(const char *line, const char *name)
{
	size_t n = strlen(name);
	if (strncmp(line, "-- ", 3) || strncmp(line + 3, name, n) || strncmp(line + 3 + n, ": ", 2))
		return NULL;
	const char *value = line + 3 + n + 2;
	return strndup(value, strcspn(value, "\n"));
}

bool journal_read(struct journal_read *r, int number)
{
	size_t length;
	char *path = path_of(number, "");
	memset(r, 0, sizeof *r);
	if (path && file_exists(path))
		r->text = file_read(path, &length);
	free(path);
	if (!r->text || strncmp(r->text, head_line, sizeof head_line - 1)) {
		journal_read_free(r);
		return false;
	}
	const char *p = r->text;
	while (*p == '-') {
		if (!r->folder)
			r->folder = member(p, "folder");
		if (!r->script)
			r->script = member(p, "script");
		if (!r->rules)
			r->rules = member(p, "rules");
		if (!r->seed)
			r->seed = member(p, "seed");
		p += strcspn(p, "\n");
		p += *p == '\n';
	}
	r->lines = p;
	return true;
}

void journal_read_free(struct journal_read *r)
{
	free(r->text);
	free(r->folder);
	free(r->script);
	free(r->rules);
	free(r->seed);
	memset(r, 0, sizeof *r);
}
