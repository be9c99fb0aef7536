/* question_plain.c - a question that was not understood, in plainer words: "Bruna never hits
 * anything" is "Bruna never hits", "the orcs charge Bruna when she is down" begins with what can be
 * answered. Each attempt says less than the one before; what was left out is told (why_line.c). */
#include <ctype.h>
#include <string.h>

#include "lang/api/question_read.h"

enum { WORDS_LEFT_OUT = 9 };

struct phrase { const char *from, *to; };

/* Said in other words, with the same meaning. */
static const struct phrase same[] = {
	{"goes first", "acts first"}, {"go first", "act first"}, {"went first", "acted first"},
	{"comes first", "acts first"}, {"come first", "act first"}, {"came first", "acted first"},
	{"is first", "acts first"}, {"are first", "act first"}, {"was first", "acted first"},
	{"goes last", "acts last"}, {"go last", "act last"}, {"went last", "acted last"},
	{"comes last", "acts last"}, {"come last", "act last"}, {"came last", "acted last"},
	{"goes before", "acts before"}, {"go before", "act before"}, {"went before", "acted before"},
	{"comes before", "acts before"}, {"come before", "act before"}, {"came before", "acted before"},
	{"goes after", "acts after"}, {"go after", "act after"}, {"went after", "acted after"},
	{"comes after", "acts after"}, {"come after", "act after"}, {"came after", "acted after"},
	{"is faster than", "acts before"}, {"are faster than", "act before"},
	{"was faster than", "acted before"}, {"were faster than", "acted before"},
	{"is quicker than", "acts before"}, {"was quicker than", "acted before"},
	{"is slower than", "acts after"}, {"was slower than", "acted after"},
	{"is able to", ""}, {"are able to", ""}, {"was able to", ""}, {"were able to", ""},
	{"is allowed to", ""}, {"are allowed to", ""}, {"was allowed to", ""}, {"were allowed to", ""},
	{"finish", "complete"}, {"finishes", "completes"}, {"finished", "completed"},
	{"complete his", "complete"}, {"complete her", "complete"}, {"complete its", "complete"},
	{"completed his", "completed"}, {"completed her", "completed"},
	{"cast his", "cast"}, {"cast her", "cast"}, {"cast its", "cast"},
	{"everybody else", "everybody"}, {"everyone else", "everybody"},
	{"come to", ""}, {"came to", ""}, {"never once", "never"}, {"did never", "never"}};

/* Words that add nothing. */
static const char *const idle[] = {"at all", "really", "actually", "ever", "just", "even", "simply", "already",
	"any more", "anymore", "any longer", "anything", "anybody", "anyone", "at anybody", "at anyone", "at anything",
	"finally", "suddenly", "exactly", "in the end", "in this fight", "in the fight", "during the fight", "please"};

/* Words that ask for more than can be answered, so it is told that they were left out. */
static const char *const more[] = {"so often", "so many times", "so much", "so badly", "so long", "so late",
	"so early", "so soon", "so quickly", "so well", "every time", "each time", "all the time", "always", "often",
	"only", "once", "twice", "three times", "four times", "five times", "again and again", "again", "still", "so"};

/* Behind these stands what is not asked. */
static const char *const asides[] = {" rather than ", " instead of ", " when ", " while ", " although ", " though ",
	" even though ", " if ", " because ", " since ", " as ", " and nobody ", " but nobody ", " so that "};

static bool bounds(const char *text, size_t at, size_t n)
{
	return (at == 0 || text[at - 1] == ' ') && (!text[at + n] || text[at + n] == ' ');
}

/* Puts `to` for the words `from`, wherever they stand. */
static bool swap(struct buf *b, const char *from, const char *to)
{
	const size_t n = strlen(from);
	for (size_t i = 0; b->length >= n && i + n <= b->length; i++) {
		if (!read_same(b->data + i, from, n) || !bounds(b->data, i, n))
			continue;
		struct buf put = {0};
		size_t rest = i + n;
		buf_add(&put, b->data, i);
		buf_puts(&put, to);
		if (!*to)
			while (b->data[rest] == ' ')
				rest++;
		buf_puts(&put, b->data + rest);
		while (put.length && put.data[put.length - 1] == ' ')
			put.data[--put.length] = '\0';
		buf_free(b);
		*b = put;
		return true;
	}
	return false;
}

/* Those named at the begin of a text, behind "did", "was": *rest: what follows. */
static bool begins_with(struct fray *f, const char *text, struct buf *who, const char **rest)
{
	struct question q;
	question_clear(&q);
	struct reading r = {f, text, &q};
	if (!read_any(&r, read_help_words))
		read_any(&r, read_be_words);
	const char *name = r.at;
	const bool so = read_people(&r, &q.who, &q.who_side);
	const char *end = r.at;
	while (so && end > name && end[-1] == ' ')
		end--;
	buf_add(who, name, (size_t)(end - name));
	*rest = r.at;
	question_free(&q);
	return so;
}

/* "Pim has 8 hit points", "why does Pim have so few hit points": "Pim's hit points". */
static void value_asked(struct fray *f, struct buf *b, bool *dropped)
{
	static const char *const when[] = {" after round", " in round", " before round",
		" at the end", " at the begin", " in segment", " in count", " of round"};
	static const char *const has[] = {"has", "have", "had", NULL};
	static const char *const count[] = {"so many", "so few", "only", "no more than", "as many as", "so high an",
		"so high a", "so low an", "so low a", "such a", "such an", "a", "an", "the", NULL};
	struct question q;
	struct buf who = {0}, put = {0};
	const char *rest;
	question_clear(&q);
	struct reading begun = {f, buf_text(b), &q};
	const bool turned = read_any(&begun, has); /* "has Pim 8 hit points" */
	question_free(&q);
	if (begins_with(f, turned ? begun.at : buf_text(b), &who, &rest)) {
		question_clear(&q);
		struct reading r = {f, rest, &q};
		const char *whose = "'s";
		bool so = turned || read_any(&r, has);
		if (!so && *r.at == '\'') { /* "is orc #1's armour class 6" */
			whose = r.at[1] == 's' ? "'s" : "'";
			r.at += strlen(whose);
			r.at += strspn(r.at, " ");
			so = true;
		}
		while (so && read_any(&r, count))
			;
		while (so && (isdigit((unsigned char)*r.at) || *r.at == '-'))
			r.at += 1 + strspn(r.at + 1, "0123456789. ");
		struct buf name = {0};
		buf_puts(&name, r.at);
		swap(&name, "left", "");
		while (name.length && isdigit((unsigned char)name.data[name.length - 1]))
			name.data[--name.length] = '\0';
		while (name.length && name.data[name.length - 1] == ' ')
			name.data[--name.length] = '\0';
		/* "Bram has 19 hit points after round 1": what changed them is told with its rounds
		 */
		for (size_t i = 0;
			so && i < FRAY_COUNT(when) && !question_is_value(f, buf_text(&name)); i++) {
			const char *at = strstr(buf_text(&name), when[i]);
			struct buf bare = {0};
			if (!at)
				continue;
			buf_add(&bare, name.data, (size_t)(at - name.data));
			if (question_is_value(f, buf_text(&bare))) {
				name.data[name.length = bare.length] = '\0';
				*dropped = true;
			}
			buf_free(&bare);
		}
		if (so && name.length && question_is_value(f, buf_text(&name))) {
			buf_printf(&put, "%s%s %s", buf_text(&who), whose, buf_text(&name));
			buf_free(b);
			*b = put;
		}
		buf_free(&name);
		question_free(&q);
	}
	buf_free(&who);
}

/* "Ann's attack on Bors misses": "Ann misses Bors". */
static void deed_named(struct fray *f, struct buf *b)
{
	static const char *const deed[] = {"'s attack on ", "'s attack at ", "'s attack against ",
		"'s blow at ", "'s shot at ", "'s charge at "};
	for (size_t i = 0; i < FRAY_COUNT(deed); i++) {
		const char *at = strstr(buf_text(b), deed[i]);
		struct question q;
		if (!at)
			continue;
		question_clear(&q);
		struct reading r = {f, at + strlen(deed[i]), &q};
		const char *name = r.at;
		if (read_people(&r, &q.whom, &q.who_side) && *r.at) {
			const size_t verb = strcspn(r.at, " ");
			struct buf put = {0};
			buf_add(&put, b->data, (size_t)(at - b->data));
			buf_printf(&put, " %.*s ", (int)verb, r.at);
			buf_add(&put, name, (size_t)(r.at - name));
			buf_puts(&put, r.at + verb + (r.at[verb] == ' '));
			while (put.length && put.data[put.length - 1] == ' ')
				put.data[--put.length] = '\0';
			question_free(&q);
			buf_free(b);
			*b = put;
			return;
		}
		question_free(&q);
	}
}

/* "lose his web", "lost Cedd's web": he did not complete it. Nothing else is lost so. */
static void spell_lost(struct fray *f, struct buf *b)
{
	static const char *const lose[] = {"lose", "lost", "loses", NULL};
	static const char *const whose[] = {"his", "her", "its", "their", "the", NULL};
	for (size_t i = 0; i < b->length; i++) {
		struct question q;
		if (i && b->data[i - 1] != ' ')
			continue;
		question_clear(&q);
		struct reading r = {f, b->data + i, &q};
		bool so = read_any(&r, lose);
		if (so && !read_any(&r, whose) && read_people(&r, &q.whom, &q.who_side))
			so = !strncmp(r.at, "'s ", 3) && (r.at += 3);
		const char *named = r.at;
		if (so && read_thing(&r) && q.thing.n == 1 && r.at > named) {
			struct buf put = {0};
			buf_add(&put, b->data, i);
			buf_printf(&put, "not complete %s", named);
			question_free(&q);
			buf_free(b);
			*b = put;
			return;
		}
		question_free(&q);
	}
}

/* Is somebody named in a text, or a number, a round: what may not be left out? */
static bool weighs(struct fray *f, const char *text)
{
	struct question q;
	bool so = false;
	question_clear(&q);
	for (const char *at = text; *at && !so; at += strcspn(at, " "), at += strspn(at, " ")) {
		struct reading r = {f, at, &q};
		so = isdigit((unsigned char)*at) || read_people(&r, &q.who, &q.who_side) ||
			read_moment(&r) || read_take(&r, "not") || read_take(&r, "never") || read_take(&r, "nobody");
	}
	question_free(&q);
	return so;
}

/* "did Marn do", of "8 damage": "did Marn hit". */
static void damage_done(struct buf *b)
{
	static const char *const doing[] = {" do", " does", " did", " deal", " deals", " dealt"};
	for (size_t i = 0; i < FRAY_COUNT(doing); i++) {
		const size_t k = strlen(doing[i]);
		if (b->length > k && !strcmp(b->data + b->length - k, doing[i])) {
			b->data[b->length -= k] = '\0';
			buf_puts(b, " hit");
			return;
		}
	}
}

/* "with a 9", "for 5 damage", "6 times": which of several it was, by a number. It is left out,
 * but not
 * that of a round or another moment, nor one that a name has. */
static void numbers_left_out(struct fray *f, struct buf *b, bool *dropped)
{
	static const char *const front[] = {
		" with a", " with an", " with", " on a", " for", " by", " a"};
	static const char *const back[] = {
		" damage", " points", " point", " hit points", " times", " or more", " or less"};
	for (size_t at = 1; at < b->length; at++) {
		struct question q;
		const size_t n = strspn(b->data + at, "0123456789");
		if (n == 0 || b->data[at - 1] != ' ' || (b->data[at + n] && b->data[at + n] != ' '))
			continue;
		/* "round 2", "segment 5" */
		size_t unit = at - 1, from = at - 1, to = at + n;
		while (unit && b->data[unit - 1] != ' ')
			unit--;
		question_clear(&q);
		struct reading r = {f, b->data + unit, &q};
		const bool moment = read_moment(&r);
		question_free(&q);
		if (moment)
			continue;
		for (size_t i = 0; i < FRAY_COUNT(front); i++) {
			const size_t k = strlen(front[i]);
			if (from >= k && !strncmp(b->data + from - k, front[i], k)) {
				from -= k;
				break;
			}
		}
		for (size_t i = 0; i < FRAY_COUNT(back); i++) {
			const size_t k = strlen(back[i]);
			if (!strncmp(b->data + to, back[i], k) &&
				(!b->data[to + k] || b->data[to + k] == ' ')) {
				to += k;
				break;
			}
		}
		struct buf put = {0};
		buf_add(&put, b->data, from);
		if (to >= 7 && !strncmp(b->data + to - 7, " damage", 7))
			damage_done(&put);
		buf_puts(&put, b->data + to);
		buf_free(b);
		*b = put;
		*dropped = true;
		at = from;
	}
}

static void words_left_out(struct buf *b, const char *const *words, size_t n, bool *dropped)
{
	for (size_t i = 0; i < n; i++)
		while (swap(b, words[i], ""))
			*dropped = true;
}

/* A verb that says nothing by itself. */
static bool says_nothing(struct buf *b)
{
	static const char *const verb[] = {"have", "has", "had", "be", "is", "are", "was", "were", "do", "does", "did", "get", "gets",
		"got", "take", "takes", "took", "make", "makes", "made", "not", "never"};
	const char *last = strrchr(buf_text(b), ' ');
	for (size_t i = 0; i < FRAY_COUNT(verb) && last; i++)
		if (!strcmp(last + 1, verb[i]))
			return true;
	return false;
}

/* Cuts the last word off. False: too little would be left. */
static bool shorter(struct fray *f, struct buf *b)
{
	size_t n = b->length;
	struct buf who = {0};
	const char *rest;
	while (n && b->data[n - 1] != ' ')
		n--;
	while (n && b->data[n - 1] == ' ')
		n--;
	static const char *const count[] = {
		"two", "three", "four", "segment", "segments", "round", "rounds"};
	bool so = n > 0 && !weighs(f, b->data + n + 1);
	for (size_t i = 0; i < FRAY_COUNT(count); i++)
		so = so && strcmp(b->data + n + 1, count[i]) != 0;
	if (so) {
		b->data[b->length = n] = '\0';
		so = begins_with(f, buf_text(b), &who, &rest) && *rest && *rest != '\'';
	}
	buf_free(&who);
	return so;
}

/* " in round 2" at the end is kept, whatever is left out before it. */
static void moment_apart(struct fray *f, struct buf *b, struct buf *when)
{
	struct question q;
	question_clear(&q);
	for (size_t at = 1; at < b->length; at++) {
		struct reading r = {f, b->data + at, &q};
		if (b->data[at - 1] != ' ' || !read_moment(&r))
			continue;
		while (*r.at && read_moment(&r))
			;
		if (*r.at)
			continue;
		static const char *const bounds[] = {" after ", " before ", " since "};
		for (size_t i = 0; i < FRAY_COUNT(bounds); i++) {
			const size_t n = strlen(bounds[i]);
			if (at > n && !strncmp(b->data + at - n, bounds[i], n))
				at -= n - 1;
		}
		buf_puts(when, b->data + at);
		b->data[b->length = at - 1] = '\0';
		break;
	}
	question_free(&q);
}

bool question_plain(struct fray *f, const char *text, int k, struct buf *out, bool *dropped)
{
	bool nothing = false;
	*dropped = false;
	buf_clear(out);
	buf_puts(out, text);
	while (out->length && strchr(" \t\r?.!", out->data[out->length - 1]))
		out->data[--out->length] = '\0';
	question_names(f, out);
	for (size_t i = 0; i < FRAY_COUNT(same); i++)
		swap(out, same[i].from, same[i].to);
	value_asked(f, out, dropped);
	deed_named(f, out);
	spell_lost(f, out);
	if (k == 0)
		return true;
	words_left_out(out, idle, FRAY_COUNT(idle), &nothing);
	if (k == 1)
		return true;
	words_left_out(out, more, FRAY_COUNT(more), dropped);
	numbers_left_out(f, out, dropped);
	if (k == 2)
		return true;
	struct buf when = {0};
	bool cut = true;
	moment_apart(f, out, &when); /* that is asked for, wherever it stands */
	for (size_t i = 0; i < FRAY_COUNT(asides); i++) {
		const char *at = strstr(buf_text(out), asides[i]);
		if (at && at > buf_text(out)) {
			out->data[out->length = (size_t)(at - out->data)] = '\0';
			*dropped = true;
		}
	}
	for (int i = 3; i < k && cut; i++) {
		cut = shorter(f, out);
		*dropped = true;
	}
	if (k > 3 && says_nothing(out))
		buf_clear(out); /* no question; the next is shorter */
	else if (when.length)
		buf_printf(out, " %s", buf_text(&when));
	buf_free(&when);
	if (!cut)
		return false;
	return k < 3 + WORDS_LEFT_OUT;
}
