/* image.h - what make worked out beforehand of a text of the library, so that it need not be cut
 * into raw tokens at each start, nor searched for what it names.
 *
 * stdlib/pack.c makes it with the scanner itself. It is believed only while its seals hold: of
 * the text, and of the image's own rows. A stale or damaged one is passed over and the text read
 * as any other is; tests/unit/test_image.c damages some. */
#ifndef FRAY_FRONT_IMAGE_H
#define FRAY_FRONT_IMAGE_H

#include "lang/front/raw.h"

struct image_raw { uint32_t start; uint16_t length, kind, word, zero; };

/* A stat block: its bytes, its raw tokens, and which words of the vocabulary its name is made of
 * and its text has. */
struct image_block { uint32_t start, end, raw, raws, name, names, text, texts; };

struct image_file {
	uint64_t text_seal, seal; /* of the library's text; of its raw tokens and of index_seal */
	uint64_t index_seal;      /* of this row, its blocks and their words */
	uint32_t length;
	uint32_t raw, raws;       /* from .. and how many */
	uint32_t block, blocks;   /* the stat blocks, when it holds them alone */
	uint32_t text, texts;     /* words of the vocabulary in it */
};

/* Everything of one library. Spellings are numbered; of those that stand in the names of stat
 * blocks, the vocabulary, the hashes are kept, sorted, and their place is their number. */
struct image {
	const struct image_file *file; /* one for each text, in their order */
	uint32_t files;
	const struct image_raw *raw;
	uint32_t raws;
	const struct image_block *block;
	uint32_t blocks;
	const uint16_t *number;        /* lists of words of the vocabulary */
	uint32_t numbers;
	const uint64_t *vocabulary;
	uint32_t vocabularies;
	const uint32_t *spelling;      /* where in `letters` each begins */
	uint32_t spellings;
	const char *letters;
	uint32_t letters_length;
	uint64_t seal;                 /* of vocabulary, spellings and letters */
};

/* What an image's row and all it points to come to, without its tokens and with them. False: it points outside. */
bool image_index_seal(const struct image *m, uint32_t file, uint64_t *seal);
uint64_t image_file_seal(const struct image *m, uint32_t file, uint64_t index_seal);
uint64_t image_seal(const struct image *m);

/* Whether what is said of a text can be believed: which blocks it has, without looking at it; and all of it. */
bool image_sound(const struct image *m);
bool image_index_sound(const struct image *m, uint32_t file, size_t length);
bool image_file_sound(const struct image *m, uint32_t file, const char *text, size_t length);

/* The raw tokens, appended: all of a file's, or those of the blocks that are taken. `word` keeps
 * the symbols of spellings met, as many as there are, 0 where none was. */
void image_raws(const struct image *m, uint32_t file, const bool *taken, sym *word, struct intern *names, struct raws *out);

/* ---- words and blocks of a text: blocks.c ---- */

/* A stat block that begins on a line, `monster ghoul {` and what follows to the line that closes
 * it, or alone on its line. False: something else begins there. */
struct block_text { const char *start, *end, *name, *name_end; bool of_kind; };
bool block_read(const char *p, const char *end, struct block_text *b);
/* A text of stat blocks, comments and empty lines. */
bool blocks_alone(const char *text, size_t length);
/* A text that begins with `-- read where one of these stands: NAME, NAME` is one block of each of these names:
 * nothing in it does anything where none of them is spoken. One with `-- read where there is a spell` is read
 * where there is a stat block of that kind. */
bool block_whole(const char *text, size_t length, struct block_text *b);
/* The next of its names; false: that was the last. */
bool block_next(struct block_text *b);
/* The hashes of the words of a block's name, or of the kind it is read for. */
void words_of_block(const struct block_text *b, void (*found)(void *context, uint64_t hash), void *context);
const char *block_line_end(const char *p, const char *end);
/* The hashes of all words that a text means, and of what they may be the plural or the owner of:
 * comments apart, and what stands in quotes, if it is the library's. */
void words_of_text(const char *p, const char *end, bool library, void (*found)(void *context, uint64_t hash), void *context);
/* The hashes of the words of a name. */
void words_of_name(const char *p, const char *end, void (*found)(void *context, uint64_t hash), void *context);

#endif
