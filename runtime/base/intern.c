/* intern.c - names to symbols and back.
 *
 *   slot[hash & mask] = symbol          open addressing, at most half full
 *   entry[symbol]     = spelling, folded spelling, hash
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
	size_t length; /* of both: folding keeps the number of bytes */
	uint64_t hash;
};

struct intern {
	struct arena arena;
	VEC(struct entry) entry;
	sym *slot;
	uint32_t slots; /* a power of two */
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
	free(t->slot);
	free(t);
}

sym intern_put(struct intern *t, const char *text, size_t length)
{
	struct folded f;
	sym s = 0;

	fold(&f, text, length);
	if (f.length) {
		uint64_t hash = hash_bytes(f.folded, f.length, 0);
		uint32_t at = slot_of(t, &f, hash);
		s = t->slot[at];
		if (!s) {
			struct entry e = { NULL, NULL, f.length, hash };
			e.folded = arena_text(&t->arena, f.folded, f.length);
			e.text = memcmp(f.text, f.folded, f.length) == 0 ? e.folded : arena_text(&t->arena, f.text, f.length);
			s = (sym)t->entry.n;
			t->slot[at] = s;
			VEC_PUSH(t->entry, e);
			if (s >= t->slots / 2)
				slots_widen(t);
		}
	}
	unfold(&f);
	return s;
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
	unfold(&f);
	return s;
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
