/* raw.h - what the scanner cuts: words, numbers, marks. No meaning yet.
 *
 * A raw token is sixteen bytes: what it is and where it stands. Words carry their symbol;
 * everything else is read again from the text when it is needed. */
#ifndef FRAY_FRONT_RAW_H
#define FRAY_FRONT_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/buf.h"
#include "runtime/base/intern.h"

enum raw_kind {
	/* single marks are their own character */
	RAW_END = 0,  /* end of the text */
	RAW_NL = 256, /* end of a line */
	RAW_SEMI,     /* ; */
	RAW_WORD,     /* magic-user, VII.D.2, dead_target */
	RAW_ORDINAL,  /* #2 */
	RAW_OF,       /* 's, or ' after an s */
	RAW_STRING,
	RAW_NUMBER,   /* 12, 3.5 */
	RAW_SCALE,    /* 12" */
	RAW_PERCENT,  /* 35% */
	RAW_DICE,     /* 4d6kh3+1 */
	RAW_LE, RAW_GE, RAW_NE, RAW_SPAN, /* <= >= <> .. */
	RAW_OPEN_STRING, /* no closing quote on its line */
	RAW_BAD_NUMBER,  /* 10ft */
	RAW_BAD_DICE,    /* 3dd6 */
	RAW_COMMENT,     /* // or # or a long dash and the rest of the line; never among the tokens of struct raws */
	RAW_BAD          /* a character the language does not use */
};

struct raw {
	uint16_t kind; /* enum raw_kind, or a character */
	uint32_t start, end;
	sym word;
};

struct raws {
	struct { uint32_t start, end; } comment; /* the first one written as in other languages; end 0: none */
	VEC(struct raw) at;
};

/* How many tokens make a title that is not words alone: "The Bridge, part 2"; 0: none do. */
int raw_title(const struct raw *at, int most);

static inline bool raw_is_word(const struct raw *r)
{
	return r->kind == RAW_WORD || r->kind == RAW_ORDINAL;
}

/* The end of a statement, as far as one raw token shows it. */
static inline bool raw_is_end(const struct raw *r)
{
	return r->kind == RAW_END || r->kind == RAW_NL || r->kind == RAW_SEMI || r->kind == '}';
}

/* Cuts text[from..length) and appends, without an end mark. The text must be followed by
 * two NULs and is written to and restored while scanning. False: out of memory. */
int raw_scan(struct raws *out, struct intern *names, char *text, uint32_t from, uint32_t length);

#endif
