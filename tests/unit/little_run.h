/* little_run.h - logs for the little program, as the machine would write them. */
#ifndef FRAY_TESTS_LITTLE_RUN_H
#define FRAY_TESTS_LITTLE_RUN_H

#include "runtime/trace/trace.h"
#include "tests/unit/little.h"

/* What the next records have in common. */
struct writer { struct trace t; int32_t round, group, act; word time; };

static inline int32_t put(struct writer *w, enum record_kind kind, int32_t parent)
{
	int32_t n = trace_add(&w->t, kind, parent);
	struct record *r = trace_at(&w->t, n);
	r->round = w->round;
	r->time = w->time;
	r->group = w->group;
	r->act = w->act;
	return n;
}

static inline void put_text(struct writer *w, int32_t n, const char *text)
{
	trace_tell(&w->t, n, text, strlen(text));
}

static inline void put_values(struct writer *w, int32_t n, int count, word a, word b, word c)
{
	word v[3] = {a, b, c};
	int32_t at = trace_values(&w->t, v, count);
	trace_at(&w->t, n)->values = at;
	trace_at(&w->t, n)->value_count = (uint16_t)count;
}

static inline int32_t put_event(struct writer *w, int32_t parent, int event, int32_t clause, const char *told, word a, word b, word c)
{
	int32_t n = put(w, REC_EVENT, parent);
	trace_at(&w->t, n)->what = event;
	trace_at(&w->t, n)->clause = clause;
	trace_at(&w->t, n)->owner = a;
	put_values(w, n, event == EV_SPOIL ? 1 : event == EV_INITIATIVE ? 0 : 3, a, b, c);
	if (told)
		put_text(w, n, told);
	return n;
}

static inline int32_t put_roll(struct writer *w, int32_t parent, int label, word owner, word total, int dice, int source)
{
	int32_t n = put(w, REC_ROLL, parent), face = (int32_t)total;
	int32_t at = trace_faces(&w->t, &face, 1);
	struct record *r = trace_at(&w->t, n);
	r->what = label;
	r->owner = owner;
	r->value = total;
	r->flag = (uint8_t)source;
	r->faces = at;
	r->face_count = 1;
	put_values(w, n, 1, dice, 0, 0);
	return n;
}

static inline int32_t put_part(struct writer *w, enum record_kind kind, int32_t parent, int32_t clause, word value)
{
	int32_t n = put(w, kind, parent);
	trace_at(&w->t, n)->clause = clause;
	trace_at(&w->t, n)->value = value;
	return n;
}

static inline int32_t put_question(struct writer *w, int32_t parent, int question, word answer, int count, word a, word b)
{
	int32_t n = put(w, REC_QUESTION, parent);
	trace_at(&w->t, n)->what = question;
	trace_at(&w->t, n)->value = answer;
	trace_at(&w->t, n)->owner = a;
	put_values(w, n, count, a, b, 0);
	return n;
}

static inline int32_t put_key(struct writer *w, int32_t act, word who, int event, word key, int32_t clause)
{
	int32_t n = put(w, REC_KEY, -1);
	struct record *r = trace_at(&w->t, n);
	r->act = act;
	r->owner = who;
	r->what = event;
	r->value = key;
	r->clause = C_ORDER;
	put_values(w, n, 1, key, 0, 0);
	int32_t q = put_question(w, n, Q_TIME, key, 1, act, 0);
	put_part(w, REC_BASE, q, clause, key);
	trace_at(&w->t, q)->clause = clause;
	return n;
}

static inline void put_group(struct writer *w, int32_t number, word time, word size)
{
	w->group = number;
	w->time = time;
	int32_t n = put(w, REC_GROUP, -1);
	trace_at(&w->t, n)->value = size;
}

enum { SEGMENT = 60 };

/* Round 1 of a bridge: Halvaine begins web in segment 4, Bruna hits in it, orc #1 misses in
 * segment 5, the web takes effect in segment 6. */
static inline void little_round(struct writer *w)
{
	memset(w, 0, sizeof *w);
	trace_init(&w->t, 10000);
	w->group = w->act = -1;
	w->time = 0;
	put(w, REC_RUN, -1);
	w->round = 1;
	int32_t n = put(w, REC_ROUND, -1);
	trace_at(&w->t, n)->value = 1;
	n = put(w, REC_DECLARE, -1);
	trace_at(&w->t, n)->what = EV_CAST;
	trace_at(&w->t, n)->owner = HALVAINE;
	trace_at(&w->t, n)->flag = BY_SCRIPT;
	trace_at(&w->t, n)->act = 0;
	put_values(w, n, 3, HALVAINE, T_WEB, 1 << ORC1 | 1 << ORC2);
	n = put(w, REC_PHASE, -1);
	trace_at(&w->t, n)->what = 1;
	n = put_event(w, -1, EV_INITIATIVE, C_INIT, NULL, NONE, 0, 0);
	put_roll(w, n, L_INITIATIVE, PARTY, 5, 0, DIE_FORCED);
	put_roll(w, n, L_INITIATIVE, ORCS, 4, 0, DIE_ROLLED);
	n = put(w, REC_PHASE, -1);
	trace_at(&w->t, n)->what = 2;

	put_group(w, 1, 4 * SEGMENT, 2);
	put_key(w, 0, HALVAINE, EV_CAST, 4 * SEGMENT, C_INIT);
	put_key(w, 1, BRUNA, EV_ATTACK, 4 * SEGMENT, C_INIT);
	w->act = 0;
	int32_t cast = put_event(w, -1, EV_CAST, C_CAST, "Halvaine begins web", HALVAINE, T_WEB, 1 << ORC1 | 1 << ORC2);
	w->act = 1;
	int32_t attack = put_event(w, -1, EV_ATTACK, -1, "Bruna attacks orc #1 with long sword", BRUNA, ORC1, T_SWORD);
	w->act = 0;
	n = put(w, REC_PEND, cast);
	trace_at(&w->t, n)->what = EV_COMPLETE;
	trace_at(&w->t, n)->act = 2;
	trace_at(&w->t, n)->owner = HALVAINE;
	put_values(w, n, 3, HALVAINE, T_WEB, 1 << ORC1 | 1 << ORC2);
	w->act = 1;
	int32_t strike = put_event(w, attack, EV_STRIKE, C_BLOW, "attack roll 17 (needs 12)", BRUNA, ORC1, T_SWORD);
	put_roll(w, strike, L_ATTACK, BRUNA, 17, 0, DIE_TYPED);
	n = put_question(w, strike, Q_TOHIT, 12, 2, BRUNA, ORC1);
	put_part(w, REC_BASE, n, C_BLOW, 13);
	put_part(w, REC_ADJUST, n, C_HIGH, -1);
	int32_t hit = put_event(w, strike, EV_HIT, C_BLOW, "hit", BRUNA, ORC1, T_SWORD);
	put_roll(w, hit, L_DAMAGE, BRUNA, 5, 1, DIE_ROLLED);
	int32_t damage = put_event(w, hit, EV_DAMAGE, C_BLOW, "5 points of damage", ORC1, 5, T_SWORD);
	n = put(w, REC_CHANGE, damage);
	trace_at(&w->t, n)->what = F_HP;
	trace_at(&w->t, n)->owner = ORC1;
	trace_at(&w->t, n)->value = 3;
	put_values(w, n, 2, 8, NONE, 0);
	n = put(w, REC_NOTE, damage);
	put_text(w, n, "orc #1 has 3 hit points left");

	put_group(w, 2, 5 * SEGMENT, 1);
	put_key(w, 3, ORC1, EV_ATTACK, 5 * SEGMENT, C_INIT);
	w->act = 3;
	attack = put_event(w, -1, EV_ATTACK, -1, "orc #1 attacks Halvaine", ORC1, HALVAINE, T_SWORD);
	strike = put_event(w, attack, EV_STRIKE, C_BLOW, NULL, ORC1, HALVAINE, T_SWORD);
	put_roll(w, strike, L_ATTACK, ORC1, 2, 0, DIE_ROLLED);
	put_event(w, strike, EV_HIT, C_BLOW, "miss", ORC1, HALVAINE, T_SWORD);

	put_group(w, 3, 6 * SEGMENT, 1);
	put_key(w, 2, HALVAINE, EV_COMPLETE, 6 * SEGMENT, C_CAST);
	w->act = 2;
	put_event(w, -1, EV_COMPLETE, C_CAST, "web takes effect", HALVAINE, T_WEB, 1 << ORC1 | 1 << ORC2);
	w->act = -1;
	w->group = -1;
	n = put(w, REC_OUTCOME, -1);
	trace_at(&w->t, n)->flag = OUTCOME_OVER;
	put_text(w, n, "orcs are down");
}

static inline void collect(void *context, int style, const char *text, size_t length)
{
	(void)style;
	buf_add(context, text, length);
}

#endif
