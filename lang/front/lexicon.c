/* lexicon.c - three tries in one table.
 *
 *   first[word] -> node           of each root, by symbol
 *   edge (node, word) -> node     of all others: open addressing, at most half full
 *   node[i] = entry number, or -1 inside a name, and whether an edge leads on
 *
 * Node 0 is the root of names, node 1 of the language's words, node 2 of the names of the
 * user's files. Nothing is ever removed. */
#include "lang/front/lexicon.h"

#include <string.h>

#include "runtime/base/must.h"

enum { EDGES_FIRST = 1024, FIRSTS_FIRST = 4096, WORDS_MOST = 128, ALIAS_STEPS = 8 };

struct edge {
	uint32_t from;
	sym word;
	uint32_t to; /* 0: free; no edge leads to the root */
};

/* The nodes that the roots' edges lead to, by symbol; 0: none. */
struct first { uint32_t to[LEX_ROOTS]; };

struct lexicon {
	struct intern *names;
	VEC(struct lex_node { int entry, more; }) node;
	VEC(struct lex_entry) entry;
	struct edge *edge;
	uint32_t edges, used; /* a power of two; edges taken */
	struct first *first;
	uint32_t firsts;
	bool library;         /* a text of the library is read */
};

struct lexicon *lexicon_new(struct intern *names)
{
	struct lexicon *l = calloc(1, sizeof *l);
	if (!l)
		abort();
	l->names = names;
	l->edges = EDGES_FIRST;
	l->edge = calloc(l->edges, sizeof *l->edge);
	l->firsts = FIRSTS_FIRST;
	l->first = calloc(l->firsts, sizeof *l->first);
	if (!l->edge || !l->first)
		abort();
	for (int i = 0; i < LEX_ROOTS; i++)
		VEC_PUSH(l->node, ((struct lex_node){-1, 1}));
	return l;
}

static void *copy_of(const void *from, size_t size)
{
	void *to = malloc(size);
	if (!to)
		abort();
	memcpy(to, from, size);
	return to;
}

struct lexicon *lexicon_copy(const struct lexicon *l)
{
	struct lexicon *c = copy_of(l, sizeof *l);
	c->node.v = copy_of(l->node.v, (size_t)l->node.cap * sizeof *l->node.v);
	c->entry.v = copy_of(l->entry.v, (size_t)l->entry.cap * sizeof *l->entry.v);
	c->edge = copy_of(l->edge, l->edges * sizeof *l->edge);
	c->first = copy_of(l->first, l->firsts * sizeof *l->first);
	return c;
}

bool lexicon_same(const struct lexicon *a, const struct lexicon *b)
{
	return a->node.n == b->node.n && a->entry.n == b->entry.n && a->edges == b->edges && a->used == b->used &&
	       !memcmp(a->node.v, b->node.v, (size_t)a->node.n * sizeof *a->node.v) && !memcmp(a->entry.v, b->entry.v, (size_t)a->entry.n * sizeof *a->entry.v) &&
	       a->firsts == b->firsts && !memcmp(a->edge, b->edge, a->edges * sizeof *a->edge) &&
	       !memcmp(a->first, b->first, a->firsts * sizeof *a->first);
}

void lexicon_free(struct lexicon *l)
{
	if (!l)
		return;
	VEC_FREE(l->node);
	VEC_FREE(l->entry);
	free(l->edge);
	free(l->first);
	free(l);
}

bool lexicon_library(struct lexicon *l, bool library)
{
	bool before = l->library;
	l->library = library;
	return before;
}

static uint32_t edge_slot(const struct lexicon *l, uint32_t from, sym word)
{
	uint64_t h = ((uint64_t)from << 32 | word) * UINT64_C(0x9E3779B97F4A7C15);
	uint32_t i = (uint32_t)(h >> 32) & (l->edges - 1);
	while (l->edge[i].to && (l->edge[i].from != from || l->edge[i].word != word))
		i = (i + 1) & (l->edges - 1);
	return i;
}

static void edges_grow(struct lexicon *l)
{
	struct edge *old = l->edge;
	uint32_t n = l->edges;
	l->edges *= 2;
	l->edge = calloc(l->edges, sizeof *l->edge);
	if (!l->edge)
		abort();
	for (uint32_t i = 0; i < n; i++)
		if (old[i].to)
			l->edge[edge_slot(l, old[i].from, old[i].word)] = old[i];
	free(old);
}

static inline uint32_t child(const struct lexicon *l, uint32_t from, sym word)
{
	if (from < LEX_ROOTS)
		return word < l->firsts ? l->first[word].to[from] : 0;
	return l->node.v[from].more ? l->edge[edge_slot(l, from, word)].to : 0;
}

static void firsts_grow(struct lexicon *l, sym word)
{
	uint32_t wider = l->firsts;
	while (word >= wider)
		wider *= 2;
	l->first = realloc(l->first, wider * sizeof *l->first);
	if (!l->first)
		abort();
	memset(l->first + l->firsts, 0, (wider - l->firsts) * sizeof *l->first);
	l->firsts = wider;
}

/* The node behind a word, made where there is none. */
static uint32_t child_put(struct lexicon *l, uint32_t from, sym word)
{
	uint32_t to = child(l, from, word);
	if (to)
		return to;
	to = (uint32_t)l->node.n;
	VEC_PUSH(l->node, ((struct lex_node){-1, 0}));
	if (from < LEX_ROOTS) {
		if (word >= l->firsts)
			firsts_grow(l, word);
		l->first[word].to[from] = to;
		return to;
	}
	if (l->used * 2 >= l->edges)
		edges_grow(l);
	l->edge[edge_slot(l, from, word)] = (struct edge){from, word, to};
	l->node.v[from].more = 1;
	l->used++;
	return to;
}

struct lex_entry *lexicon_add(struct lexicon *l, enum lex_root root, const sym *word, int n, sym text, unsigned flags)
{
	uint32_t at = root == LEX_NAMES && !l->library ? LEX_OWN : root;
	must(n > 0);
	if (n > WORDS_MOST)
		n = WORDS_MOST;
	for (int i = 0; i < n; i++)
		at = child_put(l, at, word[i]);
	if (l->node.v[at].entry < 0) {
		struct lex_entry e = {0};
		e.text = text;
		l->node.v[at].entry = l->entry.n;
		VEC_PUSH(l->entry, e);
	}
	struct lex_entry *e = &l->entry.v[l->node.v[at].entry];
	e->flags |= flags;
	return e;
}

static int split(struct lexicon *l, const char *text, sym *word)
{
	int n = 0;
	while (*text && n < WORDS_MOST) {
		size_t length = strcspn(text, " ");
		word[n++] = intern_put(l->names, text, length);
		text += length;
		while (*text == ' ')
			text++;
	}
	return n;
}

struct lex_entry *lexicon_add_text(struct lexicon *l, enum lex_root root, const char *text, unsigned flags)
{
	sym word[WORDS_MOST];
	int n = split(l, text, word);
	must(n > 0);
	return lexicon_add(l, root, word, n, intern_word(l->names, text), flags);
}

static bool ends_in(const char *text, size_t length, const char *endings)
{
	return length > 0 && strchr(endings, text[length - 1]);
}

void lexicon_plural(struct buf *out, const char *text)
{
	size_t n = strlen(text);
	if (n > 1 && text[n - 1] == 'y' && !ends_in(text, n - 1, "aeiou")) {
		buf_add(out, text, n - 1);
		buf_puts(out, "ies");
		return;
	}
	buf_add(out, text, n);
	bool hissing = ends_in(text, n, "sxzo") || (n > 1 && text[n - 1] == 'h' && ends_in(text, n - 1, "cs"));
	buf_puts(out, hissing ? "es" : "s");
}

void lexicon_add_verb(struct lexicon *l, const sym *word, int n, sym text, unsigned more)
{
	sym form[WORDS_MOST];
	struct buf b = {0};
	if (n > WORDS_MOST)
		n = WORDS_MOST;
	struct lex_entry *e = lexicon_add(l, LEX_NAMES, word, n, text, LEX_VERB | LEX_NAME | more);
	e->verb = text;
	lexicon_plural(&b, intern_folded(l->names, word[0]));
	form[0] = intern_put(l->names, buf_text(&b), b.length);
	for (int i = 1; i < n; i++) {
		form[i] = word[i];
		buf_printf(&b, " %s", intern_folded(l->names, word[i]));
	}
	e = lexicon_add(l, LEX_NAMES, form, n, intern_put(l->names, buf_text(&b), b.length), LEX_VERB | more);
	if (!e->verb)
		e->verb = text;
	buf_free(&b);
}

/* The longest run in one of the tries. */
static inline int match_from(const struct lexicon *l, uint32_t node, const struct raw *at, int most, unsigned flags, const struct lex_entry **found)
{
	int best = 0;
	for (int i = 0; i < most && at[i].word; i++) {
		node = child(l, node, at[i].word);
		if (!node)
			break;
		int e = l->node.v[node].entry;
		if (e >= 0 && l->entry.v[e].flags & flags) {
			best = i + 1;
			*found = &l->entry.v[e];
		}
	}
	return best;
}

int lexicon_match(const struct lexicon *l, enum lex_root root, const struct raw *at, int most, unsigned flags, const struct lex_entry **found)
{
	const struct lex_entry *e = NULL, *own = NULL;
	int n = match_from(l, root, at, most, flags, &e);
	if (root == LEX_NAMES && !l->library) {
		int owned = match_from(l, LEX_OWN, at, most, flags, &own);
		if (owned && owned >= n) {
			n = owned;
			e = own;
		}
	}
	if (n && found)
		*found = e;
	return n;
}

static const struct lex_entry *find_from(const struct lexicon *l, uint32_t node, sym text)
{
	const char *t = intern_folded(l->names, text);
	while (*t) {
		size_t length = strcspn(t, " ");
		const char *of = strchr(t, '\'');
		sym w = intern_find(l->names, t, length);
		uint32_t next = w ? child(l, node, w) : 0;
		if (!next && of) { /* not O'Brien, but Bruna's */
			if (of == t)
				length = 2;
			else if ((size_t)(of - t) < length)
				length = (size_t)(of - t);
			w = intern_find(l->names, t, length);
			next = w ? child(l, node, w) : 0;
		}
		node = next;
		if (!node)
			return NULL;
		t += length;
		while (*t == ' ')
			t++;
	}
	return node >= LEX_ROOTS && l->node.v[node].entry >= 0 ? &l->entry.v[l->node.v[node].entry] : NULL;
}

const struct lex_entry *lexicon_find(const struct lexicon *l, sym text, unsigned flags)
{
	const struct lex_entry *e = l->library ? NULL : find_from(l, LEX_OWN, text);
	if (!e || !(e->flags & flags))
		e = find_from(l, LEX_NAMES, text);
	return e && e->flags & flags ? e : NULL;
}

sym lexicon_verb(const struct lexicon *l, const struct lex_entry *e)
{
	for (int i = 0; e && i < ALIAS_STEPS; i++) {
		if (e->verb)
			return e->verb;
		if (!e->alias)
			return 0;
		e = lexicon_find(l, e->alias, LEX_VERB | LEX_ALIAS);
	}
	return 0;
}

const char *lexicon_does(const struct lexicon *l, const struct intern *names, sym verb)
{
	const char *base = intern_folded(names, verb), *one = NULL;
	for (int i = 0; i < l->entry.n && !one; i++) {
		const struct lex_entry *e = lexicon_entry(l, i);
		const char *text = intern_folded(names, e->text);
		if (e->flags & LEX_VERB && e->text != verb && lexicon_verb(l, e) == verb &&
			*text == *base && strlen(text) > strlen(base))
			one = text;
	}
	return one ? one : base;
}

int lexicon_count(const struct lexicon *l)
{
	return l->entry.n;
}

const struct lex_entry *lexicon_entry(const struct lexicon *l, int i)
{
	return &l->entry.v[i];
}
