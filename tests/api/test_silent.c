/* test_silent.c - a silent program plays the same fight as an observed one: same dice, same
 * world at the end, for every encounter of the scripts below and many trials; and so does it as code of the
 * processor (runtime/vm/native.h). */
#include "tests/api/scripts.h"

#include "runtime/base/buf.h"
#include "runtime/world/block.h"

static const char *const folders[] = {"tests/rules/osric", "tests/rules/lite", "tests/rules/proc", "tests/rules/crucible", "tests/rules/dew", "tests/rules/core", "tests/bench", "examples"};
enum { TRIALS = 12 };

static bool is_act(const struct field_info *f)
{
	return f->type.base == VT_LIVE && f->type.kind == KIND_ACT;
}

enum { DEEP = 8 }; /* acts that are about acts */

/* Which row an act has is nobody's business: in a silent run there are fewer of them. What it says is. */
static bool same_act(const struct program *p, const struct program *q, const word *a, const word *b, word one, word other, int deep)
{
	const struct layout *l = &p->layout, *n = &q->layout;
	if (one == NONE || other == NONE || deep == DEEP)
		return one == other || deep == DEEP;
	const word *x = a + l->acts + (uint32_t)one * l->act_stride, *y = b + n->acts + (uint32_t)other * n->act_stride;
	if (x[ACT_STATE] != y[ACT_STATE] || x[ACT_EVENT] != y[ACT_EVENT] || memcmp(x + ACT_ARGS, y + ACT_ARGS, l->act_arg_words * sizeof(word)))
		return false;
	for (int i = 0; i < p->fields; i++) {
		const struct field_info *f = &p->field[i], *g = &q->field[i];
		if (f->kind != KIND_ACT)
			continue;
		const word *v = a + f->base + (uint32_t)one * f->stride, *w = b + g->base + (uint32_t)other * g->stride;
		if (is_act(f) ? !same_act(p, q, a, b, *v, *w, deep + 1) : memcmp(v, w, f->words * sizeof(word)))
			return false;
	}
	return true;
}

/* Pair fields nobody reads are not written in a silent program (lang/gen/dead_fields.c): how many
 * of them were met. */
static int unread;

/* What was declared may be pended itself there, and then its actor has declared nothing
 * (lang/gen/copy_elision.c): how many encounters do so. */
static int spending;

static bool spends(const struct program *q)
{
	for (int32_t k = 0; k + 2 < q->code_count; k++) {
		const struct insn *unset = &q->code[k], *store = unset + 1;
		int32_t behind = k + 2;
		if (unset->op != OP_LOADK || q->constant[unset->k] != NONE || store->op != OP_STF || store->c != q->at.combatant_action)
			continue;
		while (behind + 1 < q->code_count &&
			(q->code[behind].op == OP_STF || q->code[behind].op == OP_LOADI ||
				q->code[behind].op == OP_AGAIN))
			behind++;
		if (q->code[behind].op == OP_PEND)
			return true;
	}
	return false;
}

/* A line that was not taken is marked when that is told, which only an observed program does: who
 * is marked in the silent one is marked in the other. It alone notes for that who was up as the
 * round began. */
static bool same_line(const struct field_info *f, const word *told, const word *silent)
{
	if (!strcmp(f->name, "up as the round began"))
		return true;
	if (strcmp(f->name, "line used") != 0)
		return false;
	for (uint32_t i = 0; i < f->words; i++)
		if (silent[i] & ~told[i])
			return false;
	return true;
}

/* Each program has a table of its own for texts, only those that it can need: words are compared
 * as they read. */
static bool same_text(const struct program *p, const struct program *q, const struct field_info *f,
	const word *one, const word *other)
{
	struct buf a = {0}, b = {0};
	if (f->type.base != VT_WORD && f->type.base != VT_TEXT && f->type.base != VT_LIST)
		return false;
	program_value(p, f->type, one, &a);
	program_value(q, f->type, other, &b);
	const bool same = a.length == b.length && !memcmp(buf_text(&a), buf_text(&b), a.length);
	buf_free(&a);
	buf_free(&b);
	return same;
}

static void same_world(const struct program *p, const struct program *q, const word *a, const word *b, const char *where)
{
	const bool spent = !q->observed && p->observed && spends(q);
	spending += spent;
	/* beats are counted where somebody looks, and where a block waits for one */
	const bool uncounted = p->at.beat >= 0 && q->at.beat < 0;
	assert_int_equal(p->fields, q->fields + uncounted);
	for (int i = 0, j = 0; i < p->fields; i++) {
		if (uncounted && i == p->at.beat)
			continue;
		const struct field_info *f = &p->field[i], *g = &q->field[j++];
		assert_string_equal(f->name, g->name);
		if (f->kind == KIND_ACT)
			continue;
		for (uint32_t k = 0; k < p->layout.kind[f->kind].count; k++) {
			const word *v = a + f->base + k * f->stride, *w = b + g->base + k * g->stride;
			if (spent && i == p->at.combatant_action && *w == NONE)
				continue;
			if (p->observed && !q->observed && same_line(f, v, w))
				continue;
			if (is_act(f) ? !same_act(p, q, a, b, *v, *w, 0)
				      : memcmp(v, w, f->words * sizeof(word)) &&
						!same_text(p, q, f, v, w))
				fail_msg("%s: %s of number %u differs", where, f->name, k);
		}
	}
	for (int i = 0; i < p->pairs; i++)
		if (q->pair[i].fixed && !p->pair[i].fixed)
			unread++;
		else if (memcmp(a + p->pair[i].base, b + q->pair[i].base, (size_t)p->pair[i].side * p->pair[i].side * sizeof(word)))
			fail_msg("%s: %s differs", where, p->pair[i].name);
	assert_int_equal(a[H_OUTCOME], b[H_OUTCOME]);
	assert_int_equal(a[H_REFERRALS], b[H_REFERRALS]);
	assert_int_equal(a[H_GROUP], b[H_GROUP]);
}

/* A silent machine keeps the answers of what only reads; an observed one asks, since what is asked is in the log. */
static int only_reading(const struct program *p)
{
	int n = 0;
	for (int i = 0; i < p->fns; i++)
		n += p->fn[i].pure;
	return n;
}

static void compare(struct fray *f, int encounter, bool own_dice, const char *path)
{
	struct program *p = link_encounter(&f->model, encounter, true);
	struct program *q = link_encounter(&f->model, encounter, false);
	struct vm_host host = {0};
	char where[500];
	assert_non_null(p);
	assert_non_null(q);
	if (only_reading(q) < 3)
		fail_msg("%s: of %d functions %d are known to do nothing but read", path, q->fns, only_reading(q));
	struct buf why = {0};
	if (!program_verify(p, &why) || !program_verify(q, &why))
		fail_msg("%s: %s", path, buf_text(&why));
	buf_free(&why);
	struct vm *loud = vm_new(p, &host), *quiet = vm_new(q, &host), *native = vm_new(q, &host);
	vm_native(quiet, NATIVE_NEVER);
	vm_native(native, NATIVE_NOW);
	vm_ignore_script(loud, own_dice);
	vm_ignore_script(quiet, own_dice);
	vm_ignore_script(native, own_dice);
	for (uint64_t t = 0; t < TRIALS; t++) {
		const uint64_t seed = 5 + t % 2; /* dice drawn for the one are none of the other's */
		vm_begin(loud, seed, t / 2, fight_rounds(f, encounter, 40));
		vm_begin(quiet, seed, t / 2, fight_rounds(f, encounter, 40));
		vm_begin(native, seed, t / 2, fight_rounds(f, encounter, 40));
		enum vm_status a = vm_run(loud), b = vm_run(quiet), c = vm_run(native);
		snprintf(where, sizeof where, "%s: %s, seed %d, trial %d", path, fray_encounter(f, encounter), (int)seed, (int)(t / 2));
		if (a != b)
			fail_msg("%s: ends with %d and %d", where, a, b);
		if (b != c)
			fail_msg("%s: ends with %d, as code of the processor with %d", where, b, c);
		if (b == VM_OVER)
			same_world(q, q, vm_block(quiet), vm_block(native), where);
		if (a == VM_OVER)
			same_world(p, q, vm_block(loud), vm_block(quiet), where);
		if (strstr(path, "f3.fray") && t > 1)
			break;
	}
	vm_free(loud);
	vm_free(quiet);
	vm_free(native);
	program_free(p);
	program_free(q);
}

static int scripts, encounters;

static void look(const struct script *s)
{
	scripts++;
	for (int i = 0; i < fray_encounters(s->f); i++, encounters++) {
		compare(s->f, i, false, s->path);
		compare(s->f, i, true, s->path);
	}
}

static void test_same_fight(void **state)
{
	(void)state;
	scripts_each(folders, sizeof folders / sizeof *folders, look);
	assert_true(getenv("FRAY_TEST_FILES") || (scripts > 60 && encounters > 300 && unread > 0 && spending > 0));
}

/* Lists that may be gone through in turn, where no condition waits. */
static int in_turn(const struct program *p)
{
	int n = 0;
	for (int32_t i = 0; i < p->code_count; i++)
		n += p->code[i].op == OP_TURNS;
	return n;
}

/* In two of the encounters the list that is resolved beside osric's own could tell the difference; in the third it cannot. */
static void test_in_turn(void **state)
{
	struct script s;
	int n[3];
	(void)state;
	script_open(&s, "tests/rules/core/in_turn.fray");
	assert_true(s.right);
	for (int i = 0; i < 3; i++) {
		struct program *q = link_encounter(&s.f->model, i, false);
		assert_non_null(q);
		n[i] = in_turn(q);
		program_free(q);
	}
	assert_true(n[0] > 0);
	assert_int_equal(n[0], n[1]);
	assert_int_equal(n[2], 2 * n[0]);
	script_close(&s);
	/* policies that follow others are functions of their own, which are gone through, too */
	script_open(&s, "tests/rules/core/declared_in_turn.fray");
	assert_true(s.right);
	struct program *q = link_encounter(&s.f->model, 0, false);
	assert_non_null(q);
	assert_true(in_turn(q) > 0);
	program_free(q);
	script_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_in_turn), cmocka_unit_test(test_same_fight)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
