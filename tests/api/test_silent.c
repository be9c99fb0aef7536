/* test_silent.c - a silent program plays the same fight as an observed one: same dice, same
 * world at the end, for every encounter of the scripts below and many trials; and so does it as code of the
 * processor (runtime/vm/native.h). */
#include <dirent.h>

#include "tests/api/host.h"

#include "lang/api/interp.h"
#include "runtime/base/buf.h"
#include "runtime/world/block.h"

static const char *const folders[] = {"tests/rules/osric", "tests/rules/lite", "tests/rules/proc", "tests/rules/crucible", "tests/rules/dew", "tests/rules/core", "tests/bench", "examples"};
enum { SCRIPTS_MAX = 200, TRIALS = 12 };

static char *read_whole(const char *path, size_t *length)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return NULL;
	fseek(f, 0, SEEK_END);
	long n = ftell(f);
	rewind(f);
	char *text = malloc((size_t)n + 1);
	assert_non_null(text);
	*length = fread(text, 1, (size_t)n, f);
	fclose(f);
	return text;
}

static const char *folder_now;

static char *module_beside(const char *name, size_t *length)
{
	char path[400];
	snprintf(path, sizeof path, "%s/%s.fray", folder_now, name);
	return read_whole(path, length);
}

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

static void same_world(const struct program *p, const struct program *q, const word *a, const word *b, const char *where)
{
	assert_int_equal(p->fields, q->fields);
	for (int i = 0; i < p->fields; i++) {
		const struct field_info *f = &p->field[i], *g = &q->field[i];
		assert_string_equal(f->name, g->name);
		if (f->kind == KIND_ACT)
			continue;
		for (uint32_t k = 0; k < p->layout.kind[f->kind].count; k++) {
			const word *v = a + f->base + k * f->stride, *w = b + g->base + k * g->stride;
			if (is_act(f) ? !same_act(p, q, a, b, *v, *w, 0) : memcmp(v, w, f->words * sizeof(word)))
				fail_msg("%s: %s of number %u differs", where, f->name, k);
		}
	}
	for (int i = 0; i < p->pairs; i++)
		if (memcmp(a + p->pair[i].base, b + q->pair[i].base, (size_t)p->pair[i].side * p->pair[i].side * sizeof(word)))
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
		vm_begin(loud, 5, t, fight_rounds(f, encounter, 40));
		vm_begin(quiet, 5, t, fight_rounds(f, encounter, 40));
		vm_begin(native, 5, t, fight_rounds(f, encounter, 40));
		enum vm_status a = vm_run(loud), b = vm_run(quiet), c = vm_run(native);
		snprintf(where, sizeof where, "%s: %s, trial %d", path, fray_encounter(f, encounter), (int)t);
		if (a != b)
			fail_msg("%s: ends with %d and %d", where, a, b);
		if (b != c)
			fail_msg("%s: ends with %d, as code of the processor with %d", where, b, c);
		if (b == VM_OVER)
			{ strcat(where, " NATIVE"); same_world(q, q, vm_block(quiet), vm_block(native), where); where[strlen(where)-7]=0;}
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

static void test_same_fight(void **state)
{
	int scripts = 0, encounters = 0;
	(void)state;
	for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
		DIR *d = opendir(folders[k]);
		assert_non_null(d);
		for (struct dirent *e; (e = readdir(d)) && scripts < SCRIPTS_MAX;) {
			size_t n = strlen(e->d_name);
			char path[400];
			size_t length;
			if (n < 6 || strcmp(e->d_name + n - 5, ".fray"))
				continue;
			snprintf(path, sizeof path, "%s/%s", folders[k], e->d_name);
			struct told told = {.codes = "", .module = module_beside};
			struct fray *f = host_open(&told);
			char *text = read_whole(path, &length);
			assert_non_null(text);
			folder_now = folders[k];
			if (host_load(f, text, length) == FRAY_OK) {
				scripts++;
				for (int i = 0; i < fray_encounters(f); i++, encounters++) {
					compare(f, i, false, path);
					compare(f, i, true, path);
				}
			}
			free(text);
			fray_close(f);
		}
		closedir(d);
	}
	assert_true(scripts > 60 && encounters > 300);
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
	struct told told = {.codes = "", .module = module_beside};
	struct fray *f = host_open(&told);
	size_t length;
	char *text = read_whole("tests/rules/core/in_turn.fray", &length);
	int n[3];
	(void)state;
	assert_non_null(text);
	assert_int_equal(host_load(f, text, length), FRAY_OK);
	for (int i = 0; i < 3; i++) {
		struct program *q = link_encounter(&f->model, i, false);
		assert_non_null(q);
		n[i] = in_turn(q);
		program_free(q);
	}
	assert_true(n[0] > 0);
	assert_int_equal(n[0], n[1]);
	assert_int_equal(n[2], 2 * n[0]);
	free(text);
	fray_close(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_in_turn), cmocka_unit_test(test_same_fight)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
