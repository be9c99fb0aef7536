/* codes.c - see codes.h. The texts are tables, one for each hundred of codes:
 * message_NN.def beside this file. */
#include "lang/api/codes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What kind of example a row has: how it is tried. */
enum how { HOW_UNTOLD, CHECK, RUN, PROMPT, COMMAND, LIKE, NEVER };

struct explained {
	enum how how;
	const char *meaning, *example, *cure;
};

static const struct explained table[M_COUNT] = {
#define HELP(name, how, meaning, example, cure) [M_##name] = {how, meaning, example, cure},
#include "lang/api/message_01.def"
#include "lang/api/message_02.def"
#include "lang/api/message_03.def"
#include "lang/api/message_04.def"
#include "lang/api/message_05.def"
#include "lang/api/message_06.def"
#include "lang/api/message_08.def"
#undef HELP
};

static const char *const how_told[] = {
	[HOW_UNTOLD] = "",
	[CHECK] = "check",
	[RUN] = "run",
	[PROMPT] = "prompt",
	[COMMAND] = "command",
	[LIKE] = "like",
	[NEVER] = "never",
};
static const char *const severity_told[] = {
	[SEV_NOTE] = "note", [SEV_WARNING] = "warning", [SEV_ERROR] = "error", [SEV_RULING] = "ruling", [SEV_LIMIT] = "limit",
};

bool codes_is_code(const char *topic)
{
	if (*topic == 'F' || *topic == 'f')
		topic++;
	size_t n = strlen(topic);
	return n >= 1 && n <= 4 && strspn(topic, "0123456789") == n;
}

static int number_of(const char *code)
{
	return atoi(isdigit((unsigned char)*code) ? code : code + 1);
}

/* The message of this number, or the nearest. */
static enum message nearest(int number)
{
	int best = 0;
	for (int i = 1; i < M_COUNT; i++)
		if (abs(number_of(message_table[i].code) - number) < abs(number_of(message_table[best].code) - number))
			best = i;
	return (enum message)best;
}

/* A template with ".." for what a script puts in. */
static void put_template(const char *text, struct buf *out)
{
	for (const char *p = text; *p; p++) {
		if (*p == '{' && isdigit((unsigned char)p[1]) && p[2] == '}') {
			buf_puts(out, "..");
			p += 2;
		} else {
			buf_add(out, p, 1);
		}
	}
}

/* The message whose example a row borrows, or the row itself. */
static enum message example_of(enum message id)
{
	if (table[id].how != LIKE)
		return id;
	enum message other = nearest(number_of(table[id].example));
	must(!strcmp(message_table[other].code, table[id].example) && table[other].how != LIKE);
	return other;
}

static void put_block(struct fray *f, const char *heading, const char *text)
{
	fray_writef(f, FRAY_PLAIN, "\n%s\n", heading);
	while (*text) {
		size_t n = strcspn(text, "\n");
		fray_writef(f, FRAY_PLAIN, "    %.*s\n", (int)n, text);
		text += n + (text[n] == '\n');
	}
}

static void tell(struct fray *f, enum message id)
{
	static const char *const headings[] = {
		[CHECK] = "Example:", [RUN] = "Example, found when it is played (fray run):", [PROMPT] = "Example, typed at the prompt:",
		[COMMAND] = "Example, typed at the shell:",
	};
	const struct message_info *info = &message_table[id];
	const struct explained *x = &table[id];
	struct buf line = {0};
	buf_printf(&line, "%s: ", info->code);
	put_template(info->template, &line);
	fray_wrap(f, buf_text(&line), 0, 4);
	buf_clear(&line);
	if (x->how != HOW_UNTOLD) {
		fray_write(f, FRAY_PLAIN, "\n");
		fray_wrap(f, x->meaning, 0, 0);
	}
	if (x->how == LIKE) {
		buf_printf(&line, "The example is that of %s.", x->example);
		fray_wrap(f, buf_text(&line), 0, 0);
		x = &table[example_of(id)];
	}
	if (x->how != HOW_UNTOLD && x->how != NEVER)
		put_block(f, headings[x->how], x->example);
	if (x->how == NEVER)
		fray_wrap(
			f, "There is no example: no script and no command of this version produces it.", 0, 0);
	if (x->how != HOW_UNTOLD && *x->cure)
		put_block(f, "Cure:", x->cure);
	buf_free(&line);
}

static void tell_json(struct fray *f, enum message id)
{
	const struct message_info *info = &message_table[id];
	const struct explained *x = &table[id];
	struct buf text = {0}, b = {0};
	put_template(info->template, &text);
	json_text(&b, "code", info->code, true);
	json_text(&b, "severity", severity_told[info->severity], false);
	json_text(&b, "message", buf_text(&text), false);
	buf_clear(&text);
	put_template(info->hint, &text);
	json_text(&b, "hint", buf_text(&text), false);
	json_text(&b, "how", how_told[x->how], false);
	json_text(&b, "meaning", x->meaning ? x->meaning : "", false);
	json_text(&b, "example", x->example ? x->example : "", false);
	json_text(&b, "cure", x->cure ? x->cure : "", false);
	buf_puts(&b, "}\n");
	fray_write(f, FRAY_PLAIN, buf_text(&b));
	buf_free(&b);
	buf_free(&text);
}

enum fray_status codes_explain(struct fray *f, const char *topic, bool json, enum message *near)
{
	int number = number_of(topic);
	*near = nearest(number);
	if (number_of(message_table[*near].code) != number)
		return FRAY_WRONG;
	if (json)
		tell_json(f, *near);
	else
		tell(f, *near);
	return FRAY_OK;
}

static int by_code(const void *a, const void *b)
{
	return strcmp(message_table[*(const int *)a].code, message_table[*(const int *)b].code);
}

void codes_list(struct fray *f, bool json)
{
	int order[M_COUNT];
	for (int i = 0; i < M_COUNT; i++)
		order[i] = i;
	qsort(order, M_COUNT, sizeof *order, by_code);
	for (int i = 0; i < M_COUNT; i++) {
		struct buf line = {0};
		if (json) {
			tell_json(f, (enum message)order[i]);
			continue;
		}
		buf_printf(&line, "%s  ", message_table[order[i]].code);
		put_template(message_table[order[i]].template, &line);
		fray_wrap(f, buf_text(&line), 0, 7);
		buf_free(&line);
	}
}
