/* intern.c - names to symbols and back.
 *
 *   slot[hash & mask] = symbol          open addressing, at most half full
 *   entry[symbol]     = spelling, folded spelling, hash
 *
 * Where a word has another spelling (intern_spelling), a name with it is the name with the first one: its entry
 * holds only that symbol.
 *
 * Texts live in an arena, so they stay where they are when the tables grow. Finding
 * changes nothing: several threads may find in one table while nobody puts. */
#include "runtime/base/intern.h"

#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/buf.h"
#include "runtime/base/hash.h"
#include "runtime/base/must.h"

struct entry {
	const char *text;
	const char *folded;
	size_t length; /* of folded */
	uint64_t hash;
	sym same;      /* the symbol this is another spelling of, or 0 */
};

struct intern {
	struct arena arena;
	VEC(struct entry) entry;
	sym *slot;
	uint32_t slots; /* a power of two */
	VEC(struct spelling { sym from, to; int before; }) spelling;
	int spelled[256];      /* by first letter: the last spelling that begins so, and one; 0: none */
	uint64_t lengths[256]; /* a bit for each of their lengths, modulo 64 */
};

/* A name made ready for lookup; `small` serves all but monstrous names. */
struct folded {
	char *text;   /* single blanks, case kept */
	char *folded; /* single blanks, lower case */
	size_t length;
	char small[256];
};

static int is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

static void fold(struct folded *f, const char *text, size_t length)
{
	size_t i = 0, n = 0;

	f->text = f->small;
	if (length * 2 > sizeof f->small && !(f->text = malloc(length * 2)))
		abort();
	f->folded = f->text + length;
	while (i < length) {
		char c = text[i++];
		if (is_blank(c)) {
			while (i < length && is_blank(text[i]))
				i++;
			if (n == 0 || i == length)
				continue;
			c = ' ';
		}
		f->text[n] = c;
		f->folded[n] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
		n++;
	}
	f->length = n;
}

static void unfold(struct folded *f)
{
	if (f->text != f->small)
		free(f->text);
}

static void slots_widen(struct intern *t)
{
	uint32_t wider = t->slots ? t->slots * 2 : 256;

	free(t->slot);
	t->slot = calloc(wider, sizeof *t->slot);
	if (!t->slot)
		abort();
	t->slots = wider;
	for (int s = 1; s < t->entry.n; s++) {
		uint32_t at = (uint32_t)t->entry.v[s].hash & (wider - 1);
		while (t->slot[at])
			at = (at + 1) & (wider - 1);
		t->slot[at] = (sym)s;
	}
}

/* The slot that holds the folded name, or the empty one where it belongs. */
static uint32_t slot_of(const struct intern *t, const struct folded *f, uint64_t hash)
{
	uint32_t at = (uint32_t)hash & (t->slots - 1);
	while (t->slot[at]) {
		const struct entry *e = &t->entry.v[t->slot[at]];
		if (e->hash == hash && e->length == f->length && memcmp(e->folded, f->folded, f->length) == 0)
			break;
		at = (at + 1) & (t->slots - 1);
	}
	return at;
}

struct intern *intern_new(void)
{
	struct intern *t = calloc(1, sizeof *t);
	if (!t)
		abort();
	arena_init(&t->arena);
	VEC_PUSH(t->entry, (struct entry){ .text = "", .folded = "" });
	slots_widen(t);
	return t;
}

void intern_free(struct intern *t)
{
	if (!t)
		return;
	arena_free(&t->arena);
	VEC_FREE(t->entry);
	VEC_FREE(t->spelling);
	free(t->slot);
	free(t);
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

/* The word that this one is another spelling of; NULL: none. */
static const char *first_spelling(const struct intern *t, const char *word, size_t n)
{
	const char *first = NULL; /* of several the one declared first */
	if (n == 0 || !(t->lengths[(unsigned char)*word] >> n % 64 & 1))
		return NULL;
	for (int k = t->spelled[(unsigned char)*word]; k; k = t->spelling.v[k - 1].before) {
		const struct entry *from = &t->entry.v[t->spelling.v[k - 1].from];
		if (from->length == n && !memcmp(from->folded, word, n))
			first = t->entry.v[t->spelling.v[k - 1].to].folded;
	}
	return first;
}

/* The folded name with each word as it is first spelled; false: it is so already. */
static bool respell(const struct intern *t, const struct folded *f, struct buf *out)
{
	size_t done = 0; /* so much of the name is in `out` */
	bool other = false;
	for (size_t i = 0, n; t->spelling.n && i < f->length; i += n + 1) {
		for (n = 0; i + n < f->length && is_letter(f->folded[i + n]); n++)
			;
		const char *first = first_spelling(t, f->folded + i, n);
		if (!first)
			continue;
		buf_add(out, f->folded + done, i - done);
		buf_puts(out, first);
		done = i + n;
		other = true;
	}
	if (other)
		buf_add(out, f->folded + done, f->length - done);
	return other;
}

static sym add(struct intern *t, uint32_t at, struct entry e)
{
	sym s = (sym)t->entry.n;
	t->slot[at] = s;
	VEC_PUSH(t->entry, e);
	if (s >= t->slots / 2)
		slots_widen(t);
	return s;
}

/* A name met for the first time; `first` is it as its words are first spelled, NULL: as it is. */
static sym put_new(struct intern *t, const struct folded *f, const char *first, size_t length)
{
	struct folded as = {.folded = (char *)first, .length = length};
	uint64_t hash = first ? hash_bytes(first, length, 0) : hash_bytes(f->folded, f->length, 0);
	uint32_t at = slot_of(t, first ? &as : f, hash);
	if (t->slot[at])
		return t->slot[at];
	struct entry e = {.length = first ? length : f->length, .hash = hash};
	e.folded = first ? arena_text(&t->arena, first, length) : arena_text(&t->arena, f->folded, f->length);
	/* a name without capitals is told as its words are first spelled, one with them - somebody's own - as it stands */
	e.text = memcmp(f->text, f->folded, f->length) == 0 ? e.folded : arena_text(&t->arena, f->text, f->length);
	return add(t, at, e);
}

sym intern_put(struct intern *t, const char *text, size_t length)
{
	struct folded f;
	sym s = 0;

	fold(&f, text, length);
	if (f.length) {
		uint64_t hash = hash_bytes(f.folded, f.length, 0);
		s = t->slot[slot_of(t, &f, hash)];
		struct buf first = {0};
		if (!s && !respell(t, &f, &first)) {
			s = put_new(t, &f, NULL, 0);
		} else if (!s) {
			sym same = put_new(t, &f, buf_text(&first), first.length);
			s = add(t, slot_of(t, &f, hash), (struct entry){arena_text(&t->arena, f.text, f.length), arena_text(&t->arena, f.folded, f.length), f.length, hash, same});
		}
		buf_free(&first);
	}
	unfold(&f);
	return t->entry.v[s].same ? t->entry.v[s].same : s;
}

sym intern_spelt(struct intern *t, const char *text, size_t length)
{
	const sym s = intern_put(t, text, length);
	struct entry *e = &t->entry.v[s];
	if (s && e->length == length && memcmp(e->text, text, length))
		e->text = arena_text(&t->arena, text, length);
	return s;
}

bool intern_spelling(struct intern *t, const char *from, const char *to)
{
	sym a = intern_word(t, from), b = intern_word(t, to);
	if (!a || !b || a == b)
		return a && a == b;
	for (int k = 0; k < 2; k++)
		for (const char *s = t->entry.v[k ? b : a].folded; *s; s++)
			if (!is_letter(*s))
				return false;
	t->entry.v[a].same = b;
	int *last = &t->spelled[(unsigned char)t->entry.v[a].folded[0]];
	VEC_PUSH(t->spelling, ((struct spelling){a, b, *last}));
	*last = t->spelling.n;
	t->lengths[(unsigned char)t->entry.v[a].folded[0]] |= 1ull << t->entry.v[a].length % 64;
	return true;
}

sym intern_first(const struct intern *t, sym s)
{
	must(s < (sym)t->entry.n);
	return t->entry.v[s].same ? t->entry.v[s].same : s;
}

int intern_spellings(const struct intern *t)
{
	return t->spelling.n;
}

const char *intern_spelled(const struct intern *t, int i, const char **as)
{
	*as = t->entry.v[t->spelling.v[i].to].folded;
	return t->entry.v[t->spelling.v[i].from].folded;
}

sym intern_word(struct intern *t, const char *text)
{
	return intern_put(t, text, strlen(text));
}

sym intern_find(const struct intern *t, const char *text, size_t length)
{
	struct folded f;
	sym s = 0;

	fold(&f, text, length);
	if (f.length)
		s = t->slot[slot_of(t, &f, hash_bytes(f.folded, f.length, 0))];
	struct buf first = {0};
	if (!s && f.length && respell(t, &f, &first)) {
		struct folded as = {.folded = first.data, .length = first.length};
		s = t->slot[slot_of(t, &as, hash_bytes(first.data, first.length, 0))];
	}
	buf_free(&first);
	unfold(&f);
	return t->entry.v[s].same ? t->entry.v[s].same : s;
}

const char *intern_text(const struct intern *t, sym s)
{
	must(s < (sym)t->entry.n);
	return t->entry.v[s].text;
}

const char *intern_folded(const struct intern *t, sym s)
{
	must(s < (sym)t->entry.n);
	return t->entry.v[s].folded;
}

uint32_t intern_count(const struct intern *t)
{
	return (uint32_t)t->entry.n;
}
