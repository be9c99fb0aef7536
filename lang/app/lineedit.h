/* lineedit.h - where lines come from: GNU readline at a terminal, a plain reader otherwise.
 *
 * The plain reader is the whole of it when built with READLINE=0. */
#ifndef FRAY_APP_LINEEDIT_H
#define FRAY_APP_LINEEDIT_H

#include "lang/app/app.h"

enum line_kind {
	LINE_READ,      /* lineedit_text() is the line, without its newline */
	LINE_ABANDONED, /* Ctrl-C */
	LINE_BAD,       /* it holds a NUL byte, or is too long: it was passed over */
	LINE_END
};

struct lineedit;

/* `f` completes words, when not NULL. Quiet: no prompts unless standard input is a terminal.
 * Keeps and reads the history when `history`. */
struct lineedit *lineedit_open(struct fray *f, bool history);
void lineedit_close(struct lineedit *e);
/* Lines can be edited: prompts may hold readline's marks. */
bool lineedit_edits(const struct lineedit *e);
bool lineedit_at_terminal(const struct lineedit *e);
/* More lines of a paste are still to be read. */
bool lineedit_pasting(const struct lineedit *e);
/* Lines to be read next, as if they were pasted. */
void lineedit_paste(struct lineedit *e, const char *lines);
/* Prompts even without a terminal: for questions, whose answers may come from a file. */
enum line_kind lineedit_ask(struct lineedit *e, const char *prompt);
/* The next line for the language; it is remembered in the history. */
enum line_kind lineedit_read(struct lineedit *e, const char *prompt);
/* Waits until standard input has something; false when a signal came instead, or `pending`
 * (which may be NULL) knows of one that came before. */
bool lineedit_wait(int (*pending)(void));
/* Lent until the next read. */
const char *lineedit_text(const struct lineedit *e);

#endif
