/* answer.c - see answer.h. */
#include "lang/app/answer.h"

#include <stdio.h>
#include <string.h>

#include "lang/app/json_out.h"
#include "lang/app/shown.h"

enum { AWAITED_MOST = 40 };

/* ---- the prompt ---- */

/* A colour between the marks with which readline counts no columns. */
static void add_coloured(struct text *t, bool colour, const char *code, const char *words)
{
	if (colour) {
		text_add(t, "\001", 1);
		text_add(t, code, strlen(code));
		text_add(t, "\002", 1);
	}
	text_add(t, words, strlen(words));
	if (colour)
		text_add(t, "\001\033[0m\002", 6);
}

const char *answer_prompt(const struct host *h, struct fray *f, bool more)
{
	static struct text prompt;
	bool colour = h->colour && h->edits;
	prompt.length = 0;
	if (more) {
		const char *awaited = fray_awaits(f);
		if (*awaited && strlen(awaited) <= AWAITED_MOST)
			add_coloured(&prompt, colour, "\033[2m", awaited);
		text_add(&prompt, "   .. ", 7);
		return prompt.data;
	}
	const char *fork = fray_fork(f), *place = fray_place(f);
	if (*fork && strcmp(fork, "main")) {
		struct text name = {0};
		text_add_shown(&name, fork, strlen(fork));
		text_add(&name, "", 1);
		add_coloured(&prompt, colour, "\033[1m", name.data);
		text_free(&name);
		text_add(&prompt, ": ", 2);
	}
	if (*place) {
		add_coloured(&prompt, colour, "\033[36m", place);
		text_add(&prompt, " ", 1);
	}
	text_add(&prompt, "fray> ", 7);
	return prompt.data;
}

/* ---- for programs ---- */

static const char *status_name(enum fray_status s)
{
	switch (s) {
	case FRAY_OK: return "ok";
	case FRAY_EXPECTATION: return "expectation";
	case FRAY_STOPPED: return "stopped";
	case FRAY_INTERRUPTED: return "interrupted";
	case FRAY_MORE: return "unfinished";
	case FRAY_QUIT: return "quit";
	case FRAY_WRONG: break;
	}
	return "wrong";
}

/* Lines that are objects, with commas between them; the others are added to `text`. */
static void put_objects(const char *lines, size_t length, struct text *text)
{
	int n = 0;
	for (size_t at = 0; at < length;) {
		const char *end = memchr(lines + at, '\n', length - at);
		size_t k = end ? (size_t)(end - lines) - at : length - at;
		if (k && lines[at] == '{' && lines[at + k - 1] == '}') {
			if (n++)
				putchar(',');
			fwrite(lines + at, 1, k, stdout);
		} else if (text) {
			text_add(text, lines + at, k + (end != NULL));
		}
		at += k + 1;
	}
}

static void put_member(const char *name, const char *value)
{
	printf(",\"%s\":", name);
	json_print_string(value);
}

void answer_print(struct host *h, struct fray *f, int number, const char *input, size_t length, enum fray_status status)
{
	struct text text = {0}, line = {0};
	length -= length && input[length - 1] == '\n';
	text_add(&line, input, length);
	text_add(&line, "", 1);
	printf("{\"answer\":%d", number);
	put_member("input", line.data);
	put_member("status", status_name(status));
	put_member("fork", fray_fork(f));
	put_member("place", fray_place(f));
	fputs(",\"data\":[", stdout);
	put_objects(h->captured ? h->captured->data : "", h->captured ? h->captured->length : 0, &text);
	fputs("],\"problems\":[", stdout);
	put_objects(h->held.data, h->held.length, NULL);
	putchar(']');
	text_add(&text, "", 1);
	put_member("text", text.data);
	fputs("}\n", stdout);
	if (h->captured)
		h->captured->length = 0;
	host_forget(h);
	text_free(&text);
	text_free(&line);
}
