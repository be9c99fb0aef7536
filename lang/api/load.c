/* load.c - scripts, the modules they use, and the built-in library.
 *
 * A name in a `use` line is looked for beside the script first, then in the library, where a
 * folder of files makes one module: stdlib/osric/ is `osric`. Every file's names are learnt
 * before any file is parsed, in order of layers, so that words mean the same everywhere. */
#include "lang/api/attempt.h"
#include "lang/api/part.h"
#include "lang/api/probe.h"
#include "lang/api/session.h"
#include "lang/api/interp.h"

#include <stdlib.h>
#include <string.h>

#include "lang/front/image.h"
#include "stdlib/builtins.h"

enum { UNITS_MAX = 200 };

/* `use osric shelf`, `use dew, my house`: one module of the library, and more behind it. */
static bool several_meant(struct fray *f, struct span at, const char *text)
{
	const char *const source = f->sources.file.v[at.file].text;
	uint32_t before = at.file ? at.start : 0;
	while (before && source[before - 1] == ' ')
		before--;
	if (before && source[before - 1] == ',')
		return true; /* the grammar has a sentence for a comma */
	for (unsigned long i = 0; i < fray_builtin_count; i++) {
		const char *slash = strchr(fray_builtins[i].name, '/');
		const size_t n = slash ? (size_t)(slash - fray_builtins[i].name) : 0;
		if (!n || strncmp(text, fray_builtins[i].name, n) || text[n] != ' ')
			continue;
		struct buf said = {0}, line = {0};
		buf_printf(&said, "use %s", text);
		buf_printf(&line, "use %.*s; use %s", (int)n, text,
			text + n + 1 + (strncmp(text + n + 1, "and ", 4) ? 0 : 4));
		diag_report(&f->sink, M_SAID_OTHERWISE, at, 2, buf_text(&said), buf_text(&line));
		buf_free(&said);
		buf_free(&line);
		return true;
	}
	return false;
}

static bool load_module(struct fray *f, sym name, const char *from, enum layer layer, struct span at);

/* A text whose names are not known: what follows may speak of them. */
static bool not_read(struct fray *f)
{
	f->front.incomplete = true;
	return false;
}

bool unit_is_read(const struct fray *f, sym name)
{
	for (int i = 0; i < f->unit.n; i++)
		if (f->unit.v[i].module == name && f->unit.v[i].name)
			return true;
	return false;
}

static bool image_good(struct fray *f)
{
	if (!f->image_asked) {
		f->image_asked = true;
		f->image_good = image_sound(&fray_image);
	}
	return f->image_good;
}

/* Whether the image says of a text of the library what is so. */
bool unit_has_image(struct fray *f, unsigned long builtin)
{
	const struct fray_builtin *b = &fray_builtins[builtin];
	return image_good(f) && image_file_sound(&fray_image, (uint32_t)builtin, b->text, b->length);
}

/* Whether it says which stat blocks there are in it, and can be asked for them. */
static bool image_lists(struct fray *f, unsigned long builtin)
{
	return image_good(f) && image_index_sound(&fray_image, (uint32_t)builtin, fray_builtins[builtin].length) && fray_image.file[builtin].blocks;
}

enum { NOT_BUILT_IN = -1 };

/* Adds one text; loads what it uses before it. `only`: the ruleset it is for, or 0; `builtin`:
 * which of the library's it is; `taken`: of its stat blocks those to be read, or NULL. */
bool unit_add_text(struct fray *f, sym module, sym only, const char *shown, const char *text,
	size_t length, enum layer layer, long builtin, bool *taken)
{
	struct node *uses;
	struct unit u = {0};
	if (length > FRAY_TEXT_MAX) {
		diag_report(&f->sink, M_TEXT_TOO_LONG, (struct span){0}, 0);
		free(taken);
		return not_read(f);
	}
	f->units_again += taken != NULL;
	u.name = u.module = module;
	u.only = only;
	u.file = sources_add(&f->sources, shown, text, length);
	f->sources.file.v[u.file].library = builtin != NOT_BUILT_IN;
	if (builtin != NOT_BUILT_IN && unit_has_image(f, (unsigned long)builtin))
		sources_image(&f->sources, u.file, &fray_image, (uint32_t)builtin, taken);
	else
		free(taken);
	u.shown = f->sources.file.v[u.file].name;
	u.layer = layer;
	u.builtin = builtin != NOT_BUILT_IN;
	u.aside = f->loading_aside;
	u.under = f->loading_aside ? f->loading_under : 0;
	if (f->unit.n - f->units_again >= UNITS_MAX) {
		diag_report(&f->sink, M_MANY_FILES, (struct span){0}, 0);
		return not_read(f);
	}
	/* its place is taken now, so that a circle of `use` lines ends here */
	int index = f->unit.n;
	VEC_PUSH(f->unit, u);
	bool ok = front_collect(&f->front, u.file, &uses);
	if (!ok) {
		f->unit.v[index].collected_only = true;
		not_read(f);
	}
	bool overridden = f->rules != NULL && layer == LAYER_SCRIPT;
	for (struct node *n = uses; n; n = n->next) {
		if (overridden && n->num) /* its house rules go with the rules it named */
			continue;
		if (n->op) {
			ok &= load_aside(f, n, shown);
			continue;
		}
		enum layer of = n->num ? LAYER_HOUSE : layer == LAYER_SCRIPT || layer == LAYER_THING ? LAYER_RULESET : LAYER_PARENT;
		ok &= load_module(f, n->name, shown, of, n->span);
	}
	return ok;
}

static bool add_text(struct fray *f, sym module, const char *shown, const char *text, size_t length, enum layer layer)
{
	return unit_add_text(f, module, 0, shown, text, length, layer, NOT_BUILT_IN, NULL);
}

static bool put_off(struct fray *f, sym module, sym only, unsigned long i, enum layer layer)
{
	struct put_off later = {.module = module, .only = only, .layer = layer, .builtin = i, .aside = f->loading_aside, .under = f->loading_aside ? f->loading_under : 0};
	uint32_t blocks = fray_image.file[i].blocks;
	for (int k = 0; k < f->put_off.n; k++)
		if (f->put_off.v[k].builtin == i)
			return true;
	later.taken = calloc(blocks, sizeof *later.taken);
	later.fresh = calloc(blocks, sizeof *later.fresh);
	if (!later.taken || !later.fresh)
		abort();
	VEC_PUSH(f->put_off, later);
	return true;
}

/* One of the library's, or it is put off until it is known what is named. */
static bool add_builtin(struct fray *f, sym module, sym only, unsigned long i, enum layer layer, bool things)
{
	const struct fray_builtin *b = &fray_builtins[i];
	if (f->lean && things && image_lists(f, i))
		return put_off(f, module, only, i, layer);
	struct buf shown = {0};
	buf_printf(&shown, "library/%s.fray", b->name);
	bool ok =
		unit_add_text(f, module, only, buf_text(&shown), b->text, b->length, layer, (long)i, NULL);
	buf_free(&shown);
	return ok;
}

/* What a file says it is: a ruleset, house rules, or things for scripts to use. */
static enum layer layer_of_text(const char *text, size_t length, enum layer wanted)
{
	const char *p = text, *end = text + length;
	while (p < end) {
		const char *line = p;
		while (p < end && *p != '\n')
			p++;
		size_t n = (size_t)(p - line);
		if (n > 8 && !strncmp(line, "ruleset ", 8))
			return wanted == LAYER_PARENT ? LAYER_PARENT : LAYER_RULESET;
		if (n > 12 && !strncmp(line, "house rules ", 12))
			return LAYER_HOUSE;
		p++;
	}
	return wanted == LAYER_CORE ? LAYER_CORE : LAYER_THING;
}

static bool load_builtin(struct fray *f, sym name, enum layer layer, bool *found)
{
	const char *folder = intern_folded(f->names, name);
	size_t n = strlen(folder);
	bool ok = true;
	enum layer whole = layer;
	*found = false;
	/* the file of the folder's own name comes first and says what the module is */
	for (int pass = 0; pass < 2; pass++)
		for (unsigned long i = 0; i < fray_builtin_count; i++) {
			const struct fray_builtin *b = &fray_builtins[i];
			bool inside = !strncmp(b->name, folder, n) && b->name[n] == '/' && !strchr(b->name + n + 1, '/');
			bool head = inside && !strcmp(b->name + n + 1, folder);
			bool single = !strncmp(b->name, "house/", 6) && !strcmp(b->name + 6, folder);
			if (!inside && !single)
				continue;
			if ((pass == 0) != (head || single))
				continue;
			if (!*found)
				whole = layer_of_text(b->text, b->length, layer);
			*found = true;
			ok &= add_builtin(f, name, 0, i, whole, whole == LAYER_THING);
		}
	return ok;
}

static bool in_library(const char *name)
{
	size_t n = strlen(name);
	for (unsigned long i = 0; i < fray_builtin_count; i++)
		if (!strncmp(fray_builtins[i].name, name, n) && fray_builtins[i].name[n] == '/')
			return true;
	return false;
}

static bool safe_name(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/') && !strchr(name, '\\') && strlen(name) < 100;
}

/* The text of a module that stands beside the script, or in a part of odds; NULL: there is none. */
static char *beside(struct fray *f, const char *name, const char *from, size_t *length)
{
	if (f->parts)
		return parts_module(f->parts, name, length);
	char *text = f->config.module ? f->config.module(f->config.context, name, from, length) : NULL;
	if (text && f->part)
		part_module(f->part, name, text, *length);
	return text;
}

bool module_exists(struct fray *f, const char *name, const char *from)
{
	size_t length;
	char *own = safe_name(name) ? beside(f, name, from, &length) : NULL;
	const bool is = own || in_library(name);
	free(own);
	return is;
}

/* A whole system, and not what a table changes in one. */
static bool is_ruleset(const struct fray *f, sym name, const char *own, size_t length)
{
	if (own)
		return layer_of_text(own, length, LAYER_HOUSE) == LAYER_RULESET;
	const char *folder = intern_folded(f->names, name);
	size_t n = strlen(folder);
	for (unsigned long i = 0; i < fray_builtin_count; i++) {
		const struct fray_builtin *b = &fray_builtins[i];
		if (!strncmp(b->name, folder, n) && b->name[n] == '/' && !strcmp(b->name + n + 1, folder))
			return layer_of_text(b->text, b->length, LAYER_HOUSE) == LAYER_RULESET;
	}
	return false;
}

/* What a branch of odds uses: read, so that its names are known, and put aside. */
bool load_aside(struct fray *f, const struct node *n, const char *shown)
{
	bool before = f->loading_aside;
	sym under = f->loading_under;
	f->loading_under = before ? under : n->name;
	f->loading_aside = true;
	bool ok = load_module(f, n->name, shown, LAYER_HOUSE, n->span);
	f->loading_aside = before;
	f->loading_under = under;
	return ok;
}

void units_aside(struct fray *f, const struct node *names)
{
	for (int i = 0; i < f->unit.n; i++) {
		struct unit *u = &f->unit.v[i];
		u->called = false;
		for (const struct node *n = names; n; n = n->next)
			u->called |= u->aside && u->module && u->module == n->name;
	}
}

/* The module, and what it brought, is in force from the start after all. */
static void not_aside(struct fray *f, sym name)
{
	for (int i = 0; i < f->unit.n; i++)
		if (f->unit.v[i].module == name || f->unit.v[i].under == name)
			f->unit.v[i].aside = false;
	for (int i = 0; i < f->put_off.n; i++)
		if (f->put_off.v[i].module == name || f->put_off.v[i].under == name)
			f->put_off.v[i].aside = false;
}

/* What is loaded from now on is aside, or not, as what brings it. */
void load_as(struct fray *f, bool aside, sym under)
{
	f->loading_aside = aside;
	f->loading_under = aside ? under : 0;
}

/* A module that is not there, where the line that uses it means an option: then this is told, once
 * a line. */
static bool setting_meant(struct fray *f, struct span at)
{
	const struct source *s = &f->sources.file.v[at.file];
	uint32_t first = at.start, end = at.end;
	struct buf line = {0};
	if (!at.file)
		return false;
	while (first && !strchr("\n;", s->text[first - 1]))
		first--;
	end = first + (uint32_t)strcspn(s->text + first, "\n");
	const bool meant = use_meant(s->text + first, end - first, &line);
	const struct span whole = {at.file, first, end};
	if (meant && front_tell_use(&f->front, whole))
		diag_report(&f->sink, M_USE_BRACES, at, 1, buf_text(&line));
	buf_free(&line);
	return meant;
}

static bool load_module(struct fray *f, sym name, const char *from, enum layer layer, struct span at)
{
	const char *text = model_text(&(struct model){.front = &f->front}, name);
	if (!safe_name(text)) {
		diag_report(&f->sink, M_USE_PATH, at, 1, text);
		return not_read(f);
	}
	if (unit_is_read(f, name)) {
		if (!f->loading_aside)
			not_aside(f, name);
		return true;
	}
	size_t length = 0;
	/* the core is the library's own: no file beside a script stands in for it */
	char *own = layer != LAYER_CORE ? beside(f, text, from, &length) : NULL;
	/* nor does a file of encounters beside it for a system whose name it happens to have */
	if (own && in_library(text) && layer_of_text(own, length, layer) == LAYER_THING) {
		free(own);
		own = NULL;
	}
	bool itself = false, ok = true;
	for (int i = 0; own && i < f->unit.n && !itself; i++) {
		const struct source *s = &f->sources.file.v[f->unit.v[i].file];
		itself = f->unit.v[i].layer == LAYER_SCRIPT && s->length == length && !memcmp(s->text, own, length);
	}
	if (itself) { /* it is being read; but osric.fray that says "use osric" means the library's */
		free(own);
		own = NULL;
	}
	if (f->loading_aside && is_ruleset(f, name, own, length)) {
		free(own); /* a branch cannot change it: odds_branch.c says so */
		return true;
	}
	for (int i = 0; !own && i < f->unit.n; i++) {
		const struct unit *u = &f->unit.v[i];
		if (u->layer != LAYER_RULESET || !u->builtin || u->aside || u->module == name ||
			layer != LAYER_RULESET || !at.file || f->rules || !is_ruleset(f, name, NULL, 0))
			continue;
		const char *has = model_text(&(struct model){.front = &f->front}, u->module);
		diag_report(&f->sink, M_TWO_RULESETS, at, 2, has, text);
		return not_read(f);
	}
	bool found = own != NULL;
	if (own) {
		struct buf shown = {0};
		buf_printf(&shown, "%s.fray", text);
		ok = add_text(f, name, buf_text(&shown), own, length, layer_of_text(own, length, layer));
		buf_free(&shown);
		free(own);
	} else {
		ok = load_builtin(f, name, layer, &found);
	}
	if (found || itself)
		return ok;
	VEC(const char *) names = {0};
	struct buf list[64];
	int n = 0;
	for (unsigned long i = 0; i < fray_builtin_count && n < 64; i++) {
		const char *slash = strchr(fray_builtins[i].name, '/');
		if (!slash)
			continue;
		memset(&list[n], 0, sizeof list[n]);
		buf_add(&list[n], fray_builtins[i].name, (size_t)(slash - fray_builtins[i].name));
		VEC_PUSH(names, buf_text(&list[n]));
		n++;
	}
	const char *dot = strrchr(text, '.');
	const char *best = diag_nearest(text, names.v, names.n);
	if (dot && !strcmp(dot, ".fray")) /* use things.fray */
		best = arena_text(f->front.arena, text, (size_t)(dot - text));
	if (!best && (setting_meant(f, at) || several_meant(f, at, text))) {
		for (int i = 0; i < n; i++)
			buf_free(&list[i]);
		VEC_FREE(names);
		return not_read(f);
	}
	struct buf all = {0};
	const char **sorted = malloc(sizeof *sorted * (size_t)(names.n + 1));
	int systems = 0;
	if (!sorted)
		abort();
	for (int i = 0; i < names.n; i++) /* a folder comes once for each of its files */
		if (strcmp(names.v[i], "core") && (i == 0 || strcmp(names.v[i], names.v[i - 1])))
			sorted[systems++] = names.v[i];
	diag_list(sorted, systems, NULL, systems, &all);
	diag_report(&f->sink, best ? M_NO_MODULE_NEAR : M_NO_MODULE, at, 2, text, best ? best : buf_text(&all));
	free(sorted);
	buf_free(&all);
	for (int i = 0; i < n; i++)
		buf_free(&list[i]);
	VEC_FREE(names);
	return not_read(f);
}

static bool load_rules(struct fray *f)
{
	bool ok = true, first = true;
	const char *p = f->rules;
	while (p && *p) {
		size_t n = strcspn(p, ",");
		sym name = *p == '-' ? 0 : intern_put(f->names, p, n); /* -gentle: without */
		if (name)
			ok &= load_module(f, name, "", first ? LAYER_RULESET : LAYER_HOUSE, (struct span){0});
		first = false;
		p += n;
		if (*p == ',')
			p++;
	}
	return ok;
}

/* Folders of a module are named after rulesets: FOLDER/osric/ is read with osric alone, is a
 * module of its own and nearer than the rest, so that it can say what OSRIC has otherwise. */
static bool load_variants_of(struct fray *f, sym name, enum layer layer)
{
	const char *folder = intern_folded(f->names, name);
	size_t n = strlen(folder);
	bool ok = true;
	for (unsigned long i = 0; i < fray_builtin_count; i++) {
		const struct fray_builtin *b = &fray_builtins[i];
		const char *system = !strncmp(b->name, folder, n) && b->name[n] == '/' ? b->name + n + 1 : NULL;
		const char *slash = system ? strchr(system, '/') : NULL;
		sym only = slash ? intern_put(f->names, system, (size_t)(slash - system)) : 0;
		if (!only || !unit_is_read(f, only))
			continue;
		struct buf module = {0};
		buf_printf(&module, "%s for %s", folder, intern_folded(f->names, only));
		ok &= add_builtin(f, intern_put(f->names, module.data, module.length), only, i, layer, true);
		buf_free(&module);
	}
	return ok;
}

/* When it is known which rulesets are in use. */
bool load_variants(struct fray *f)
{
	bool ok = true;
	for (int i = 0; i < f->unit.n; i++) {
		struct unit u = f->unit.v[i];
		bool again = u.layer != LAYER_THING || !u.name || u.only;
		for (int k = 0; k < f->unit.n && !again; k++)
			again = f->unit.v[k].varied == u.module || (k < i && f->unit.v[k].module == u.module);
		if (again)
			continue;
		f->unit.v[i].varied = u.module;
		load_as(f, u.aside, u.under);
		ok &= load_variants_of(f, u.module, u.layer);
	}
	load_as(f, false, 0);
	return ok;
}

bool units_load(struct fray *f, const char *name, const char *text, size_t length)
{
	bool ok = true;
	if (f->unit.n == 0) {
		ok = load_module(f, intern_word(f->names, "core"), "", LAYER_CORE, (struct span){0});
		if (f->rules)
			ok &= load_rules(f);
	}
	ok &= add_text(f, 0, name, text, length, LAYER_SCRIPT);
	ok &= load_variants(f);
	return load_put_off(f) && ok;
}

static bool load_all(struct fray *f, const char *name, const char *text, size_t length)
{
	bool ok = units_load(f, name, text, length);
	return units_check(f) && ok;
}

void fray_lean(struct fray *f, const char *also)
{
	f->lean = true;
	free(f->meant);
	f->meant = also ? strdup(also) : NULL;
}

enum fray_status fray_load_libraries(struct fray *f)
{
	struct buf text = {0};
	size_t n;
	for (unsigned long i = 0; i < fray_builtin_count; i++)
		if (library_module(i, &n))
			buf_printf(&text, "use %.*s\n", (int)n, fray_builtins[i].name);
	enum fray_status s = fray_load(f, "nothing", buf_text(&text), text.length);
	buf_free(&text);
	return s;
}

static enum fray_status load_script(struct fray *f, const char *name, const char *text, size_t length)
{
	run_close(f);
	if (f->lean && f->unit.n == 0) {
		/* what is found wrong is looked at again with all that the library has, and said then */
		void (*report)(void *, const struct diag *) = f->sink.report;
		f->sink.report = say_nothing;
		bool good = load_all(f, name, text, length) && f->sink.warnings == 0 && f->sink.errors == 0;
		f->sink.report = report;
		if (good)
			return FRAY_OK;
		f->lean = false;
		interp_anew(f);
		attempt_begin(f);
	}
	return load_all(f, name, text, length) ? FRAY_OK : FRAY_WRONG;
}

enum fray_status fray_load(struct fray *f, const char *name, const char *text, size_t length)
{
	bool of_line = attempt_is_open(f); /* then the line is kept or undone */
	attempt_begin(f);
	enum fray_status s = load_script(f, name, text, length);
	if (of_line)
		return s;
	if (s == FRAY_OK || f->edited)
		attempt_keep(f);
	else
		attempt_undo(f);
	return s;
}

int fray_encounters(const struct fray *f)
{
	return f->checked ? f->model.encounter.n : 0;
}

const char *fray_encounter(const struct fray *f, int index)
{
	return index >= 0 && index < fray_encounters(f) ? model_text(&f->model, f->model.encounter.v[index].name) : NULL;
}

static int count_expects(const struct node *list)
{
	int n = 0;
	for (; list; list = list->next) {
		n += list->kind == N_KIND_N_EXPECT || list->kind == N_KIND_N_EXPECT_SAY;
		if (list->kind == N_KIND_MOMENT)
			n += count_expects(list->a);
	}
	return n;
}

int fray_encounter_expects(const struct fray *f, int index)
{
	return index >= 0 && index < fray_encounters(f) ? count_expects(f->model.encounter.v[index].node->a) : 0;
}
