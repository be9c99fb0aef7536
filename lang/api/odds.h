/* odds.h - the inside of odds, shared by odds.c (asking), odds_questions.c (what is asked),
 * odds_link.c (programs for it) and odds_tell.c (what the answer looks like). */
#ifndef FRAY_API_ODDS_H
#define FRAY_API_ODDS_H

#include <jansson.h>

#include "lang/api/interp.h"
#include "runtime/dice/dice.h"
#include "runtime/sim/trials.h"

/* What asked: the command itself, or a question of the script or the prompt. */
enum asked_as { ASKED_USUAL, ASKED_ALONE, ASKED_SWEEP, ASKED_COMPARE };

/* One question, ready to be asked. */
struct asking {
	enum asked_as as;
	struct span text;          /* the question as it is written; file 0: nowhere */
	double at;                 /* of a step of a sweep over numbers: which; else NAN */
	int encounter;
	bool present;              /* from the fight in progress as it stands */
	struct node *measures;     /* list of MEASURE */
	struct node *branch[BRANCHES_MAX]; /* BRANCH nodes, or NULL */
	struct node *also;         /* items every branch has: the steps of a sweep */
	int branches;
	bool usual;                /* nobody chose the measures: spreads are told in a line */
	int method;                /* enum op_method */
	uint64_t trials;
	bool expects;              /* something is expected of the answer: a sample is no smaller where fights are long */
	const char *fork[BRANCHES_MAX]; /* from where that fork stands; NULL: from the present one */
	const char *title;         /* of a step of a sweep; "" */
};

/* What came of it. Its strings live as long as the programs. */
struct answer {
	struct program *program[BRANCHES_MAX];
	word *start[BRANCHES_MAX]; /* the present, for each program */
	const char *name[BRANCHES_MAX];
	int branches;
	bool present, exact;
	struct trials trials;
	struct exact *found;       /* one a branch, when exact */
	const char *why_sampled;   /* "" or why plain odds did not stay exact */
	uint64_t seed;
	double seconds;
};

/* One measure of one branch as numbers. */
struct figure {
	double value, low, high;   /* NAN when nothing is known */
	double deviation;          /* of averages and spreads */
	double unset;              /* share without a value */
	int64_t top, bottom;       /* the fraction it is exactly, or bottom 0 */
};

/* A chance is unknown when so much of it is open: bounds from 0 to 100, as they are rounded. */
#define ODDS_OPEN 0.995

/* Why exact odds are not all there: "interrupted", "worlds", "ways", "memory", "dice" too wide to
 * list; NULL when nothing is missing, or nothing was counted. */
const char *odds_cut_short(const struct answer *a);
/* The same said after a semicolon, with what to pass to go on; nothing for NULL. */
void odds_cut_short_text(struct buf *b, const struct answer *a);

/* ---- odds_link.c ---- */
/* Links each branch's program; false after reporting. What was made is in the answer even then. */
bool odds_link(struct fray *f, const struct asking *q, struct answer *a);
/* The observed program of a branch, for one trial as a story. */
struct program *odds_link_observed(struct fray *f, const struct asking *q, int branch);
/* The fight in progress, played again in another machine of it to where it stands: dice are those
 * that fell, and from then on those of a seed and a trial. */
struct present {
	struct dice_source source; /* the machine's host.dice */
	struct fray *f;
	bool other;                /* a die was asked for that did not fall */
	bool last;                 /* the last step: behind it the lines of a branch may roll dice of their own */
	bool reached;
};
void odds_present_init(struct present *past, struct fray *f);
/* False: it cannot be led there. */
bool odds_present_begin(struct present *past, struct vm *m, uint64_t seed, uint64_t trial);
/* Whether it says nothing of the start of a fight, and so can be asked of one in progress. */
bool odds_fits_present(const struct asking *q);
int64_t odds_rounds(struct fray *f, const struct asking *q);

/* ---- odds.c ---- */
/* The host's; at the prompt that of the fight in progress, or the usual one. */
uint64_t odds_seed(const struct fray *f);
enum fray_status odds_ask(struct fray *f, const struct asking *q, struct answer *a);
void odds_answer_free(struct answer *a);
/* Does the host want no more? The context is the struct fray. */
bool odds_interrupted(void *context);
/* Whether anything was found out; and that told, in the form that is wanted, and kept for the page. */
bool odds_answered(const struct answer *a);
void odds_show(struct fray *f, const struct asking *q, const struct answer *a);

/* ---- odds_questions.c ---- */
/* The encounter of that name, or for NULL the last; -1 after reporting. */
int odds_encounter(struct fray *f, const char *name);

/* ---- odds_swept.c ---- */
enum { SWEEP_MAX = 1000 };
/* A number as it is written, and what it is divided by. */
bool odds_number_of(const struct node *n, double *out, int64_t *den);
/* Whether a Q_SWEEP of an encounter (-1: unknown) can be; false after reporting. */
bool odds_can_sweep(struct fray *f, const struct node *n, int encounter);
/* Its steps go down, or nowhere, or are too many: as they could be. */
void odds_report_sweep(struct fray *f, const struct node *n);

/* ---- odds_bound.c ---- */
/* What is expected of a measure. */
struct odds_bound { double from, to; bool open; };
/* Of a Q_EXPECT about a chance or a number; false after reporting. */
bool odds_bound_read(struct fray *f, const struct node *n, bool chance, struct odds_bound *out);
/* Whether something from low to high is allowed, or all of it. */
bool odds_bound_holds(const struct odds_bound *b, double low, double high, bool whole);

/* ---- odds_usual.c ---- */
/* What is asked where nobody says what. Without `whole` of nobody in particular, and spreads as
 * averages. NULL after reporting. */
struct node *odds_usual_measures(struct fray *f, int encounter, bool whole);
/* What the command itself asks: the host's own measures, or the usual ones. NULL likewise. */
struct node *odds_command_measures(struct fray *f, int encounter, bool whole);
/* The first field of each combatant that is asked then; NULL: none is. */
const char *odds_field_told(const struct fray *f);

/* Measures of an encounter (the node names it; NULL: the last), told under a title. */
enum fray_status odds_named(struct fray *f, const struct node *encounter, struct node *measures, const char *title, struct span text);

/* ---- odds_report.c ---- */
/* Keeps an answer, or one of the rows of --sensitivity and the first answer behind them, for the
 * page, when one is wanted. */
void odds_keep(struct fray *f, const struct asking *q, const struct answer *a);
void odds_keep_head(struct fray *f, const struct asking *q, const struct answer *a);
void odds_keep_row(struct fray *f, json_t *row);
/* The next answers belong together: the steps of a sweep, the rules of a comparison. */
void odds_keep_together(struct fray *f);

/* ---- odds_branch.c ---- */
/* A rule, a clause, `drop rule ..`, `use .. with HOUSE`. */
bool odds_is_rule(const struct node *n);
/* Whether a line of a branch stands in the encounter while its program is linked; the others wait
 * in queues before it. */
bool odds_stands_inside(const struct fray *f, const struct asking *q, const struct node *n);
bool odds_inside_any(const struct fray *f, const struct asking *q, int branch);
/* Makes the model that of the branch: such lines stand in the encounter. False after reporting;
 * odds_inside_leave is due either way, with the items the encounter had, and the last of them. */
bool odds_inside_enter(struct fray *f, const struct asking *q, int branch);
void odds_inside_leave(struct fray *f, int encounter, struct node *own, struct node *last);

/* ---- odds_deeds.c ---- */
/* What everybody did in the first of a question's fights, and what his tactics chose: an
 * object, or NULL when the fight cannot be played. */
json_t *odds_deeds(struct fray *f, const struct asking *q, uint64_t seed);

/* How likely things are from where each of two forks stands; measures NULL: the usual ones. */
enum fray_status odds_of_forks(struct fray *f, struct node *measures, const char *const fork[2]);

/* ---- odds_compare.c ---- */
/* `here`: the encounter the question stands in, -1. */
enum fray_status odds_compare(struct fray *f, const struct node *n, int here);

/* ---- odds_figure.c ---- */
/* Whether none of its fights could be played to its end: there are no odds. */
bool odds_unplayable(const struct answer *a, int branch);
int odds_values(const struct answer *a, int branch, int measure);
word odds_value(const struct answer *a, int branch, int measure, int i, double *share);
struct figure odds_figure(const struct answer *a, int branch, int measure);
/* How much more than in the first branch; NAN when that cannot be told. */
struct figure odds_difference(const struct answer *a, int branch, int measure);
/* A figure's number in the measure's own unit: "35 ft" without its unit, and the unit. */
double odds_in_unit(const struct program *p, struct vtype type, double number, const char **unit);

/* ---- odds_tell.c, odds_json.c ---- */
void odds_tell(struct fray *f, const struct asking *q, const struct answer *a);
/* A question's answer with every digit; the caller gives it up. */
json_t *odds_object(struct fray *f, const struct asking *q, const struct answer *a);
/* An object on a line of its own, with every digit; it is given up. */
void odds_write(struct fray *f, json_t *o);
void odds_json(struct fray *f, const struct asking *q, const struct answer *a);
void odds_csv(struct fray *f, const struct asking *q, const struct answer *a);

#endif
