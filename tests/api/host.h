/* host.h - what the API tests share: a host that keeps what it is told. */
#ifndef FRAY_TESTS_API_HOST_H
#define FRAY_TESTS_API_HOST_H

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lang/api/fray.h"

struct told {
	char codes[400];   /* "F0604 F0605": each code once, in the order of coming */
	int count;         /* diagnostics */
	int unplaced;      /* of them without a line */
	int line;          /* of the first */
	char first[2000];  /* the whole text of the first */
	char *(*module)(const char *name, size_t *length);
	char *saved;       /* what was saved last, malloc'ed */
	size_t saved_length;
};

static inline void host_report(void *context, const struct fray_diagnostic *d)
{
	struct told *t = context;
	size_t n = strlen(t->codes);
	if (t->count++ == 0) {
		t->line = d->line;
		snprintf(t->first, sizeof t->first, "%s", d->text);
	}
	t->unplaced += d->line == 0;
	assert_true(d->message[0] != '\0');
	assert_true(strstr(d->text, d->message) != NULL);
	if (!strstr(t->codes, d->code) && n + 8 < sizeof t->codes)
		snprintf(t->codes + n, sizeof t->codes - n, "%s%s", n ? " " : "", d->code);
}

static inline void host_write(void *context, enum fray_style style, const char *text, size_t length)
{
	(void)context;
	(void)style;
	assert_true(text != NULL || length == 0);
}

static inline char *host_module(void *context, const char *name, const char *from, size_t *length)
{
	struct told *t = context;
	(void)from;
	return t->module ? t->module(name, length) : NULL;
}

static inline const char *host_save(void *context, const char *name, const char *text, size_t length)
{
	struct told *t = context;
	assert_true(*name != '\0');
	free(t->saved);
	t->saved = malloc(length + 1);
	assert_non_null(t->saved);
	memcpy(t->saved, text, length + 1);
	t->saved_length = length;
	return NULL;
}

static inline struct fray *host_open(struct told *t)
{
	struct fray_config c = {.abi = FRAY_ABI, .context = t, .report = host_report, .write = host_write, .module = host_module, .save = host_save};
	struct fray *f = fray_open(&c);
	assert_non_null(f);
	return f;
}

/* The copy is exactly as long as the text, so that reading past it is found out. */
static inline enum fray_status host_load(struct fray *f, const char *text, size_t length)
{
	char *copy = malloc(length ? length : 1);
	assert_non_null(copy);
	memcpy(copy, text, length);
	enum fray_status s = fray_load(f, "test.fray", copy, length);
	free(copy);
	return s;
}

#endif
