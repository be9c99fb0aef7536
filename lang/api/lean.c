/* lean.c - which stat blocks of the library a script can mean, and what is typed after it.
 *
 * The library holds more stat blocks than any fight needs, and reading takes time. A file of it
 * that holds stat blocks alone is cut down to those whose names' words all stand somewhere in
 * what is read: in the script, in the rules, in a stat block that is taken. That may be some too
 * many, and never one too few; whatever is found wrong then is looked at again with all of them.
 * At the prompt each line may bring more. Which words stand where in the library was worked out
 * by make: lang/front/image.h. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lang/api/interp.h"
#include "lang/front/image.h"
#include "stdlib/builtins.h"

enum { NEAR_BITS = 1 << 15 };

/* Whether a hash may be one of the vocabulary's: most words of a script are not. */
static bool is_near(struct fray *f, uint64_t hash)
{
	if (!f->vocabulary_near) {
		f->vocabulary_near = calloc(NEAR_BITS / 64, sizeof *f->vocabulary_near);
		if (!f->vocabulary_near)
			abort();
		for (uint32_t i = 0; i < fray_image.vocabularies; i++) {
			const uint64_t known = fray_image.vocabulary[i];
			f->vocabulary_near[known % NEAR_BITS / 64] |= UINT64_C(1) << known % 64;
		}
	}
	return f->vocabulary_near[hash % NEAR_BITS / 64] >> hash % 64 & 1;
}

static void meet(void *context, uint64_t hash)
{
	struct fray *f = context;
	const uint64_t *v = fray_image.vocabulary;
	uint32_t low = 0, high = fray_image.vocabularies;
	if (!is_near(f, hash))
		return;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (v[middle] < hash)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < fray_image.vocabularies && v[low] == hash)
		f->met[low] = true;
}

static void keep_hash(void *context, uint64_t hash)
{
	uint64_t *out = context;
	*out = hash;
}

/* A word of a text: and the one it is another spelling of. */
static void meet_word(void *context, uint64_t hash)
{
	struct fray *f = context;
	meet(f, hash);
	for (int i = f->spelled.n; i < intern_spellings(f->names); i++) {
		struct spelled x = {0};
		const char *as, *from = intern_spelled(f->names, i, &as);
		words_of_name(from, from + strlen(from), keep_hash, &x.from);
		words_of_name(as, as + strlen(as), keep_hash, &x.to);
		VEC_PUSH(f->spelled, x);
		f->spelled_near[x.from % FRAY_COUNT(f->spelled_near)] = 1;
		f->spelled_near[x.to % FRAY_COUNT(f->spelled_near)] = 1;
	}
	for (int i = 0; f->spelled_near[hash % FRAY_COUNT(f->spelled_near)] && i < f->spelled.n; i++)
		if (f->spelled.v[i].from == hash || f->spelled.v[i].to == hash)
			meet(f, f->spelled.v[i].from == hash ? f->spelled.v[i].to : f->spelled.v[i].from);
}

static void meet_all(struct fray *f, uint32_t from, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		f->met[fray_image.number[from + i]] = true;
}

static bool has_all(const struct fray *f, const struct image_block *b)
{
	for (uint32_t i = 0; i < b->names; i++)
		if (!f->met[fray_image.number[b->name + i]])
			return false;
	return true;
}

/* The words of all that was read since. Of a file that is read in part the blocks were looked at. */
static void meet_sources(struct fray *f)
{
	if (!f->met) {
		static const char no_word[] = "a";
		f->met = calloc(fray_image.vocabularies + 1, sizeof *f->met);
		if (!f->met)
			abort();
		words_of_name(no_word, no_word + 1, meet, f);
		if (f->meant)
			words_of_text(f->meant, f->meant + strlen(f->meant), false, meet_word, f);
	}
	for (; f->met_sources < f->sources.file.n; f->met_sources++) {
		const struct source *x = &f->sources.file.v[f->met_sources];
		if (x->taken)
			continue;
		if (x->image)
			meet_all(f, fray_image.file[x->image_file].text, fray_image.file[x->image_file].texts);
		else
			words_of_text(x->text, x->text + x->length, !strncmp(x->name, "library/", 8), meet_word, f);
	}
}

static const struct image_file *image_of(const struct put_off *p)
{
	return &fray_image.file[p->builtin];
}

static void take(struct fray *f, struct put_off *p, uint32_t block)
{
	const struct image_block *b = &fray_image.block[image_of(p)->block + block];
	p->fresh[block] = p->any = true;
	for (uint32_t k = 0; k < image_of(p)->blocks; k++) /* of several names */
		p->taken[k] |= fray_image.block[image_of(p)->block + k].raw == b->raw;
	meet_all(f, b->text, b->texts);
}

bool lean_take(struct fray *f)
{
	bool any = false;
	meet_sources(f);
	for (bool more = true; more;) {
		more = false;
		for (int i = 0; i < f->put_off.n; i++) {
			struct put_off *p = &f->put_off.v[i];
			for (uint32_t k = 0; k < image_of(p)->blocks; k++) {
				if (p->taken[k] || !has_all(f, &fray_image.block[image_of(p)->block + k]))
					continue;
				take(f, p, k);
				any = more = true;
			}
		}
	}
	return any;
}

/* The block's own words; false: it is a whole text without a name. */
static bool block_words(const struct put_off *p, uint32_t block, struct block_text *out)
{
	const struct fray_builtin *b = &fray_builtins[p->builtin];
	const struct image_block *x = &fray_image.block[image_of(p)->block + block];
	return block_read(b->text + x->start, b->text + x->end, out);
}

void lean_take_kind(struct fray *f, bool (*wanted)(const struct fray *f, sym kind, int of), int of)
{
	struct block_text t;
	meet_sources(f);
	for (int i = 0; i < f->put_off.n; i++) {
		struct put_off *p = &f->put_off.v[i];
		for (uint32_t k = 0; k < image_of(p)->blocks; k++)
			if (!p->taken[k] && block_words(p, k, &t) && wanted(f, intern_put(f->names, t.start, (size_t)(t.name - t.start) - 1), of))
				take(f, p, k);
	}
}

void lean_take_parts(struct fray *f)
{
	struct block_text t;
	meet_sources(f);
	for (int i = 0; i < f->put_off.n; i++)
		for (uint32_t k = 0; k < image_of(&f->put_off.v[i])->blocks; k++)
			if (!f->put_off.v[i].taken[k] && !block_words(&f->put_off.v[i], k, &t))
				take(f, &f->put_off.v[i], k);
}

void lean_forget(struct fray *f)
{
	for (int i = 0; i < f->put_off.n; i++) {
		free(f->put_off.v[i].taken);
		free(f->put_off.v[i].fresh);
	}
	VEC_FREE(f->put_off);
	memset(&f->put_off, 0, sizeof f->put_off);
	free(f->met);
	free(f->vocabulary_near);
	VEC_FREE(f->spelled);
	f->met = NULL;
	f->vocabulary_near = NULL;
	f->met_sources = 0;
}

/* ---- names that are not read ---- */

typedef void put_fn(void *to, const struct unread *u);

static void put_block(const struct block_text *t, const char *module, bool in_use, put_fn *put, void *to)
{
	struct buf kind = {0}, name = {0};
	const char *end = t->name_end;
	while (end > t->name && end[-1] == ' ')
		end--;
	buf_add(&kind, t->start, (size_t)(t->name - t->start) - 1);
	buf_add(&name, t->name, (size_t)(end - t->name));
	struct unread u = {module, buf_text(&kind), buf_text(&name), in_use, false};
	put(to, &u);
	buf_free(&kind);
	buf_free(&name);
}

/* Of modules in use, what was put off. */
static void each_put_off(struct fray *f, put_fn *put, void *to)
{
	struct block_text t;
	for (int i = 0; i < f->put_off.n; i++) {
		const struct put_off *p = &f->put_off.v[i];
		for (uint32_t k = 0; k < image_of(p)->blocks; k++)
			if (!p->taken[k] && block_words(p, k, &t))
				put_block(&t, intern_folded(f->names, p->module), true, put, to);
	}
}

bool library_module(unsigned long builtin, size_t *length)
{
	static const char says[] = "\nlibrary ";
	const struct fray_builtin *b = &fray_builtins[builtin];
	const char *slash = strchr(b->name, '/');
	*length = slash ? (size_t)(slash - b->name) : 0;
	if (!slash || strlen(slash + 1) != *length || strncmp(b->name, slash + 1, *length))
		return false;
	return !strncmp(b->text, says + 1, sizeof says - 2) || strstr(b->text, says);
}

static bool in_use(const struct fray *f, const char *name, size_t length)
{
	sym s = intern_find(f->names, name, length);
	for (int i = 0; i < f->unit.n && s; i++)
		if (f->unit.v[i].module == s)
			return true;
	return false;
}

/* Where a field ends that begins here: at the next `;`, a comment or the line's end, texts passed over. Its colon, or NULL. */
static const char *field_end(const char *p, const char *line_end, const char **colon)
{
	*colon = NULL;
	for (; p < line_end && *p != ';' && !(*p == '-' && p + 1 < line_end && p[1] == '-'); p++) {
		if (*p == ':' && !*colon)
			*colon = p;
		if (*p == '"' && !(p[-1] >= '0' && p[-1] <= '9')) { /* not the mark of inches */
			const char *close = memchr(p + 1, '"', (size_t)(line_end - p - 1));
			p = close ? close : line_end - 1;
		}
	}
	return p;
}

/* The fields of a line, "hit dice: 1; level: number", up to its comment. */
static void put_line(const char *p, const char *line_end, const char *module, put_fn *put, void *to)
{
	for (const char *colon, *next; p < line_end; p = next) {
		next = field_end(p, line_end, &colon);
		p += strspn(p, " \t");
		if (colon && p < colon) {
			struct buf name = {0};
			buf_add(&name, p, (size_t)(colon - p));
			put(to, &(struct unread){module, "combatant", buf_text(&name), false, true});
			buf_free(&name);
		}
		next = next < line_end && *next == ';' ? next + 1 : line_end;
	}
}

/* The fields of `every combatant has {`, `keeps {` or `notes {`, if that is what stands there; what
 * comes behind. */
static const char *put_fields(const char *p, const char *end, const char *module, put_fn *put, void *to)
{
	static const char *const heads[] = {
		"every combatant has {", "every combatant keeps {", "every combatant notes {"};
	const char *from = NULL, *line_end = block_line_end(p, end);
	for (size_t i = 0; i < FRAY_COUNT(heads); i++)
		if ((size_t)(end - p) >= strlen(heads[i]) && !strncmp(p, heads[i], strlen(heads[i])))
			from = p + strlen(heads[i]);
	if (from && *from != '\n') { /* on one line */
		put_line(from, line_end, module, put, to);
		return line_end;
	}
	for (p = line_end; from && p < end && *p != '}'; p = line_end) {
		line_end = block_line_end(p, end);
		put_line(p, line_end, module, put, to);
	}
	return p;
}

/* ---- what is typed ---- */

struct typed { const char *text; size_t length; bool named; };

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* Whether the text has the name as whole words. */
static void look_for(void *to, const struct unread *u)
{
	struct typed *t = to;
	const size_t n = strlen(u->name);
	for (size_t i = 0; n && i + n <= t->length && !t->named; i++)
		t->named = !strncasecmp(t->text + i, u->name, n) && (i == 0 || !is_letter(t->text[i - 1])) && (i + n == t->length || !is_letter(t->text[i + n]));
}

/* Whether a text names a field of combatants, an event, an action or a table that the part declares. */
static bool names_of_part(const struct fray_builtin *part, const char *text, size_t length)
{
	static const char *const heads[] = {"event ", "action ", "table "};
	struct typed t = {text, length, false};
	const char *end = part->text + part->length;
	for (const char *p = part->text; p < end && !t.named;) {
		for (size_t i = 0; i < FRAY_COUNT(heads); i++)
			if ((size_t)(end - p) > strlen(heads[i]) && !strncmp(p, heads[i], strlen(heads[i]))) {
				struct buf name = {0};
				const char *from = p + strlen(heads[i]), *to = block_line_end(p, end);
				const char *stop = from;
				while (stop < to && !strchr("({\"\n", *stop))
					stop++;
				while (stop > from && stop[-1] == ' ')
					stop--;
				buf_add(&name, from, (size_t)(stop - from));
				look_for(&t, &(struct unread){"", "", buf_text(&name), false, false});
				buf_free(&name);
			}
		p = put_fields(p, end, "", look_for, &t);
	}
	return t.named;
}

bool lean_meet(struct fray *f, const char *text, size_t length)
{
	bool any = false;
	struct block_text t;
	if (!f->met)
		return false;
	words_of_text(text, text + length, false, meet_word, f);
	for (int i = 0; i < f->put_off.n; i++)
		for (uint32_t k = 0; k < image_of(&f->put_off.v[i])->blocks; k++) {
			struct put_off *p = &f->put_off.v[i];
			if (p->taken[k] || block_words(p, k, &t) || !names_of_part(&fray_builtins[p->builtin], text, length))
				continue;
			take(f, p, k);
			any = true;
		}
	return any;
}

/* Of libraries that are not in use, everything that is not for one ruleset alone. */
static void each_of_others(struct fray *f, put_fn *put, void *to)
{
	size_t n;
	for (unsigned long i = 0; i < fray_builtin_count; i++) {
		if (!library_module(i, &n) || in_use(f, fray_builtins[i].name, n))
			continue;
		struct buf module = {0};
		buf_add(&module, fray_builtins[i].name, n);
		for (unsigned long k = 0; k < fray_builtin_count; k++) {
			const struct fray_builtin *b = &fray_builtins[k];
			const char *end = b->text + b->length;
			struct block_text t;
			if (strncmp(b->name, buf_text(&module), n) || b->name[n] != '/' || strchr(b->name + n + 1, '/'))
				continue;
			for (const char *p = b->text; p < end;) {
				bool block = block_read(p, end, &t);
				if (block)
					put_block(&t, buf_text(&module), false, put, to);
				p = block ? t.end : put_fields(p, end, buf_text(&module), put, to);
			}
		}
		buf_free(&module);
	}
}

void unread_each(void *context, bool in_use, put_fn *put, void *to)
{
	(in_use ? each_put_off : each_of_others)(context, put, to);
}
