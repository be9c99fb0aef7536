/* layout.h - what format.c and align.c share: the lines of a text with their pieces. */
#ifndef FRAY_FRONT_LAYOUT_H
#define FRAY_FRONT_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "lang/front/raw.h"

/* A token of a line, or the comment at its end. */
struct piece {
	const char *text;
	uint32_t length;
	int columns;    /* characters of the text */
	uint16_t kind;  /* enum raw_kind, a character, or PIECE_COMMENT */
	bool sign;      /* a minus or plus of one number */
	int gap;        /* blanks before it */
	int gap_before; /* blanks that stood there; -1: it is the first of its line */
};

enum { PIECE_COMMENT = 1000 };

struct line {
	struct piece *piece;
	int count;
	int depth;           /* braces open where it begins, less those it closes first */
	int closes;          /* how many those are */
	bool starts;         /* a statement begins here */
	bool row;            /* of a table */
	bool kept;           /* of a damaged statement: as it was */
	bool joined;         /* a backslash goes on with the next line */
	uint32_t start, end; /* where it stood */
};

/* Sets the gaps of pieces that stand in columns. */
void align_lines(struct line *line, int count);

#endif
