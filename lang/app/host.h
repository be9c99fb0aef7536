/* host.h - the host side of fray.h: output, diagnostics, files, asked dice, Ctrl-C.
 *
 * One struct host serves one interpreter after another. Story and answers go to standard
 * output, diagnostics to standard error; colours only where a terminal shows them. */
#ifndef FRAY_APP_HOST_H
#define FRAY_APP_HOST_H

#include "lang/app/app.h"

struct lineedit;

/* A text that grows. */
struct text {
	char *data;
	size_t length, room;
};

enum reports {
	REPORT_AT_ONCE, /* to standard error */
	REPORT_HELD,    /* kept in `held` until host_release or host_forget */
	REPORT_JSON,    /* an object a line on standard output */
	REPORT_KEPT     /* an object a line in `held` */
};

struct host {
	bool colour, colour_errors;
	int width;
	enum reports reports;
	struct text held;
	struct text *captured;   /* output goes here instead, when not NULL */
	char *folder;            /* where modules are looked for; NULL: the current folder */
	char *below;             /* or, first, in this folder: of a script loaded from below; NULL: none */
	struct lineedit *reader; /* asked dice and choices are read from it */
	bool asks_choices;
	struct text given;       /* answers to dice asked for, from a journal: lines, [given_at ..) not used yet */
	size_t given_at;
	bool given_now;          /* they were typed with the command: each that is used is told to `answered` */
	void (*answered)(void *context, const char *line); /* takes each answer typed; may be NULL */
	void *answered_context;
	void (*before)(void *context); /* called before anything is told; may be NULL */
	void *before_context;
	bool only_given;         /* nobody is there to be asked for more */
	bool silent;             /* no prompts */
	bool edits;              /* prompts are readline's, which counts their columns */
	bool unanswered;         /* the input ended at a question */
	bool sandbox;            /* the process is shut in before a script is looked at (sandbox.h) */
	bool plays;              /* what is sure to stop a fight is told by the fight, once */
};

void host_init(struct host *h);
void host_free(struct host *h);
/* Tables and stories take the width that the terminal has now. */
void host_resized(struct host *h, struct fray *f);
/* A new interpreter that speaks through this host, or NULL after saying why not. */
struct fray *host_open(struct host *h, const char *rules);
/* Reads a script, "-" for standard input, and gives it to the interpreter. */
enum fray_status host_load(struct host *h, struct fray *f, const char *path);

enum colours { COLOURS_AUTO, COLOURS_ALWAYS, COLOURS_NEVER };
/* Whether output is coloured, for every host made from now on: at a terminal unless said otherwise. */
void host_colours(enum colours when);

/* Prints the held diagnostics on standard error; or drops them. */
void host_release(struct host *h);
void host_forget(struct host *h);
/* Writes to standard output as the interpreter would. */
void host_write(struct host *h, enum fray_style style, const char *text);

/* From now on Ctrl-C is noted instead of ending the process; one that comes two seconds after
 * another, which nobody has taken back, ends it. */
void host_catch_interrupts(void);
bool host_interrupted(void);
void host_clear_interrupt(void);
/* As if Ctrl-C had come; a signal may call it. */
void host_interrupt(void);

int exit_of(enum fray_status status);
/* Of two exit statuses the one that tells more. */
int exit_worse(int a, int b);
/* Flushes standard output; a write that failed makes the status EXIT_WRONG. */
int host_finish(int status);

/* "fray: ..." on standard error, one sentence. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

void text_add(struct text *t, const char *data, size_t length);
/* Words with blanks between them, and a terminator. */
void text_add_words(struct text *t, char *const *words, int n);
void text_free(struct text *t);

#endif
