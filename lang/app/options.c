/* options.c - see options.h. */
#include "lang/app/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/app/budget.h"
#include "lang/app/host.h"

enum { WORD_MAX = 40 };

void options_begin(struct options *o, const struct command *command, const struct option *table, int count, const char *notes, int argc, char **argv)
{
	memset(o, 0, sizeof *o);
	o->command = command;
	o->table = table;
	o->count = count;
	o->notes = notes;
	o->argc = argc;
	o->argv = argv;
	o->at = 1;
	o->operand = argv + 1;
}

#if FRAY_READLINE
#define READLINE_SAID "with GNU readline"
#else
#define READLINE_SAID "without GNU readline"
#endif
#if defined __x86_64__
#define NATIVE_SAID "with native code for odds"
#else
#define NATIVE_SAID "without native code for odds"
#endif
#ifdef NDEBUG
#define ASSERTS_SAID "without assertions"
#else
#define ASSERTS_SAID "with assertions"
#endif

void options_print_version(void)
{
	printf("fray %s\n%s\n%s\n%s\ninterface of the library: %d\n", FRAY_VERSION, READLINE_SAID,
		NATIVE_SAID, ASSERTS_SAID, FRAY_ABI);
}

/* ---- tables for those who complete words ---- */

static const struct option answered[] = {
	{"color", 0, "WHEN", "colour the output: always, never, or auto, at a terminal [auto]"},
	{"help", 'h', NULL, "print this and leave"},
	{"version", 'V', NULL, "print the version and leave"},
};

enum { ANSWERED = sizeof answered / sizeof *answered };

static options_teller *listing;
static void *listing_context;

void options_list(const struct command *command, options_teller *tell, void *context)
{
	char name[32];
	snprintf(name, sizeof name, "%s", command->name);
	char *words[] = {name, NULL};
	listing = tell;
	listing_context = context;
	command->function(command, 1, words);
	listing = NULL;
}

const struct option *options_everywhere(int *count)
{
	static struct option all[ANSWERED + 8];
	int n;
	const struct option *budgets = budget_options(&n);
	memcpy(all, budgets, (size_t)n * sizeof *budgets);
	memcpy(all + n, answered, sizeof answered);
	*count = n + ANSWERED;
	return all;
}

static void print_option(const struct option *p)
{
	char left[60];
	char letter[5] = "    ";
	if (p->letter)
		snprintf(letter, sizeof letter, "-%c, ", p->letter);
	snprintf(left, sizeof left, "%s--%s%s%s", letter, p->name, p->value && *p->value != '[' ? "=" : "", p->value ? p->value : "");
	printf("  %-26s %s\n", left, p->help);
}

static bool has_option(const struct options *o, const char *name)
{
	for (int i = 0; i < o->count; i++)
		if (!strcmp(o->table[i].name, name))
			return true;
	return false;
}

static void print_help(const struct options *o)
{
	const char *name = o->command->name;
	printf("usage: fray%s%s [OPTION]... %s\n\n", *name ? " " : "", name, o->command->arguments);
	printf("%c%s.\n\n", o->command->what[0] - 'a' + 'A', o->command->what + 1);
	for (int i = 0; i < o->count; i++)
		print_option(&o->table[i]);
	int n;
	const struct option *everywhere = options_everywhere(&n);
	for (int i = 0; i < n; i++)
		if (!has_option(o, everywhere[i].name))
			print_option(&everywhere[i]);
	if (o->notes)
		printf("\n%s", o->notes);
}

/* ---- the nearest word ---- */

/* Single letters to add, drop, change or swap. */
static int distance(const char *a, const char *b)
{
	int row[3][WORD_MAX + 1];
	int n = (int)strlen(a), m = (int)strlen(b);
	if (n > WORD_MAX || m > WORD_MAX)
		return WORD_MAX;
	for (int j = 0; j <= m; j++)
		row[0][j] = j;
	for (int i = 1; i <= n; i++) {
		int *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
		now[0] = i;
		for (int j = 1; j <= m; j++) {
			int best = last[j - 1] + (a[i - 1] != b[j - 1]);
			if (last[j] + 1 < best)
				best = last[j] + 1;
			if (now[j - 1] + 1 < best)
				best = now[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
				best = before[j - 2] + 1;
			now[j] = best;
		}
	}
	return row[n % 3][m];
}

int options_nearest(const char *word, const char *(*name)(const void *table, int i), const void *table, int count)
{
	int best = -1, least = (int)strlen(word) / 3 + 2;
	for (int i = 0; i < count; i++) {
		int d = distance(word, name(table, i));
		if (d < least) {
			least = d;
			best = i;
		}
	}
	return best;
}

static const char *option_name(const void *table, int i)
{
	return ((const struct option *)table)[i].name;
}

/* ---- reading ---- */

static void say_unknown(const struct options *o, const char *given, const char *name)
{
	int near = -1;
	const size_t length = strlen(name);
	for (int i = 0; i < o->count && near < 0; i++) { /* --rounds for --max-rounds */
		const char *full = o->table[i].name;
		const size_t n = strlen(full);
		if (length > 2 && n > length && full[n - length - 1] == '-' &&
			!strcmp(full + n - length, name))
			near = i;
	}
	if (near < 0)
		near = options_nearest(name, option_name, o->table, o->count);
	const char *space = *o->command->name ? " " : "";
	if (near >= 0)
		complain("there is no option %s; did you mean --%s?", given, o->table[near].name);
	else
		complain("there is no option %s; \"fray%s%s --help\" lists them.", given, space, o->command->name);
}

/* The option a long name means: an index, -1 for help, -2 for version, -3 when wrong. */
enum { MEANS_HELP = -1, MEANS_VERSION = -2, MEANS_NOTHING = -3 };

static int find_long(const struct options *o, const char *given, size_t length)
{
	static const char *const these[] = {"help", "version"};
	int found = MEANS_NOTHING, several = 0;
	char name[WORD_MAX + 4], list[200] = "";
	snprintf(name, sizeof name, "--%.*s", (int)(length > WORD_MAX ? WORD_MAX : length), given);
	for (int i = -2; i < o->count; i++) {
		const char *known = i < 0 ? these[-1 - i] : o->table[i].name;
		if (strncmp(known, given, length))
			continue;
		if (strlen(known) == length)
			return i;
		size_t used = strlen(list);
		snprintf(list + used, sizeof list - used, "%s--%s", several ? " or " : "", known);
		found = i;
		several++;
	}
	if (several == 1)
		return found;
	if (several > 1)
		complain("%s may mean %s.", name, list);
	else
		say_unknown(o, name, name + 2);
	return MEANS_NOTHING;
}

static int answer(const struct options *o, int which)
{
	if (which == MEANS_HELP)
		print_help(o);
	else
		options_print_version();
	return OPTIONS_ANSWERED;
}

static int take_value(struct options *o, int which, const char *attached)
{
	const struct option *p = &o->table[which];
	o->current = p;
	o->value = NULL;
	if (!p->value && attached) {
		complain("--%s takes no value.", p->name);
		return OPTIONS_WRONG;
	}
	if (p->value && *p->value == '[') {
		const size_t n = strlen(p->value) - 3; /* without [= and ] */
		const bool any = p->value[2] >= 'A' && p->value[2] <= 'Z';
		if (attached && !any && (strlen(attached) != n || strncmp(attached, p->value + 2, n))) {
			complain("--%s takes %.*s, or nothing: --%s%s", p->name, (int)n, p->value + 2, p->name, p->value);
			return OPTIONS_WRONG;
		}
		o->value = attached;
		return which;
	}
	if (p->value && attached)
		o->value = attached;
	else if (p->value && o->at < o->argc)
		o->value = o->argv[o->at++];
	if (p->value && !o->value) {
		complain("--%s needs a value: --%s=%s", p->name, p->name, p->value);
		return OPTIONS_WRONG;
	}
	return which;
}

static int next_long(struct options *o, const char *given)
{
	const char *equals = strchr(given, '=');
	size_t length = equals ? (size_t)(equals - given) : strlen(given);
	int which = find_long(o, given, length);
	if (which == MEANS_NOTHING)
		return OPTIONS_WRONG;
	if (which < 0)
		return answer(o, which);
	return take_value(o, which, equals ? equals + 1 : NULL);
}

static int next_short(struct options *o, const char *given)
{
	char shown[3] = {'-', given[0], '\0'};
	if (given[0] == 'h' || given[0] == 'V')
		return answer(o, given[0] == 'h' ? MEANS_HELP : MEANS_VERSION);
	for (int i = 0; i < o->count; i++) {
		if (!o->table[i].letter || o->table[i].letter != given[0])
			continue;
		if (given[1] && !o->table[i].value)
			break;
		return take_value(o, i, given[1] ? given + 1 : NULL);
	}
	say_unknown(o, shown, given);
	return OPTIONS_WRONG;
}

int options_next(struct options *o)
{
	if (listing) {
		listing(listing_context, o->table, o->count);
		return OPTIONS_ANSWERED;
	}
	while (o->at < o->argc) {
		char *word = o->argv[o->at++];
		if (!o->no_more && !strcmp(word, "--"))
			o->no_more = true;
		else if (o->no_more || word[0] != '-' || !word[1])
			o->operand[o->operands++] = word;
		else
			return word[1] == '-' ? next_long(o, word + 2) : next_short(o, word + 1);
	}
	return OPTIONS_DONE;
}

bool options_number(const struct options *o, uint64_t least, uint64_t most, uint64_t *number)
{
	char *end;
	errno = 0;
	unsigned long long n = strtoull(o->value, &end, 10);
	bool digits = o->value[0] >= '0' && o->value[0] <= '9' && !*end;
	if (digits && !errno && n >= least && n <= most) {
		*number = n;
		return true;
	}
	complain("--%s takes a whole number from %llu to %llu, not \"%s\".", o->current->name, (unsigned long long)least, (unsigned long long)most, o->value);
	return false;
}

int options_status(int which)
{
	return which == OPTIONS_ANSWERED ? EXIT_FINE : EXIT_WRONG;
}

int options_missing(const struct options *o, const char *what)
{
	complain("%s needs %s: fray %s %s", o->command->name, what, o->command->name, o->command->arguments);
	return EXIT_WRONG;
}

bool options_seed(const struct options *o, uint64_t *seed, bool *random)
{
	*random = false;
	if (strcmp(o->value, "random"))
		return options_number(o, 0, UINT64_MAX, seed);
	FILE *source = fopen("/dev/urandom", "rb");
	uint32_t drawn; /* short enough to be copied by hand */
	bool ok = source && fread(&drawn, sizeof drawn, 1, source) == 1;
	if (source)
		fclose(source);
	if (!ok)
		complain("this computer gives no random numbers; choose a seed yourself.");
	else
		*seed = drawn;
	*random = ok;
	return ok;
}
