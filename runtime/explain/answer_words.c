/* answer_words.c - words that answers share: when, by which rule, whose. */
#include <ctype.h>
#include <string.h>

#include "runtime/explain/answer.h"

/* ---- people ---- */

bool people_has(const people *p, word who)
{
	for (int i = 0; i < p->n; i++)
		if (p->v[i] == who)
			return true;
	return false;
}

bool people_fit(const people *p, word who)
{
	return p->n == 0 || people_has(p, who);
}

void answer_lead(const struct program *p, const char *lead, size_t skip, struct buf *about)
{
	struct buf b = {0};
	const char *rest = buf_text(about) + skip;
	bool named = false;
	for (int kind = KIND_SIDE; kind <= KIND_COMBATANT; kind++)
		for (int i = 0; i < p->lives[kind]; i++) {
			const char *name = p->live[kind][i].name;
			named |= !strncmp(rest, name, strlen(name));
		}
	buf_puts(&b, lead);
	const size_t at = b.length;
	buf_puts(&b, rest);
	if (!named && at < b.length)
		b.data[at] = (char)tolower((unsigned char)b.data[at]);
	buf_free(about);
	*about = b;
}

/* ---- rules ---- */

/* How long the id of an inventory is that stands here, "OSRIC-INIT-6"; 0: none does. */
static size_t id_length(const char *at)
{
	size_t n = 0;
	while (isupper((unsigned char)at[n]))
		n++;
	if (n < 3 || at[n] != '-' || !isalnum((unsigned char)at[n + 1]))
		return 0;
	while (isalnum((unsigned char)at[n]) || ((at[n] == '-' || at[n] == '.') && isalnum((unsigned char)at[n + 1])))
		n++;
	return n;
}

void answer_plain(const char *text, struct buf *out)
{
	for (; *text; text++) {
		size_t at = *text == ' ' && text[1] == '(' ? 2 : 0, n = at ? id_length(text + at) : 0;
		if (!n) {
			buf_putc(out, *text);
			continue;
		}
		const char *end = strchr(text, ')');
		text = end ? end : text + strlen(text) - 1;
	}
}

/* Where the place ends that a citation gives before what the rule says: "3 - OSRIC-INIT-6: .." */
static size_t place_length(const char *cite)
{
	const char *colon = strstr(cite, ": ");
	size_t n = colon ? (size_t)(colon - cite) : strlen(cite);
	for (size_t i = 0; i + 3 < n; i++)
		if (!strncmp(cite + i, " - ", 3) && id_length(cite + i + 3))
			return i;
	return id_length(cite) ? 0 : n;
}

/* "OSRIC", "Crucible": a system is called as its inventory calls it when that is its name. */
static void system_name(const struct clause_info *c, struct buf *out)
{
	size_t n = strlen(c->module), at = out->length;
	buf_puts(out, c->module);
	bool same = n > 0;
	const char *id = strstr(c->cite, " - ");
	id = id ? id + 3 : c->cite;
	for (size_t i = 0; i < n && same; i++)
		same = id[i] == toupper((unsigned char)c->module[i]);
	const bool book = c->layer == LAYER_RULESET || c->layer == LAYER_PARENT;
	for (size_t i = at; i < out->length && book && (same || i == at); i++)
		out->data[i] = (char)toupper((unsigned char)out->data[i]);
}

void answer_source(const struct program *p, int32_t clause, struct buf *out)
{
	if (clause < 0 || clause >= p->clauses)
		return;
	const struct clause_info *c = &p->clause[clause];
	size_t n = place_length(c->cite), m = strlen(c->module);
	if (!m) {
		buf_puts(out, "this script");
		if (n)
			buf_printf(out, ", %.*s", (int)n, c->cite);
	} else if (!strcmp(c->module, "core")) {
		buf_puts(out, "every system");
	} else if (c->layer != LAYER_RULESET && c->layer != LAYER_PARENT) {
		/* house rules, and what the library's stat blocks rest on, name their source themselves */
		bool named = (n >= m && !strncmp(c->cite, c->module, m)) || (n > 6 && isupper((unsigned char)*c->cite) && isupper((unsigned char)c->cite[1]));
		if (!named)
			buf_printf(out, "%s%s", c->module, n ? ", " : "");
		buf_printf(out, "%.*s", (int)n, c->cite);
	} else {
		bool named = n == m && !strncmp(c->cite, c->module, m);
		system_name(c, out);
		if (n && !named)
			buf_printf(out, ", %.*s", (int)n, c->cite);
	}
}

void answer_rule_says(const struct program *p, int32_t clause, struct buf *out)
{
	if (clause < 0 || clause >= p->clauses)
		return;
	const struct clause_info *c = &p->clause[clause];
	const char *colon = *c->rule ? strstr(c->cite, ": ") : NULL;
	if (colon)
		answer_plain(colon + 2, out);
	else
		buf_puts(out, *c->rule ? c->rule : c->text ? c->text : "");
}

void answer_rule_text(const struct program *p, int32_t clause, struct buf *out)
{
	answer_rule_says(p, clause, out);
	buf_puts(out, " (");
	answer_source(p, clause, out);
	buf_putc(out, ')');
}

/* ---- when, how it fell, who ---- */

/* The phase before the first round that a record belongs to: "surprise actions". */
static const char *phase_before(const struct log *l, int32_t number)
{
	const int32_t at = trace_back(l->t, number, 1u << REC_PHASE);
	const int32_t phase = at >= 0 ? log_at(l, at)->what : -1;
	return phase >= 0 && phase < l->p->phases ? l->p->phase[phase].name : NULL;
}

bool answer_when(const struct log *l, int32_t number, struct buf *out)
{
	const struct record *r = log_at(l, number);
	const int round = r->round;
	struct buf time = {0};
	bool moment = log_moment(l, number, &time);
	const char *phase = round <= 0 && moment ? phase_before(l, number) : NULL;
	if (moment)
		buf_puts(out, buf_text(&time));
	if (round > 0)
		buf_printf(out, moment ? " of round %d" : "round %d", round);
	else if (phase)
		buf_printf(out, " of the %s", phase);
	buf_free(&time);
	return moment || round > 0;
}

void answer_fall(const struct log *l, const struct record *roll, struct buf *out)
{
	struct buf b = {0};
	log_fall(l, roll, true, &b);
	buf_puts(out, buf_text(&b));
	buf_free(&b);
}

void answer_people(const struct program *p, const word *who, int n, struct buf *out)
{
	for (int i = 0; i < n; i++) {
		buf_puts(out, i == 0 ? "" : i == n - 1 ? " and " : ", ");
		program_live(p, KIND_COMBATANT, who[i], out);
	}
}

void answer_capital(const struct program *p, struct buf *sentence, size_t at)
{
	if (at >= sentence->length)
		return;
	for (int kind = KIND_SIDE; kind <= KIND_COMBATANT; kind++)
		for (int i = 0; i < p->lives[kind]; i++) {
			const size_t n = strlen(p->live[kind][i].name);
			if (n && !strncmp(sentence->data + at, p->live[kind][i].name, n))
				return; /* a name stays as it is written */
		}
	sentence->data[at] = (char)toupper((unsigned char)sentence->data[at]);
}
