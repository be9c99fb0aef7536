/* english.c - what happened, said in another tense: "orc #1 dies", "orc #1 would not have died".
 *
 * Tellings are of the present, third person. Verbs that do not follow the rule are in english.def. */
#include <ctype.h>
#include <string.h>

#include "runtime/explain/answer.h"

static const struct { const char *third, *base, *past, *participle; } irregular[] = {
#define VERB(third, base, past, participle) {third, base, past, participle},
#include "runtime/explain/english.def"
#undef VERB
};

static bool is(const char *text, size_t length, const char *other)
{
	return strlen(other) == length && !strncmp(text, other, length);
}

static bool vowel(char c)
{
	return c && strchr("aeiou", c) != NULL;
}

/* "dies" -> "die", "carries" -> "carry", "charges" -> "charge", "catches" -> "catch" */
static void base_add(const char *verb, size_t n, struct buf *out)
{
	bool ies = n > 4 && !strncmp(verb + n - 3, "ies", 3);
	/* "closes" and "seizes" have an e of their own */
	bool own = n > 4 && strchr("sz", verb[n - 3]) && vowel(verb[n - 4]);
	bool hiss = n > 4 && !own && !strncmp(verb + n - 2, "es", 2) && (strchr("sxzo", verb[n - 3]) || (n > 5 && verb[n - 3] == 'h' && strchr("cs", verb[n - 4])));
	if (ies) {
		buf_add(out, verb, n - 3);
		buf_putc(out, 'y');
	} else {
		bool s = n > 1 && verb[n - 1] == 's' && verb[n - 2] != 's';
		buf_add(out, verb, n - (hiss ? 2 : s ? 1 : 0));
	}
}

static void past_add(const char *verb, size_t n, struct buf *out)
{
	size_t at = out->length;
	base_add(verb, n, out);
	size_t m = out->length - at;
	const char *b = out->data + at;
	if (m > 1 && b[m - 1] == 'e') {
		buf_putc(out, 'd');
	} else if (m > 1 && b[m - 1] == 'y' && !vowel(b[m - 2])) {
		out->data[out->length - 1] = 'i';
		buf_puts(out, "ed");
	} else if (m > 2 && b[m - 1] == 'c') {
		buf_puts(out, "ked");
	} else {
		/* one syllable, one vowel, one consonant: "slip", "slipped" */
		bool twice = m >= 3 && m <= 4 && !vowel(b[m - 1]) && !strchr("wxy", b[m - 1]) && vowel(b[m - 2]) && !vowel(b[m - 3]);
		if (twice)
			buf_putc(out, b[m - 1]);
		buf_puts(out, "ed");
	}
}

void english_verb(const char *verb, size_t length, enum tense tense, struct buf *out)
{
	for (size_t i = 0; i < FRAY_COUNT(irregular); i++)
		if (is(verb, length, irregular[i].third)) {
			buf_puts(out, tense == TENSE_BASE ? irregular[i].base : tense == TENSE_PAST ? irregular[i].past : irregular[i].participle);
			return;
		}
	if (tense == TENSE_BASE)
		base_add(verb, length, out);
	else
		past_add(verb, length, out);
}

/* The longest name of a combatant or a side that the text begins with. */
static size_t name_length(const struct program *p, const char *text)
{
	size_t best = 0;
	for (int kind = KIND_SIDE; kind <= KIND_COMBATANT; kind++)
		for (int i = 0; i < p->lives[kind]; i++) {
			size_t n = strlen(p->live[kind][i].name);
			if (n > best && !strncmp(text, p->live[kind][i].name, n) && !isalnum((unsigned char)text[n]))
				best = n;
		}
	return best;
}

static bool finite(const char *text, size_t n)
{
	return is(text, n, "is") || is(text, n, "are") || is(text, n, "has") || is(text, n, "was");
}

bool english_split(const struct program *p, const char *text, size_t *subject, size_t *verb)
{
	size_t at = name_length(p, text);
	if (!at)
		return false;
	if (text[at] == '\'') {
		/* "Halvaine's web is complete": the first word that can be nothing but a verb; "Quin's sword breaks": else one that looks like one */
		for (int pass = 0; pass < 2; pass++) {
			int words = 0; /* the noun comes first */
			for (size_t i = at; text[i]; words++) {
				size_t end = i + strcspn(text + i, " ");
				const bool third = words >= 2 && end - i > 2 && text[end - 1] == 's' && text[end - 2] != 's' && text[end - 2] != '\'';
				if (i > at && (pass ? third : finite(text + i, end - i))) {
					*subject = i - 1;
					*verb = end;
					return true;
				}
				i = end + (text[end] != '\0');
			}
		}
		return false;
	}
	if (text[at] != ' ')
		return false;
	size_t end = at + 1 + strcspn(text + at + 1, " ,;:");
	if (!finite(text + at + 1, end - at - 1) && (end - at < 3 || text[end - 1] != 's'))
		return false;
	*subject = at;
	*verb = end;
	return true;
}

/* "is" and "are" take "not" behind them, and so do "was" and "has". */
static bool own_negation(const char *verb, size_t n)
{
	return is(verb, n, "is") || is(verb, n, "are") || is(verb, n, "was");
}

bool english_sentence(const struct program *p, const char *text, enum mood mood, struct buf *out)
{
	size_t subject, end;
	if (!english_split(p, text, &subject, &end))
		return false;
	const char *verb = text + subject + 1;
	size_t n = end - subject - 1;
	buf_add(out, text, subject);
	switch (mood) {
	case MOOD_DID:
		buf_putc(out, ' ');
		english_verb(verb, n, TENSE_PAST, out);
		break;
	case MOOD_DID_NOT:
		buf_putc(out, ' ');
		if (own_negation(verb, n)) {
			english_verb(verb, n, TENSE_PAST, out);
			buf_puts(out, " not");
		} else {
			buf_puts(out, "did not ");
			english_verb(verb, n, TENSE_BASE, out);
		}
		break;
	default:
		buf_puts(out, mood == MOOD_WOULD ? " would have " : " would not have ");
		english_verb(verb, n, TENSE_PARTICIPLE, out);
	}
	/* "ghoul #2 slays Bruna, who is helpless" */
	const char *who = strstr(text + end, ", who is ");
	if (who) {
		buf_add(out, text + end, (size_t)(who - text) - end);
		buf_puts(out, ", who was ");
		buf_puts(out, who + strlen(", who is "));
	} else {
		buf_puts(out, text + end);
	}
	return true;
}

void english_event(const struct log *l, int32_t number, enum mood mood, struct buf *out)
{
	const struct record *r = log_at(l, number);
	struct buf told = {0};
	if (r->kind != REC_EVENT || r->text < 0 || !english_sentence(l->p, trace_text_at(l->t, r->text), mood, out)) {
		/* "hit", "miss": by the event's own name, which is a verb as a rule */
		word actor = log_actor(l, r);
		struct vtype type;
		const word *target;
		const char *name = r->what >= 0 && r->what < l->p->events ? l->p->event[r->what].name : "act";
		if (actor != NONE)
			program_live(l->p, KIND_COMBATANT, actor, &told);
		else
			buf_puts(&told, "it");
		buf_putc(&told, ' ');
		verb_add(name, &told);
		if (log_target(l, r, &type, &target)) {
			buf_putc(&told, ' ');
			program_value(l->p, type, target, &told);
		}
		if (!english_sentence(l->p, buf_text(&told), mood, out))
			buf_puts(out, buf_text(&told));
	}
	buf_free(&told);
}

void english_nameless(const char *text, const char *name, struct buf *out)
{
	const size_t n = strlen(name);
	while (*text)
		if (!strncmp(text, name, n)) {
			buf_putc(out, '@');
			text += n;
		} else {
			buf_putc(out, *text++);
		}
}
