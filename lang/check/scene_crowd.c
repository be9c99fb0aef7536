/* scene_crowd.c - who is there: the members of the sides, from the names and numbers an encounter gives. */
#include <string.h>

#include "lang/check/scene.h"

static int singular_thing(const struct model *m, sym name)
{
	int t = model_thing(m, name, KIND_COMBATANT);
	return t >= 0 ? t : model_thing_plural(m, name, KIND_COMBATANT);
}

/* "three orcs" as "3 orcs"; NULL if it begins with no such word. Lives in the arena. */
static const char *in_digits(const struct model *m, const char *text)
{
	static const char *const words[] = {"a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"};
	for (size_t i = 1; i < FRAY_COUNT(words); i++) {
		size_t n = strlen(words[i]);
		if (strncmp(text, words[i], n) || text[n] != ' ')
			continue;
		struct buf b = {0};
		buf_printf(&b, "%zu%s", i + 1, text + n);
		const char *digits = arena_text(m->arena, b.data, b.length);
		buf_free(&b);
		return digits;
	}
	return NULL;
}

/* "orcs" for "orks": the plural of the name that is most like the one of this plural; NULL if none is. Lives in the arena. */
static const char *near_plural(const struct model *m, const char *text, const char *const *names, int n)
{
	size_t length = strlen(text);
	if (length < 4 || text[length - 1] != 's')
		return NULL;
	struct buf b = {0};
	buf_add(&b, text, length - 1);
	const char *one = diag_nearest(buf_text(&b), names, n), *many = NULL;
	if (one) {
		buf_clear(&b);
		buf_printf(&b, "%ss", one);
		if (singular_thing(m, intern_put(m->front->names, b.data, b.length)) >= 0)
			many = arena_text(m->arena, b.data, b.length);
	}
	buf_free(&b);
	return many;
}

/* "Tilda, 2 orcs" for names without their comma; NULL: they are not names all of them. In the arena. */
static const char *with_commas(const struct model *m, const struct node *member)
{
	const char *text = model_text(m, member->name);
	const size_t length = strlen(text);
	struct buf b = {0};
	if (member->num)
		buf_printf(&b, "%lld ", (long long)member->num);
	for (size_t from = 0, n, names = 0; from < length; from += n + 1, names++) {
		size_t digits = strspn(text + from, "0123456789");
		digits += digits && text[from + digits] == ' ';
		for (n = length - from; n > digits; n--) {
			const bool ends = from + n == length || text[from + n] == ' ';
			sym one = ends ? intern_find(m->front->names, text + from + digits, n - digits) : 0;
			if (one && singular_thing(m, model_alias(m, one)) >= 0)
				break;
		}
		if (n <= digits) {
			buf_free(&b);
			return NULL;
		}
		buf_puts(&b, names ? ", " : "");
		buf_add(&b, text + from, n);
	}
	const char *line = arena_text(m->arena, b.data, b.length);
	buf_free(&b);
	return line;
}

/* side party: Bruna follows stand firm. NULL: it says nothing of the sort. */
static const char *without_policy(const struct model *m, const struct node *member)
{
	const char *text = model_text(m, member->name), *verb = strstr(text, " follows ");
	struct buf b = {0};
	if (!verb)
		return NULL;
	const sym one = intern_find(m->front->names, text, (size_t)(verb - text));
	if (!one || model_thing(m, model_alias(m, one), KIND_COMBATANT) < 0)
		return NULL;
	buf_add(&b, text, (size_t)(verb - text));
	buf_printf(&b, "; and on a line of its own: %s", text);
	const char *line = arena_text(m->arena, b.data, b.length);
	buf_free(&b);
	return line;
}

static void report_member(struct model *m, struct node *member)
{
	const char *parted = with_commas(m, member);
	if (!parted)
		parted = without_policy(m, member);
	if (parted) {
		m->crowd_unsure = false; /* whoever else is there, this is no name */
		model_report(m, M_SAID_OTHERWISE, member->at, 2, model_text(m, member->name), parted);
		m->crowd_unsure = true;
		return;
	}
	struct name_list names = {0};
	for (int i = 0; i < m->thing.n; i++)
		if (kind_root(m, m->thing.v[i].kind) == KIND_COMBATANT)
			VEC_PUSH(names.at, model_text(m, m->thing.v[i].name));
	for (int i = 0; i < m->alias.n; i++)
		if (model_thing(m, m->alias.v[i].from, KIND_COMBATANT) >= 0)
			VEC_PUSH(names.at, model_text(m, m->alias.v[i].from));
	model_unread(m, KIND_COMBATANT, &names);
	const char *best = diag_nearest(model_text(m, member->name), names.at.v, names.at.n);
	m->crowd_unsure = true;
	if (!best)
		best = near_plural(m, model_text(m, member->name), names.at.v, names.at.n);
	if (!best)
		best = in_digits(m, model_text(m, member->name));
	model_report(m, best ? M_NO_COMBATANT_NEAR : M_NO_COMBATANT, member->at, 2, model_text(m, member->name), best ? best : "");
	VEC_FREE(names.at);
}

static void live_add(struct model *m, int thing, int side, int number, bool late)
{
	struct mlive l = {0, thing, side, late};
	if (number) {
		struct buf b = {0};
		buf_printf(&b, "%s #%d", model_text(m, m->thing.v[thing].name), number);
		/* a line may have called one by another writing before: they are named alike */
		l.name = intern_spelt(m->front->names, b.data, b.length);
		buf_free(&b);
	} else {
		l.name = m->thing.v[thing].name;
	}
	VEC_PUSH(m->live, l);
}

static int live_called(const struct model *m, sym name)
{
	for (int i = 0; i < m->live.n; i++)
		if (m->live.v[i].name == name)
			return i;
	return -1;
}

static bool is_of(const struct model *m, int thing, int pattern)
{
	while (thing >= 0 && thing != pattern)
		thing = m->thing.v[thing].parent;
	return thing >= 0;
}

/* "Sly", "orc #2", "orcs": who joins is there, or was, already: he changes sides, or comes back. */
static bool joins_again(struct model *m, struct node *x)
{
	sym name = model_alias(m, x->name);
	int thing = model_thing(m, name, KIND_COMBATANT), live = live_called(m, name), side = model_side(m, name);
	bool one = live >= 0 && (thing < 0 || m->thing.v[m->live.v[live].thing].kind == KIND_COMBATANT);
	if (x->num)
		return false;
	x->ref_kind = REF_UNKNOWN;
	if (one) {
		x->ref_kind = REF_LIVE;
		x->ref = live;
		x->role = 1;
	} else if (thing < 0 && side >= 0) {
		x->ref_kind = REF_SIDE;
		x->ref = side;
	} else if (thing < 0 && (thing = singular_thing(m, name)) >= 0) {
		for (int i = 0; i < m->live.n; i++)
			if (is_of(m, m->live.v[i].thing, thing)) {
				x->ref_kind = REF_ISA;
				x->ref = thing;
			}
	}
	return x->ref_kind != REF_UNKNOWN;
}

static void enter_members(struct model *m, struct node *list, int side, bool late)
{
	for (struct node *x = list; x; x = x->next) {
		if (late && joins_again(m, x))
			continue;
		int thing = singular_thing(m, model_alias(m, x->name));
		x->ref_kind = REF_UNKNOWN;
		if (thing < 0) {
			report_member(m, x);
			continue;
		}
		if (x->num > FRAY_COMBATANTS_MAX || m->live.n + x->num > FRAY_COMBATANTS_MAX) {
			model_report(m, M_MANY_COMBATANTS, x->span, 0);
			m->crowd_unsure = true;
			return;
		}
		int used = 0, bare = 0;
		for (int i = 0; i < m->live.n; i++)
			if (m->live.v[i].thing == thing) {
				used++;
				bare += m->live.v[i].name == m->thing.v[thing].name;
			}
		x->ref_kind = REF_LIVE;
		x->ref = m->live.n;
		x->role = x->num ? (int)x->num : 1;
		if (x->num == 0) {
			if (bare && m->thing.v[thing].kind == KIND_COMBATANT)
				model_report(m, M_TWICE_THERE, x->at, 1, model_text(m, x->name));
			live_add(m, thing, side, used ? used + 1 : 0, late);
		}
		for (int k = 1; k <= x->num; k++)
			live_add(m, thing, side, used + k, late);
	}
}

static void report_no_side(struct model *m, const struct node *n)
{
	struct buf list = {0};
	VEC(const char *) names = {0};
	for (int i = 0; i < m->side.n; i++)
		VEC_PUSH(names, model_text(m, m->side.v[i].name));
	diag_list(names.v, names.n, NULL, names.n, &list);
	model_report(m, M_NO_SIDE, n->at, 2, model_text(m, n->name), list.length ? buf_text(&list) : "none");
	buf_free(&list);
	VEC_FREE(names);
}

/* "the party" is the party, unless a side is called so. */
static int side_called(const struct model *m, sym name)
{
	const char *text = model_text(m, name);
	int side = model_side(m, name);
	if (side >= 0 || strncmp(text, "the ", 4))
		return side;
	sym rest = intern_find(m->front->names, text + 4, strlen(text + 4));
	return rest ? model_side(m, rest) : -1;
}

/* Who is there, or joins, by these lines; `late`: in a block of the fight. */
static void enter(struct model *m, struct node *items, bool late)
{
	for (struct node *n = items; n; n = n->next) {
		if (n->damaged || (n->kind != N_KIND_SIDE && n->kind != N_KIND_N_JOIN))
			continue;
		int side = n->kind == N_KIND_SIDE ? model_side(m, n->name) : side_called(m, n->name);
		if (n->kind == N_KIND_SIDE && side >= 0 && !late) {
			model_report(m, M_TWICE, n->at, 2, "side", model_text(m, n->name));
			continue;
		}
		if (n->kind == N_KIND_SIDE && side < 0) {
			struct mside s = {n->name, n, late};
			VEC_PUSH(m->side, s);
			side = m->side.n - 1;
		}
		n->ref = side;
		if (side >= 0)
			enter_members(m, n->a, side, late);
		else
			report_no_side(m, n);
	}
}

void scene_enter(struct model *m, int encounter)
{
	m->in_encounter = encounter;
	m->crowd_unsure = false;
	m->side.n = m->live.n = 0;
	struct node *items = m->encounter.v[encounter].node->a;
	enter(m, items, false);
	for (struct node *n = items; n; n = n->next)
		if (n->kind == N_KIND_MOMENT && !n->damaged)
			enter(m, n->a, true);
	items_enter(m, encounter);
}

void scene_leave(struct model *m)
{
	m->in_encounter = -1;
	m->crowd_unsure = false;
	m->side.n = m->live.n = m->item.n = 0;
}
