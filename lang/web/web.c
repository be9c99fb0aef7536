/* web.c - what JavaScript calls: requests and answers as JSON texts, one entry point each.
 *
 *   web_ask(request)   {"do": "run", ..} ->
 *                      {"status": 0, "out": [[style, text], ..], "reports": [..], ..}
 *   web_lsp(message)   a message of the language server protocol -> an array of messages
 *
 * One module holds one fight: "run", "begin" and "odds" read the script anew, "why", "line" and
 * "tell" go on with it. Modules that scripts use lie in emscripten's memory file system, where
 * "file" puts them. The texts that are returned are lent until the next call. */
#include <stdlib.h>
#include <string.h>

#include "lang/app/budget.h"
#include "lang/app/files.h"
#include "lang/app/lsp.h"

/* What JavaScript calls; wasm.mk looks for these lines. */
#define WEB __attribute__((used))
WEB const char *web_ask(const char *request);
WEB const char *web_lsp(const char *message);

/* Of library.js: how far long work has come. */
extern void web_progress(double done, double of);

static struct {
	struct fray *f;
	json_t *out, *reports; /* of the call at hand */
	json_t *dice;          /* answers to dice that are asked for */
	size_t dice_used;
	char *awaits;          /* the die nobody has answered yet */
	char *answer;          /* lent to the caller */
	json_t *messages;      /* of the language server */
} web;

/* A page has no budgets of its own: the browser's is the limit, and the worker ends. */
void budget_out_of_memory(void)
{
	abort();
}

/* ---- the host of the interpreter ---- */

static void take_report(void *context, const struct fray_diagnostic *d)
{
	(void)context;
	json_array_append_new(web.reports,
		json_pack("{s:i, s:s, s:s, s:i, s:i, s:i, s:i, s:s, s:s, s:s}", "severity", (int)d->severity,
			"code", d->code, "file", d->file, "line", d->line, "column", d->column,
			"endLine", d->end_line, "endColumn", d->end_column, "message", d->message,
			"hint", d->hint, "text", d->text));
}

static void take_output(void *context, enum fray_style style, const char *text, size_t length)
{
	(void)context;
	json_t *last = json_array_get(web.out, json_array_size(web.out) - 1);
	/* pieces of one style in a row are one */
	if (last && json_integer_value(json_array_get(last, 0)) == (json_int_t)style) {
		const json_t *before = json_array_get(last, 1);
		json_array_set_new(last, 1,
			json_pack("s%+%", json_string_value(before), json_string_length(before), text, length));
		return;
	}
	json_array_append_new(web.out, json_pack("[i, s%]", (int)style, text, length));
}

static char *find_module(void *context, const char *name, const char *from, size_t *length)
{
	(void)context;
	(void)from;
	return file_read_module("/", name, length);
}

static const char *next_die(void *context, const char *prompt, const char *problem)
{
	(void)context;
	const char *given = json_string_value(json_array_get(web.dice, web.dice_used));
	if (given && !problem) {
		web.dice_used++;
		return given;
	}
	free(web.awaits);
	web.awaits = malloc(strlen(prompt) + (problem ? strlen(problem) : 0) + 3);
	if (web.awaits)
		sprintf(web.awaits, "%s%s%s", problem ? problem : "", problem ? "\n" : "", prompt);
	return NULL;
}

static void took(void *context, uint64_t done, uint64_t of)
{
	(void)context;
	web_progress((double)done, (double)of);
}

static void counted(void *context, double share, uint64_t worlds)
{
	(void)context;
	(void)worlds;
	web_progress(share, 1);
}

/* ---- requests ---- */

static const char *string_of(const json_t *from, const char *name)
{
	return json_string_value(json_object_get(from, name));
}

static uint64_t number_of(const json_t *from, const char *name, uint64_t otherwise)
{
	const json_t *n = json_object_get(from, name);
	return json_is_integer(n) ? (uint64_t)json_integer_value(n) : otherwise;
}

static bool is_set(const json_t *from, const char *name)
{
	return json_is_true(json_object_get(from, name));
}

static void close_fight(void)
{
	if (web.f)
		fray_close(web.f);
	web.f = NULL;
}

static void open_empty(const json_t *ask)
{
	const struct fray_config c = {.abi = FRAY_ABI, .report = take_report, .write = take_output,
		.module = find_module, .ask_die = next_die,
		.width = (int)number_of(ask, "width", 100)};
	close_fight();
	web.f = fray_open(&c);
	if (!web.f)
		abort();
}

/* Reads the script of a request. */
static enum fray_status open_fight(const json_t *ask)
{
	const json_t *text = json_object_get(ask, "text");
	const char *rules = string_of(ask, "rules");
	enum fray_status s = FRAY_OK;
	open_empty(ask);
	if (rules && *rules)
		s = fray_rules(web.f, rules);
	fray_lean(web.f, string_of(ask, "also"));
	if (s == FRAY_OK && is_set(ask, "share"))
		fray_share(web.f, (uint32_t)number_of(ask, "shard", 1), (uint32_t)number_of(ask, "of", 1));
	return s != FRAY_OK ? s
		: !json_is_string(text) ? FRAY_WRONG
		: fray_load(web.f, "fight.fray", json_string_value(text), json_string_length(text));
}

static enum fray_status do_file(const json_t *ask, json_t *answer)
{
	const char *name = string_of(ask, "name"), *text = string_of(ask, "text");
	FILE *out = name && text ? fopen(name, "w") : NULL;
	(void)answer;
	if (!out)
		return FRAY_WRONG;
	fputs(text, out);
	return fclose(out) ? FRAY_WRONG : FRAY_OK;
}

static enum fray_status do_check(const json_t *ask, json_t *answer)
{
	enum fray_status s = open_fight(ask);
	json_t *list = json_array();
	for (int i = 0; s == FRAY_OK && i < fray_encounters(web.f); i++)
		json_array_append_new(list, json_string(fray_encounter(web.f, i)));
	json_object_set_new(answer, "encounters", list);
	return s;
}

/* The encounter set up, with nothing rolled. */
static enum fray_status begin(const json_t *ask)
{
	const struct fray_run_options o = {.seed = number_of(ask, "seed", 1),
		.trial = number_of(ask, "trial", 0),
		.ask = (int)number_of(ask, "asks", 0)};
	web.dice = json_object_get(ask, "dice");
	web.dice_used = 0;
	enum fray_status s = open_fight(ask);
	return s == FRAY_OK ? fray_begin(web.f, string_of(ask, "encounter"), &o) : s;
}

static void tell_form(json_t *answer, const char *name, enum fray_form form)
{
	json_t *kept = web.out;
	web.out = json_array();
	fray_tell(web.f, form);
	json_object_set_new(answer, name, web.out);
	web.out = kept;
}

/* One line of the log: who acts and who is acted on. */
static void add_names(json_t *names, const char *line, size_t length)
{
	json_t *event = json_loadb(line, length, 0, NULL);
	const char *const who[] = {string_of(event, "actor"), string_of(event, "target")};
	for (int i = 0; i < 2; i++)
		if (who[i])
			json_object_set_new(names, who[i], json_true());
	json_decref(event);
}

/* Everyone who is in the log. */
static json_t *names_told(void)
{
	json_t *kept = web.out, *names = json_object();
	web.out = json_array();
	fray_tell(web.f, FRAY_JSON);
	size_t i;
	json_t *piece;
	json_array_foreach(
		web.out, i, piece) for (const char *p = json_string_value(json_array_get(piece, 1)), *end;
								p && *p; p = *end ? end + 1 : end)
	{
		end = p + strcspn(p, "\n");
		add_names(names, p, (size_t)(end - p));
	}
	json_decref(web.out);
	web.out = kept;
	return names;
}

static enum fray_status do_run(const json_t *ask, json_t *answer)
{
	enum fray_status s = begin(ask);
	if (s == FRAY_WRONG || fray_encounters(web.f) == 0)
		return s;
	s = fray_run(web.f);
	const struct fray_tally t = fray_result(web.f);
	json_object_set_new(answer, "passed", json_integer(t.expects_passed));
	json_object_set_new(answer, "failed", json_integer(t.expects_failed));
	json_object_set_new(answer, "rounds", json_integer(t.rounds));
	tell_form(answer, "story", is_set(ask, "why") ? FRAY_STORY_WHY : FRAY_STORY);
	if (is_set(ask, "timeline"))
		tell_form(answer, "timeline", FRAY_TIMELINE);
	if (is_set(ask, "events"))
		tell_form(answer, "events", FRAY_JSON);
	json_object_set_new(answer, "names", names_told());
	return s;
}

/* For the buttons of the prompt: the script is read, and lines go on from there. */
static enum fray_status do_begin(const json_t *ask, json_t *answer)
{
	char line[300];
	const char *encounter = string_of(ask, "encounter");
	(void)answer;
	enum fray_status s = open_fight(ask);
	if (s != FRAY_OK)
		return s;
	fray_seed(web.f, number_of(ask, "seed", 1));
	snprintf(line, sizeof line, "begin %s", encounter ? encounter : "");
	return fray_line(web.f, line);
}

static enum fray_status do_line(const json_t *ask, json_t *answer)
{
	const char *line = string_of(ask, "line");
	(void)answer;
	if (!web.f)
		open_empty(ask);
	return line ? fray_line(web.f, line) : FRAY_WRONG;
}

static enum fray_status do_why(const json_t *ask, json_t *answer)
{
	const char *question = string_of(ask, "question");
	(void)answer;
	return web.f && question ? fray_why(web.f, question) : FRAY_WRONG;
}

static void set_odds(const json_t *ask)
{
	const char *method = string_of(ask, "method");
	const struct fray_odds_options o = {
		.method = !method ? FRAY_EITHER : !strcmp(method, "exact") ? FRAY_EXACT : FRAY_SAMPLED,
		.form = is_set(ask, "json") ? FRAY_ODDS_JSON : FRAY_ODDS_TEXT,
		.seed = number_of(ask, "seed", 1), .trials = number_of(ask, "trials", 0), .threads = 1,
		.threads_exact = 1, .memory = 256, .states = 200000, .giving = string_of(ask, "giving"),
		.progress = took, .counting = counted};
	fray_set_odds(web.f, &o);
}

static void add_page(const json_t *ask, json_t *answer)
{
	size_t length;
	const char *page =
		is_set(ask, "page") ? fray_report_page(web.f, "fray odds fight.fray", &length) : NULL;
	if (page)
		json_object_set_new(answer, "page", json_stringn(page, length));
}

/* With "share", one share of a sample, as the text of a part. */
static enum fray_status do_odds(const json_t *ask, json_t *answer)
{
	size_t length;
	enum fray_status s = open_fight(ask);
	if (s != FRAY_OK)
		return s;
	set_odds(ask);
	if (is_set(ask, "page"))
		fray_report_keep(web.f);
	s = fray_odds(web.f, string_of(ask, "encounter"));
	if (is_set(ask, "share")) {
		const char *part = s == FRAY_WRONG ? NULL : fray_part(web.f, "fray odds fight.fray", &length);
		json_object_set_new(answer, "part", part ? json_stringn(part, length) : json_null());
	}
	add_page(ask, answer);
	return s;
}

static enum fray_status do_merge(const json_t *ask, json_t *answer)
{
	const json_t *parts = json_object_get(ask, "parts");
	const size_t n = json_array_size(parts);
	struct fray_part *part = calloc(n + 1, sizeof *part);
	if (!part)
		return FRAY_STOPPED;
	open_empty(ask);
	set_odds(ask);
	if (is_set(ask, "page"))
		fray_report_keep(web.f);
	for (size_t i = 0; i < n; i++) {
		const json_t *text = json_array_get(parts, i);
		part[i] = (struct fray_part){"part", json_string_value(text), json_string_length(text)};
	}
	enum fray_status s = fray_merge(web.f, part, (int)n);
	free(part);
	add_page(ask, answer);
	return s;
}

static enum fray_status do_help(const json_t *ask, json_t *answer)
{
	const char *topic = string_of(ask, "topic");
	(void)answer;
	open_empty(ask);
	return fray_help(web.f, topic ? topic : "", false);
}

static const struct {
	const char *name;
	enum fray_status (*run)(const json_t *ask, json_t *answer);
} requests[] = {
	{"file", do_file}, {"check", do_check}, {"run", do_run}, {"begin", do_begin}, {"line", do_line},
	{"why", do_why}, {"odds", do_odds}, {"merge", do_merge}, {"help", do_help},
};

/* ---- the doors ---- */

static const char *lend(json_t *answer)
{
	free(web.answer);
	web.answer = json_dumps(answer, JSON_COMPACT);
	json_decref(answer);
	return web.answer;
}

WEB const char *web_ask(const char *request)
{
	json_t *ask = json_loads(request, 0, NULL), *answer = json_object();
	const char *what = string_of(ask, "do");
	enum fray_status s = FRAY_WRONG;
	web.out = json_array();
	web.reports = json_array();
	free(web.awaits);
	web.awaits = NULL;
	for (size_t i = 0; what && i < sizeof requests / sizeof *requests; i++)
		if (!strcmp(what, requests[i].name))
			s = requests[i].run(ask, answer);
	json_object_set_new(answer, "status", json_integer(s));
	json_object_set_new(answer, "out", web.out);
	json_object_set_new(answer, "reports", web.reports);
	if (web.awaits)
		json_object_set_new(answer, "awaits", json_string(web.awaits));
	if (web.f) {
		json_object_set_new(answer, "place", json_string(fray_place(web.f)));
		json_object_set_new(answer, "fork", json_string(fray_fork(web.f)));
	}
	web.dice = NULL;
	json_decref(ask);
	return lend(answer);
}

void wire_send(json_t *message)
{
	json_array_append_new(web.messages, message);
}

WEB const char *web_lsp(const char *text)
{
	json_t *message = json_loads(text, 0, NULL);
	web.messages = json_array();
	if (message)
		lsp_handle(message);
	if (json_object_get(message, "method") && !json_object_get(message, "id"))
		lsp_check();
	json_decref(message);
	return lend(web.messages);
}
