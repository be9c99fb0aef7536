/* hints.c - what an editor writes into a text besides: what dice come to on average. */
#include "lang/api/names.h"

#include <string.h>

#include "runtime/dice/dist.h"
#include "runtime/dice/formula.h"

typedef void hint_teller(void *context, const struct fray_hint *hint);

struct hinting {
	struct fray *f;
	hint_teller *tell;
	void *context;
};

static void dice(const struct hinting *h, const struct node *n)
{
	struct dice d;
	struct buf text = {0};
	if (dice_parse(n->text, strlen(n->text), &d) != DICE_OK)
		return;
	buf_printf(&text, "avg %.4g", dice_mean(&d));
	const struct fray_hint hint = {
		place_of(h->f, n->span), buf_text(&text), "what these dice come to on average"};
	h->tell(h->context, &hint);
	buf_free(&text);
}

static void look(const struct hinting *h, const struct node *n)
{
	for (; n; n = n->next) {
		if (n->kind == N_KIND_E_DICE && n->text && !n->damaged)
			dice(h, n);
		const struct node *kids[] = {n->a, n->b, n->c, n->d, n->e, n->f};
		for (int i = 0; i < 6; i++)
			look(h, kids[i]);
	}
}

void fray_hints(struct fray *f, const char *file, hint_teller *tell, void *context)
{
	const struct hinting h = {f, tell, context};
	const uint16_t number = file_named(f, file);
	for (int i = 0; number && i < f->unit.n; i++)
		if (f->unit.v[i].file == number)
			look(&h, f->unit.v[i].tree);
}
