/* history.h - the lines of earlier sessions, in $XDG_STATE_HOME/fray/history.
 *
 * Each line is added to the file when it was typed: a prompt that dies loses nothing. */
#ifndef FRAY_APP_HISTORY_H
#define FRAY_APP_HISTORY_H

/* Reads the file into readline's list. */
void history_read(const char *path);
/* Remembers a line here and, unless `path` is NULL, in the file. */
void history_keep(const char *path, const char *line);

#endif
