/* habit.c - words of other prompts, and what they are called here. */
#include "lang/api/interp.h"
#include "lang/front/lexicon.h"

#include <stdio.h>
#include <string.h>

static const struct { const char *word, *instead; } habits[] = {
	{"exit", "To leave, write: quit"},
	{"bye", "To leave, write: quit"},
	{"q", "To leave, write: quit"},
	{"next", "To play on, write: step"},
	{"continue", "To play on, write: step, or run"},
	{"go", "To play on, write: step, or run"},
	{"start", "To set everybody up, write: begin"},
	{"restart", "To set everybody up anew, write: begin"},
	{"reset", "To set everybody up anew, write: begin"},
	{"back", "To take something back, write: undo"},
	{"open", "To read a script, write: load \"FILE\""},
	{"print", "To see how things stand, write: show world"},
	{"list", "To see how things stand, write: show world"},
	{"status", "To see how things stand, write: show world"},
	{"who", "To see who acts when, write: show timeline; to see who is there: show world"},
	{"kill", "To say that somebody is down, write: set X's hit points = 0"},
	{"heal", "To give hit points back, write: change X's hit points by 4"},
	{"join", "To let somebody join, write: Sly joins party"},
	{"leave", "To let somebody go, write: Sly leaves"},
	{"damage", "To take hit points away, write: change X's hit points by -4"},
};

/* What a name of this game begins with is no habit. */
static bool known(const struct fray *f, const char *text, size_t length)
{
	const struct lexicon *l = f->front.lexicon;
	for (int i = 0; i < lexicon_count(l); i++) {
		if (!(lexicon_entry(l, i)->flags & (LEX_NAME | LEX_PLURAL | LEX_KIND)))
			continue;
		const char *name = intern_folded(f->names, lexicon_entry(l, i)->text);
		if (!strncmp(name, text, length) && (name[length] == '\0' || name[length] == ' '))
			return true;
	}
	return false;
}

/* "step segment 3": how it is said here. */
static bool step_to(struct fray *f, const char *line)
{
	int number, end = 0;
	char unit[20], text[80], said[40];
	if (sscanf(line, "step %19s %d %n", unit, &number, &end) != 2 || line[end] || !strcmp(unit, "to"))
		return false;
	snprintf(text, sizeof text, "To play on to that moment, write: step to %s %d", unit, number);
	snprintf(said, sizeof said, "step %s", unit);
	diag_report(&f->sink, M_OTHER_WORD, (struct span){0}, 2, said, text);
	return true;
}

bool habit_report(struct fray *f, const char *line)
{
	line += strspn(line, " \t");
	if (step_to(f, line))
		return true;
	size_t length = strcspn(line, " \t\r\n");
	for (size_t i = 0; i < FRAY_COUNT(habits); i++) {
		if (strlen(habits[i].word) != length || strncmp(habits[i].word, line, length) || known(f, line, length))
			continue;
		diag_report(&f->sink, M_OTHER_WORD, (struct span){0}, 2, habits[i].word, habits[i].instead);
		return true;
	}
	return false;
}
