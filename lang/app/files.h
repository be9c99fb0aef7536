/* files.h - reading scripts and walking folders. */
#ifndef FRAY_APP_FILES_H
#define FRAY_APP_FILES_H

#include "lang/app/app.h"

/* The library takes no longer text. */
enum { FILE_BYTES_MAX = 16 * 1024 * 1024 };

/* A part of odds may be that long. */
enum { PART_BYTES_MAX = 1 << 30 };

/* The bytes of a file, malloc'ed; "-" is standard input. NULL after saying why not. */
char *file_read(const char *path, size_t *length);
/* The same for parts. */
char *file_read_part(const char *path, size_t *length);
/* FOLDER/NAME.fray, when there is such a plain file below that folder. NULL when there is not; when
 * a link leads out of the folder, it is said. */
char *file_read_module(const char *folder, const char *name, size_t *length);
/* The folder part of a path, malloc'ed; NULL when it has none. */
char *file_folder(const char *path);
/* Writes a file so that it is there whole or, whatever happens, as it was before. NULL, or why
 * it could not be written. */
const char *file_write(const char *name, const char *data, size_t length);
/* Before long work: why file_write is going to fail, as far as can be known now; or NULL. */
const char *file_may_write(const char *name);
/* Writes a script saved at the prompt into the current folder. One that was saved there before and
 * reads otherwise is kept as NAME.old, and `kept` set; another file of that name is not written
 * over. NULL, or why it could not be. */
const char *file_save(const char *name, const char *text, size_t length, bool *kept);
/* The folder of a script NAME that was read from below a folder, malloc'ed. */
char *file_below(const char *folder, const char *name);
bool file_exists(const char *path);
/* Whether two names name the same file. */
bool file_same(const char *one, const char *other);
/* The end of a sentence about a file that is not there: "; did you mean cellar.fray?", or a full
 * stop. */
const char *file_meant(const char *path);

struct file_list {
	char **path;
	int n, room;
};

/* Adds a file, or all *.fray below a folder in order of their names; hidden files and linked
 * folders are passed over. False after saying why not. */
bool file_list_add(struct file_list *list, const char *path);
void file_list_free(struct file_list *list);

#endif
