/* naive.h - what a timeline of the prompt comes to, found out without any: the lines that count
 * are written into a script, each at its place, and the script is played from its start.
 *
 * Lists of lines are kept as a tree, so that a list met again is not played again. A step more
 * than the last list is one step more of the fight at hand; nothing is ever taken back. */
#ifndef FRAY_TESTS_API_NAIVE_H
#define FRAY_TESTS_API_NAIVE_H

#include "tests/api/host.h"

/* How a line stands in a script. */
enum how {
	STEP,     /* not at all: it is a beat */
	NOW,      /* in a block of the beat to come */
	ROUND,    /* a block of a round; of one that has begun only what is to come can change */
	WHOLE,    /* in the encounter, of no moment */
	OUTSIDE   /* beside the encounter */
};
struct typed { enum how how; int round; const char *text; };

/* A list of lines: that of its parent, and one more. */
struct list {
	struct list *parent, *child, *next;
	const struct typed *line;
	void *world;
	size_t size;
	int beats, round;
	bool wrong;    /* the last line is refused */
	bool over;     /* the fight is */
};

struct naive {
	const char *script;    /* its encounter comes last */
	struct told told;
	struct fray *at_hand;  /* a fight, and the list that came to it */
	struct list *here;
	struct list *root;
	int plays;             /* scripts played from the start */
};

struct text { char v[1 << 16]; size_t n; };

static inline void text_put(struct text *t, const char *s, size_t n)
{
	assert_true(t->n + n < sizeof t->v);
	memcpy(t->v + t->n, s, n);
	t->v[t->n += n] = '\0';
}

static inline void text_puts(struct text *t, const char *s)
{
	text_put(t, s, strlen(s));
}

/* Puts the scene's lines of a list before the encounter's end, and the rest behind it. */
static inline void naive_lines(struct text *t, const struct list *l, bool scene)
{
	if (!l->line)
		return;
	naive_lines(t, l->parent, scene);
	const struct typed *y = l->line;
	const char *text = y->text;
	char head[40];
	if (y->how == STEP || (y->how != OUTSIDE) != scene)
		return;
	bool block = y->how == ROUND && y->round <= l->parent->round;
	if (y->how == NOW || block) {
		snprintf(head, sizeof head, "beat %d {\n", l->parent->beats + 1);
		text_puts(t, head);
	}
	if (block) { /* of its own block, what stands in the braces */
		const char *brace = strchr(text, '{') + 1;
		text_put(t, brace, strlen(brace) - 1);
	} else if (!strncmp(text, "force ", 6)) {
		text_puts(t, "dice: ");
		text_puts(t, text + 6);
	} else {
		text_puts(t, text);
	}
	text_puts(t, y->how == NOW || block ? "\n}\n" : "\n");
}

static inline void naive_look(struct naive *v, struct list *l)
{
	const void *world = fray_world(v->at_hand, &l->size);
	l->world = malloc(l->size);
	assert_non_null(l->world);
	memcpy(l->world, world, l->size);
	l->over = !strcmp(fray_place(v->at_hand), "the fight is over");
	l->round = fray_result(v->at_hand).rounds;
	v->here = l;
}

/* The list's script, from its start. */
static inline void naive_play(struct naive *v, struct list *l)
{
	static struct text t;
	bool over = false;
	t.n = 0;
	text_put(&t, v->script, strlen(v->script) - 2); /* without its last brace */
	naive_lines(&t, l, true);
	text_puts(&t, "}\n");
	naive_lines(&t, l, false);
	fray_close(v->at_hand);
	v->at_hand = host_open(&v->told);
	v->here = NULL;
	v->plays++;
	l->wrong = host_load(v->at_hand, t.v, t.n) == FRAY_WRONG || fray_line(v->at_hand, "begin") == FRAY_WRONG;
	for (int i = 0; i < l->beats && !l->wrong; i++)
		l->wrong = fray_step(v->at_hand, &over) == FRAY_WRONG;
	if (!l->wrong)
		naive_look(v, l);
}

/* The list that has one line more. */
static inline struct list *naive_more(struct naive *v, struct list *from, const struct typed *line)
{
	bool over;
	for (struct list *c = from->child; c; c = c->next)
		if (c->line == line)
			return c;
	struct list *l = calloc(1, sizeof *l);
	assert_non_null(l);
	l->parent = from;
	l->line = line;
	l->next = from->child;
	from->child = l;
	l->beats = from->beats + (line->how == STEP);
	if (line->how != STEP || v->here != from) {
		naive_play(v, l);
	} else {
		l->wrong = fray_step(v->at_hand, &over) == FRAY_WRONG;
		if (!l->wrong)
			naive_look(v, l);
	}
	return l;
}

static inline void naive_open(struct naive *v, const char *script)
{
	memset(v, 0, sizeof *v);
	v->script = script;
	v->root = calloc(1, sizeof *v->root);
	assert_non_null(v->root);
	naive_play(v, v->root);
	assert_false(v->root->wrong);
}

static inline void naive_free_list(struct list *l)
{
	while (l) {
		struct list *next = l->next;
		naive_free_list(l->child);
		free(l->world);
		free(l);
		l = next;
	}
}

static inline void naive_close(struct naive *v)
{
	fray_close(v->at_hand);
	naive_free_list(v->root);
}

/* The script of a list, for looking at. */
static inline void naive_print(const struct list *l)
{
	if (l->line) {
		naive_print(l->parent);
		print_message("  %s\n", l->line->text);
	}
}

#endif
