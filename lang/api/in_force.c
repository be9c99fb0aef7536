/* in_force.c - which of the modules that were read are in force: the command line may put other rules in the place of
 * a script's own, and house rules are for one system. */
#include <stdio.h>
#include <string.h>

#include "lang/api/interp.h"

static bool ruleset_wanted(const struct fray *f, sym name)
{
	for (int i = 0; i < f->unit.n; i++) {
		const struct unit *u = &f->unit.v[i];
		if (u->module == name && (u->layer == LAYER_RULESET || u->layer == LAYER_PARENT) && unit_wanted(f, u))
			return true;
	}
	return false;
}

/* Does the command line name this module, behind `mark`: "" in "osric,gentle", "-" in
 * "osric,-gentle"? */
static bool marked_by_command(const struct fray *f, sym module, const char *mark)
{
	const char *p = f->rules;
	const char *name = intern_folded(f->names, module);
	const size_t n = strlen(name), m = strlen(mark);
	while (p && *p) {
		size_t k = strcspn(p, ",");
		if (k == m + n && !strncmp(p, mark, m) && !strncmp(p + m, name, n))
			return true;
		p += k + (p[k] == ',');
	}
	return false;
}

static bool named_by_command(const struct fray *f, sym module)
{
	return marked_by_command(f, module, "");
}

/* The line "house rules NAME for SYSTEM" of a unit; NULL: it is none of that sort. */
static const struct node *house_line(const struct unit *u)
{
	if (u->layer == LAYER_HOUSE)
		for (const struct node *n = u->tree; n; n = n->next)
			if (n->kind == N_KIND_HOUSE)
				return n;
	return NULL;
}

static bool ruleset_taken(const struct fray *f, const struct unit *u)
{
	return u->layer == LAYER_RULESET && u->module && (!f->rules || named_by_command(f, u->module));
}

static sym ruleset_extended(const struct fray *f, sym module)
{
	for (int i = 0; i < f->unit.n; i++)
		if (f->unit.v[i].module == module)
			for (const struct node *n = f->unit.v[i].tree; n; n = n->next)
				if (n->kind == N_KIND_RULESET)
					return n->name2;
	return 0;
}

/* Is it one of the rulesets taken, or one that such a one extends? Where the script takes none, house rules bring their own. */
static bool system_in_force(const struct fray *f, sym system)
{
	bool any = false;
	for (int i = 0; i < f->unit.n; i++) {
		int steps = 0;
		if (!ruleset_taken(f, &f->unit.v[i]))
			continue;
		any = true;
		for (sym name = f->unit.v[i].module; name && steps < 16; name = ruleset_extended(f, name), steps++)
			if (name == system)
				return true;
	}
	return !any;
}

/* House rules for a system that other rules have taken the place of, or that the command line takes
 * away. */
static bool house_left_out(const struct fray *f, const struct unit *u)
{
	const struct node *house = f->rules && !named_by_command(f, u->module) ? house_line(u) : NULL;
	return house &&
		(!system_in_force(f, house->name2) || marked_by_command(f, u->module, "-"));
}

bool unit_wanted(const struct fray *f, const struct unit *u)
{
	if (u->only)
		return ruleset_wanted(f, u->only);
	if (house_left_out(f, u))
		return false;
	return !f->rules || u->layer != LAYER_RULESET || named_by_command(f, u->module);
}

/* The ruleset in force that was named last of those that are read. */
static const char *ruleset_in_force(const struct fray *f)
{
	const char *name = "core";
	for (int i = 0; i < f->unit.n; i++)
		if (ruleset_taken(f, &f->unit.v[i]))
			name = intern_folded(f->names, f->unit.v[i].module);
	return name;
}

/* Whether some rules are called so: they were read, are in the library, or in a file beside. */
static bool is_ruleset(struct fray *f, const struct unit *u, sym name)
{
	for (int i = 0; i < f->unit.n; i++)
		if (f->unit.v[i].module == name)
			return true;
	return f->rules || module_exists(f, intern_folded(f->names, name), u->shown);
}

/* "house rules x for adnd", of a script or a file that it uses; false: there are no such rules. */
static bool house_heads(struct fray *f, const struct unit *u)
{
	for (const struct node *n = u->tree; n; n = n->next) {
		if (n->kind != N_KIND_HOUSE || n->damaged)
			continue;
		if (!is_ruleset(f, u, n->name2)) {
			const char *now = ruleset_in_force(f);
			diag_report(&f->sink, M_HOUSE_NO_SYSTEM, n->span, 3, intern_folded(f->names, n->name2),
				intern_folded(f->names, n->name), strcmp(now, "core") ? now : "osric");
			return false;
		}
	}
	return true;
}

bool house_rules_fit(struct fray *f)
{
	bool fit = true;
	for (int i = 0; i < f->unit.n; i++)
		if (!f->unit.v[i].builtin && !(f->unit.v[i].aside && !f->unit.v[i].called))
			fit &= house_heads(f, &f->unit.v[i]);
	if (!fit)
		return false;
	for (int i = 0; i < f->unit.n; i++) {
		const struct unit *u = &f->unit.v[i];
		const struct node *house = u->aside && !u->called ? NULL : house_line(u);
		if (!house || system_in_force(f, house->name2))
			continue;
		bool left_out = house_left_out(f, u);
		fit &= left_out;
		diag_report(&f->sink, left_out ? M_HOUSE_LEFT : M_HOUSE_OTHER, left_out ? (struct span){0} : house->span, 3,
		            intern_folded(f->names, house->name), intern_folded(f->names, house->name2), ruleset_in_force(f));
	}
	return fit;
}

bool fray_own_houses(const struct fray *f, char *names, size_t size)
{
	struct buf b = {0};
	const char *last = NULL;
	int n = 0;
	for (int i = 0; i <= f->unit.n; i++) {
		const struct unit *u = i < f->unit.n ? &f->unit.v[i] : NULL;
		if (u && (!house_line(u) || !unit_wanted(f, u) || named_by_command(f, u->module)))
			continue;
		if (last)
			buf_printf(&b, "%s%s", n++ == 0 ? "" : u ? ", " : " and ", last);
		last = u ? intern_folded(f->names, u->module) : NULL;
	}
	snprintf(names, size, "%s", buf_text(&b));
	buf_free(&b);
	return n > 0;
}

const char *written_for(const struct fray *f)
{
	for (int i = 0; i < f->unit.n; i++)
		if (f->rules && f->unit.v[i].layer == LAYER_RULESET && f->unit.v[i].module && !unit_wanted(f, &f->unit.v[i]))
			return intern_folded(f->names, f->unit.v[i].module);
	return NULL;
}

void tell_other_rules(struct fray *f)
{
	const char *script = "The script", *other = written_for(f);
	for (int i = 0; i < f->unit.n; i++)
		if (f->unit.v[i].layer == LAYER_SCRIPT)
			script = f->unit.v[i].shown;
	if (other)
		diag_report(&f->sink, M_SCRIPT_OTHER, (struct span){0}, 3, script, other, ruleset_in_force(f));
}
