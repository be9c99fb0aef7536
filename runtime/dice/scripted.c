/* scripted.c - dice dictated beforehand: one queue of values for each label named. */
#include "runtime/dice/dice.h"

static enum dice_answer roll(struct dice_source *self, const struct dice_ask *ask, struct dice_result *out)
{
	struct scripted *s = (struct scripted *)self;
	for (int32_t i = 0; i < s->queues; i++) {
		const struct scripted_queue *q = &s->queue[i];
		word place = s->place[i];
		if (q->label != ask->label || place < 0 || place >= q->values)
			continue;
		const struct scripted_value *v = &q->value[place];
		enum dice_answer a = dice_give(ask, v->face, v->faces, v->total, out);
		out->kind = DICE_FORCED;
		if (a == DICE_ANSWERED)
			s->place[i]++;
		return a;
	}
	return DICE_PASS;
}

void scripted_init(struct scripted *s, const struct scripted_queue *queue, int32_t queues, word *place, struct dice_source *below)
{
	s->source.roll = roll;
	s->source.below = below;
	s->queue = queue;
	s->queues = queues;
	s->place = place;
}
