/* slip.h - what the reports of slips in questions share: the sentence around the token that was
 * not expected, in raw tokens, and what a measure said in other words means. */
#ifndef FRAY_FRONT_SLIP_H
#define FRAY_FRONT_SLIP_H

#include "lang/front/phrase.h"

/* Errors after which no more help is looked for: nobody reads that far. */
enum { SLIPS_ENOUGH = 200 };

/* ---- slip.c ---- */
int slip_raw(const struct phrase *p);            /* the token that was not expected */
int slip_first(const struct phrase *p, int at);  /* the first of its sentence, and the one behind its last, */
int slip_end(const struct phrase *p, int at);    /* whatever stands in braces between */
bool slip_any(const struct phrase *p, int at, const char *words); /* one of several words parted by | */
void slip_text(const struct phrase *p, int from, int end, struct buf *out); /* as written, of these tokens */
void slip_add(const struct phrase *p, uint32_t start, uint32_t end, struct buf *out); /* the same by bytes */
const char *slip_kept(struct phrase *p, const struct buf *b); /* its text, as long as the tree is */
int slip_line_end(
	const struct phrase *p, int at); /* behind the last token of a line, or of a block's only one */
int slip_begin(const struct phrase *p, int from);  /* where the line begins that holds `from` */
/* These tokens are no line; what was meant is taken over and freed. True. */
bool slip_meant(struct phrase *p, int from, int end, struct buf *meant);
/* What was meant is the line up to `at`, then `put`, then what stands from `rest` to `end`. True. */
bool slip_with(struct phrase *p, int at, const char *put, int rest, int end);
/* The line from `from` on and this one are one, parted by a comma and not by a semicolon. True. */
bool slip_comma(struct phrase *p, int from, int end);
void slip_say(struct phrase *p, enum message id, struct span at, const struct buf *line);
bool slip_compares(int kind); /* a raw token: < <= = and so on */
/* Whether an encounter is the outermost block around this line. */
bool slip_in_encounter(const struct phrase *p);
/* Where a word of the question itself stands, not of its branches; end: nowhere. */
int slip_word(const struct phrase *p, int first, int end, const char *word);

/* ---- report_words.c: each true when it has reported the token that was not expected ---- */
bool report_compared(struct phrase *p);          /* hp is less than 3 */
bool report_set_to(struct phrase *p, int token); /* set Bruna's hp to 5 */
bool report_unit(struct phrase *p, int token);   /* set encounter's distance = 200 fet */
bool report_colon(struct phrase *p);             /* level 4 */
bool report_moment(struct phrase *p);            /* surprise round 1 {, where the rules count segments */
bool report_dice_name(struct phrase *p);         /* side party: D1 */
bool report_dice_named(struct phrase *p);        /* combatant D1 { */
bool report_title(struct phrase *p);             /* encounter the 3 orcs, again { */
/* The systems of the library that have the verb of this line: "proc, crucible"; NULL: none. */
const char *report_elsewhere(struct phrase *p);

/* ---- report_expect.c: as above ---- */
bool report_expected(struct phrase *p);   /* expect at least 3 orcs are dead */
bool report_expect_two(struct phrase *p); /* expect Ann hits Bob and Bob is dead */

/* ---- report_habit.c: as above ---- */
bool report_habit(struct phrase *p);     /* 1. Bruna attacks orc #2 (rolled 15) */
bool report_row(struct phrase *p);       /* table hits (n) { 1-3: "arm" } */
bool report_inherits(struct phrase *p);  /* monster ghast = ghoul with { .. } */
bool report_number(struct phrase *p);    /* orc number 2; orcs 1-3; on initiative 4 */
bool report_verb_late(struct phrase *p); /* Bruna with long sword attacks orc #2 */

/* ---- report_lines.c: as above ---- */
bool report_pair(struct phrase *p, int token);   /* distance (Ann, Grak) = 200 ft */
bool report_moment_colon(struct phrase *p, int token); /* round 1: Bruna attacks orc #1 */
bool report_when_first(struct phrase *p, int token);   /* on hit { when target is dead { .. } } */
bool report_versus(struct phrase *p);    /* sides: Ann vs 2 orcs */
bool report_set_waits(struct phrase *p); /* set Ann's hit points = 5 as soon as Grak moves */
bool report_state_line(struct phrase *p);        /* orcs are held */
bool report_side_parted(struct phrase *p);       /* side party: Ann; Bruna */
bool report_counted(struct phrase *p);           /* first round {, round one { */
bool report_head_word(struct phrase *p); /* Bruna {, character Bruna {, fight at the ford { */

/* ---- report_rule.c: as above ---- */
bool report_policy_else(struct phrase *p);   /* if Ann is able { attack orc } else { flee } */
bool report_rule(
	struct phrase *p, bool sign);  /* adjst .. by 1, instead hit {; sign: = could stand here */
bool report_amount(struct phrase *p);  /* goblin #1 has 3 hit points */
bool report_against(struct phrase *p); /* Ann vs Ben */
bool report_ampersand(struct phrase *p); /* side foes: orc & Grak */

/* ---- report_block.c: as above ---- */
/* slips in stat blocks, heads and lists; colon: one could stand here */
bool report_block(struct phrase *p, int token, bool colon);
bool report_head_open(struct phrase *p);         /* combatant Bruna, and no {: at a } too many */
bool report_field_open(struct phrase *p);        /* AC5, 3rd level: no colon, before another line */

/* ---- report_turn.c: as above ---- */
bool report_turn(struct phrase *p);        /* Bruna followed brave; for 3 rounds {; rounds 1-2 { */
bool report_clause_said(struct phrase *p); /* adjust .. by 2 if ..; rule { */

/* ---- report_head.c ---- */
/* odds 200 fights giving .., odds in The Keep, odds Bruna flees vs Bruna acts: of the sentence first..end the token at
 * `at` was not expected. */
bool report_head(struct phrase *p, int first, int at, int end);

/* ---- report_verb.c ---- */
/* The verb that the rules have for what a word means: "fires" is "shoots". NULL: they have none. */
const char *slip_verb(const struct phrase *p, int at);
bool report_said_verb(struct phrase *p); /* a line with such a verb; true when it has reported it */

/* The same of an expectation or a question: these words are no name. */
bool report_said_name(struct phrase *p, struct span at);
/* The sentence with the library's verb for the words that are said at, or over, `at`. */
bool said_line(const struct front *f, struct span sentence, struct span at, struct buf *out);

/* ---- report_sweep.c ---- */
bool report_sweep(struct phrase *p);

/* ---- report_branch.c ---- */
/* A line of a branch that is no sentence: "without Bruna". */
bool report_branch(struct phrase *p);
bool report_in_branch(const struct phrase *p);

/* ---- said.c ---- */
/* "at least 2 orcs die", "Bruna has less than 5 hit points", "party wins within 3 rounds": what
 * to ask instead. */
bool said_measure(const struct front *f, const char *text, size_t length, struct buf *out);
/* "chance of ..", "how likely is it that ..": what is asked about; NULL: it is no question. */
const char *said_question(const char *line);
/* How odds call what somebody is, by the word for what he does: "dies" is "dead"; NULL for others. */
const char *said_state(const char *word, size_t length);

#endif
