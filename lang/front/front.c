/* front.c - the front end's life: its lexicon, and parsing one text. */
#include <string.h>

#include "lang/front/collect.h"
#include "lang/front/gram.h"
#include "lang/front/phrase.h"

const struct word_row word_table[] = {
#define WORD(text, token, class) { text, TOK_##token, class },
#include "lang/front/words.def"
#undef WORD
};
const int word_count = FRAY_COUNT(word_table);

/* Known as words before anything is declared: the machine's own kinds, measures and verbs, and such as a referee
 * writes whatever the rules in use have: so "3 turns" under rules without turns is told which units there are,
 * and a weapon before any `use` line what is missing. None of them means anything until rules declare it. */
static const char *const kinds[] = {"encounter", "side", "combatant", "act", "weapon", "armour", "spell", "monster", "class", "race", "item"};
static const char *const units[] = {
	"ft", "foot", "feet", "yd", "yard", "mile", "inch", "second", "minute", "hour", "day", "segment", "round", "turn", "count",
	"surprise segment", "lb", "pound", "cp", "sp", "ep", "gp", "pp",
};
static const char *const verbs[] = {"act", "win", "survive", "live", "wait"};

void front_init(struct front *f, struct arena *a, struct intern *names, struct sources *s, struct diag_sink *sink)
{
	memset(f, 0, sizeof *f);
	f->arena = a;
	f->names = names;
	f->sources = s;
	f->sink = sink;
	f->lexicon = lexicon_new(names);
	lexicon_library(f->lexicon, true);
	for (int i = 0; i < word_count; i++)
		lexicon_add_text(f->lexicon, LEX_WORDS, word_table[i].text, LEX_WORD)->word = i;
	for (size_t i = 0; i < FRAY_COUNT(kinds); i++)
		collect_kind(f, kinds[i]);
	for (size_t i = 0; i < FRAY_COUNT(units); i++)
		collect_unit(f, units[i]);
	for (size_t i = 0; i < FRAY_COUNT(verbs); i++) {
		sym verb = intern_word(names, verbs[i]);
		lexicon_add_verb(f->lexicon, &verb, 1, verb, 0);
	}
	lexicon_add_text(f->lexicon, LEX_NAMES, "prepare", LEX_CARRIER);
	lexicon_library(f->lexicon, false);
}

bool front_tell_use(struct front *f, struct span line)
{
	for (int i = 0; i < f->uses.n; i++)
		if (f->uses.v[i].file == line.file && f->uses.v[i].end == line.end)
			return false;
	VEC_PUSH(f->uses, line);
	return true;
}

void front_free(struct front *f)
{
	VEC_FREE(f->uses);
	free(f->spelt);
	f->spelt = NULL;
	lexicon_free(f->lexicon);
	f->lexicon = NULL;
	VEC_FREE(f->said);
}

struct node *front_parse(struct front *f, uint16_t file)
{
	struct raws raws = {0};
	struct phrase p;
	bool before = lexicon_library(f->lexicon, f->sources->file.v[file].library);
	front_raws_take(f, file, &raws);
	phrase_start(&p, f, file, TOK_START_FILE);
	phrase_run(&p, raws.at.v, raws.at.n - RAWS_MARGIN, false);
	phrase_end(&p);
	f->torn |= p.stopped;
	phrase_stop(&p);
	VEC_FREE(raws.at);
	lexicon_library(f->lexicon, before);
	return p.units.head;
}
