/* test_image.c - the image of the library says what its texts say; a damaged or stale one is
 * not believed, and the library is then read as any text is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lang/front/image.h"
#include "runtime/base/buf.h"
#include "stdlib/builtins.h"

/* What the scanner makes of a text of the library. */
static void scan(unsigned long i, struct intern *names, struct raws *out)
{
	struct buf b = {0};
	buf_add(&b, fray_builtins[i].text, fray_builtins[i].length);
	buf_add(&b, "\0", 2);
	assert_true(raw_scan(out, names, b.data, 0, (uint32_t)fray_builtins[i].length));
	buf_free(&b);
}

static void assert_same(const struct raw *a, const struct raw *b)
{
	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->start, b->start);
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->word, b->word);
}

static sym *fresh_words(void)
{
	sym *word = calloc(fray_image.spellings, sizeof *word);
	assert_non_null(word);
	return word;
}

static void same_tokens(void **state)
{
	(void)state;
	struct intern *names = intern_new();
	sym *word = fresh_words();
	assert_int_equal(fray_image.files, fray_builtin_count);
	assert_true(image_sound(&fray_image));
	for (unsigned long i = 0; i < fray_builtin_count; i++) {
		struct raws scanned = {0}, kept = {0};
		assert_true(image_file_sound(&fray_image, (uint32_t)i, fray_builtins[i].text, fray_builtins[i].length));
		scan(i, names, &scanned);
		image_raws(&fray_image, (uint32_t)i, NULL, word, names, &kept);
		assert_int_equal(scanned.at.n, kept.at.n);
		for (int k = 0; k < kept.at.n; k++)
			assert_same(&scanned.at.v[k], &kept.at.v[k]);
		VEC_FREE(scanned.at);
		VEC_FREE(kept.at);
	}
	free(word);
	intern_free(names);
}

/* The tokens of a block are those that stand between its ends, and the blocks are those of the text. */
static void same_blocks(void **state)
{
	(void)state;
	struct intern *names = intern_new();
	sym *word = fresh_words();
	uint32_t blocks = 0;
	for (uint32_t i = 0; i < fray_image.files; i++) {
		const struct fray_builtin *b = &fray_builtins[i];
		const struct image_file *f = &fray_image.file[i];
		bool *taken = calloc(f->blocks + 1, sizeof *taken);
		struct block_text x;
		uint32_t k = 0;
		assert_non_null(taken);
		bool one_block = block_whole(b->text, b->length, &x);
		assert_int_equal(blocks_alone(b->text, b->length) || one_block, f->blocks > 0);
		for (bool more = one_block; more; more = block_next(&x)) /* once for each of its names */
			assert_int_equal(fray_image.block[f->block + k++].raws, f->raws);
		for (const char *p = b->text, *end = p + b->length; f->blocks && !one_block && p < end; p = block_read(p, end, &x) ? x.end : block_line_end(p, end))
			if (block_read(p, end, &x)) {
				assert_int_equal(fray_image.block[f->block + k].start, x.start - b->text);
				assert_int_equal(fray_image.block[f->block + k].end, x.end - b->text);
				k++;
			}
		assert_int_equal(k, f->blocks);
		if (f->blocks > 1 && !one_block) {
			struct raws one = {0};
			const struct image_block *last = &fray_image.block[f->block + f->blocks - 1];
			taken[f->blocks - 1] = true;
			image_raws(&fray_image, i, taken, word, names, &one);
			assert_true(one.at.n > 3 && one.at.v[0].start == last->start && one.at.v[one.at.n - 1].end <= last->end);
			VEC_FREE(one.at);
		}
		blocks += k;
		free(taken);
	}
	assert_true(blocks > 1000);
	free(word);
	intern_free(names);
}

/* An image of its own, which may be written to. */
struct copy { struct image m; struct image_file *file; struct image_raw *raw; struct image_block *block; uint16_t *number; uint32_t *spelling; char *letters; uint64_t *vocabulary; };

static void *twin(const void *from, size_t size)
{
	void *p = malloc(size);
	assert_non_null(p);
	memcpy(p, from, size);
	return p;
}

static struct copy copy_image(void)
{
	struct copy c = {.m = fray_image};
	const struct image *m = &fray_image;
	c.m.file = c.file = twin(m->file, m->files * sizeof *m->file);
	c.m.raw = c.raw = twin(m->raw, m->raws * sizeof *m->raw);
	c.m.block = c.block = twin(m->block, m->blocks * sizeof *m->block);
	c.m.number = c.number = twin(m->number, m->numbers * sizeof *m->number);
	c.m.spelling = c.spelling = twin(m->spelling, m->spellings * sizeof *m->spelling);
	c.m.letters = c.letters = twin(m->letters, m->letters_length);
	c.m.vocabulary = c.vocabulary = twin(m->vocabulary, m->vocabularies * sizeof *m->vocabulary);
	return c;
}

static void copy_free(struct copy *c)
{
	free(c->file);
	free(c->raw);
	free(c->block);
	free(c->number);
	free(c->spelling);
	free(c->letters);
	free(c->vocabulary);
}

static bool believed(const struct copy *c, uint32_t file)
{
	return image_sound(&c->m) && image_file_sound(&c->m, file, fray_builtins[file].text, fray_builtins[file].length);
}

static void damaged(void **state)
{
	(void)state;
	struct copy c = copy_image();
	uint32_t file = 0;
	while (!c.file[file].blocks)
		file++;
	struct image_file *f = &c.file[file];
	assert_true(believed(&c, file));
#define DAMAGED(place, value) do { \
	__typeof__(place) was = (place); \
	(place) = (value); \
	assert_false(believed(&c, file)); \
	(place) = was; \
	assert_true(believed(&c, file)); \
} while (0)
	DAMAGED(c.raw[f->raw].start, was + 1);
	DAMAGED(c.raw[f->raw + f->raws - 1].kind, (uint16_t)(was ^ 1));
	DAMAGED(c.raw[f->raw + 1].word, (uint16_t)(was + 1));
	DAMAGED(c.block[f->block].end, was + 1);
	DAMAGED(c.block[f->block + f->blocks - 1].raws, was + 1);
	DAMAGED(c.block[f->block].name, c.m.numbers + 1);
	DAMAGED(c.number[c.block[f->block].name], (uint16_t)(was + 1));
	DAMAGED(c.number[f->text], (uint16_t)(was + 1));
	DAMAGED(f->raws, was - 1);
	DAMAGED(f->raws, UINT32_MAX);
	DAMAGED(f->raw, UINT32_MAX);
	DAMAGED(f->block, c.m.blocks);
	DAMAGED(f->length, was + 1);
	DAMAGED(f->seal, was + 1);
	DAMAGED(f->index_seal, was + 1);
	DAMAGED(f->text_seal, was + 1);
	DAMAGED(c.spelling[3], was + 1);
	DAMAGED(c.letters[7], (char)(was ^ 4));
	DAMAGED(c.vocabulary[0], was + 1);
	copy_free(&c);
}

/* A text that is not the one the image was made of. */
static void stale(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < fray_image.files; i++) {
		const struct fray_builtin *b = &fray_builtins[i];
		char *text = twin(b->text, b->length + 1);
		text[b->length / 2] ^= 1;
		assert_false(image_file_sound(&fray_image, i, text, b->length));
		assert_false(image_file_sound(&fray_image, i, b->text, b->length - 1));
		assert_false(image_index_sound(&fray_image, i, b->length - 1));
		free(text);
	}
	assert_false(image_file_sound(&fray_image, fray_image.files, "", 0));
}

/* Whether a text of the library, or of a script, speaks of a name. */
static void keep_hash(void *context, uint64_t hash)
{
	struct buf *hashes = context;
	buf_add(hashes, (const char *)&hash, sizeof hash);
}

static bool speaks_of(const char *text, const char *name, bool library)
{
	struct buf said = {0}, sought = {0};
	bool found = false;
	words_of_text(text, text + strlen(text), library, keep_hash, &said);
	words_of_name(name, name + strlen(name), keep_hash, &sought);
	for (size_t i = 0; i < said.length; i += sizeof(uint64_t))
		found |= !memcmp(said.data + i, sought.data, sizeof(uint64_t));
	buf_free(&said);
	buf_free(&sought);
	return found;
}

/* The two of a spelling and the words that a field lists name no stat block. */
static void declared_words(void **state)
{
	(void)state;
	static const char text[] = "spelling mold = mould; spelling ax = axe\n"
		"every monster has { people: word, elf, gnome,\n\tdwarf; kin: list of words, orc, ogre \"of it\" }\n"
		"weapon goad { make: spear; damage: 1d4 }\nrule r \"c\" { after hit when target is troll { note \"x\" } }\n";
	static const char *const declared[] = {"mold", "mould", "ax", "axe", "elf", "gnome", "dwarf", "orc", "ogre", "word"};
	static const char *const named[] = {"people", "kin", "goad", "spear", "troll", "hit"};
	for (size_t i = 0; i < FRAY_COUNT(declared); i++) {
		assert_false(speaks_of(text, declared[i], true));
		assert_true(speaks_of(text, declared[i], false));
	}
	for (size_t i = 0; i < FRAY_COUNT(named); i++)
		assert_true(speaks_of(text, named[i], true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(declared_words),
		cmocka_unit_test(same_tokens),
		cmocka_unit_test(same_blocks),
		cmocka_unit_test(damaged),
		cmocka_unit_test(stale),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
