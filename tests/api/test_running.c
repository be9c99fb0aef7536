/* test_running.c - every script in tests/lang/running/ is played and reports exactly the
 * codes that its first line names: -- run, expect F0604 F0605. */
#include <dirent.h>

#include "tests/api/host.h"

enum { SCRIPTS_MAX = 100 };
static const char folder[] = "tests/lang/running/modules";

static char *read_whole(const char *path, size_t *length)
{
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	long n = ftell(f);
	assert_true(n >= 0);
	rewind(f);
	char *text = malloc((size_t)n + 1);
	assert_non_null(text);
	*length = fread(text, 1, (size_t)n, f);
	assert_int_equal(*length, n);
	text[n] = '\0';
	fclose(f);
	return text;
}

static void plays(void **state)
{
	const char *name = *state;
	char path[400], wanted[200];
	size_t length;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	char *text = read_whole(path, &length);
	if (sscanf(text, "-- run, expect %199[F0-9 ]", wanted) != 1)
		fail_msg("%s does not begin with: -- run, expect F0604", path);
	for (size_t n = strlen(wanted); n && wanted[n - 1] == ' ';)
		wanted[--n] = '\0';
	struct told told = {.codes = ""};
	struct fray *f = host_open(&told);
	struct fray_run_options o = {.seed = 1};
	if (host_load(f, text, length) != FRAY_OK)
		fail_msg("%s is wrong:\n%s", path, told.first);
	assert_true(fray_encounters(f) > 0);
	for (int i = 0; i < fray_encounters(f); i++) {
		enum fray_status s = fray_begin(f, fray_encounter(f, i), &o);
		if (s == FRAY_OK)
			s = fray_run(f);
		assert_int_not_equal(s, FRAY_OK);
		fray_tell(f, FRAY_STORY_WHY);
	}
	if (strcmp(told.codes, wanted))
		fail_msg("%s: %s, not %s\n%s", path, told.codes, wanted, told.first);
	/* one clear sentence, with a place */
	assert_int_equal(told.unplaced, 0);
	fray_close(f);
	free(text);
}

int main(void)
{
	static char names[SCRIPTS_MAX][100];
	static struct CMUnitTest tests[SCRIPTS_MAX];
	size_t n = 0;
	DIR *d = opendir(folder);
	if (!d) {
		printf("Bail out! %s cannot be read\n", folder);
		return 1;
	}
	for (struct dirent *e; (e = readdir(d)) && n < SCRIPTS_MAX;) {
		size_t length = strlen(e->d_name);
		if (length < 6 || length >= sizeof names[0] || strcmp(e->d_name + length - 5, ".fray"))
			continue;
		strcpy(names[n], e->d_name);
		tests[n] = (struct CMUnitTest){names[n], plays, NULL, NULL, names[n]};
		n++;
	}
	closedir(d);
	if (n == 0) {
		printf("Bail out! %s is empty\n", folder);
		return 1;
	}
	return _cmocka_run_group_tests("running", tests, n, NULL, NULL);
}
