/* question_worn.c - questions about what is worn: "why did Arno's plate not help", "did the shield
 * protect Ann in round 2". The answer is runtime/explain/ledger_worn.c's. */
#include <string.h>

#include "lang/api/question_asked.h"
#include "lang/api/question_read.h"
#include "runtime/explain/ledger.h"
#include "runtime/world/block.h"

enum { NAMES = 3 }; /* so many letters are enough to call a thing by */

/* How much of the text is the name of a thing, a word at either end of it, or its kind's. */
static size_t called(const struct program *p, int thing, const char *text)
{
	const char *name = p->thing[thing].name, *last = strrchr(name, ' ');
	const char *first_end = strchr(name, ' ');
	const char *kind = p->kind[p->thing[thing].kind].name;
	const size_t n = strlen(name), head = first_end ? (size_t)(first_end - name) : n;
	if (strlen(text) >= n && read_same(text, name, n) && read_ends(text[n]))
		return n;
	if (last && strlen(text) >= strlen(last + 1) &&
		read_same(text, last + 1, strlen(last + 1)) && read_ends(text[strlen(last + 1)]))
		return strlen(last + 1);
	if (head >= NAMES && strlen(text) >= head && read_same(text, name, head) &&
		read_ends(text[head]))
		return head;
	if (strlen(text) >= strlen(kind) && read_same(text, kind, strlen(kind)) &&
		read_ends(text[strlen(kind)]))
		return strlen(kind);
	return 0;
}

/* The longest name here of something worn that one of those bears; -1: none. */
static int32_t borne_here(struct reading *r, word who, bool *on)
{
	const struct program *p = r->f->program;
	const word *world = vm_block(r->f->vm);
	int32_t found = -1;
	size_t best = 0;
	for (int i = 0; i < p->things; i++) {
		bool has_on = false;
		const size_t n = p->thing[i].name && ledger_is_worn(p, i) ? called(p, i, r->at) : 0;
		const int32_t one = n > best || (n == best && n && !*on)
			? ledger_borne(p, world, who, i, &has_on)
			: -1;
		if (one < 0)
			continue;
		best = n;
		found = one;
		*on = has_on;
	}
	r->at += best;
	r->at += strspn(r->at, " ");
	return found;
}

/* The one who is named anywhere in the line; NONE: nobody, or several. */
static word bearer(struct fray *f, const char *line, struct question *q)
{
	word found = NONE;
	for (const char *at = line; *at; at++) {
		if (at > line && at[-1] != ' ')
			continue;
		struct reading r = {f, at, q};
		people some = {0};
		word side = NONE;
		const bool one = read_people(&r, &some, &side) && some.n == 1;
		if (one && found == NONE)
			found = some.v[0];
		else if (one && found != some.v[0])
			found = NONE;
		VEC_FREE(some);
	}
	return found;
}

bool worn_asked(struct fray *f, const char *line, struct answer *out)
{
	static const char *const idle[] = {"why", "how", "did", "does", "do", "was", "is", "not",
		"didn't", "doesn't", "wasn't", "isn't", "the", "any", "ever", "much", "really",
		"from", "against", "a", "of", "to", "make", "his", "her", "its", "better", NULL};
	static const char *const helps[] = {"help", "helped", "protect", "protected", "save",
		"saved", "work", "worked", "stop", "stopped", "use", "useless", "useful", "good",
		"difference", "matter", "ward", "block", "turn", NULL};
	static const char *const blows[] = {"blow", "blows", "hit", "hits", "anything", "off",
		"strike", "that", "him", "it", NULL};
	struct question q;
	struct buf bare = {0};
	int32_t thing = -1;
	bool on = false, helped = false, none = false, so = true;
	question_clear(&q);
	buf_puts(&bare, line + strspn(line, " \t"));
	while (bare.length && strchr(" \t\r\n?.!", bare.data[bare.length - 1]))
		bare.data[--bare.length] = '\0';
	const word who = bearer(f, buf_text(&bare), &q);
	struct reading r = {f, buf_text(&bare), &q};
	while (so && who != NONE && *r.at) {
		people some = {0};
		word side = NONE;
		const int32_t one = borne_here(&r, who, &on);
		if (one >= 0) {
			so = thing < 0 || thing == one;
			thing = one;
		} else if (read_people(&r, &some, &side)) {
			r.at += *r.at == '\'' ? 1 + (r.at[1] == 's') : 0;
			r.at += strspn(r.at, " ");
		} else if (read_any(&r, helps)) {
			helped = true;
		} else if (ledger_worn_kind(r.at) && read_take(&r, ledger_worn_kind(r.at))) {
			none = true; /* and they bear nothing of that kind */
		} else {
			so = read_moment(&r) || read_any(&r, idle) || read_any(&r, blows);
		}
		VEC_FREE(some);
	}
	if (so && helped && none && thing < 0) {
		buf_printf(&out->about, "%s has nothing of that sort on.",
			f->program->live[KIND_COMBATANT][who].name);
	} else {
		so = so && helped && thing >= 0;
	}
	if (so && thing >= 0) {
		struct inquiry s = {
			.p = f->program, .t = vm_trace(f->vm), .world = vm_block(f->vm)};
		s.end = (int32_t)s.world[H_TRACE] < s.t->n ? (int32_t)s.world[H_TRACE] : s.t->n;
		log_open(&s.log, s.p, s.t);
		so = ledger_worn(&s, who, thing, on, &q, out);
		log_close(&s.log);
	}
	question_free(&q);
	buf_free(&bare);
	return so;
}
