/* lean.c - which stat blocks of the library a script can mean.
 *
 * The library holds more stat blocks than any fight needs, and reading takes time. A file of it
 * that holds stat blocks alone is cut down to those whose names' words all stand somewhere in
 * what is read: in the script, in the rules, in a stat block that is taken. That may be some too
 * many, and never one too few; whatever is found wrong then is looked at again with all of them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lang/api/interp.h"

enum { WORD_MOST = 64 };

struct words {
	uint64_t *slot; /* hashes; 0 is free */
	size_t room, used;
};

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '\'' || c == '-' || (unsigned char)c >= 128;
}

static uint64_t hash_of(const char *letters, size_t n)
{
	uint64_t h = UINT64_C(14695981039346656037);
	for (size_t i = 0; i < n; i++)
		h = (h ^ (uint64_t)tolower((unsigned char)letters[i])) * UINT64_C(1099511628211);
	return h ? h : 1;
}

static size_t slot_for(const struct words *w, uint64_t h)
{
	size_t i = (size_t)h & (w->room - 1);
	while (w->slot[i] && w->slot[i] != h)
		i = (i + 1) & (w->room - 1);
	return i;
}

static void put_hash(struct words *w, uint64_t h)
{
	if (2 * (w->used + 1) > w->room) {
		struct words old = *w;
		w->room = old.room ? 2 * old.room : 4096;
		w->slot = calloc(w->room, sizeof *w->slot);
		if (!w->slot)
			abort();
		for (size_t i = 0; i < old.room; i++)
			if (old.slot[i])
				w->slot[slot_for(w, old.slot[i])] = old.slot[i];
		free(old.slot);
	}
	size_t i = slot_for(w, h);
	w->used += w->slot[i] == 0;
	w->slot[i] = h;
}

static bool ends(const char *letters, size_t n, const char *ending)
{
	size_t k = strlen(ending);
	return n > k && !strncmp(letters + n - k, ending, k);
}

static void put_stem(struct words *w, const char *letters, size_t n, size_t cut, const char *instead)
{
	char stem[WORD_MOST + 8];
	size_t k = strlen(instead);
	memcpy(stem, letters, n - cut);
	memcpy(stem + n - cut, instead, k);
	put_hash(w, hash_of(stem, n - cut + k));
}

/* A word, and what it may be the plural or the owner of. */
static void put_word(struct words *w, const char *text, size_t n)
{
	char letters[WORD_MOST];
	if (n > WORD_MOST)
		n = WORD_MOST;
	for (size_t i = 0; i < n; i++)
		letters[i] = (char)tolower((unsigned char)text[i]);
	put_hash(w, hash_of(letters, n));
	if (ends(letters, n, "'s"))
		put_word(w, text, n - 2);
	else if (ends(letters, n, "'"))
		put_word(w, text, n - 1);
	if (ends(letters, n, "s"))
		put_stem(w, letters, n, 1, "");
	if (ends(letters, n, "es"))
		put_stem(w, letters, n, 2, "");
	if (ends(letters, n, "ies"))
		put_stem(w, letters, n, 3, "y");
	if (ends(letters, n, "ves"))
		put_stem(w, letters, n, 3, "f");
	if (ends(letters, n, "men"))
		put_stem(w, letters, n, 3, "man");
}

/* What is not said: comments; and in the library what stands in quotes, which is told and not meant. */
static const char *past_unsaid(const char *p, const char *end, bool library)
{
	for (;;) {
		if (end - p >= 2 && p[0] == '-' && p[1] == '-' && (end - p == 2 || p[2] == ' ')) {
			while (p < end && *p != '\n')
				p++;
		} else if (library && p < end && *p == '"') {
			p++;
			while (p < end && *p != '"' && *p != '\n')
				p++;
			p += p < end;
		} else {
			return p;
		}
	}
}

static void put_text(struct words *w, const char *p, const char *end, bool library)
{
	while (p < end) {
		for (const char *q = NULL; p < end && !(q == p && in_word(*p));) {
			q = past_unsaid(p, end, library);
			if (q == p && !in_word(*p))
				p++;
			else
				p = q;
		}
		const char *start = p;
		while (p < end && in_word(*p))
			p++;
		if (p > start)
			put_word(w, start, (size_t)(p - start));
	}
}

static bool has_all(const struct words *w, const char *p, const char *end)
{
	while (p < end) {
		while (p < end && !in_word(*p))
			p++;
		const char *start = p;
		while (p < end && in_word(*p))
			p++;
		if (p > start && !w->slot[slot_for(w, hash_of(start, (size_t)(p - start)))])
			return false;
	}
	return true;
}

/* ---- blocks ---- */

struct block { const char *start, *end, *name, *name_end; int file; bool taken; };

static const char *line_end(const char *p, const char *end)
{
	const char *nl = memchr(p, '\n', (size_t)(end - p));
	return nl ? nl + 1 : end;
}

/* The stat block that begins on a line: `monster ghoul {`, to the line that closes it, or alone
 * on its line. False: something else begins here. */
static bool read_block(const char *p, const char *end, struct block *b)
{
	static const char *const kinds[] = {"monster ", "spell ", "weapon ", "armour "};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		size_t n = strlen(kinds[i]);
		if ((size_t)(end - p) <= n || strncmp(p, kinds[i], n))
			continue;
		b->start = p;
		b->name = p + n;
		const char *stop = line_end(p, end);
		const char *brace = memchr(p, '{', (size_t)(stop - p));
		const char *closed = memchr(p, '}', (size_t)(stop - p));
		b->end = stop;
		while (brace && !closed && b->end < end) {
			closed = *b->end == '}' ? b->end : NULL;
			b->end = line_end(b->end, end);
		}
		/* up to ` is `, or the brace: what it is made from is looked up as part of its body */
		b->name_end = brace ? brace : stop;
		for (const char *q = b->name; q + 4 < b->name_end; q++)
			if (!strncmp(q, " is ", 4))
				b->name_end = q;
		return true;
	}
	return false;
}

bool lean_holds_blocks_alone(const char *text, size_t length)
{
	const char *end = text + length;
	struct block b;
	bool any = false;
	for (const char *p = text; p < end;) {
		bool block = read_block(p, end, &b);
		if (!block && *p != '-' && *p != '\n')
			return false;
		any |= block;
		p = block ? b.end : line_end(p, end);
	}
	return any;
}

void lean_cut(const char *const *read, const size_t *read_length, const bool *library, int reads, const char *const *text, const size_t *length, int texts, struct buf *out)
{
	struct words w = {0};
	VEC(struct block) block = {0};
	for (int i = 0; i < reads; i++)
		put_text(&w, read[i], read[i] + read_length[i], library[i]);
	put_word(&w, "a", 1);
	for (int i = 0; i < texts; i++)
		for (const char *p = text[i], *end = text[i] + length[i]; p < end;) {
			struct block b = {0};
			if (read_block(p, end, &b)) {
				b.file = i;
				VEC_PUSH(block, b);
				p = b.end;
			} else {
				p = line_end(p, end);
			}
		}
	for (bool more = true; more;) {
		more = false;
		for (int i = 0; i < block.n; i++) {
			struct block *b = &block.v[i];
			if (b->taken || !has_all(&w, b->name, b->name_end))
				continue;
			b->taken = more = true;
			put_text(&w, b->start, b->end, true);
		}
	}
	/* lines keep their numbers */
	int k = 0;
	for (int i = 0; i < texts; i++) {
		const char *p = text[i], *end = text[i] + length[i];
		bool any = false;
		for (; k < block.n && block.v[k].file == i; k++) {
			const struct block *b = &block.v[k];
			for (const char *q = p; q < (b->taken ? b->start : b->end); q++)
				if (*q == '\n')
					buf_putc(&out[i], '\n');
			if (b->taken)
				buf_add(&out[i], b->start, (size_t)(b->end - b->start));
			any |= b->taken;
			p = b->end;
		}
		(void)end;
		if (!any)
			out[i].length = 0;
	}
	VEC_FREE(block);
	free(w.slot);
}
