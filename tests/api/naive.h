/* naive.h - what a timeline of the prompt comes to, found out without any: the lines that count
 * are written into a script, each at its place, and the script is played from its start.
 *
 * Lists of lines are kept as a tree, so that a list met again is not played again. A step more
 * than the last list is one step more of the fight at hand; nothing is ever taken back.
 *
 * To be quick, everything before the encounter is read once; each fight is played by a child
 * process that begins with what was read, tells its world in memory both see, and waits there. */
#ifndef FRAY_TESTS_API_NAIVE_H
#define FRAY_TESTS_API_NAIVE_H

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/api/host.h"

/* How a line stands in a script. */
enum how {
	STEP,     /* not at all: it is a beat */
	NOW,      /* in a block of the beat to come */
	ROUND,    /* a block of a round; of one that has begun only what is to come can change, of one that is over nothing */
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

/* What a child tells. */
struct played { size_t size; int rounds; bool wrong, over; unsigned char world[1 << 20]; };

struct naive {
	const char *encounter; /* its script, which ends with its brace */
	struct told told;
	struct fray *read;     /* everything before it */
	struct played *played;
	pid_t child;           /* a fight at hand, or 0 */
	int ask, answer;       /* its pipes */
	struct list *here;     /* the list that came to it */
	struct list *root;
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

/* In the child: where the fight stands. */
static inline void naive_tell(struct played *p, struct fray *f)
{
	const void *world = fray_world(f, &p->size);
	if (p->size <= sizeof p->world)
		memcpy(p->world, world, p->size);
	p->over = !strcmp(fray_place(f), "the fight is over");
	p->rounds = fray_result(f).rounds;
}

/* In the child: plays, tells, and makes a step whenever asked to. */
static inline void naive_child(struct naive *v, const struct text *t, int beats, int asked, int answer)
{
	struct fray *f = v->read;
	struct played *p = v->played;
	bool over;
	char c;
	p->wrong = host_load(f, t->v, t->n) == FRAY_WRONG || fray_line(f, "begin") == FRAY_WRONG;
	for (int i = 0; i < beats && !p->wrong; i++)
		p->wrong = fray_step(f, &over) == FRAY_WRONG;
	do {
		if (!p->wrong)
			naive_tell(p, f);
		if (write(answer, "", 1) != 1 || read(asked, &c, 1) != 1)
			break;
		p->wrong = fray_step(f, &over) == FRAY_WRONG;
	} while (true);
	_exit(0);
}

/* Waits for the child, and keeps what it tells. */
static inline void naive_look(struct naive *v, struct list *l)
{
	char c;
	assert_int_equal(read(v->answer, &c, 1), 1);
	l->wrong = v->played->wrong;
	l->size = v->played->size;
	l->over = v->played->over;
	l->round = v->played->rounds;
	v->here = l->wrong ? NULL : l;
	if (l->wrong)
		return;
	assert_true(l->size <= sizeof v->played->world);
	l->world = malloc(l->size);
	assert_non_null(l->world);
	memcpy(l->world, v->played->world, l->size);
}

static inline void naive_end(struct naive *v)
{
	if (!v->child)
		return;
	close(v->ask);
	close(v->answer);
	waitpid(v->child, NULL, 0);
	v->child = 0;
	v->here = NULL;
}

/* The list's script, from its start. */
static inline void naive_play(struct naive *v, struct list *l)
{
	static struct text t;
	int ask[2], answer[2];
	t.n = 0;
	text_put(&t, v->encounter, strlen(v->encounter) - 2); /* without its last brace */
	naive_lines(&t, l, true);
	text_puts(&t, "}\n");
	naive_lines(&t, l, false);
	naive_end(v);
	assert_int_equal(pipe(ask), 0);
	assert_int_equal(pipe(answer), 0);
	fflush(NULL);
	v->child = fork();
	assert_true(v->child >= 0);
	if (v->child == 0) {
		close(ask[1]);
		close(answer[0]);
		naive_child(v, &t, l->beats, ask[0], answer[1]);
	}
	close(ask[0]);
	close(answer[1]);
	v->ask = ask[1];
	v->answer = answer[0];
	naive_look(v, l);
}

/* The list that has one line more. */
static inline struct list *naive_more(struct naive *v, struct list *from, const struct typed *line)
{
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
	if (line->how == ROUND && line->round < from->round) { /* what has happened stays */
		l->wrong = true;
		return l;
	}
	if (line->how != STEP || v->here != from) {
		naive_play(v, l);
	} else {
		assert_int_equal(write(v->ask, "", 1), 1);
		naive_look(v, l);
	}
	return l;
}

/* `script` holds one encounter, which ends it. */
static inline void naive_open(struct naive *v, const char *script, char *(*module)(const char *name, size_t *length))
{
	memset(v, 0, sizeof *v);
	v->told.module = module;
	v->encounter = strstr(script, "\nencounter ") + 1;
	v->read = host_open(&v->told);
	assert_int_equal(host_load(v->read, script, (size_t)(v->encounter - script)), FRAY_OK);
	v->played = mmap(NULL, sizeof *v->played, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(v->played != MAP_FAILED);
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
	naive_end(v);
	munmap(v->played, sizeof *v->played);
	fray_close(v->read);
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
