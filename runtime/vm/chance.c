/* chance.c - dice: addresses, the script's own queues, the host's sources; scripted choices;
 * opening and closing the script's blocks. */
#include <stdlib.h>
#include <string.h>

#include "runtime/vm/machine.h"

static const char *roll_name(void *context)
{
	struct vm *m = context;
	const struct label_info *l = &m->p->label[m->label];
	buf_clear(&m->name);
	if (l->owner.base == VT_LIVE && m->owner != NONE) {
		const char *owner = m->p->live[l->owner.kind][m->owner].name;
		size_t n = strlen(owner);
		buf_printf(&m->name, "%s%s %s", owner, n && owner[n - 1] == 's' ? "'" : "'s", l->name);
	} else {
		buf_puts(&m->name, l->name);
	}
	return buf_text(&m->name);
}

bool vm_rolling(const struct vm *m, int *kind, word *owner)
{
	const struct label_info *l = &m->p->label[m->label];
	bool owned = l->owner.base == VT_LIVE && m->owner != NONE && (l->owner.kind == KIND_COMBATANT || l->owner.kind == KIND_SIDE);
	*kind = l->owner.kind;
	*owner = m->owner;
	return owned;
}

/* A block that lasts is new until its own edits have been made. */
enum block_state { BLOCK_SHUT, BLOCK_OPEN, BLOCK_OVER, BLOCK_NEW };

static bool block_open(const struct vm *m, int32_t block)
{
	return block == 0 || m->w[m->p->layout.blocks + (uint32_t)block] == BLOCK_OPEN || m->w[m->p->layout.blocks + (uint32_t)block] == BLOCK_NEW;
}

/* What was said in the middle of the fight comes before the block of the round, and that
 * before what stands for the whole encounter. */
static int nearness(const struct vm *m, int32_t block)
{
	return block == 0 ? 0 : m->p->block[block].lasting ? 2 : 1;
}

/* The queue of a `dice:` line for this label and owner that still holds something; those of
 * the block in progress come before the encounter's. */
static int forced_queue(const struct vm *m, int32_t label, word owner)
{
	int found = -1, best = -1;
	for (int i = 0; i < m->p->forceds; i++) {
		const struct forced_die *f = &m->p->forced[i];
		if (f->label != label || (owner == NONE ? f->owner >= 0 : f->owner != owner) || !block_open(m, f->block))
			continue;
		if (m->w[m->p->layout.forced + (uint32_t)i] >= f->count)
			continue;
		int near = nearness(m, f->block);
		if (near > best) {
			best = near;
			found = i;
		}
	}
	return found;
}

static int numbered_order(const struct numbered_die *d, int32_t label, int32_t owner, uint32_t occurrence)
{
	if (d->label != label)
		return d->label < label ? -1 : 1;
	if (d->owner != owner)
		return d->owner < owner ? -1 : 1;
	return (d->occurrence > occurrence) - (d->occurrence < occurrence);
}

/* What stands for this very roll, whose block is open; the last one written, or NULL. */
static const struct numbered_die *numbered_die(const struct vm *m, int32_t label, word owner, uint32_t occurrence)
{
	const struct numbered_die *all = m->p->numbered;
	int32_t who = owner == NONE ? -1 : (int32_t)owner;
	int low = 0, high = m->p->numbereds;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (numbered_order(&all[middle], label, who, occurrence) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (int i = low - 1; i >= 0 && numbered_order(&all[i], label, who, occurrence) == 0; i--)
		if (block_open(m, all[i].block))
			return &all[i];
	return NULL;
}

/* The faces that the script dictates for a roll, and where it says so; NULL. */
static const struct pips *dictated(struct vm *m, int32_t label, word owner, uint32_t occurrence, struct span *where)
{
	const struct numbered_die *d = m->ignore_script || m->p->numbereds == 0 ? NULL : numbered_die(m, label, owner, occurrence);
	if (d) {
		*where = d->span;
		return &m->p->pips[d->pips];
	}
	int queue = m->ignore_script || m->p->forceds == 0 ? -1 : forced_queue(m, label, owner);
	if (queue < 0)
		return NULL;
	const struct forced_die *f = &m->p->forced[queue];
	uint32_t at = m->p->layout.forced + (uint32_t)queue;
	const struct pips *x = &m->p->pips[f->first + m->w[at]];
	world_raw(m, at, m->w[at] + 1);
	*where = f->span;
	return x;
}

static bool forced(struct vm *m, const struct pips *x, struct span where, const struct dice_ask *ask, struct dice_result *out)
{
	enum dice_answer a = dice_give(ask, m->p->pip_faces + x->first, x->faces, m->p->pip_faces[x->first], out);
	out->kind = DICE_FORCED;
	if (a == DICE_ANSWERED)
		return true;
	if (m->host.sink)
		dice_report(ask, out, m->host.sink, where);
	m->status = VM_FAILED;
	return false;
}

static uint32_t owner_slot(const struct vm *m, const struct label_info *l, word owner)
{
	if (l->owner.base != VT_LIVE || owner == NONE)
		return m->p->layout.label_owners - 1;
	if (l->owner.kind == KIND_SIDE)
		return (uint32_t)(m->p->lives[KIND_COMBATANT] + owner);
	return (uint32_t)owner;
}

/* A die that fell by itself while a block says "dice only:". The fight goes on: the others are
 * worth hearing of too. */
static void report_unlisted(struct vm *m, const struct dice_result *r)
{
	for (int b = 0; b < m->p->blocks; b++) {
		if (!m->p->block[b].only || !block_open(m, b))
			continue;
		struct buf value = {0};
		buf_printf(&value, "%lld", (long long)r->total);
		diag_report(m->host.sink, M_DIE_UNLISTED, m->p->block[b].span, 2, roll_name(m), buf_text(&value));
		buf_free(&value);
		return;
	}
}

uint32_t vm_rolled(const struct vm *m, int32_t label, word owner)
{
	uint32_t slot = (uint32_t)label * m->p->layout.label_owners + owner_slot(m, &m->p->label[label], owner);
	return (uint32_t)((uint64_t)m->w[m->p->layout.labels + slot / 2] >> (slot % 2 * 32));
}

bool chance_waits(struct vm *m, int32_t label, word owner)
{
	if (!m->enumerate || m->answered)
		return false;
	if (m->ignore_script)
		return true;
	if (m->p->numbereds && numbered_die(m, label, owner, vm_rolled(m, label, owner)))
		return false;
	return m->p->forceds == 0 || forced_queue(m, label, owner) < 0;
}

void chance_open(struct vm *m)
{
	const struct program *p = m->p;
	draws_close(&m->draws);
	m->rolls = DRAWS_NEVER;
	if (p->observed)
		return;
	draws_open(&m->draws, (uint32_t)p->labels, p->layout.label_owners);
	for (int i = 0; i < p->labels; i++)
		m->draws.label[i] = p->label[i].hash;
	for (int kind = KIND_SIDE; kind <= KIND_COMBATANT; kind++) {
		const uint32_t first = kind == KIND_SIDE ? (uint32_t)p->lives[KIND_COMBATANT] : 0;
		for (uint32_t i = 0; i < (uint32_t)p->lives[kind] && first + i < p->layout.label_owners; i++)
			m->draws.owner[first + i] = p->live[kind][i].hash * ROLL_OWNER;
	}
}

/* One die that falls as the generator says, with nobody to dictate it, alter it or write it down; false: it
 * takes the long way. */
static bool falls(struct vm *m, int32_t label, word owner, int32_t dice, word *out)
{
	const struct program *p = m->p;
	if (dice < 0 || m->lone.sides[dice] == DRAW_UNSETTLED || m->quiet || m->tries)
		return false;
	if (p->observed || m->enumerate || m->lift || m->host.dice || m->host.instead || m->host.sink || p->forceds || p->numbereds)
		return false;
	const uint32_t owned = owner_slot(m, &p->label[label], owner), slot = (uint32_t)label * p->layout.label_owners + owned;
	uint64_t *pair = (uint64_t *)&m->w[p->layout.labels + slot / 2]; /* two counters */
	const uint32_t shift = slot % 2 * 32, occurrence = (uint32_t)(*pair >> shift);
	draws_of(&m->draws, (uint64_t)m->w[H_SEED], (uint64_t)m->w[H_TRIAL]);
	if (!draws_has(&m->draws, (uint32_t)label, owned, occurrence))
		draws_fill(&m->draws, (uint32_t)label, owned, occurrence);
	int64_t face = draws_face(&m->draws, (uint32_t)label, owned, occurrence, (uint32_t)m->lone.sides[dice]);
	if (face < 0)
		return false;
	*out = face + m->lone.least[dice];
	*pair ^= (uint64_t)(occurrence ^ (occurrence + 1)) << shift;
	return true;
}

bool chance_sort(const struct vm *m, int32_t label, int32_t dice, struct sort_of_die *out)
{
	const struct program *p = m->p;
	const struct label_info *l = &p->label[label];
	if (p->observed || m->host.dice || m->host.instead || m->host.sink || p->forceds || p->numbereds || l->owner.base != VT_LIVE || dice >= p->dices)
		return false;
	*out = (struct sort_of_die){0, 0, (uint32_t)label * p->layout.label_owners, l->owner.kind == KIND_SIDE ? (uint32_t)p->lives[KIND_COMBATANT] : 0, p->lives[l->owner.kind]};
	if (dice < 0)
		return true;
	const struct dice *d = &m->dice[dice];
	out->least = d->add + d->count;
	if (m->lone.sides[dice] != DRAW_UNSETTLED)
		out->sides = m->lone.sides[dice];
	return out->sides || (dice_plain(d) && d->count > 1 && d->count <= SUM_MOST);
}

bool chance_fill(struct vm *m, uint32_t label, uint32_t owner, uint32_t occurrence)
{
	if (m->rolls == DRAWS_NEVER)
		return false;
	draws_fill(&m->draws, label, owner, occurrence);
	return true;
}

word chance_sum(struct vm *m, uint32_t label, uint32_t owner, uint32_t occurrence, int32_t dice)
{
	const struct dice *d = &m->dice[dice];
	return draws_sum(&m->draws, label, owner, occurrence, d->count, d->sides, d->add);
}

/* Apart, so that the short way has nothing of it to set up. */
__attribute__((noinline)) static bool roll(struct vm *m, int32_t label, word owner, int32_t dice, word chance, word *out)
{
	const struct program *p = m->p;
	const struct label_info *l = &p->label[label];
	struct dice_ask ask = {0};
	struct dice_result *r = m->fell;
	uint32_t slot = (uint32_t)label * p->layout.label_owners + owner_slot(m, l, owner);
	uint32_t at = p->layout.labels + slot / 2;
	unsigned shift = slot % 2 * 32;
	uint64_t pair = (uint64_t)m->w[at];
	if (m->quiet)
		return vm_fail(m, VM_FAILED, M_ROLL_IN_PURE, 0);
	ask.seed = (uint64_t)m->w[H_SEED];
	ask.trial = (uint64_t)m->w[H_TRIAL];
	ask.occurrence = (uint32_t)(pair >> shift);
	ask.label = program_roll_hash(p, label, owner);
	ask.name = roll_name;
	ask.context = m;
	m->label = label;
	m->owner = owner;
	if (dice >= 0) {
		ask.dice = &m->dice[dice];
	} else {
		ask.num = frac_top(chance);
		ask.den = frac_bottom(chance);
	}
	if (m->enumerate && m->answered) {
		m->answered = false;
		*out = m->answer;
		return true;
	}
	world_raw(m, at, (word)((pair & ~(0xffffffffull << shift)) | (uint64_t)(uint32_t)(ask.occurrence + 1) << shift));
	r->faces = 0;
	struct span where = {0};
	const struct pips *pips = p->forceds || p->numbereds ? dictated(m, label, owner, ask.occurrence, &where) : NULL;
	if (pips) {
		if (!forced(m, pips, where, &ask, r))
			return false;
	} else {
		enum dice_answer a = dice_roll(m->host.dice, &ask, r);
		if (a == DICE_STOP) {
			m->status = VM_INTERRUPTED;
			return false;
		}
		if (a != DICE_ANSWERED) {
			if (m->host.sink)
				dice_report(&ask, r, m->host.sink, vm_where(m));
			m->status = VM_FAILED;
			return false;
		}
	}
	if (m->host.instead)
		m->host.instead(m->host.context, &ask, r);
	*out = m->lift && !pips ? lift_die(m, ask.label, slot, dice, chance, r->total) : r->total;
	if (!pips && !m->ignore_script && m->host.sink)
		report_unlisted(m, r);
	if (p->observed) {
		int rec = record_new(m, REC_ROLL);
		if (rec < 0)
			return false;
		word values[2] = {dice >= 0 ? dice : NONE, chance};
		int at_values = trace_values(&m->trace, values, 2);
		int first = -1;
		for (int i = 0; i < r->faces; i++) {
			int32_t face = r->face[i], place = trace_faces(&m->trace, &face, 1);
			first = i ? first : place;
		}
		struct record *x = trace_at(&m->trace, rec);
		x->what = label;
		x->owner = owner;
		x->value = r->total;
		x->flag = (uint8_t)r->kind;
		x->values = at_values;
		x->value_count = 2;
		x->faces = first;
		x->face_count = r->faces;
		x->clause = m->clause;
		if (pips)
			x->span = where;
	}
	return true;
}

bool chance_roll(struct vm *m, int32_t label, word owner, int32_t dice, word chance, word *out)
{
	return falls(m, label, owner, dice, out) || roll(m, label, owner, dice, chance, out);
}

/* ---- choices ---- */

word chance_choice(struct vm *m, int32_t choice, word who)
{
	const struct program *p = m->p;
	if (m->ignore_script)
		return NONE;
	for (int near = 2; near >= 0; near--)
		for (int i = 0; i < p->forced_choices; i++) {
			const struct forced_choice *f = &p->forced_choice[i];
			uint32_t at = p->layout.choices + (uint32_t)i;
			if (f->choice != choice || f->owner != who || nearness(m, f->block) != near || !block_open(m, f->block) || m->w[at] >= f->count)
				continue;
			word answer = p->answers[f->first + m->w[at]];
			world_raw(m, at, m->w[at] + 1);
			return answer;
		}
	return NONE;
}

/* ---- blocks of the script ---- */

static bool block_now(struct vm *m, int32_t block)
{
	const struct block_info *b = &m->p->block[block];
	if (b->field < 0)
		return false;
	word count = m->w[m->p->field[b->field].base];
	if (count == NONE)
		return false;
	return b->lasting ? lift_test(m, OP_LE, b->ordinal, count) : lift_test(m, OP_EQ, count, b->ordinal);
}

static void report_unused(struct vm *m, int32_t block, int32_t label, int32_t owner, int32_t pips, struct span span)
{
	const struct program *p = m->p;
	struct buf value = {0}, where = {0};
	m->label = label;
	m->owner = owner < 0 ? NONE : owner;
	buf_printf(&value, "%d", p->pip_faces[p->pips[pips].first]);
	if (block)
		buf_printf(&where, " in %s %lld", p->block[block].unit, (long long)p->block[block].ordinal);
	diag_report(m->host.sink, M_DIE_UNUSED, span, 3, roll_name(m), buf_text(&value), buf_text(&where));
	buf_free(&value);
	buf_free(&where);
}

static void close_block(struct vm *m, int32_t block, bool reached)
{
	const struct program *p = m->p;
	m->w[p->layout.blocks + (uint32_t)block] = BLOCK_OVER;
	if (m->host.block_over && !(reached && p->block[block].lasting))
		m->host.block_over(m->host.context, block, reached);
	if (m->ignore_script || !m->host.sink || !reached)
		return;
	for (int i = 0; i < p->forceds; i++) {
		const struct forced_die *f = &p->forced[i];
		word used = m->w[p->layout.forced + (uint32_t)i];
		if (f->block == block && used < f->count)
			report_unused(m, block, f->label, f->owner, f->first + (int32_t)used, f->span);
	}
	for (int i = 0; i < p->numbereds; i++) {
		const struct numbered_die *d = &p->numbered[i];
		if (d->block == block && vm_rolled(m, d->label, d->owner < 0 ? NONE : d->owner) <= d->occurrence)
			report_unused(m, block, d->label, d->owner, d->pips, d->span);
	}
	for (int i = 0; i < p->forced_choices; i++) {
		const struct forced_choice *f = &p->forced_choice[i];
		if (f->block == block && m->w[p->layout.choices + (uint32_t)i] < f->count)
			diag_report(m->host.sink, M_CHOICE_UNUSED, f->span, 1, p->choice[f->choice].name);
	}
}

/* What is expected in the middle of a fight is expected there and then. Asking leaves nothing
 * behind, not even in registers that nobody reads: played again, it is not asked again. */
static void block_begun(struct vm *m, int32_t block)
{
	const struct layout *l = &m->p->layout;
	m->w[l->blocks + (uint32_t)block] = BLOCK_OPEN;
	if (!m->host.block_over || m->p->block[block].expect_count == 0)
		return;
	size_t bytes = l->stack_words * sizeof *m->w;
	word *stack = malloc(bytes);
	if (!stack)
		abort();
	memcpy(stack, m->w + l->stack, bytes);
	m->host.block_over(m->host.context, block, true);
	memcpy(m->w + l->stack, stack, bytes);
	free(stack);
}

void blocks_begun(struct vm *m, int32_t block)
{
	for (int32_t b = 1; b < m->p->blocks; b++)
		if ((block < 0 || b == block) && m->w[m->p->layout.blocks + (uint32_t)b] == BLOCK_NEW)
			block_begun(m, b);
}

/* Opens the blocks whose moment has come and closes those whose moment is past. */
bool blocks_moment(struct vm *m, bool round_over, bool over)
{
	const struct program *p = m->p;
	bool begins = false;
	for (int b = 1; b < p->blocks; b++) {
		word *state = &m->w[p->layout.blocks + (uint32_t)b];
		bool now = block_now(m, b);
		bool is_round = p->block[b].field == p->at.round_number;
		/* what was typed behind the last group is looked at, for all that no other comes */
		bool behind = over && p->block[b].lasting && *state == BLOCK_SHUT && p->block[b].field == p->at.beat && p->block[b].ordinal == m->w[p->field[p->at.beat].base] + 1;
		if (behind)
			block_begun(m, b);
		if (*state == BLOCK_SHUT && now && !over) {
			*state = p->block[b].lasting ? BLOCK_NEW : BLOCK_OPEN;
			begins |= p->block[b].lasting;
		}
		if (*state == BLOCK_NEW && over)
			block_begun(m, b);
		if (*state == BLOCK_OPEN && (!now || over || (round_over && is_round)))
			close_block(m, b, true);
		else if (*state == BLOCK_SHUT && over)
			close_block(m, b, false);
	}
	if (over && m->w[p->layout.blocks] != BLOCK_OVER)
		close_block(m, 0, true);
	return begins;
}
