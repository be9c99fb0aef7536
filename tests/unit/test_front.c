/* test_front.c - the front end: texts, names, trees, messages, limits, the prompt.
 *
 * Trees are compared with tests/lang/parse/NAME.dump; FRAY_BLESS=1 writes those files from
 * what happened. Random damage to the samples must never crash, hang, or report a place
 * outside the text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lang/front/front.h"
#include "lang/front/lexicon.h"

#define SAMPLES "tests/lang/samples/modules/"
#define PARSE "tests/lang/parse/"

/* ---- one front end, and what it said ---- */

struct said {
	enum message id;
	struct span span;
	char sentence[300];
	char hint[200];
};

struct desk {
	struct arena arena;
	struct intern *names;
	struct sources sources;
	struct diag_sink sink;
	struct front front;
	VEC(struct said) said;
	bool outside; /* a place outside its text was reported */
};

static void hear(void *context, const struct diag *d)
{
	struct desk *t = context;
	struct said s = {.id = d->id, .span = d->span};
	struct buf b = {0};
	const struct source *f = &t->sources.file.v[d->span.file];
	t->outside |= d->span.start > d->span.end || d->span.end > f->length;
	for (int i = 0; i < d->relateds; i++) {
		t->outside |= d->related[i].span.end > f->length;
		sources_excerpt(&t->sources, d->related[i].span, &b);
	}
	sources_excerpt(&t->sources, d->span, &b);
	buf_clear(&b);
	diag_sentence(d, &b);
	snprintf(s.sentence, sizeof s.sentence, "%s", buf_text(&b));
	buf_clear(&b);
	diag_hint(d, &b);
	snprintf(s.hint, sizeof s.hint, "%s", buf_text(&b));
	buf_free(&b);
	if (t->said.n < 1000)
		VEC_PUSH(t->said, s);
}

static void desk_open(struct desk *t)
{
	memset(t, 0, sizeof *t);
	arena_init(&t->arena);
	t->names = intern_new();
	sources_init(&t->sources);
	t->sink.report = hear;
	t->sink.context = t;
	front_init(&t->front, &t->arena, t->names, &t->sources, &t->sink);
}

static void desk_close(struct desk *t)
{
	front_free(&t->front);
	sources_free(&t->sources);
	intern_free(t->names);
	arena_free(&t->arena);
	VEC_FREE(t->said);
}

static struct node *desk_parse(struct desk *t, const char *text, size_t length)
{
	struct node *uses;
	uint16_t file = sources_add(&t->sources, "test.fray", text, length);
	return front_collect(&t->front, file, &uses) ? front_parse(&t->front, file) : NULL;
}

static char *file_text(const char *path, size_t *length)
{
	FILE *f = fopen(path, "rb");
	char *text;
	if (!f)
		fail_msg("cannot open %s", path);
	fseek(f, 0, SEEK_END);
	*length = (size_t)ftell(f);
	rewind(f);
	text = malloc(*length + 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, *length, f), *length);
	text[*length] = '\0';
	fclose(f);
	return text;
}

/* Declares enough verbs and people for sentences to be sentences. */
static const char cast[] =
	"action attack (target) with (weapon)\naction cast (spell) at (target)\naction set weapon (weapon)\naction flee\naction hold until (moment)\n"
	"event death (victim)\nalias dies = death\nweapon sword\nspell web\nmonster orc\nmonster orc chief\ncombatant Bruna\ncombatant Halvaine\n";

static void collect_cast(struct desk *t)
{
	struct node *uses;
	uint16_t file = sources_add(&t->sources, "cast.fray", cast, strlen(cast));
	assert_true(front_collect(&t->front, file, &uses));
}

/* ---- the samples ---- */

static const char *const samples[] = {
	SAMPLES "core.fray", SAMPLES "a_things.fray", SAMPLES "osric.fray", SAMPLES "lite.fray", SAMPLES "proc.fray", SAMPLES "crucible.fray", SAMPLES "dew.fray",
	SAMPLES "gentle.fray", SAMPLES "gritty.fray", SAMPLES "b_bridge.fray", SAMPLES "c_tests.fray", SAMPLES "g_whatif.fray",
	PARSE "modules/additions.fray", PARSE "modules/scenes.fray",
};
enum { SAMPLE_COUNT = sizeof samples / sizeof *samples };

static void collect_samples(struct desk *t, uint16_t *file)
{
	for (int i = 0; i < SAMPLE_COUNT; i++) {
		struct node *uses;
		size_t length;
		char *text = file_text(samples[i], &length);
		file[i] = sources_add(&t->sources, samples[i], text, length);
		free(text);
		assert_true(front_collect(&t->front, file[i], &uses));
	}
}

static void compare_dump(struct desk *t, const struct node *tree, const char *name)
{
	struct buf dump = {0}, path = {0};
	node_dump(tree, t->names, &dump);
	buf_printf(&path, PARSE "%s.dump", name);
	if (getenv("FRAY_BLESS")) {
		FILE *f = fopen(buf_text(&path), "wb");
		assert_non_null(f);
		assert_int_equal(fwrite(dump.data, 1, dump.length, f), dump.length);
		fclose(f);
	}
	size_t length;
	char *golden = file_text(buf_text(&path), &length);
	assert_string_equal(buf_text(&dump), golden);
	free(golden);
	buf_free(&dump);
	buf_free(&path);
}

static void test_samples(void **state)
{
	static const struct { const char *file, *dump; } goldens[] = {
		{SAMPLES "osric.fray", "osric"}, {SAMPLES "b_bridge.fray", "bridge"}, {SAMPLES "g_whatif.fray", "whatif"},
		{PARSE "modules/additions.fray", "additions"}, {PARSE "modules/scenes.fray", "scenes"},
	};
	struct desk t;
	uint16_t file[SAMPLE_COUNT];
	(void)state;
	desk_open(&t);
	collect_samples(&t, file);
	for (int i = 0; i < SAMPLE_COUNT; i++) {
		struct node *tree = front_parse(&t.front, file[i]);
		if (t.said.n)
			fail_msg("%s: %s", samples[i], t.said.v[0].sentence);
		assert_non_null(tree);
		for (struct node *n = tree; n; n = n->next)
			assert_false(n->damaged);
		for (size_t g = 0; g < sizeof goldens / sizeof *goldens; g++)
			if (!strcmp(goldens[g].file, samples[i]))
				compare_dump(&t, tree, goldens[g].dump);
	}
	desk_close(&t);
}

/* The session of the design: each input line is judged unfinished exactly where the next one
 * shows the prompt of a continuation. */
static void test_session(void **state)
{
	struct desk t;
	uint16_t file[SAMPLE_COUNT];
	size_t length;
	char *text = file_text(SAMPLES "session.fray-repl", &length), *save = NULL;
	int units = 0;
	(void)state;
	desk_open(&t);
	collect_samples(&t, file);
	struct feed *d = feed_new(&t.front);
	enum feed_state last = FEED_UNIT;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		bool first = !strncmp(line, "fray> ", 6), more = !strncmp(line, "   .. ", 6);
		struct node *unit;
		if (!first && !more)
			continue;
		if (more != (last == FEED_MORE))
			fail_msg("before: %s", line);
		last = feed_line(d, line + 6, &unit);
		if (last != FEED_MORE && last != FEED_UNIT)
			fail_msg("%s: %s", line, t.said.n ? t.said.v[0].sentence : "");
		units += last == FEED_UNIT;
	}
	assert_int_equal(last, FEED_UNIT);
	assert_int_equal(units, 32);
	assert_int_equal(t.said.n, 0);
	feed_free(d);
	desk_close(&t);
	free(text);
}

/* ---- messages: the code and exactly what it points at ---- */

struct slip {
	const char *text;
	const char *code; /* F0131, or several: one for each message, in order */
	const char *at;   /* the text of the first one's place */
};

static const struct slip slips[] = {
	{"( 3\n", "F0101", "("},
	{"weapon club { damage 1d6 }\n", "F0163", "1d6"},
	{"define combatant's luck = 5 + * 2\n", "F0131", "*"},
	{"define combatant's nerve =\n", "F0132", ""},
	{"encounter e {\n  Halvaine casts web at\n  Bruna attacks orc\n}\n", "F0132", "\n"},
	{"encounter e {\n  Bruna glimpt orc\n}\n", "F0133", "Bruna glimpt orc"},
	{"encounter e {\n  Bruna atacks orc\n}\n", "F0134", "atacks"},
	{"encounter e {\n  Brunna atacks orc\n}\n", "F0134", "atacks"},
	{"policy p {\n  atack orc\n}\n", "F0134", "atack"},
	{"define act is x when a and b or c\n", "F0135", "or"},
	{"define act is x when a or b and c\n", "F0135", "and"},
	{"combatant Sly { hit points = 3; armour class: 2 }\n", "F0136", "="},
	{"define combatant's reach: 5 ft\n", "F0137", ":"},
	{"rule r {\n  on death {\n    else { stop }\n  }\n}\n", "F0138", "else"},
	{"rule r {\n  on death { stop }\n", "F0139", "{"},
	{"rule r {\n  on death {\n    stop\n}\nrule s { }\n", "F0139", "{"},
	{"rule r {\n  on death {\n    stop\n  define a's b = 1\n}\nrule s { }\n", "F0139", "{"},
	{"weapon club { }\n}\n}\n", "F0140", "}"},
	{"weapon \"club { }\n", "F0141", "\""},
	{"weapon club { length: 10ft }\n", "F0142", "10ft"},
	{"weapon club { damage: 3dd6 }\n", "F0143", "3dd6"},
	{"weapon club { damage: 4d6kx }\n", "F0143", "4d6kx"},
	{"weapon club { damage: 4d6 & 2 }\n", "F0144", "&"},
	{"weapon @ { }\n", "F0144", "@"},
	{"define combatant's spirit = 7 in 6\n", "F0145", "7 in 6"},
	{"define combatant's hour = round 1.5\n", "F0146", "round 1.5"},
	{"define combatant's age is old when 1 = 1\n", "F0147", "combatant's age"},
	{"rule r {\n  on death {\n    define x = 3\n  }\n}\n", "F0155", "define"},
	{"note \"x\"\n", "F0155", "note"},
	{"rule r {\n  let a = 1\n  set b = 2\n}\n", "F0155", "let"},
	{"policy p {\n  Bruna attacks orc\n}\n", "F0156", "Bruna attacks orc"},
	{"encounter e {\n  flee\n}\n", "F0157", "flee"},
	{"rule r {\n  on death {\n    let then = 3\n  }\n}\n", "F0158", "then"},
	{"weapon axe with { damage: 1d6 }\n", "F0158", "with"},
	{"weapon club { damage: 1d6 \x1b 2 }\n", "F0144", "\x1b"},
	{"weapon club { bonus: 2 \xc3\x97 3 }\n", "F0144", "\xc3\x97"},
	/* several in one text, each said once */
	{"weapon club { damage 1d6 }\nweapon mace { damage: 1d6 }\ndefine a's b = 3 +\nweapon sabre { }\nuse\n", "F0163 F0132 F0132", "1d6"},
	{"rule r {\n  on death { let x = = 3; set y = 3 +; stop when }\n}\ndefine z = 1 in\n", "F0131 F0132 F0132 F0132", "="},
	{"encounter e {\n  round 1 {\n    Bruna attacks (orc\n    Bruna flees\n  }\n  Bruna atacks orc\n}\n", "F0131 F0134", "Bruna flees"},
};

static void test_messages(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
		struct desk t;
		struct buf codes = {0};
		desk_open(&t);
		collect_cast(&t);
		struct node *tree = desk_parse(&t, slips[i].text, strlen(slips[i].text));
		for (int k = 0; k < t.said.n; k++)
			buf_printf(&codes, "%s%s", k ? " " : "", message_table[t.said.v[k].id].code);
		if (strcmp(buf_text(&codes), slips[i].code))
			fail_msg("%s: wanted %s, got %s: %s", slips[i].text, slips[i].code, buf_text(&codes), t.said.n ? t.said.v[0].sentence : "");
		size_t length;
		const char *at = sources_text(&t.sources, t.said.v[0].span, &length);
		if (length != strlen(slips[i].at) || memcmp(at, slips[i].at, length))
			fail_msg("%s: %s points at \"%.*s\"", slips[i].text, slips[i].code, (int)length, at);
		bool damaged = false;
		for (struct node *n = tree; n; n = n->next)
			damaged |= n->damaged;
		if (tree && !damaged && strcmp(slips[i].code, "F0140"))
			fail_msg("%s: nothing is marked damaged", slips[i].text);
		buf_free(&codes);
		desk_close(&t);
	}
}

static const struct { const char *text, *sentence, *hint; } sentences[] = {
	{"encounter e {\n  Halvaine casts web at\n}\n", "Something is missing after \"at\".", "Expected whom or what."},
	{"encounter e {\n  Bruna attacks orc 7\n}\n", "One of several is named with # and its number.", "Write: orc #7"},
	{"weapon club { damage 1d6 }\n", "A colon is missing after \"damage\".", "Write: damage: 1d6"},
	{"define a's b = (3\n", "Something is missing after \"3\".", "Expected \")\"."},
	{"rule r \"x\" on death { }\n", "I did not expect \"on\" after \"\"x\"\".", "Expected \"{\"."},
	{"encounter e {\n  expect Bruna is\n}\n", "Something is missing after \"is\".", "Expected a value."},
	{"table t { }\n", "I did not expect \"{\" after \"t\".", "Expected \"(\"."},
};

static void test_sentences(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
		struct desk t;
		desk_open(&t);
		collect_cast(&t);
		desk_parse(&t, sentences[i].text, strlen(sentences[i].text));
		assert_int_equal(t.said.n, 1);
		assert_string_equal(t.said.v[0].sentence, sentences[i].sentence);
		assert_string_equal(t.said.v[0].hint, sentences[i].hint);
		desk_close(&t);
	}
}

/* ---- limits ---- */

static void expect_one(const char *text, size_t length, const char *code)
{
	struct desk t;
	desk_open(&t);
	desk_parse(&t, text, length);
	if (t.said.n != 1 || strcmp(message_table[t.said.v[0].id].code, code))
		fail_msg("wanted %s once, got %d: %s", code, t.said.n, t.said.n ? t.said.v[0].sentence : "");
	assert_false(t.outside);
	desk_close(&t);
}

static void expect_repeated(const char *before, const char *part, int times, const char *after, const char *code)
{
	struct buf b = {0};
	buf_puts(&b, before);
	for (int i = 0; i < times; i++)
		buf_puts(&b, part);
	buf_puts(&b, after);
	expect_one(b.data, b.length, code);
	buf_free(&b);
}

static void test_limits(void **state)
{
	(void)state;
	expect_one("weapon a\0b\n", 11, "F0148");
	expect_one("weapon caf\xe9 { }\n", 16, "F0149");
	expect_one("weapon \xed\xa0\x80 { }\n", 15, "F0149"); /* half a surrogate pair */
	expect_one("weapon \xc0\x80 { }\n", 14, "F0149");     /* two bytes where one would do */
	expect_one("weapon \xe2\x82", 9, "F0149");             /* cut off */
	expect_repeated("define a's b = ", "(", 10 << 20, "", "F0151");
	expect_repeated("define a's b = ", "(", 250, "1", "F0151");
	expect_repeated("rule r { on death { ", "if a { ", 250, "", "F0151");
	expect_repeated("define a's b = ", "not ", 100000, "c\n", "F0151");
	expect_repeated("define a's b = ", "- ", 100000, "c\n", "F0151");
	expect_repeated("rule r { on death { if a { } ", "else if a { } ", 10000, " } }\n", "F0151");
	expect_repeated("define a's b = 1", " + 1", 100000, "\n", "F0154");
	expect_repeated("define a", "'s a", 100000, " = 1\n", "F0154");
	expect_repeated("weapon ", "a", 201, " { }\n", "F0152");
	expect_repeated("weapon ", "ab ", 100, " { }\nweapon c { }\n", "F0152");
	expect_repeated("weapon \"", "a", 300, "\" { }\n", "F0152");
	expect_repeated("define a's b = ", "9", 19, "\n", "F0153");
	expect_repeated("define a's b = ", "9", 1 << 20, " in 6\n", "F0153");
	expect_repeated("-- ", "x", FRAY_TEXT_MAX, "\n", "F0150");
	/* just inside */
	struct desk t;
	struct buf b = {0};
	desk_open(&t);
	buf_puts(&b, "define a's b = ");
	buf_fill(&b, '(', 200);
	buf_putc(&b, '1');
	buf_fill(&b, ')', 200);
	buf_puts(&b, "\ndefine a's c = 1000000000000000000\nweapon ");
	buf_fill(&b, 'w', 200);
	buf_puts(&b, "\n");
	desk_parse(&t, b.data, b.length);
	assert_int_equal(t.said.n, 0);
	desk_close(&t);
	buf_free(&b);
}

/* A list of any length is read in one go: no member is walked to twice. */
static void test_long_lists(void **state)
{
	struct desk t;
	struct buf b = {0};
	(void)state;
	desk_open(&t);
	collect_cast(&t);
	buf_puts(&b, "encounter e {\n  side a: Bruna\n");
	for (int i = 0; i < 100000; i++)
		buf_puts(&b, "  Bruna attacks orc #1 with sword\n");
	buf_puts(&b, "}\n");
	struct node *tree = desk_parse(&t, b.data, b.length);
	assert_int_equal(t.said.n, 0);
	assert_int_equal(node_count(tree), 1);
	assert_int_equal(node_count(tree->a), 100001);
	buf_free(&b);
	desk_close(&t);
}

/* ---- texts ---- */

/* What word processors make of a text is still read. */
static void test_typography(void **state)
{
	static const char text[] = "\xef\xbb\xbf#!/usr/bin/env fray\r\nweapon \xe2\x80\x9codd \xe2\x80\x99 blade\xe2\x80\x9d { bonus: \xe2\x88\x92" "1;\xc2\xa0weight: \xe2\x80\x93" "2 lb }\r\n"
		"combatant \xc3\x89owyn \\\n  the Bold\r\ndefine \xc3\x89owyn\xe2\x80\x99s luck = 1\n";
	struct desk t;
	struct buf dump = {0};
	(void)state;
	desk_open(&t);
	node_dump(desk_parse(&t, text, sizeof text - 1), t.names, &dump);
	assert_int_equal(t.said.n, 0);
	assert_string_equal(buf_text(&dump),
		"THING odd \xe2\x80\x99 blade (weapon) 1\n  b D_FIELD bonus\n    a V_PLAIN\n      a E_NEG\n        a E_NUM 1\n"
		"  b D_FIELD weight\n    a V_PLAIN\n      a E_NEG\n        a E_QTY lb 2\n"
		"THING \xc3\x89owyn the Bold (combatant)\nC_DEFINE\n  a E_FIELD luck\n    a E_NAME \xc3\x89owyn\n  b E_NUM 1\n");
	buf_free(&dump);
	desk_close(&t);
}

static void test_sources(void **state)
{
	static const char text[] = "one\r\n\t\xc3\xa9\xc3\xa9 two three\nlast";
	struct sources s;
	struct buf b = {0};
	int line, column;
	(void)state;
	sources_init(&s);
	uint16_t file = sources_add(&s, "x.fray", text, sizeof text - 1);
	struct span at = {file, 11, 14};
	sources_place(&s, at, &line, &column);
	assert_int_equal(line, 2);
	assert_int_equal(column, 5);
	sources_excerpt(&s, at, &b);
	assert_string_equal(buf_text(&b), "   2 | \t\xc3\xa9\xc3\xa9 two three\n     | \t   ^^^\n");
	buf_clear(&b);
	at.start = 0;
	at.end = 30; /* into other lines: only the first is marked */
	sources_excerpt(&s, at, &b);
	assert_string_equal(buf_text(&b), "   1 | one\n     | ^^^\n");
	at.start = at.end = sizeof text - 1;
	sources_place(&s, at, &line, &column);
	assert_int_equal(line, 3);
	assert_int_equal(column, 5);
	size_t length;
	at.start = 21;
	assert_memory_equal(sources_text(&s, at, &length), "last", 4);
	assert_int_equal(length, 4);
	buf_free(&b);
	sources_free(&s);
}

/* ---- names ---- */

static void test_lexicon(void **state)
{
	static const struct { const char *one, *many; } plurals[] = {
		{"orc", "orcs"}, {"spy", "spies"}, {"boy", "boys"}, {"witch", "witches"}, {"ox", "oxes"}, {"hero", "heroes"}, {"fish", "fishes"}, {"sloth", "sloths"},
	};
	struct buf b = {0};
	(void)state;
	for (size_t i = 0; i < sizeof plurals / sizeof *plurals; i++) {
		buf_clear(&b);
		lexicon_plural(&b, plurals[i].one);
		assert_string_equal(buf_text(&b), plurals[i].many);
	}
	buf_free(&b);
	struct intern *names = intern_new();
	struct lexicon *l = lexicon_new(names);
	lexicon_add_text(l, LEX_NAMES, "long sword", LEX_NAME);
	lexicon_add_text(l, LEX_NAMES, "long sword of ages", LEX_NAME);
	lexicon_add_text(l, LEX_NAMES, "dies", LEX_ALIAS | LEX_VERB)->alias = intern_word(names, "death");
	sym death = intern_word(names, "death");
	lexicon_add_verb(l, &death, 1, death, 0);
	struct raw raw[8] = {{0}};
	static const char *const words[] = {"Long", "sword", "of", "doom", "dies"};
	for (size_t i = 0; i < 5; i++) {
		raw[i].kind = RAW_WORD;
		raw[i].word = intern_word(names, words[i]);
	}
	const struct lex_entry *e;
	assert_int_equal(lexicon_match(l, LEX_NAMES, raw, 5, LEX_NAME, &e), 2);
	assert_int_equal(lexicon_match(l, LEX_NAMES, raw, 1, LEX_NAME, &e), 0);
	assert_int_equal(lexicon_match(l, LEX_WORDS, raw, 5, LEX_NAME, &e), 0);
	assert_int_equal(lexicon_match(l, LEX_NAMES, raw + 4, 1, LEX_VERB, &e), 1);
	assert_int_equal(lexicon_verb(l, e), death);
	assert_non_null(lexicon_find(l, intern_word(names, "long sword of ages"), LEX_NAME));
	assert_null(lexicon_find(l, intern_word(names, "long sword of ages"), LEX_RULE));
	assert_null(lexicon_find(l, intern_word(names, "long"), LEX_NAME));
	/* the library is read without the names of the user's files */
	assert_false(lexicon_library(l, true));
	assert_int_equal(lexicon_match(l, LEX_NAMES, raw, 5, LEX_NAME, &e), 0);
	assert_null(lexicon_find(l, intern_word(names, "long sword of ages"), LEX_NAME));
	lexicon_add_text(l, LEX_NAMES, "long sword", LEX_RULE);
	assert_int_equal(lexicon_match(l, LEX_NAMES, raw, 5, LEX_NAME | LEX_RULE, &e), 2);
	assert_int_equal(e->flags, LEX_RULE);
	assert_true(lexicon_library(l, false));
	assert_int_equal(lexicon_match(l, LEX_NAMES, raw, 5, LEX_NAME | LEX_RULE, &e), 2);
	assert_int_equal(e->flags, LEX_NAME);
	assert_int_equal(lexicon_match(l, LEX_NAMES, raw, 5, LEX_RULE, &e), 2);
	assert_non_null(lexicon_find(l, intern_word(names, "long sword"), LEX_RULE));
	lexicon_free(l);
	intern_free(names);
}

static void test_uses(void **state)
{
	static const char text[] = "use osric with gentle, { tie: reroll }, \"house/odd one\"\nuse things -- x\nencounter e { use with { a: b } }\n";
	static const char *const want[] = {"osric", "gentle", "house/odd one", "things"};
	struct desk t;
	struct node *uses;
	int n = 0;
	(void)state;
	desk_open(&t);
	uint16_t file = sources_add(&t.sources, "x.fray", text, strlen(text));
	assert_true(front_collect(&t.front, file, &uses));
	for (struct node *u = uses; u; u = u->next) {
		assert_true(n < 4);
		assert_string_equal(intern_text(t.names, u->name), want[n++]);
	}
	assert_int_equal(n, 4);
	desk_close(&t);
}

/* ---- the prompt ---- */

static void test_feed(void **state)
{
	static const struct { const char *line; enum feed_state want; const char *awaits; } lines[] = {
		{"", FEED_EMPTY, ""}, {"-- nothing", FEED_EMPTY, ""}, {"Bruna attacks orc", FEED_UNIT, ""},
		{"Bruna attacks orc; orc flees", FEED_UNIT, ""}, {"rule r {", FEED_MORE, "a closing }"}, {"  on death { stop }", FEED_MORE, "a closing }"}, {"}", FEED_UNIT, ""},
		/* a block may hold empty lines; anything else is left with one */
		{"rule r {", FEED_MORE, "a closing }"}, {"", FEED_MORE, "a closing }"}, {"}", FEED_UNIT, ""},
		{"Bruna attacks (orc", FEED_MORE, "a closing )"}, {"", FEED_EMPTY, ""}, {"Bruna flees", FEED_UNIT, ""},
		{"Bruna attacks (orc", FEED_MORE, "a closing )"}, {")", FEED_UNIT, ""}, {"expect Bruna is", FEED_MORE, "a value"}, {"dead", FEED_UNIT, ""},
		{"rule r { on death { let a = = 2 } }", FEED_ERROR, ""}, {"Bruna flees", FEED_UNIT, ""},
		{"odds 10 { Bruna flees }", FEED_UNIT, ""}, {"odds 10 { Bruna flees } vs {", FEED_MORE, "a closing }"}, {"orc flees", FEED_MORE, "a closing }"}, {"}", FEED_UNIT, ""},
		{"note \"x", FEED_ERROR, ""}, {"caf\xe9", FEED_ERROR, ""}, {"3d6+1", FEED_UNIT, ""}, {"1 + 2", FEED_UNIT, ""}, {"Bruna's hit points", FEED_UNIT, ""},
		{"rule r { on death { if a {", FEED_MORE, "a closing }"}, {"stop }", FEED_MORE, "a closing }"}, {"else { stop } } }", FEED_UNIT, ""},
		{"combatant Zed the Odd", FEED_UNIT, ""}, {"Zed the Odd attacks orc", FEED_UNIT, ""}, {"Zed the Odd zzzz orc", FEED_ERROR, ""},
	};
	struct desk t;
	(void)state;
	desk_open(&t);
	collect_cast(&t);
	struct feed *d = feed_new(&t.front);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct node *unit;
		int before = t.said.n;
		enum feed_state got = feed_line(d, lines[i].line, &unit);
		if (got != lines[i].want || (unit != NULL) != (got == FEED_UNIT) || (t.said.n > before) != (got == FEED_ERROR))
			fail_msg("line %d, %s: state %d", (int)i, lines[i].line, got);
		assert_string_equal(feed_awaits(d), lines[i].awaits);
	}
	feed_line(d, "rule r {", &(struct node *){0});
	feed_reset(d);
	assert_int_equal(feed_line(d, "Bruna flees", &(struct node *){0}), FEED_UNIT);
	feed_free(d);
	desk_close(&t);
}

struct offers {
	struct buf all; /* "|word/what|word/what|" */
};

static void note_offer(void *context, const char *word, const char *what)
{
	struct offers *o = context;
	buf_printf(&o->all, "%s/%s|", word, what);
}

static void test_complete(void **state)
{
	static const struct { const char *before, *prefix, *has, *lacks; } tabs[] = {
		{"", "Br", "|Bruna/name|", "|orc/name|"},
		{"", "Bruna at", "|attacks/verb|", "|attack/verb|"},
		{"", "Bruna attacks o", "|orc/name|", "|attacks/verb|"},
		{"", "Bruna attacks orc c", "|chief/name|", "|casts/verb|"},
		{"", "Bruna attacks orc wi", "|with/keyword|", "|orc/name|"},
		{"", "", "|rule/keyword|", "|exception to/keyword|"},
		{"", "rule quick \"house 1\" ", "|exception to/keyword|", "|rule/keyword|"},
		{"", "expect Bruna ", "|is/keyword|", "|rule/keyword|"},
		{"", "expect Bruna a", "|attacks/verb|", "|rule/keyword|"},
		{"encounter e {", "  si", "|side/keyword|", "|set weapon/verb|"},
		{"policy p {", "  at", "|attack/verb|", "|attacks/verb|"},
		{"rule r {", "  define combatant's ", "|reach/field|", "|Bruna/name|"},
		{"rule r {", "  on death { car", "|carry on/keyword|", "|casts/verb|"},
	};
	struct desk t;
	struct node *unit;
	(void)state;
	desk_open(&t);
	collect_cast(&t);
	struct feed *d = feed_new(&t.front);
	assert_int_equal(feed_line(d, "every combatant has { reach: 5 ft }", &unit), FEED_UNIT);
	for (size_t i = 0; i < sizeof tabs / sizeof *tabs; i++) {
		struct offers o = {{0}};
		feed_reset(d);
		if (*tabs[i].before)
			assert_int_equal(feed_line(d, tabs[i].before, &unit), FEED_MORE);
		buf_puts(&o.all, "|");
		feed_complete(d, tabs[i].prefix, NULL, note_offer, &o);
		if (!strstr(buf_text(&o.all), tabs[i].has) || strstr(buf_text(&o.all), tabs[i].lacks))
			fail_msg("after \"%s\": %s", tabs[i].prefix, buf_text(&o.all));
		buf_free(&o.all);
	}
	/* looking changes nothing */
	feed_reset(d);
	assert_int_equal(feed_line(d, "Bruna flees", &unit), FEED_UNIT);
	assert_int_equal(t.said.n, 0);
	feed_free(d);
	desk_close(&t);
}

/* ---- damage ---- */

static uint64_t chance;

static uint32_t below(uint32_t n)
{
	chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((chance >> 33) % n);
}

static const char *const splinters[] = {
	"{", "}", "(", ")", ",", ":", ";", "=", "'s ", "\"", "\n", "and ", "or ", "not ", "when ", "is ", "rule x", "3", "d6", "-", "if ", "else ", "then ", "encounter ", "#2",
	"..", "let ", "my ", "the ", "vs ", "giving ", "with ", "at ", "in ", "'", "\xff", "to ", "on ", "policy p {", " attack ", "choices: ", "dice: ", "?", "@", "9\"",
	"2 in 6", "segment 3 ", " as ", " may ", "expect ", "\xe2\x80\x9c", "odds ",
};

/* A copy of a text with one to four slips in it. */
static char *damage(const char *text, size_t *length)
{
	size_t n = *length;
	char *t = malloc(n + 4096);
	assert_non_null(t);
	memcpy(t, text, n);
	for (uint32_t k = 1 + below(4); k && n; k--) {
		size_t at = below((uint32_t)n), m;
		switch (below(5)) {
		case 0: /* leave something out */
			m = 1 + below(12);
			m = at + m > n ? n - at : m;
			memmove(t + at, t + at + m, n - at - m);
			n -= m;
			break;
		case 1: /* put something in */
		case 2: {
			const char *x = splinters[below(sizeof splinters / sizeof *splinters)];
			m = strlen(x);
			memmove(t + at + m, t + at, n - at);
			memcpy(t + at, x, m);
			n += m;
			break;
		}
		case 3:
			t[at] = (char)below(256);
			break;
		default: /* the end is missing, now and then */
			n = below(4) ? n : at;
			break;
		}
	}
	*length = n;
	return t;
}

static void test_damage(void **state)
{
	char *text[SAMPLE_COUNT];
	size_t length[SAMPLE_COUNT];
	(void)state;
	chance = 20;
	for (int i = 0; i < SAMPLE_COUNT; i++)
		text[i] = file_text(samples[i], &length[i]);
	for (int run = 0; run < 1500; run++) {
		struct desk t;
		int which = (int)below(SAMPLE_COUNT);
		size_t n = length[which];
		char *broken = damage(text[which], &n);
		desk_open(&t);
		t.sink.limit = 1 << 20;
		if (run % 4) {
			struct buf dump = {0};
			struct node *tree = desk_parse(&t, broken, n);
			bool damaged = false;
			for (struct node *u = tree; u; u = u->next)
				damaged |= u->damaged;
			if (damaged && t.said.n == 0)
				fail_msg("run %d: damaged, and nothing was said", run);
			node_dump(tree, t.names, &dump);
			buf_free(&dump);
		} else {
			struct feed *d = feed_new(&t.front);
			char *save = NULL;
			broken = realloc(broken, n + 1);
			broken[n] = '\0';
			for (char *line = strtok_r(broken, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
				struct node *unit;
				struct offers o = {{0}};
				if (below(20) == 0)
					feed_complete(d, line, NULL, note_offer, &o);
				buf_free(&o.all);
				feed_line(d, line, &unit);
			}
			feed_free(d);
		}
		if (t.outside)
			fail_msg("run %d: a place outside the text", run);
		desk_close(&t);
		free(broken);
	}
	for (int i = 0; i < SAMPLE_COUNT; i++)
		free(text[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples), cmocka_unit_test(test_session), cmocka_unit_test(test_messages), cmocka_unit_test(test_sentences),
		cmocka_unit_test(test_limits), cmocka_unit_test(test_long_lists), cmocka_unit_test(test_sources), cmocka_unit_test(test_typography), cmocka_unit_test(test_lexicon),
		cmocka_unit_test(test_uses), cmocka_unit_test(test_feed), cmocka_unit_test(test_complete), cmocka_unit_test(test_damage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
