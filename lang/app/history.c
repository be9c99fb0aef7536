/* history.c - see history.h. Only a prompt with GNU readline has a history. */
#include "lang/app/history.h"

#if FRAY_READLINE

#include <stdio.h>
#include <string.h>

#include <readline/history.h>

enum { LINES_KEPT = 2000 };

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
