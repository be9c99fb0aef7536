/* files.c - see files.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "lang/app/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lang/app/budget.h"
#include "lang/app/host.h"

static char *read_all(int fd, const char *shown, size_t most, size_t *length)
{
	struct text t = {0};
	char piece[65536];
	for (;;) {
		ssize_t n = read(fd, piece, sizeof piece);
		if (n < 0 && errno == EINTR && !host_interrupted())
			continue;
		if (n < 0) {
			complain(errno == EISDIR ? "%s is a folder, not a script." : errno == EINTR ? "%s was not read: interrupted." : "cannot read %s.", shown);
			text_free(&t);
			return NULL;
		}
		if (n == 0)
			break;
		text_add(&t, piece, (size_t)n);
		if (t.length > most) {
			complain("%s is too long: %zu MB are the most.", shown, most >> 20);
			text_free(&t);
			return NULL;
		}
	}
	text_add(&t, "", 1); /* never NULL, and a terminator for luck */
	*length = t.length - 1;
	return t.data;
}

const char *file_meant(const char *path)
{
	static char meant[512];
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
	const size_t whole = strlen(path);
	const size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - path) : whole;
	meant[0] = '\0';
	for (int k = 0; k < 2; k++) {
		char name[480];
		const size_t n = k ? stem : whole;
		snprintf(name, sizeof name, "%.*s.fray", (int)(n < 400 ? n : 400), path);
		if (n < 400 && strcmp(name, path) != 0 && file_exists(name)) {
			snprintf(meant, sizeof meant, "; did you mean %s?", name);
			return meant;
		}
	}
	return ".";
}

static char *read_path(const char *path, size_t most, size_t *length)
{
	if (!strcmp(path, "-"))
		return read_all(STDIN_FILENO, "standard input", most, length);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		const bool none = errno == ENOENT;
		complain("cannot read %s: %s%s", path,
			none ? "there is no such file" : strerror(errno),
			none ? file_meant(path) : ".");
		return NULL;
	}
	char *text = read_all(fd, path, most, length);
	close(fd);
	return text;
}

char *file_read(const char *path, size_t *length)
{
	return read_path(path, FILE_BYTES_MAX, length);
}

char *file_read_part(const char *path, size_t *length)
{
	return read_path(path, PART_BYTES_MAX, length);
}

static char *join(const char *folder, const char *name, const char *end)
{
	size_t room = (folder ? strlen(folder) + 1 : 0) + strlen(name) + strlen(end) + 1;
	char *path = malloc(room);
	if (!path)
		budget_out_of_memory();
	bool slash = folder && *folder && folder[strlen(folder) - 1] != '/';
	snprintf(path, room, "%s%s%s%s", folder ? folder : "", slash ? "/" : "", name, end);
	return path;
}

/* Whether a path leads, by whatever links, to a file in that folder or below it. */
static bool is_below(const char *folder, const char *path)
{
	char *top = realpath(folder && *folder ? folder : ".", NULL), *whole = realpath(path, NULL);
	const size_t n = top ? strlen(top) : 0;
	const bool root = n == 1; /* all is below "/" */
	const bool below = n && whole && !strncmp(whole, top, n) && (root || whole[n] == '/');
	free(top);
	free(whole);
	return below;
}

/* Once for each file, though it is looked for several times. */
static void complain_of_link(const char *path)
{
	static char said[256];
	if (strncmp(said, path, sizeof said - 1))
		complain("%s is not read: it is a link out of its folder. Copy the file.", path);
	snprintf(said, sizeof said, "%s", path);
}

char *file_read_module(const char *folder, const char *name, size_t *length)
{
	struct stat st;
	char *path = join(folder, name, ".fray");
	char *text = NULL;
	/* nothing but plain files: a pipe of that name could hold the reader up for ever */
	if (path && stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
		if (is_below(folder, path))
			text = file_read(path, length);
		else
			complain_of_link(path);
	}
	free(path);
	return text;
}

char *file_below(const char *folder, const char *name)
{
	char *path = join(folder, name, ""), *below = path ? file_folder(path) : NULL;
	free(path);
	return below;
}

char *file_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	if (!slash)
		return NULL;
	size_t n = slash == path ? 1 : (size_t)(slash - path);
	char *folder = malloc(n + 1);
	if (folder) {
		memcpy(folder, path, n);
		folder[n] = '\0';
	}
	return folder;
}

bool file_exists(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0;
}

bool file_same(const char *one, const char *other)
{
	struct stat a, b;
	if (stat(one, &a) != 0 || stat(other, &b) != 0)
		return false;
	return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* ---- folders ---- */

static bool list_push(struct file_list *list, char *path)
{
	if (list->n == list->room) {
		int room = list->room ? 2 * list->room : 32;
		char **grown = realloc(list->path, (size_t)room * sizeof *grown);
		if (!grown)
			budget_out_of_memory();
		list->path = grown;
		list->room = room;
	}
	list->path[list->n++] = path;
	return true;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool ends_in(const char *name, const char *end)
{
	size_t n = strlen(name), k = strlen(end);
	return n > k && !strcmp(name + n - k, end);
}

static bool walk(struct file_list *list, const char *folder)
{
	struct file_list inside = {0};
	struct dirent *entry;
	bool ok = true;
	DIR *dir = opendir(folder);
	if (!dir) {
		complain("cannot read the folder %s: %s.", folder, strerror(errno));
		return false;
	}
	while (ok && (entry = readdir(dir)) != NULL) {
		char *path = entry->d_name[0] == '.' ? NULL : join(folder, entry->d_name, "");
		if (path)
			ok = list_push(&inside, path);
	}
	closedir(dir);
	if (inside.n)
		qsort(inside.path, (size_t)inside.n, sizeof *inside.path, by_name);
	for (int i = 0; i < inside.n; i++) {
		struct stat st;
		char *path = inside.path[i];
		if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
			ok = walk(list, path) && ok;
		} else if (ends_in(path, ".fray") && stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
			inside.path[i] = NULL;
			ok = list_push(list, path) && ok;
		}
	}
	file_list_free(&inside);
	return ok;
}

bool file_list_add(struct file_list *list, const char *path)
{
	struct stat st;
	if (strcmp(path, "-") && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return walk(list, path);
	char *copy = join(NULL, path, "");
	return copy && list_push(list, copy);
}

void file_list_free(struct file_list *list)
{
	for (int i = 0; i < list->n; i++)
		free(list->path[i]);
	free(list->path);
	memset(list, 0, sizeof *list);
}

/* A file that is there: whether it was saved at the prompt. */
static bool was_saved(const char *name)
{
	static const char mark[] = "-- Saved at the prompt of Fray ";
	char start[sizeof mark] = "";
	FILE *f = fopen(name, "rb");
	const size_t n = f ? fread(start, 1, sizeof mark - 1, f) : 0;
	if (f)
		fclose(f);
	return n == sizeof mark - 1 && !memcmp(start, mark, n);
}

const char *file_save(const char *name, const char *text, size_t length, bool *kept)
{
	*kept = false;
	if (!file_exists(name))
		return file_write(name, text, length);
	if (!was_saved(name))
		return "a file of that name is there already, and was not saved here";
	size_t size = 0;
	char *before = file_read(name, &size), *old = join(NULL, name, ".old");
	const char *why = before && old ? NULL : "the file of that name cannot be read";
	if (!why && (size != length || memcmp(before, text, length))) {
		if (file_exists(old) && !was_saved(old))
			why = "a file of that name is there, and NAME.old is taken by another";
		else
			why = file_write(old, before, size);
		*kept = !why;
	}
	free(before);
	free(old);
	return why ? why : file_write(name, text, length);
}
