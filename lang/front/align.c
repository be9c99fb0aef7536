/* align.c - columns of a script in canonical layout.
 *
 * Lines that follow each other at one depth share a column where their author meant one: where
 * two blanks or more stand before such a piece in any of them. The longest line has the least
 * gap, the others are filled up. Elsewhere there is one blank, and three before a comment.
 * Columns are: the first `=`, a `when` or `unless`, a block in braces that ends its line, a
 * quoted text that ends its line, a comment, and the cells of a table. */
#include <string.h>

#include "lang/front/layout.h"
#include "runtime/base/must.h"

/* A line that is longer before its piece takes no part in a column. */
enum { WIDEST = 80 };

/* What may stand in a column; the number of its piece in a line, or 0 for none. */
typedef int (*find_piece)(const struct line *line);

static int last_code(const struct line *line)
{
	int last = line->count - 1;
	return last > 0 && line->piece[last].kind == PIECE_COMMENT ? last - 1 : last;
}

static bool piece_is(const struct piece *p, const char *word)
{
	return p->kind == RAW_WORD && p->length == strlen(word) &&
		!memcmp(p->text, word, p->length);
}

/* The first piece outside brackets that is one; `word2` may be NULL. */
static int first_outside(const struct line *line, int mark, const char *word, const char *word2)
{
	int nest = 0;
	for (int i = 0; i <= last_code(line); i++) {
		const struct piece *p = &line->piece[i];
		if (p->kind == '(' || p->kind == '{')
			nest++;
		if (nest == 0 && i &&
			(p->kind == mark || (word && (piece_is(p, word) || piece_is(p, word2)))))
			return i;
		if (nest == 1 && i && mark == '{' && p->kind == '{')
			return i;
		if (p->kind == ')' || p->kind == '}')
			nest--;
	}
	return 0;
}

static int find_equals(const struct line *line)
{
	return first_outside(line, '=', NULL, NULL);
}

static int find_when(const struct line *line)
{
	return first_outside(line, 0, "when", "unless");
}

static int find_block(const struct line *line)
{
	return line->piece[last_code(line)].kind == '}' ? first_outside(line, '{', NULL, NULL) : 0;
}

static int find_text(const struct line *line)
{
	int last = last_code(line);
	return last > 0 && line->piece[last].kind == RAW_STRING && line->piece[last - 1].kind != ':'
		? last
		: 0;
}

static int find_comment(const struct line *line)
{
	int last = line->count - 1;
	return last > 0 && line->piece[last].kind == PIECE_COMMENT ? last : 0;
}

static const struct column {
	find_piece find;
	int least;  /* blanks before it in the longest line of a column */
	int alone;  /* and where there is no column */
	bool alike; /* lines that begin with the same word alone */
} columns[] = {
	{find_equals, 1, 1, true},
	{find_when, 3, 1, false},
	{find_block, 1, 1, true},
	{find_text, 2, 1, true},
	{find_comment, 3, 3, false},
};

/* Characters before a piece, without the blanks right before it. */
static int width_before(const struct line *line, int piece)
{
	int width = 0;
	for (int i = 0; i < piece; i++)
		width += line->piece[i].gap + line->piece[i].columns;
	return width;
}

static bool begins_alike(const struct line *a, const struct line *b)
{
	return a->piece[0].length == b->piece[0].length &&
		!memcmp(a->piece[0].text, b->piece[0].text, a->piece[0].length);
}

/* Whether a line may share a column with the one above it. */
static bool goes_with(const struct line *line, const struct line *above)
{
	return line->count && above->count && line->starts && above->starts && !line->kept &&
		!above->kept && line->depth == above->depth && line->row == above->row;
}

static void align_run(struct line *line, int count, const struct column *c)
{
	bool meant = false;
	int width = 0, those = 0;
	for (int i = 0; i < count; i++) {
		int at = c->find(&line[i]), before = at ? width_before(&line[i], at) : 0;
		if (!at || before > WIDEST)
			continue;
		meant |= line[i].piece[at].gap_before > c->alone;
		width = before > width ? before : width;
		those++;
	}
	for (int i = 0; i < count; i++) {
		int at = c->find(&line[i]), before = at ? width_before(&line[i], at) : 0;
		if (at)
			line[i].piece[at].gap = meant && those > 1 && before <= WIDEST
				? width - before + c->least
				: c->alone;
	}
}

static void align_column(struct line *line, int count, const struct column *c)
{
	for (int from = 0, to; from < count; from = to) {
		to = from + 1;
		if (!line[from].count || line[from].kept || !c->find(&line[from]))
			continue;
		int last = from; /* the last line that has the piece */
		for (; to < count && goes_with(&line[to], &line[to - 1]); to++) {
			bool found = c->find(&line[to]) != 0,
			     alike = begins_alike(&line[to], &line[from]);
			if (c->alike ? !alike : !found && !alike)
				break;
			last = found ? to : last;
		}
		to = last + 1;
		align_run(line + from, to - from, c);
	}
}

/* ---- tables ---- */

enum { CELLS_MAX = 64 };

/* Where the cells of a row begin; the key is the first, with its colon. */
static int cells_of(const struct line *line, int *cell)
{
	int n = 0, nest = 0;
	cell[n++] = 0;
	for (int i = 0; i < last_code(line) && n < CELLS_MAX; i++) {
		int kind = line->piece[i].kind;
		nest += (kind == '(' || kind == '{') - (kind == ')' || kind == '}');
		if (nest == 0 && (kind == ':' || kind == ','))
			cell[n++] = i + 1;
	}
	return n;
}

/* With the comma that the last one lacks. */
static int cell_width(const struct line *line, const int *cell, int cells, int i)
{
	bool last = i + 1 == cells;
	int width = last, end = last ? last_code(line) + 1 : cell[i + 1];
	for (int k = cell[i]; k < end; k++)
		width += (k > cell[i] ? line->piece[k].gap : 0) + line->piece[k].columns;
	return width;
}

static bool is_figure(const struct piece *p)
{
	switch (p->kind) {
	case RAW_NUMBER:
	case RAW_PERCENT:
	case RAW_DICE:
	case RAW_SCALE:
	case '-':
	case '+':
		return true;
	default:
		return false;
	}
}

static bool columns_meant(const struct line *line, int count)
{
	for (int i = 0; i < count; i++)
		for (int k = 1; k <= last_code(&line[i]); k++)
			if (line[i].piece[k].gap_before > 1)
				return true;
	return false;
}

/* Keys and words stand at the left of their columns, figures and the headings' colon at the right. */
static void align_table(struct line *line, int count)
{
	int width[CELLS_MAX] = {0}, cell[CELLS_MAX];
	bool words[CELLS_MAX] = {true};
	if (count < 2 || !columns_meant(line, count))
		return;
	for (int i = 0; i < count; i++) {
		int cells = cells_of(&line[i], cell);
		for (int k = 0; k < cells; k++) {
			int w = cell_width(&line[i], cell, cells, k);
			width[k] = w > width[k] ? w : width[k];
			words[k] |= line[i].piece[0].kind != ':' &&
				!is_figure(&line[i].piece[cell[k]]);
		}
	}
	for (int i = 0; i < count; i++) {
		bool heading = line[i].piece[0].kind == ':';
		int cells = cells_of(&line[i], cell), owed = 0;
		for (int k = 0; k < cells; k++) {
			int fill = width[k] - cell_width(&line[i], cell, cells, k);
			bool left = words[k] && !(heading && k == 0);
			line[i].piece[cell[k]].gap = (k > 0) + owed + (left ? 0 : fill);
			owed = left ? fill : 0;
		}
	}
}

static void align_tables(struct line *line, int count)
{
	for (int from = 0, to; from < count; from = to) {
		to = from + 1;
		if (!line[from].row || !line[from].count)
			continue;
		while (to < count && line[to].row && goes_with(&line[to], &line[to - 1]))
			to++;
		align_table(line + from, to - from);
	}
}

void align_lines(struct line *line, int count)
{
	align_tables(line, count);
	for (size_t i = 0; i < FRAY_COUNT(columns); i++)
		align_column(line, count, &columns[i]);
}
