/* help.c - what `help` says: a page for every command, short, and where to read on. */
#include <stdlib.h>
#include <string.h>

#include "lang/api/codes.h"
#include "lang/api/interp.h"

/* The words a page is found by, the first being its name, and the page. */
static const struct { const char *words, *text; } pages[] = {
	{"", "load \"file\"      read a script          begin NAME        set an encounter up\n"
	     "step, step round play on                run               play to the end\n"
	     "undo, redo       take steps back        fork, switch      try another course\n"
	     "why ...          ask for the reason     odds              how likely it is\n"
	     "show world       how things stand       show rules        what is in force\n"
	     "4d6kh3           roll dice              save, quit        keep it, leave\n"
	     "Anything of the language can be typed too, and holds from now on. More:\n"
	     "help begin, step, undo, forks, dice, why, show, rules, say, set, join, use,\n"
	     "odds, expect, save, edit - one at a time: help dice; a message: help F0208\n"},
	{"begin|load|encounter|start", "load \"bridge.fray\"   read a script in this folder\n"
	     "show encounters      list them\n"
	     "begin                set up the last one; begin The Bridge another\n"
	     "begin in mid-fight starts again. Then: help step\n"},
	{"step|run|play|next", "step            play the next group of acts: all that happens at one moment\n"
	     "step 3          play three groups\n"
	     "step round      play until the next round has begun\n"
	     "step to segment 5, step to round 4\n"
	     "run             play to the end; run to segment 6; run until Bruna is down\n"
	     "Everything can be taken back: help undo\n"},
	{"undo|redo|back", "undo            take back the last step or line; undo 3\n"
	     "redo            do it again, with the same dice; redo 3\n"
	     "There is no limit. To keep both courses: help forks\n"},
	{"forks|fork|switch|compare", "fork lucky      begin a second course of the same fight, from here\n"
	     "switch main     go back to the first\n"
	     "forks           list them, and where each one is\n"
	     "compare forks main vs lucky      where they part, and the odds of each\n"
	     "compare forks main vs lucky giving Bruna is dead\n"
	     "undo, redo      work on steps and changes: help undo\n"},
	{"dice|dice ask|dice roll|force|roll|ask|spread", "dice ask        the table rolls: Fray asks for each die by name\n"
	     "dice ask party  only for the party's dice; or names, with commas\n"
	     "dice roll       Fray rolls again\n"
	     "  17 4 9        at a question: this die and the next two; 9+8: two faces\n"
	     "  Return, roll  let Fray roll this one\n"
	     "  ?             tell why, and what it must reach\n"
	     "  undo          take back the last answer\n"
	     "force Bruna's attack roll 17      her next one shows 17; 17 then 3: the next two\n"
	     "dice: Bruna's attack roll #3 17   her third in the fight\n"
	     "choices: Bruna's new target orc #3   her answer when the rules let her choose\n"
	     "3d6+1           rolls\nspread 4d6kh3   its exact distribution\n"},
	{"why|reason", "why                               the last event\n"
	     "why Bruna's armour class          a value\n"
	     "why orc #1 hits Bruna             an event\n"
	     "why orc #1 acts before Bruna      an order\n"
	     "why not Halvaine completes web    what did not happen\n"
	     "who hit Bruna, when did orc #1 die, how often was Bruna hit, did Ann flee\n"
	     "The answer ends with the one die that would have changed it. More: help show\n"},
	{"show", "show world, timeline, log, rules, order, events, actions, dice, choices, fields,\n"
	     "     options, sources, encounters, forks\n"
	     "show rules for act's time         the rules about one thing\n"
	     "show rules OSRIC-GAP-7            those of a clause of the book, or with a word\n"
	     "show events strike                an event: its roles, and what rules read it\n"
	     "show Bruna, show party            one, or a whole side\n"
	     "show weapon long sword            a stat block; all: show shelf weapons\n"
	     "Bruna's hit points                an expression: prints its value\n"},
	{"rules|rule|drop|drop rule|house rules", "A rule typed here goes before all others, at once:\n"
	     "  rule thursday \"ruled at the table\" { adjust act's time by -1 segment }\n"
	     "drop rule NAME removes a rule; undo takes either back.\n"
	     "show rules for act's time: lists the rules in force.\n"
	     "ruling A over B decides between two. House rules of a file: help use\n"},
	{"say|who|actions|policy|follows|follow|round|dice only|choices|hold|wait", "Halvaine casts web at orcs        on his next turn; all verbs: show actions\n"
	     "orcs attack Bruna from segment 7  not before\n"
	     "Bruna holds until segment 7       and then says what she does\n"
	     "round 3 { Bruna flees }           for a later round\n"
	     "Bruna waits then flees            one after the other\n"
	     "policy stand firm { attack my nearest enemy }\n"
	     "Bruna follows stand firm          for good\n"},
	{"set|change|add|remove|referee|hit points", "set Bruna's hit points = 6        change orc #1's hit points by -3\n"
	     "add dagger to Bruna's carries     remove web from Halvaine's knows\n"
	     "distance: 40 ft                   a field of the encounter\n"
	     "referee: death (orc #1)           performs an event of the rules\n"
	     "show fields lists the fields. undo takes all of these back.\n"},
	{"join|joins|leave|leaves|side|combatant", "combatant Sly { hit points: 11; armour class: 7; THAC0: 20 }\n"
	     "Sly joins party                   and declares with the others next time\n"
	     "2 orcs join orcs                  side wolves: 3 wolves   a new side\n"
	     "Sly joins orcs                    changes sides\n"
	     "Sly leaves                        and may join again\n"},
	{"use|option|options|with|house", "use gentle                        the house rules in gentle.fray, from now on\n"
	     "use osric with { tie: reroll }    an option; or: set option tie = reroll\n"
	     "show options                      lists what your book leaves open\n"},
	{"odds|sweep|plot|likely", "odds                              who wins, and how long it takes, from now\n"
	     "odds 500 giving Bruna is dead, average round\n"
	     "odds { Bruna flees } vs { Bruna attacks orc #1 } giving party wins\n"
	     "odds exact giving party wins      every way the dice can fall: small fights\n"
	     "odds on The Bridge                from its beginning\n"
	     "sweep Bruna's hit points from 5 to 25 by 10 { odds }     before the first step\n"
	     "The fight does not change. Ctrl-C stops a count that takes too long.\n"},
	{"expect|until", "expect Bruna is not dead          checks it now, and in the saved script\n"
	     "expect orc #1 hits Bruna in segment 5\n"
	     "until Bruna is down               ends the fight when this is so, from now on\n"},
	{"save|quit|exit|resume|keep", "save \"thursday.fray\"              a script that plays to here\n"
	     "quit, or Ctrl-D                   leaves; everything you typed is kept\n"
	     "fray repl --resume                continues the last session\n"},
	{"edit|block|editor", "edit            open the last block in $VISUAL or $EDITOR; what you save there is read\n"
	     "                One that was refused, or left with Ctrl-D, can be put right so.\n"
	     "                In a fight the last block is taken back first; undo undoes the rest\n"
	     "Up, Down        earlier lines that begin as this one; Ctrl-R seeks in them\n"
	     "Ctrl-C          leave a line or an open block; Ctrl-D leaves a block out\n"},
	{"help", "help               lists the topics\nhelp step, help dice ..   explains one\n"
		 "help F0208         explains a message, with an example and its cure\n"
		 "help messages      lists all messages\n"},
};

static bool has_word(const char *words, const char *topic)
{
	size_t n = strlen(topic);
	for (const char *p = words; p; p = strchr(p, '|') ? strchr(p, '|') + 1 : NULL)
		if (!strncmp(p, topic, n) && (p[n] == '|' || p[n] == '\0'))
			return true;
	return false;
}

const char *help_topic(struct fray *f, int index)
{
	if (index + 1 >= (int)FRAY_COUNT(pages))
		return NULL;
	return arena_text(&f->arena, pages[index + 1].words, strcspn(pages[index + 1].words, "|"));
}

static bool page(struct fray *f, const char *topic)
{
	for (size_t i = 0; i < FRAY_COUNT(pages); i++) {
		if (*topic ? *pages[i].words && has_word(pages[i].words, topic) : !*pages[i].words) {
			fray_write(f, FRAY_PLAIN, pages[i].text);
			return true;
		}
	}
	return false;
}

static void no_page(struct fray *f, const char *topic, struct span span)
{
	struct buf all = {0};
	for (size_t i = 1; i < FRAY_COUNT(pages); i++)
		buf_printf(&all, "%s%.*s", i > 1 ? ", " : "", (int)strcspn(pages[i].words, "|"), pages[i].words);
	buf_puts(&all, ", messages, and on each by its number: F0101");
	diag_report(&f->sink, M_NO_HELP, span, 2, topic, buf_text(&all));
	buf_free(&all);
}

static enum fray_status help_on(struct fray *f, const char *topic, bool json, struct span span)
{
	if (!strcmp(topic, "messages")) {
		codes_list(f, json);
		return FRAY_OK;
	}
	if (codes_is_code(topic)) {
		enum message near;
		enum fray_status status = codes_explain(f, topic, json, &near);
		if (status != FRAY_OK) {
			struct buf code = {0};
			buf_printf(&code, "F%04d", atoi(topic + (*topic == 'F' || *topic == 'f')));
			diag_report(&f->sink, M_NO_CODE, span, 2, buf_text(&code), message_table[near].code);
			buf_free(&code);
		}
		return status;
	}
	if (page(f, topic))
		return FRAY_OK;
	no_page(f, topic, span);
	return FRAY_WRONG;
}

enum fray_status help(struct fray *f, const struct node *n)
{
	struct buf topic = {0};
	if (n->name)
		buf_puts(&topic, intern_folded(f->names, n->name));
	else if (n->num) /* "help 208" */
		buf_printf(&topic, "%lld", (long long)n->num);
	enum fray_status status = help_on(f, buf_text(&topic), false, n->span);
	buf_free(&topic);
	return status;
}

bool fray_help_topic(const char *topic)
{
	if (codes_is_code(topic) || !strcmp(topic, "messages"))
		return true;
	for (size_t i = 1; i < FRAY_COUNT(pages); i++)
		if (has_word(pages[i].words, topic))
			return true;
	return false;
}

enum fray_status fray_help(struct fray *f, const char *topic, bool json)
{
	return help_on(f, topic, json, (struct span){0, 0, 0});
}
