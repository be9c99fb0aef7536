/* report_sweep.c - slips in the head of a sweep, with the line that was meant: what is swept, over
 * which values, and what is asked of each. */
#include <string.h>

#include "lang/front/gram.h"
#include "lang/front/slip.h"

enum { VALUES_MAX = 20 };

struct part { int from, end; };

struct head {
	struct part value[VALUES_MAX], by;
	int n;
	bool range, list;  /* what parts the values */
	int end;           /* the first token behind them */
};

static bool asks(const struct phrase *p, int at)
{
	return p->raw[at].kind == '{' || slip_any(p, at, "odds|giving");
}

static bool is_value(const struct phrase *p, int at)
{
	int kind = p->raw[at].kind;
	return kind == RAW_NUMBER || kind == RAW_PERCENT || kind == RAW_SCALE;
}

/* What is swept ends where its values begin. */
static bool behind_path(const struct phrase *p, int at)
{
	int kind = p->raw[at].kind;
	return kind == '=' || kind == ':' || asks(p, at) || is_value(p, at) || slip_any(p, at, "from|over|in|between|through");
}

static struct head head_of(const struct phrase *p, int at, int end)
{
	struct head h = {.end = at};
	bool step = false, apart = true;
	for (; h.end < end && !asks(p, h.end); h.end++) {
		int kind = p->raw[h.end].kind;
		bool range = kind == RAW_SPAN || slip_any(p, h.end, "to|between|through|until|till"), list = kind == ',' || slip_any(p, h.end, "and|or|vs");
		bool minus = kind == '-' && (apart || !is_value(p, h.end + 1)), by = slip_any(p, h.end, "by|step|steps|every");
		if (range || list || by || kind == '=' || kind == ':' || (kind == '-' && !minus) || slip_any(p, h.end, "from|over|in|of|up|down|each")) {
			h.range |= range || kind == '-';
			h.list |= list;
			step |= by;
			apart = true;
			continue;
		}
		if (!apart && !(is_value(p, h.end) && p->raw[h.end - 1].kind != '-')) {
			struct part *last = step ? &h.by : &h.value[h.n - 1];
			last->end = h.end + 1;
			continue;
		}
		if (step && !h.by.end)
			h.by = (struct part){h.end, h.end + 1};
		else if (h.n < VALUES_MAX)
			h.value[h.n++] = (struct part){h.end, h.end + 1};
		else
			break;
		step = step && h.by.from == h.end;
		apart = false;
	}
	return h;
}

bool report_sweep(struct phrase *p)
{
	int at = slip_raw(p), first = slip_first(p, at), end = slip_end(p, first), path = first + phrase_is(p, first, "plot") + 1, till = path;
	if (!phrase_is(p, path - 1, "sweep") || at < path)
		return false;
	while (till < end && !behind_path(p, till))
		till++;
	if (till == path)
		return false;
	struct head h = head_of(p, till, end);
	bool numbers = h.n == 2 && (is_value(p, h.value[0].from) || p->raw[h.value[0].from].kind == '-');
	struct buf line = {0}, said = {0};
	slip_text(p, first, till, &line);
	if (numbers && h.range && p->raw[h.value[0].end].kind != ',') {
		buf_puts(&line, " from ");
		slip_text(p, h.value[0].from, h.value[0].end, &line);
		buf_puts(&line, " to ");
		slip_text(p, h.value[1].from, h.value[1].end, &line);
		if (h.by.end) {
			buf_puts(&line, " by ");
			slip_text(p, h.by.from, h.by.end, &line);
		}
	} else {
		for (int i = 0; i < h.n; i++) {
			buf_puts(&line, i ? ", " : " over ");
			slip_text(p, h.value[i].from, h.value[i].end, &line);
		}
		if (!h.n)
			buf_puts(&line, " from 5 to 20 by 5");
	}
	bool braces = h.end < end && p->raw[h.end].kind == '{';
	if (braces && h.end + 2 < end) {
		buf_putc(&line, ' ');
		slip_text(p, h.end, end, &line);
	} else {
		buf_puts(&line, " { odds ");
		if (h.end < end && !braces)
			slip_text(p, h.end + phrase_is(p, h.end, "odds"), end, &line);
		else
			buf_puts(&line, "giving party wins");
		buf_puts(&line, " }");
	}
	slip_text(p, first, end, &said);
	bool other = strcmp(buf_text(&said), buf_text(&line)) != 0;
	if (other)
		slip_say(p, M_SWEEP_HEAD, p->token, &line);
	buf_free(&said);
	buf_free(&line);
	return other;
}
