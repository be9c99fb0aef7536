/* record.c - writing the log. */
#include <string.h>

#include "runtime/code/show.h"
#include "runtime/vm/inside.h"

int record_new(struct vm *m, enum record_kind kind)
{
	int parent = m->question >= 0 && kind >= REC_QUESTION && kind <= REC_BOUND ? m->question : -1;
	const bool brought = parent < 0 && m->brought.record && m->brought.under == m->w[H_HAPPENING];
	const int32_t act = brought ? trace_get(&m->trace, m->brought.record - 1)->act : m->w[H_ACT] == NONE ? -1 : (int32_t)m->w[H_ACT];
	if (brought)
		parent = m->brought.record - 1;
	else if (parent < 0 && m->w[H_HAPPENING])
		parent = (int)m->w[m->w[H_HAPPENING] + HAP_RECORD];
	int r = trace_add(&m->trace, kind, parent);
	if (r < 0) {
		vm_fail(m, VM_LIMIT, M_LOG_FULL, 0);
		return -1;
	}
	struct record *x = trace_at(&m->trace, r);
	x->round = (int32_t)m->w[m->p->field[m->p->at.round_number].base];
	x->time = m->w[H_NOW];
	x->act = act;
	x->clause = m->clause;
	x->group = m->groups ? (int32_t)m->w[H_GROUP] : -1;
	x->span = vm_where(m);
	m->w[H_TRACE] = m->trace.n;
	return r;
}

/* Did this record change what condition k looks at, of these? Of things of another kind nobody knows: that may be anybody's. */
static bool bears_on(const struct vm *m, const struct record *r, int k, const word *whom)
{
	const struct whenever_info *x = &m->p->whenever[k];
	const uint64_t bit = 1ull << (k > 63 ? 63 : k);
	if (r->kind != REC_CHANGE || r->dropped || r->what < 0)
		return false;
	const bool pair = r->flag == 1;
	if (!((pair ? m->p->pair[r->what].touches : m->p->field[r->what].touches) & bit))
		return false;
	bool of_kind = false;
	for (int i = 0; i < x->params && !pair; i++) {
		if (x->kind[i] != m->p->field[r->what].kind)
			continue;
		if (r->owner == whom[i])
			return true;
		of_kind = true;
	}
	return !of_kind;
}

int32_t record_brought(struct vm *m, int k, word one, word other)
{
	const word whom[2] = {one, other}, around = m->groups ? m->group[0].happening : m->w[H_HAPPENING];
	const int32_t base = around ? (int32_t)m->w[around + HAP_RECORD] : -1;
	const int32_t from = m->groups ? m->group[0].record : base < 0 ? m->trace.n : base;
	int32_t event = -1, act = -1;
	if (!m->p->observed || m->quiet)
		return -1;
	for (int32_t i = m->trace.n; i-- > from;) {
		const struct record *r = trace_get(&m->trace, i);
		if (!bears_on(m, r, k, whom))
			continue;
		const int32_t changed = r->parent;
		int32_t top = i;
		for (int32_t up = changed; up > base && up >= from; up = trace_get(&m->trace, up)->parent)
			top = up;
		if (act >= 0 && top != act)
			return -1; /* several acts had a hand in it */
		act = top;
		if (event < 0)
			event = changed;
		if (!m->groups)
			break;
	}
	return event;
}

void record_event(struct vm *m, int32_t record, int32_t event, const word *arguments)
{
	const struct event_info *e = &m->p->event[event];
	int values = trace_values(&m->trace, arguments, e->words);
	struct record *x = trace_at(&m->trace, record);
	x->what = event;
	x->values = values;
	x->value_count = e->words;
	x->faces = x->clause; /* in whose body it is brought about */
	x->clause = -1;
	if (e->roles && e->role[0].type.base == VT_LIVE && e->role[0].type.kind == KIND_COMBATANT)
		x->owner = arguments[e->role[0].word];
	m->w[H_TRACE] = m->trace.n;
}

int32_t record_act(struct vm *m, enum record_kind kind, word act, int flag, int32_t clause, const word *last)
{
	const int32_t r = record_new(m, kind);
	if (r < 0)
		return -1;
	const word *row = m->w + act_at(m, act);
	const struct event_info *e = &m->p->event[row[ACT_EVENT]];
	word arguments[ACT_WORDS * 4 + 1];
	for (int k = 0; k < e->roles; k++) {
		const int width = e->role[k].type.base == VT_SET ? m->p->set_words : 1;
		for (int j = 0; j < width && e->role[k].word + j < ACT_WORDS * 4; j++)
			arguments[e->role[k].word + j] = e->role[k].field >= 0 ? *field(m, &m->p->field[e->role[k].field], act) : row[ACT_ARGS + e->role[k].word + j];
	}
	if (last)
		arguments[e->words] = *last;
	const int values = trace_values(&m->trace, arguments, e->words + (last != NULL));
	struct record *x = trace_at(&m->trace, r);
	x->what = (int32_t)row[ACT_EVENT];
	x->values = values;
	x->value_count = (uint16_t)(e->words + (last != NULL));
	x->act = (int32_t)act;
	x->owner = *field(m, &m->p->field[m->p->at.act_actor], act);
	x->flag = (uint8_t)flag;
	x->clause = clause;
	act_told(m, r, act);
	return r;
}

void template_text(struct vm *m, int32_t template_, const word *values, struct buf *out)
{
	const struct template_info *t = &m->p->template_[template_];
	size_t at = out->length;
	for (int i = 0; i < t->count; i++) {
		const struct template_piece *piece = &m->p->piece[t->first + i];
		if (piece->text) {
			program_agree(out, at, piece->text);
		} else {
			at = out->length;
			if (piece->type.base == VT_LIVE && piece->type.kind == KIND_COMBATANT && *values == NONE)
				buf_puts(out, "someone"); /* not chosen yet */
			else
				program_values(m->p, piece->type, values, piece->words, out);
			program_article(out, at);
			values += piece->words;
		}
	}
}

/* Whom a text names first; "": nobody. */
static const char *first_combatant(const struct vm *m, int32_t template_, const word *values)
{
	const struct template_info *t = &m->p->template_[template_];
	for (int i = 0; i < t->count; i++) {
		const struct template_piece *piece = &m->p->piece[t->first + i];
		if (piece->text)
			continue;
		if (piece->type.base == VT_LIVE && piece->type.kind == KIND_COMBATANT && *values != NONE)
			return m->p->live[KIND_COMBATANT][*values].name;
		values += piece->words;
	}
	return "";
}

bool record_wrong(struct vm *m, int32_t template_, const word *values)
{
	struct buf b = {0};
	template_text(m, template_, values, &b);
	vm_fail(m, VM_FAILED, M_WRONG, 2, buf_text(&b), first_combatant(m, template_, values));
	buf_free(&b);
	return false;
}

bool record_recast(struct vm *m, int32_t how, const word *values)
{
	const uint32_t hap = (uint32_t)m->w[H_HAPPENING];
	const int32_t event = hap ? (int32_t)m->w[hap + HAP_RECORD] : -1;
	if (event < 0)
		return true;
	const struct event_info *e = &m->p->event[m->w[hap + HAP_EVENT]];
	const int role = how & 0xff, words = how >> 16;
	if (role >= e->roles || e->role[role].word + words > e->words)
		return true;
	int r = record_new(m, REC_RECAST);
	if (r < 0)
		return false;
	word *now = trace_values_of(&m->trace, trace_at(&m->trace, event));
	word old = NONE;
	if (now) {
		old = now[e->role[role].word];
		memcpy(now + e->role[role].word, values, sizeof *values * (size_t)words);
	}
	int first = trace_values(&m->trace, &old, 1);
	struct record *x = trace_at(&m->trace, r);
	x->what = (int32_t)m->w[hap + HAP_EVENT];
	x->owner = role;
	x->value = values[0];
	x->values = first;
	x->value_count = 1;
	x->flag = (uint8_t)(how >> 8 & 0xff);
	m->w[H_TRACE] = m->trace.n;
	return true;
}

bool record_sum(struct vm *m, int32_t template_, const word *values)
{
	const struct template_info *t = &m->p->template_[template_];
	if (m->trace.n >= m->trace.limit / 2)
		return true; /* sums of an endless loop leave room for what happens */
	int words = 0, r = record_new(m, REC_SUM);
	if (r < 0)
		return false;
	for (int i = 0; i < t->count; i++)
		words += m->p->piece[t->first + i].words;
	const int first = trace_values(&m->trace, values, words);
	struct record *x = trace_at(&m->trace, r);
	x->what = template_;
	x->values = first;
	x->value_count = (uint16_t)words;
	m->w[H_TRACE] = m->trace.n;
	return true;
}

bool record_mark(struct vm *m, const word *at, word value)
{
	for (word h = m->w[H_HAPPENING]; h; h = m->w[h + HAP_PARENT]) {
		const struct event_info *e = &m->p->event[m->w[h + HAP_EVENT]];
		const word *slot = m->w + h + HAP_SLOTS;
		if (at < slot || at >= slot + e->slots * m->p->set_words)
			continue;
		const int i = (int)((at - slot) / m->p->set_words), r = record_new(m, REC_MARK);
		if (r < 0)
			return false;
		const int first = trace_values(&m->trace, at, 1);
		struct record *x = trace_at(&m->trace, r);
		x->what = e->slot_name[i];
		x->owner = m->w[h + HAP_RECORD];
		x->value = value;
		x->values = first;
		x->value_count = 1;
		m->w[H_TRACE] = m->trace.n;
		return true;
	}
	return true;
}

void record_text(struct vm *m, int32_t record, int32_t template_, const word *values)
{
	struct buf b = {0};
	template_text(m, template_, values, &b);
	trace_tell(&m->trace, record, buf_text(&b), b.length);
	buf_free(&b);
}

int32_t record_change(struct vm *m, int32_t what, uint32_t at, word old, word value)
{
	bool pair = what >= 1000000;
	if (pair ? false : m->p->field[what].hidden || m->p->field[what].kind == KIND_ACT)
		return -1;
	int r = record_new(m, REC_CHANGE);
	if (r < 0)
		return -1;
	word values[2] = {old, NONE};
	word owner;
	if (pair) {
		const struct pair_info *f = &m->p->pair[what - 1000000];
		owner = (word)((at - f->base) / f->side);
		values[1] = (word)((at - f->base) % f->side);
	} else {
		const struct field_info *f = &m->p->field[what];
		owner = f->stride ? (word)((at - f->base) / f->stride) : 0;
	}
	int first = trace_values(&m->trace, values, 2);
	struct record *x = trace_at(&m->trace, r);
	x->what = pair ? what - 1000000 : what;
	x->flag = pair;
	x->owner = owner;
	x->value = value;
	x->values = first;
	x->value_count = 2;
	return r;
}
