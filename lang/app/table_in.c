/* table_in.c - see table_in.h. */
#include "lang/app/table_in.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/app/host.h"

enum { COLUMNS_MOST = 500, DEPTH_MOST = 12 };

static void *grown(void *old, size_t size)
{
	void *p = realloc(old, size);
	if (!p) {
		complain("there is not enough memory.");
		exit(EXIT_STOPPED);
	}
	return p;
}

static struct row *add_row(struct table_in *t)
{
	if (t->rows == t->room) {
		t->room = t->room ? 2 * t->room : 64;
		t->row = grown(t->row, (size_t)t->room * sizeof *t->row);
	}
	memset(&t->row[t->rows], 0, sizeof *t->row);
	return &t->row[t->rows++];
}

static char *copy(const char *text, size_t n)
{
	char *p = grown(NULL, n + 1);
	memcpy(p, text, n);
	p[n] = '\0';
	return p;
}

static void add_cell(struct row *r, const char *column, const char *value, size_t length)
{
	if (r->cells == r->room) {
		r->room = r->room ? 2 * r->room : 16;
		r->cell = grown(r->cell, (size_t)r->room * sizeof *r->cell);
	}
	r->cell[r->cells].column = copy(column, strlen(column));
	r->cell[r->cells++].value = copy(value, length);
}

void table_free(struct table_in *t)
{
	for (int i = 0; i < t->rows; i++) {
		for (int k = 0; k < t->row[i].cells; k++) {
			free(t->row[i].cell[k].column);
			free(t->row[i].cell[k].value);
		}
		free(t->row[i].cell);
	}
	free(t->row);
	memset(t, 0, sizeof *t);
}

const char *row_value(const struct row *r, const char *column)
{
	for (int i = 0; i < r->cells; i++)
		if (!strcmp(r->cell[i].column, column))
			return r->cell[i].value;
	return NULL;
}

/* ---- CSV ---- */

struct csv { const char *p, *end, *path; int line; };

/* One cell into `out`; *last when its line ends with it. False: a quote is never closed. */
static bool csv_cell(struct csv *c, struct text *out, bool *last)
{
	int began = c->line;
	out->length = 0;
	if (c->p < c->end && *c->p == '"') {
		for (c->p++;; c->p++) {
			if (c->p == c->end) {
				complain("%s:%d: a quote is opened here and never closed.", c->path, began);
				return false;
			}
			if (*c->p == '"' && c->p + 1 < c->end && c->p[1] == '"')
				c->p++;
			else if (*c->p == '"')
				break;
			c->line += *c->p == '\n';
			text_add(out, *c->p == '\n' ? " " : c->p, 1);
		}
		c->p++;
	}
	while (c->p < c->end && *c->p != ',' && *c->p != '\n') {
		if (*c->p != '\r')
			text_add(out, c->p, 1);
		c->p++;
	}
	*last = c->p == c->end || *c->p == '\n';
	c->line += c->p < c->end && *c->p == '\n';
	c->p += c->p < c->end;
	return true;
}

static bool csv_line(struct csv *c, struct row *r, const struct row *heading)
{
	struct text cell = {0};
	bool last = false, good = true;
	int line = c->line, n = 0;
	while (!last && good) {
		good = csv_cell(c, &cell, &last);
		text_add(&cell, "", 1);
		if (good && n == COLUMNS_MOST) {
			complain("%s:%d: a table has %d columns at most.", c->path, line, COLUMNS_MOST);
			good = false;
		} else if (good && heading && n >= heading->cells) {
			complain("%s:%d: this line has more cells than the heading.", c->path, line);
			good = false;
		} else if (good) {
			add_cell(r, heading ? heading->cell[n].value : "", cell.data, cell.length - 1);
			n++;
		}
	}
	if (good && heading && n < heading->cells) {
		complain("%s:%d: this line has %d of the heading's %d cells.", c->path, line, n, heading->cells);
		good = false;
	}
	text_free(&cell);
	return good;
}

bool table_read_csv(struct table_in *t, const char *path, const char *text, size_t length)
{
	struct csv c = {text, text + length, path, 1};
	struct table_in head = {0};
	if (length >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3))
		c.p += 3;
	bool good = csv_line(&c, add_row(&head), NULL);
	while (good && c.p < c.end) {
		if (*c.p == '\n' || *c.p == '\r') {
			c.line += *c.p++ == '\n';
			continue;
		}
		good = csv_line(&c, add_row(t), &head.row[0]);
	}
	table_free(&head);
	return good;
}

/* ---- JSON ---- */

/* Objects inside are taken apart: system.attributes.hp is the column "hp". */
/* ---- what actors of a virtual table have in objects of their own ---- */

static const struct { const char *theirs, *ours; } saves[] = {
	{"death", "save vs death"}, {"poison", "save vs death"}, {"paralyzation", "save vs death"}, {"rod", "save vs wands"}, {"staff", "save vs wands"},
	{"polymorph", "save vs petrification"}, {"wand", "save vs wands"}, {"wands", "save vs wands"}, {"paralysis", "save vs petrification"}, {"paralyze", "save vs petrification"},
	{"petrification", "save vs petrification"}, {"breath", "save vs breath"}, {"spell", "save vs spells"}, {"spells", "save vs spells"},
};

static const char *save_name(const char *name)
{
	for (size_t i = 0; i < sizeof saves / sizeof *saves; i++)
		if (!strcmp(saves[i].theirs, name))
			return saves[i].ours;
	return name;
}

static void add_item(struct text *list, const char *name, const char *damage)
{
	text_add(list, ", ", list->length ? 2 : 0);
	for (const char *p = name; *p; p++) {
		char letter = *p == ',' || *p == '{' || *p == '}' ? ' ' : (char)tolower((unsigned char)*p);
		text_add(list, &letter, 1);
	}
	text_add(list, " ", damage ? 1 : 0);
	text_add(list, damage ? damage : "", damage ? strlen(damage) : 0);
}

static void add_list(struct row *r, const char *column, struct text *list)
{
	if (list->length && !row_value(r, column))
		add_cell(r, column, list->data, list->length);
	text_free(list);
}

/* Items are objects with a type: weapons are a creature's attacks, and what a character carries, as
 * armour is; spells are known; of everything else the name is kept. */
static void add_items(struct row *r, const json_t *items)
{
	const char *kind = row_value(r, "type");
	bool character = kind && (!strcmp(kind, "character") || !strcmp(kind, "pc"));
	struct text attacks = {0}, carries = {0}, knows = {0}, other = {0};
	size_t i;
	json_t *one;
	json_array_foreach(items, i, one) {
		const char *name = json_string_value(json_object_get(one, "name")), *type = json_string_value(json_object_get(one, "type"));
		const json_t *own = json_object_get(one, "system");
		const json_t *does = json_object_get(own ? own : json_object_get(one, "data"), "damage");
		const char *damage = json_string_value(json_is_object(does) ? json_object_get(does, "normal") : does);
		if (!name)
			continue;
		bool weapon = type && !strcmp(type, "weapon"), armour = type && (!strcmp(type, "armor") || !strcmp(type, "armour"));
		if (weapon && !character && damage && *damage)
			add_item(&attacks, name, damage);
		else if (weapon || armour)
			add_item(&carries, name, NULL);
		else
			add_item(type && !strcmp(type, "spell") ? &knows : &other, name, NULL);
	}
	add_list(r, "attacks", &attacks);
	add_list(r, "carries", &carries);
	add_list(r, "knows", &knows);
	add_list(r, "other items", &other);
}

/* ---- blows told as a number and what each does: "3", "1d4/1d4/2-8" ---- */

/* "2-8" as 2d4, "2-5" as 1d4+1; anything else as it stands. */
static void add_dice(struct text *t, const char *from, size_t n)
{
	int low, high, used = 0;
	char piece[32], dice[64];
	snprintf(piece, sizeof piece, "%.*s", (int)(n < sizeof piece ? n : sizeof piece - 1), from);
	if (sscanf(piece, " %4d-%4d %n", &low, &high, &used) != 2 || piece[used] || low < 1 || high <= low)
		snprintf(dice, sizeof dice, "%s", piece + strspn(piece, " "));
	else if (high % low == 0)
		snprintf(dice, sizeof dice, "%dd%d", low, high / low);
	else
		snprintf(dice, sizeof dice, "1d%d+%d", high - low + 1, low - 1);
	text_add(t, dice, strlen(dice));
}

static void add_blows(struct row *r)
{
	const char *number = row_value(r, "numberAttacks"), *damage = row_value(r, "damage");
	long most = number ? strtol(number, NULL, 10) : 0;
	struct text list = {0};
	long pieces = 1;
	if (!number || !damage || !*damage || row_value(r, "attacks"))
		return;
	for (const char *p = damage; *p; p++)
		pieces += *p == '/';
	for (long i = 0; i < (pieces > 1 ? pieces : most > 0 && most <= 20 ? most : 1); i++) {
		size_t n = strcspn(damage, "/,");
		text_add(&list, i ? ", blow " : "blow ", i ? 7 : 5);
		add_dice(&list, damage, n);
		if (pieces > 1)
			damage += n + (damage[n] != '\0');
	}
	add_list(r, "attacks", &list);
}

static void add_json(struct row *r, const char *key, const json_t *v, int depth)
{
	char number[64];
	const char *name;
	json_t *inside;
	size_t i;
	/* of two that have one name in the end, a current value and its most, the first counts */
	if (*key && !json_is_object(v) && row_value(r, key))
		return;
	switch (json_typeof(v)) {
	case JSON_OBJECT:
		if (depth == DEPTH_MOST)
			return;
		json_object_foreach((json_t *)(uintptr_t)v, name, inside) {
			/* feet in a turn, a tenth of it inches in a round */
			if (!strcmp(key, "movement") && !strcmp(name, "base") && json_is_integer(inside)) {
				snprintf(number, sizeof number, "%g\"", (double)json_integer_value(inside) / 10);
				add_cell(r, "move", number, strlen(number));
				continue;
			}
			if (!strcmp(key, "hp") && (!strcmp(name, "base") || !strcmp(name, "min")) && json_integer_value(inside) == 0)
				continue; /* bounds of a counter */
			bool of_it = !strcmp(name, "value") || !strcmp(name, "max");
			add_json(r, of_it && *key ? key : !strcmp(key, "saves") ? save_name(name) : name, inside, depth + 1);
		}
		break;
	case JSON_ARRAY: {
		struct text list = {0};
		if (!strcmp(key, "items")) {
			add_items(r, v);
			break;
		}
		json_array_foreach(v, i, inside)
			if (json_is_string(inside)) {
				text_add(&list, ", ", list.length ? 2 : 0);
				text_add(&list, json_string_value(inside), json_string_length(inside));
			}
		if (list.length)
			add_cell(r, key, list.data, list.length);
		text_free(&list);
		break;
	}
	case JSON_STRING:
		/* inches a round, with more behind them for who flies */
		if (!strcmp(key, "movement") && strspn(json_string_value(v), "0123456789\"") == json_string_length(v) && json_string_length(v)) {
			snprintf(number, sizeof number, "%d\"", atoi(json_string_value(v)));
			add_cell(r, "move", number, strlen(number));
			break;
		}
		add_cell(r, key, json_string_value(v), json_string_length(v));
		break;
	case JSON_INTEGER:
		snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
		add_cell(r, key, number, strlen(number));
		break;
	case JSON_REAL:
		snprintf(number, sizeof number, "%.10g", json_real_value(v));
		add_cell(r, key, number, strlen(number));
		break;
	case JSON_TRUE:
	case JSON_FALSE:
		add_cell(r, key, json_is_true(v) ? "yes" : "no", json_is_true(v) ? 3 : 2);
		break;
	case JSON_NULL:
		break;
	}
}

static void add_actor(struct table_in *t, const json_t *one)
{
	struct row *r = add_row(t);
	add_json(r, "", one, 0);
	add_blows(r);
}

bool table_read_json(struct table_in *t, const char *path, const char *text, size_t length)
{
	json_error_t error;
	size_t i;
	json_t *all = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error), *one;
	if (!all) {
		complain("%s:%d: this is not JSON: %s.", path, error.line, error.text);
		return false;
	}
	static const char *const lists[] = {"actors", "monsters", "creatures", "items"};
	const json_t *list = json_is_array(all) ? all : NULL;
	for (size_t k = 0; k < sizeof lists / sizeof *lists && !list; k++)
		if (json_is_array(json_object_get(all, lists[k])) && !json_object_get(all, "name"))
			list = json_object_get(all, lists[k]);
	if (!list && json_is_object(all))
		add_actor(t, all);
	else if (list)
		json_array_foreach(list, i, one)
			if (json_is_object(one))
				add_actor(t, one);
	json_decref(all);
	if (t->rows == 0)
		complain("%s: there are no objects in this JSON.", path);
	return t->rows > 0;
}
