/* question_thrown.c - a die asked about by the last word of its name, as what somebody does:
 * "couldn't
 * Garr save", "did Brec fail his save", where a "paralysis save" or a "fear save" was rolled. */
#include <string.h>
#include <strings.h>

#include "lang/api/question_read.h"

static bool label_ends(const char *label, const char *said, size_t n)
{
	const char *last = strrchr(label, ' ');
	return last && strlen(last + 1) == n && !strncasecmp(last + 1, said, n);
}

/* The last word of the name of some die of these rules, in any tense; NULL: there is none. */
static const char *die_word(const struct reading *r, const char *said, size_t n)
{
	const struct program *p = r->f->program;
	static const char *const ends[] = {"", "s", "d", "ed", "ing"};
	for (int i = 0; i < p->labels; i++)
		for (size_t k = 0; k < FRAY_COUNT(ends); k++) {
			const size_t tail = strlen(ends[k]);
			if (n > tail + 2 && !strncasecmp(said + n - tail, ends[k], tail) &&
				label_ends(p->label[i].name, said, n - tail))
				return strrchr(p->label[i].name, ' ') + 1;
		}
	return NULL;
}

bool read_thrown(struct reading *r)
{
	static const char *const trying[] = {"fail to", "fails to", "failed to", "fail", "fails",
		"failed", "make", "makes", "made", "manage to", "managed to", "miss", "missed",
		"get", "got", "pass", "passed", "blow", "blew", "be able to", NULL};
	static const char *const own[] = {"his", "her", "its", "their", "a", "the", "to", NULL};
	struct question *q = r->q;
	const char *was = r->at;
	const bool asked = read_any(r, read_help_words) || read_any(r, read_not_words);
	if (!read_people(r, &q->who, &q->who_side) || *r->at == '\'')
		goto none;
	if (!read_take(r, "not"))
		read_take(r, "never");
	read_any(r, trying);
	read_any(r, own);
	const size_t n = strcspn(r->at, " ");
	/* "when did orc #1 die": a verb of somebody's is no die */
	struct question doing;
	struct reading done = {r->f, r->at, &doing};
	question_clear(&doing);
	q->name = n && !read_verb(&done, false) ? die_word(r, r->at, n) : NULL;
	if (!q->name)
		goto none;
	r->at += n + strspn(r->at + n, " ");
	while (read_moment(r))
		;
	/* "against the stench": what the save was called forth by is told with it */
	if (asked && read_any(r, (const char *const[]){"against", "vs", "versus", "from", NULL}))
		r->at += strlen(r->at);
	if (*r->at)
		goto none;
	q->kind = ASK_DIE;
	q->thrown = true;
	return true;
none:
	VEC_FREE(q->who);
	q->who_side = NONE;
	q->round = 0;
	q->moment = INT64_MIN;
	q->name = NULL;
	r->at = was;
	return false;
}

const char *const read_ordinal_words[] = {"first", "second", "third", "fourth", "fifth", "sixth",
	"seventh", "eighth", "ninth", "tenth", "last", NULL};

/* "the third time", "a second time": which of several, into r->q->nth. */
bool read_nth_time(struct reading *r)
{
	const char *was = r->at;
	read_take(r, "for");
	read_any(r, (const char *const[]){"the", "a", NULL});
	for (int i = 0; read_ordinal_words[i]; i++)
		if (read_take(r, read_ordinal_words[i])) {
			const bool last = !strcmp(read_ordinal_words[i], "last");
			if (!read_take(r, "time"))
				break;
			r->q->nth = last ? -1 : i + 1;
			return true;
		}
	r->at = was;
	return false;
}
