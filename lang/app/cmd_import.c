/* cmd_import.c - fray import: a table of creatures or characters as stat blocks.
 *
 * Every column becomes a field of its name. What the rules in use do not take - no such field, no
 * such value - is found out by reading the blocks as a script, and is kept as a comment. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/app/files.h"
#include "lang/app/host.h"
#include "lang/app/options.h"
#include "lang/app/shown.h"
#include "lang/app/table_in.h"

enum { RULES, IMPORT_OPTIONS };

static const struct option import_options[IMPORT_OPTIONS] = {
	[RULES] = {"rules", 0, "NAME[,HOUSE..]", "use the fields of these rules [osric]"},
};

static const char notes[] =
	"A CSV file has a heading; \"name\" is needed, \"kind\" is monster, combatant, weapon .. (monster).\n"
	"A JSON file is an array of objects, an object, or an export with \"actors\"; what is inside\n"
	"objects counts by its own name, items by their type (actors of a virtual table: their weapons\n"
	"are attacks, or are carried). Other columns are fields: hit dice, armour class, attacks;\n"
	"underscores are blanks, \";\" parts items. ac, hp, hd, thac0, str, dex, con, int, wis and cha are\n"
	"understood. What is not taken is kept as a comment. The shelf's stat blocks may be named.\n";

enum { ROUNDS_MOST = 400, COLUMN_FAILS = 3 };

struct line { const char *column; int row; bool left_out; };
struct import {
	struct table_in table;
	struct line *line; /* of the script, from 1 on; column NULL: no field */
	int lines, room;
	const char *rules;
	int errors;        /* of the last reading */
	bool again;        /* something more was left out */
};

static const struct { const char *theirs, *ours; } names[] = {
	{"ac", "armour class"}, {"armor class", "armour class"}, {"armor_class", "armour class"}, {"hp", "hit points"}, {"hitpoints", "hit points"}, {"hd", "hit dice"}, {"hitdice", "hit dice"},
	{"thac0", "THAC0"}, {"thaco", "THAC0"}, {"magicresist", "magic resistance"}, {"numberAppearing", "number appearing"}, {"str", "strength"}, {"dex", "dexterity"}, {"con", "constitution"}, {"int", "intelligence"}, {"wis", "wisdom"}, {"cha", "charisma"}, {"lvl", "level"}, {"xp", "experience"},
};

/* A column as the name of a field, into `out`; malloc'ed by it. */
static void field_name(const char *column, struct text *out)
{
	out->length = 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(column, names[i].theirs))
			column = names[i].ours;
	for (const char *p = column; *p; p++)
		text_add(out, *p == '_' ? " " : p, 1);
	text_add(out, "", 1);
}

static void add_line(struct import *m, const char *column, int row)
{
	if (m->lines + 1 >= m->room) {
		m->room = m->room ? 2 * m->room : 256;
		struct line *more = realloc(m->line, (size_t)m->room * sizeof *more);
		if (!more)
			exit(EXIT_STOPPED);
		m->line = more;
	}
	m->lines++;
	/* what was left out in the reading before stays out */
	bool out = false;
	if (m->again && column)
		out = m->line[m->lines].left_out;
	m->line[m->lines] = (struct line){column, row, out};
}

static void put(struct text *t, const char *s)
{
	text_add(t, s, strlen(s));
}

static bool plain_name(const char *name)
{
	bool good = isalpha((unsigned char)*name);
	for (const char *p = name; *p; p++)
		good &= isalpha((unsigned char)*p) || *p == ' ' || *p == '-' || (*p == '\'' && p[1] == 's');
	return good;
}

static bool is_field(const char *column)
{
	bool good = isalpha((unsigned char)*column);
	for (const char *p = column; *p; p++)
		good &= isalnum((unsigned char)*p) || *p == '_' || *p == ' ' || *p == '-';
	return good;
}

static void put_name(struct text *t, const char *name)
{
	bool quoted = !plain_name(name);
	put(t, quoted ? "\"" : "");
	for (const char *p = name; *p; p++)
		if (*p != '"' && *p != '\n')
			text_add(t, p, 1);
	put(t, quoted ? "\"" : "");
}

/* One line of a comment or a field: nothing of a value may begin another line or block. */
static void put_value(struct text *t, const char *value, bool comment)
{
	for (const char *p = value; *p; p++) {
		bool breaks = *p == '\n' || *p == '\r' || (!comment && (*p == '{' || *p == '}'));
		text_add(t, breaks ? " " : !comment && *p == ';' ? "," : p, 1);
	}
}

static void put_block(struct import *m, struct text *t, int number)
{
	const struct row *r = &m->table.row[number];
	const char *kind = row_value(r, "kind"), *name = row_value(r, "name"), *type = row_value(r, "type");
	struct text field = {0};
	if (!kind || !plain_name(kind))
		kind = type && (!strcmp(type, "character") || !strcmp(type, "pc")) ? "combatant" : "monster";
	put(t, kind);
	put(t, " ");
	put_name(t, name);
	put(t, " {\n");
	add_line(m, NULL, number);
	for (int i = 0; i < r->cells; i++) {
		const char *column = r->cell[i].column, *value = r->cell[i].value;
		bool blows = row_value(r, "attacks") && row_value(r, "numberAttacks") && (!strcmp(column, "damage") || !strcmp(column, "numberAttacks"));
		if (!*value || !strcmp(column, "name") || !strcmp(column, "kind") || blows)
			continue;
		add_line(m, column, number);
		bool out = m->line[m->lines].left_out || !is_field(column);
		m->line[m->lines].left_out = out;
		field_name(column, &field);
		put(t, out ? "  -- " : "  ");
		put(t, out ? column : field.data);
		put(t, ": ");
		char dice[16], over[16];
		if (!out && !strcmp(field.data, "hit dice") && sscanf(value, "%8[0-9]%8[-+0-9]", dice, over) == 2) {
			put(t, dice);
			put(t, "; hit points over: ");
			put(t, over + (*over == '+'));
		} else {
			bool text = !out && *value != '"' && (!strcmp(field.data, "number appearing") || !strcmp(field.data, "source"));
			put(t, text ? "\"" : "");
			put_value(t, value, out);
			put(t, text ? "\"" : "");
		}
		put(t, "\n");
	}
	put(t, "}\n");
	add_line(m, NULL, number);
	text_free(&field);
}

static void make_script(struct import *m, struct text *t)
{
	t->length = 0;
	m->lines = 0;
	put(t, "use shelf\n");
	add_line(m, NULL, -1);
	for (int i = 0; i < m->table.rows; i++)
		put_block(m, t, i);
}

/* A mistake in a line: its field is left out; a column that keeps failing, everywhere. */
static void note_mistake(void *context, const struct fray_diagnostic *d)
{
	struct import *m = context;
	if (d->severity == FRAY_WARNING || d->severity == FRAY_NOTE)
		return;
	m->errors++;
	if (d->line < 1 || d->line > m->lines || !m->line[d->line].column || m->line[d->line].left_out)
		return;
	m->line[d->line].left_out = m->again = true;
	int fails = 0;
	for (int i = 1; i <= m->lines; i++)
		fails += m->line[i].left_out && m->line[i].column && !strcmp(m->line[i].column, m->line[d->line].column);
	for (int i = 1; i <= m->lines && fails >= COLUMN_FAILS; i++)
		if (m->line[i].column && !strcmp(m->line[i].column, m->line[d->line].column))
			m->line[i].left_out = true;
}

/* Reads the blocks under the rules; what is refused is marked. */
static bool try_script(struct import *m, const struct text *t)
{
	struct fray_config config;
	memset(&config, 0, sizeof config);
	config.abi = FRAY_ABI;
	config.context = m;
	config.report = note_mistake;
	struct fray *f = fray_open(&config);
	if (!f)
		return false;
	fray_rules(f, m->rules);
	m->errors = 0;
	m->again = false;
	fray_load(f, "import", t->data, t->length);
	fray_close(f);
	return m->errors == 0;
}

static void tell(const struct import *m)
{
	fprintf(stderr, "%d stat block%s.", m->table.rows, m->table.rows == 1 ? "" : "s");
	int told = 0;
	for (int i = 1; i <= m->lines; i++) {
		const char *column = m->line[i].column;
		int count = 0;
		bool before = false;
		for (int k = 1; k <= m->lines && column; k++)
			if (m->line[k].left_out && m->line[k].column && !strcmp(m->line[k].column, column)) {
				count++;
				before |= k < i;
			}
		if (column && m->line[i].left_out && !before) {
			fputs(told++ ? ", " : " Kept as comments: ", stderr);
			text_print_shown(stderr, column, strlen(column));
			fprintf(stderr, " (%d)", count);
		}
	}
	fprintf(stderr, "%s\n", told ? "." : "");
}

static int import(struct import *m, const char *path)
{
	size_t length;
	struct text script = {0};
	char *text = file_read(path, &length);
	if (!text)
		return EXIT_WRONG;
	size_t n = strlen(path);
	bool json = n > 5 && !strcmp(path + n - 5, ".json");
	bool good = memchr(text, 0, length) == NULL;
	if (!good)
		complain("%s: this is not a table: it holds a zero byte.", path);
	good = good && (json ? table_read_json : table_read_csv)(&m->table, path, text, length);
	free(text);
	for (int i = 0; good && i < m->table.rows; i++)
		if (!row_value(&m->table.row[i], "name") || !*row_value(&m->table.row[i], "name")) {
			complain("%s: row %d has no name.", path, i + 1);
			good = false;
		}
	if (good && m->table.rows == 0) {
		complain("%s: there is nothing below the heading.", path);
		good = false;
	}
	bool clean = false;
	for (int i = 0; good && i < ROUNDS_MOST && !clean; i++) {
		make_script(m, &script);
		clean = try_script(m, &script);
		if (!clean && !m->again)
			break;
	}
	if (good && !clean) {
		complain("%s: these rows are not valid stat blocks: a \"kind\" may be unknown to "
			 "the rules, or a name may occur twice.", path);
		good = false;
	}
	if (good) {
		/* the line that brought the shelf is the script's that uses them */
		text_print_kept(script.data + 10, script.length - 10);
		tell(m);
	}
	text_free(&script);
	return good ? EXIT_FINE : EXIT_WRONG;
}

int cmd_import(const struct command *self, int argc, char **argv)
{
	struct options o;
	struct import m;
	int which;
	memset(&m, 0, sizeof m);
	m.rules = "osric";
	options_begin(&o, self, import_options, IMPORT_OPTIONS, notes, argc, argv);
	while ((which = options_next(&o)) != OPTIONS_DONE) {
		switch (which) {
		case RULES:
			m.rules = o.value;
			break;
		default:
			return options_status(which);
		}
	}
	if (o.operands != 1)
		return options_missing(&o, "a table: FILE.csv or FILE.json");
	int status = import(&m, o.operand[0]);
	table_free(&m.table);
	free(m.line);
	return status;
}
