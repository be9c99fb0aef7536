/* journal.c - see journal.h. */
#include "lang/app/journal.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lang/app/files.h"
#include "lang/app/host.h"
#include "lang/app/state.h"

struct journal {
	int fd;               /* -1: nothing was kept yet, or it cannot be */
	char *path;           /* NULL: there is no place for it */
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
	j->fd = -1;
	j->path = state_path("session");
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

static void begin(struct journal *j)
{
	j->begun = true;
	if (!j->path)
		return;
	char *old = state_path("session.old");
	if (old)
		rename(j->path, old); /* there may be none */
	free(old);
	j->fd = open(j->path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
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
	text_free(&j->head);
	free(j->path);
	free(j);
}

struct journal *journal_again(void)
{
	struct journal *j = journal_new(NULL, NULL, NULL);
	if (!j)
		return NULL;
	j->begun = true;
	if (j->path)
		j->fd = open(j->path, O_WRONLY | O_APPEND | O_CLOEXEC);
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

bool journal_read(struct journal_read *r)
{
	size_t length;
	char *path = state_path("session");
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
