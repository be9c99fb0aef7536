/* blocks.c - stat blocks in a text, and the words it means, before anything is parsed. */
#include <ctype.h>
#include <string.h>

#include "lang/front/image.h"

enum { WORD_MOST = 64 };

typedef void found_fn(void *context, uint64_t hash);

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

static bool ends(const char *letters, size_t n, const char *ending)
{
	size_t k = strlen(ending);
	return n > k && !strncmp(letters + n - k, ending, k);
}

static void put_stem(found_fn *found, void *context, const char *letters, size_t n, size_t cut, const char *instead)
{
	char stem[WORD_MOST + 8];
	size_t k = strlen(instead);
	memcpy(stem, letters, n - cut);
	memcpy(stem + n - cut, instead, k);
	found(context, hash_of(stem, n - cut + k));
}

/* A word, and what it may be the plural or the owner of. */
static void put_word(found_fn *found, void *context, const char *text, size_t n)
{
	char letters[WORD_MOST];
	if (n > WORD_MOST)
		n = WORD_MOST;
	for (size_t i = 0; i < n; i++)
		letters[i] = (char)tolower((unsigned char)text[i]);
	found(context, hash_of(letters, n));
	if (ends(letters, n, "'s"))
		put_word(found, context, text, n - 2);
	else if (ends(letters, n, "'"))
		put_word(found, context, text, n - 1);
	if (ends(letters, n, "s"))
		put_stem(found, context, letters, n, 1, "");
	if (ends(letters, n, "es"))
		put_stem(found, context, letters, n, 2, "");
	if (ends(letters, n, "ies"))
		put_stem(found, context, letters, n, 3, "y");
	if (ends(letters, n, "ves"))
		put_stem(found, context, letters, n, 3, "f");
	if (ends(letters, n, "men"))
		put_stem(found, context, letters, n, 3, "man");
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

static bool stands(const char *p, const char *end, const char *what)
{
	size_t n = strlen(what);
	return (size_t)(end - p) >= n && !strncmp(p, what, n);
}

/* In the library: words that are declared, and name nothing: the two of a spelling, and those that a
 * field of words lists. Behind them; p itself where none stand. */
static const char *past_declared(const char *begin, const char *p, const char *end)
{
	const char *before = p;
	while (before > begin && (before[-1] == ' ' || before[-1] == '\t'))
		before--;
	const char mark = before > begin ? before[-1] : '\n';
	if ((mark == '\n' || mark == ';') && stands(p, end, "spelling "))
		return p + strcspn(p, ";\n");
	if (mark != ':' || !(stands(p, end, "word,") || stands(p, end, "list of words,")))
		return p;
	for (char last = 0; p < end && !strchr(";}", *p) && !(*p == '\n' && last != ','); p++)
		last = *p == ' ' || *p == '\t' || *p == '\n' ? last : *p;
	return p;
}

static const char *const block_kinds[] = {"monster ", "spell ", "weapon ", "armour ", "class "};

/* That there is one of a kind: a word that nobody can write. */
static void put_kind(found_fn *found, void *context, const char *kind, size_t n)
{
	char letters[WORD_MOST + 1] = {'\1'};
	memcpy(letters + 1, kind, n);
	found(context, hash_of(letters, n + 1));
}

/* A word that begins a line may begin a stat block. */
static void put_opening(found_fn *found, void *context, const char *begin, const char *word, const char *end)
{
	const char *p = word;
	while (p > begin && (p[-1] == ' ' || p[-1] == '\t'))
		p--;
	for (size_t i = 0; (p == begin || p[-1] == '\n') && i < FRAY_COUNT(block_kinds); i++) {
		size_t n = strlen(block_kinds[i]);
		if ((size_t)(end - word) > n && !strncmp(word, block_kinds[i], n))
			put_kind(found, context, block_kinds[i], n - 1);
	}
}

void words_of_text(const char *p, const char *end, bool library, void (*found)(void *context, uint64_t hash), void *context)
{
	const char *begin = p;
	while (p < end) {
		for (const char *q = NULL; p < end && !(q == p && in_word(*p));) {
			q = past_unsaid(p, end, library);
			if (q == p && !in_word(*p))
				p++;
			else
				p = q;
		}
		const char *start = p, *behind = library ? past_declared(begin, p, end) : p;
		if (behind > p) {
			p = behind;
			continue;
		}
		put_opening(found, context, begin, p, end);
		while (p < end && in_word(*p))
			p++;
		if (p > start)
			put_word(found, context, start, (size_t)(p - start));
	}
}

void words_of_name(const char *p, const char *end, void (*found)(void *context, uint64_t hash), void *context)
{
	while (p < end) {
		while (p < end && !in_word(*p))
			p++;
		const char *start = p;
		while (p < end && in_word(*p))
			p++;
		if (p > start)
			found(context, hash_of(start, (size_t)(p - start)));
	}
}

const char *block_line_end(const char *p, const char *end)
{
	const char *nl = memchr(p, '\n', (size_t)(end - p));
	return nl ? nl + 1 : end;
}

bool block_read(const char *p, const char *end, struct block_text *b)
{
	for (size_t i = 0; i < FRAY_COUNT(block_kinds); i++) {
		size_t n = strlen(block_kinds[i]);
		if ((size_t)(end - p) <= n || strncmp(p, block_kinds[i], n))
			continue;
		b->start = p;
		b->of_kind = false;
		b->name = p + n;
		const char *stop = block_line_end(p, end);
		const char *brace = memchr(p, '{', (size_t)(stop - p));
		const char *closed = memchr(p, '}', (size_t)(stop - p));
		b->end = stop;
		while (brace && !closed && b->end < end) {
			closed = *b->end == '}' ? b->end : NULL;
			b->end = block_line_end(b->end, end);
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

static bool begins(const char *text, size_t length, const char *with)
{
	size_t n = strlen(with);
	return length > n && !strncmp(text, with, n);
}

bool block_whole(const char *text, size_t length, struct block_text *b)
{
	static const char words[] = "-- read where one of these stands: ", kind[] = "-- read where there is a ";
	b->of_kind = begins(text, length, kind);
	if (!b->of_kind && !begins(text, length, words))
		return false;
	b->start = text;
	b->end = text + length;
	b->name = text + (b->of_kind ? sizeof kind : sizeof words) - 1;
	b->name_end = b->name;
	return block_next(b);
}

bool block_next(struct block_text *b)
{
	const char *line_end = block_line_end(b->start, b->end) - 1;
	b->name = b->name_end == b->name ? b->name : b->name_end + 2;
	if (b->name >= line_end)
		return false;
	const char *comma = memchr(b->name, ',', (size_t)(line_end - b->name));
	b->name_end = comma ? comma : line_end;
	return true;
}

void words_of_block(const struct block_text *b, void (*found)(void *context, uint64_t hash), void *context)
{
	if (b->of_kind)
		put_kind(found, context, b->name, (size_t)(b->name_end - b->name));
	else
		words_of_name(b->name, b->name_end, found, context);
}

bool blocks_alone(const char *text, size_t length)
{
	const char *end = text + length;
	struct block_text b;
	bool any = false;
	for (const char *p = text; p < end;) {
		bool block = block_read(p, end, &b);
		if (!block && *p != '-' && *p != '\n')
			return false;
		any |= block;
		p = block ? b.end : block_line_end(p, end);
	}
	return any;
}
