/* front.h - the front end: texts in, trees out.
 *
 * Order of work for a program of several files: add every file's text; front_collect each
 * (declared names become known to all); then front_parse each. The prompt feeds lines
 * through a feed. Everything made lives in `arena` until the owner frees it. */
#ifndef FRAY_FRONT_FRONT_H
#define FRAY_FRONT_FRONT_H

#include "lang/front/ast.h"
#include "runtime/base/diag.h"

struct lexicon; /* declared names, kinds, verbs, units: lexicon.h */
struct image;   /* raw tokens worked out beforehand: image.h */
struct raws;    /* raw tokens: raw.h */

/* ---- texts: source.c ---- */
struct source {
	const char *name; /* as the user gave it; shown in diagnostics */
	const char *text; /* NUL-terminated copy */
	uint32_t length;
	uint32_t *line;   /* offsets of line starts, made when first asked */
	uint32_t lines;
	const struct image *image; /* that has its tokens and has been found sound; or NULL */
	uint32_t image_file;
	bool library;     /* read without the names of the user's files */
	bool *taken;      /* of its stat blocks those that are read, malloc'ed; NULL: the whole text */
	struct raws *kept;  /* its tokens, from the first look at it to the parser; NULL: none */
	int kept_spellings; /* so many spellings were known then */
};
struct sources {
	VEC(struct source) file; /* [0] is "nowhere" */
};
void sources_init(struct sources *s);
void sources_free(struct sources *s);
/* Copies the text; returns the file number. Texts over FRAY_TEXT_MAX are refused earlier. */
uint16_t sources_add(struct sources *s, const char *name, const char *text, size_t length);
/* Its tokens are to be had from there; takes `taken`. */
void sources_image(struct sources *s, uint16_t file, const struct image *image, uint32_t image_file, bool *taken);
/* 1-based line and column (columns count characters, not bytes). */
void sources_place(struct sources *s, struct span at, int *line, int *column);
/* The excerpt of a message: two blanks, line number, bar, text; carets below. */
void sources_excerpt(struct sources *s, struct span at, struct buf *out);
/* Bytes of the UTF-8 character that begins here; 0: none does. */
uint32_t utf8_length(const char *text, uint32_t left);
/* The text of a whole span, borrowed. */
const char *sources_text(const struct sources *s, struct span at, size_t *length);

/* Where the statements of a text begin, in order: for its layout. */
struct starts { VEC(uint32_t) at; };

/* A verb in other words, of several and of one, and the action it means: "fire", "fires", "shoot",
 * "shoots". by: the preposition that the action takes, "" for none, "-" where nothing follows. */
struct said_verb {
	const char *of_many, *of_one, *do_, *does, *by;
};

struct front {
	struct starts *starts; /* filled by front_parse; NULL: nobody wants them */
	struct arena *arena;
	struct intern *names;
	struct sources *sources;
	struct lexicon *lexicon;
	struct diag_sink *sink;
	sym *spelt;      /* symbols of an image's spellings met so far */
	/* The systems whose action is said so, for what no rule in force has; NULL: none. May be NULL itself. */
	const char *(*verb_elsewhere)(void *context, const char *said);
	const char *(*value_elsewhere)(void *context, const char *said); /* "act's first time" */
	/* The field and value that say that somebody is so: "ailment: held"; "": rules work it out;
	 * NULL: nothing does. */
	const char *(*state_line)(void *context, const char *word);
	/* "use dew with surprise no": the line that is meant; false: none. May be NULL. */
	bool (*use_meant)(const char *line, size_t length, struct buf *out);
	VEC(struct span) uses; /* lines that have been told so */
	void *elsewhere;
	const struct said_verb *said_verb; /* the library's, borrowed */
	int said_verbs;
	bool incomplete; /* a text that declares names could not be read: what is unknown may be one of them */
	VEC(struct span) said; /* where a text could not be read: what follows from it is not said */
	bool torn;       /* braces do not match or a limit was met: what stands where is a guess */
};

enum { FRAY_TEXT_MAX = 16 << 20, FRAY_NAME_MAX = 200, FRAY_NEST_MAX = 200 };

void front_init(struct front *f, struct arena *a, struct intern *names, struct sources *s, struct diag_sink *sink);
void front_free(struct front *f);

/* First look at a text: refuses NUL bytes, invalid UTF-8 and unended strings with their
 * message (false: parse nothing), learns every declared name, and lists the modules of
 * its `use` lines (house rules included) as E_NAME nodes. */
bool front_collect(struct front *f, uint16_t file, struct node **uses);
/* A name of something of the library that is not read yet becomes known. */
void front_learn(struct front *f, const char *name);
/* The tree of a file: a list of top-level nodes, damaged units marked. */
struct node *front_parse(struct front *f, uint16_t file);

/* ---- the prompt: feed.c ---- */
enum feed_state { FEED_MORE, FEED_UNIT, FEED_ERROR, FEED_EMPTY };
/* Whether the line, which sets options otherwise, is to be told of: it has not been yet. */
bool front_tell_use(struct front *f, struct span line);

struct feed;
struct feed *feed_new(struct front *f);
void feed_free(struct feed *d);
/* One more line (without its newline). FEED_UNIT: *units is the list of finished nodes.
 * FEED_ERROR: diagnostics were sent and the half-read unit is dropped. An empty line while
 * FEED_MORE abandons the unit: FEED_EMPTY. */
enum feed_state feed_line(struct feed *d, const char *line, struct node **units);
void feed_reset(struct feed *d); /* Ctrl-C: forget the half-read unit */
/* Why more is awaited, in the user's words: "a closing }", "the rest of the rule". */
const char *feed_awaits(const struct feed *d);
/* What a name that may stand next has to be the name of. */
enum scope_of {
	SCOPE_WHO, SCOPE_SIDE, SCOPE_FORK, SCOPE_ROLL, SCOPE_CHOICE, SCOPE_RULE, SCOPE_POLICY, SCOPE_OPTION, SCOPE_VALUE, SCOPE_MODULE,
	SCOPE_TOPIC, SCOPE_HELP, SCOPE_ENCOUNTER, SCOPE_PART, SCOPE_FIELD, SCOPE_MOMENT
};
/* `name`: the option whose value, the verb whose part after `prep` (0: its object), or whose field. */
struct scope_asked { enum scope_of of; sym name, prep; };
/* Puts every such name; false: it is not known which there are. */
struct scope_names {
	bool (*names)(void *context, const struct scope_asked *asked, void (*put)(void *to, const char *name), void *to);
	void *context;
};
/* What may stand next after `prefix` of the current line. Calls `offer` with a word and
 * what it is ("keyword", "name", "verb", "field"); the unfinished last word filters. */
void feed_complete(struct feed *d, const char *prefix, const struct scope_names *scope, void (*offer)(void *context, const char *word, const char *what), void *context);

#endif
