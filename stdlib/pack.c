/* pack.c - works out the image of the standard library, as C, on standard output: lang/front/image.h.
 *
 * Run by make when a text of the library, the scanner or this file changed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/front/image.h"
#include "runtime/base/hash.h"
#include "stdlib/builtins.h"

struct hashes { VEC(uint64_t) at; };

static VEC(struct image_file) file;
static VEC(struct image_raw) raw;
static VEC(struct image_block) block;
static VEC(uint16_t) number;
static struct hashes vocabulary;
static VEC(uint32_t) spelling;
static struct buf letters;
static uint32_t *spelt; /* open addressing, spelling number and one */
static uint32_t room = 1 << 16;

static void fail(const char *why)
{
	fprintf(stderr, "pack: %s\n", why);
	exit(1);
}

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static void keep_hash(void *context, uint64_t hash)
{
	struct hashes *h = context;
	VEC_PUSH(h->at, hash);
}

static void unique(struct hashes *h)
{
	int n = 0;
	if (h->at.n == 0)
		return;
	qsort(h->at.v, (size_t)h->at.n, sizeof *h->at.v, by_size);
	for (int i = 0; i < h->at.n; i++)
		if (i == 0 || h->at.v[i] != h->at.v[n - 1])
			h->at.v[n++] = h->at.v[i];
	h->at.n = n;
}

/* The vocabulary: every word of every name, and `a`, which stands for nothing. */
static void learn_names(const struct fray_builtin *b)
{
	const char *end = b->text + b->length;
	struct block_text x;
	for (bool more = block_whole(b->text, b->length, &x); more; more = block_next(&x))
		words_of_block(&x, keep_hash, &vocabulary);
	if (!blocks_alone(b->text, b->length))
		return;
	for (const char *p = b->text; p < end; p = block_read(p, end, &x) ? x.end : block_line_end(p, end))
		if (block_read(p, end, &x))
			words_of_name(x.name, x.name_end, keep_hash, &vocabulary);
}

/* Those of the hashes that are in the vocabulary, as a list of numbers. */
static uint32_t put_numbers(struct hashes *h)
{
	int before = number.n;
	unique(h);
	for (int i = 0; i < h->at.n; i++) {
		const uint64_t *at = bsearch(&h->at.v[i], vocabulary.at.v, (size_t)vocabulary.at.n, sizeof h->at.v[i], by_size);
		if (at)
			VEC_PUSH(number, (uint16_t)(at - vocabulary.at.v));
	}
	h->at.n = 0;
	return (uint32_t)(number.n - before);
}

static uint16_t spell(const char *text, size_t n)
{
	uint64_t h = hash_bytes(text, n, 0);
	uint32_t i = (uint32_t)h & (room - 1);
	for (; spelt[i]; i = (i + 1) & (room - 1)) {
		const char *has = letters.data + spelling.v[spelt[i] - 1];
		if (strlen(has) == n && !memcmp(has, text, n))
			return (uint16_t)(spelt[i] - 1);
	}
	if (spelling.n > 60000)
		fail("the library has too many different words for an image");
	VEC_PUSH(spelling, (uint32_t)letters.length);
	buf_add(&letters, text, n);
	buf_add(&letters, "", 1);
	spelt[i] = (uint32_t)spelling.n;
	return (uint16_t)(spelling.n - 1);
}

static void put_raws(const struct fray_builtin *b)
{
	struct raws raws = {0};
	struct buf text = {0};
	struct intern *names = intern_new();
	buf_add(&text, b->text, b->length);
	buf_add(&text, "\0", 2);
	if (!names || !raw_scan(&raws, names, text.data, 0, (uint32_t)b->length))
		fail("a text cannot be scanned");
	for (int i = 0; i < raws.at.n; i++) {
		const struct raw *r = &raws.at.v[i];
		if (r->end - r->start > UINT16_MAX)
			fail("a token is too long for an image");
		struct image_raw x = {r->start, (uint16_t)(r->end - r->start), r->kind, 0, 0};
		if (raw_is_word(r) || r->kind == RAW_NUMBER)
			x.word = spell(b->text + r->start, r->end - r->start);
		else if (r->kind == RAW_OF)
			x.word = spell("'s", 2);
		VEC_PUSH(raw, x);
	}
	VEC_FREE(raws.at);
	buf_free(&text);
	intern_free(names);
}

/* A block, whose tokens begin behind those of the one before. */
static void put_block(const struct fray_builtin *b, const struct block_text *x, uint32_t at, uint32_t last)
{
	struct hashes h = {0};
	struct image_block k = {.start = (uint32_t)(x->start - b->text), .end = (uint32_t)(x->end - b->text)};
	while (at < last && raw.v[at].start < k.start)
		at++;
	k.raw = at;
	while (at < last && raw.v[at].start < k.end)
		at++;
	k.raws = at - k.raw;
	words_of_block(x, keep_hash, &h);
	k.name = (uint32_t)number.n;
	k.names = put_numbers(&h);
	words_of_text(x->start, x->end, true, keep_hash, &h);
	k.text = (uint32_t)number.n;
	k.texts = put_numbers(&h);
	VEC_PUSH(block, k);
	VEC_FREE(h.at);
}

static void put_blocks(const struct fray_builtin *b, const struct image_file *f)
{
	const char *end = b->text + b->length;
	uint32_t at = f->raw, last = f->raw + f->raws;
	struct block_text x;
	if (block_whole(b->text, b->length, &x)) {
		do
			put_block(b, &x, at, last);
		while (block_next(&x));
		return;
	}
	for (const char *p = b->text; p < end;) {
		bool read = block_read(p, end, &x);
		if (read) {
			put_block(b, &x, at, last);
			at = block.v[block.n - 1].raw + block.v[block.n - 1].raws;
		}
		p = read ? x.end : block_line_end(p, end);
	}
}

static void put_file(const struct fray_builtin *b)
{
	struct image_file f = {.length = (uint32_t)b->length};
	struct hashes h = {0};
	f.text_seal = hash_bytes(b->text, b->length, 0);
	f.raw = (uint32_t)raw.n;
	put_raws(b);
	f.raws = (uint32_t)raw.n - f.raw;
	words_of_text(b->text, b->text + b->length, true, keep_hash, &h);
	f.text = (uint32_t)number.n;
	f.texts = put_numbers(&h);
	f.block = (uint32_t)block.n;
	struct block_text whole;
	if (blocks_alone(b->text, b->length) || block_whole(b->text, b->length, &whole))
		put_blocks(b, &f);
	f.blocks = (uint32_t)block.n - f.block;
	VEC_PUSH(file, f);
	VEC_FREE(h.at);
}

#define PRINT_ROWS(type, name, list, format, ...) do { \
	printf("static const " type " " name "[] = {\n"); \
	for (int i = 0; i < (list).n; i++) \
		printf(format "%s", __VA_ARGS__, i % 8 == 7 ? ",\n" : ","); \
	printf("};\n"); \
} while (0)

static void print_image(const struct image *m)
{
	printf("/* Made by stdlib/pack.c. */\n#include \"stdlib/builtins.h\"\n#include \"lang/front/image.h\"\n");
	PRINT_ROWS("struct image_file", "files", file, "{0x%llxu,0x%llxu,0x%llxu,%u,%u,%u,%u,%u,%u,%u}", (unsigned long long)file.v[i].text_seal, (unsigned long long)file.v[i].seal, (unsigned long long)file.v[i].index_seal,
	           file.v[i].length, file.v[i].raw, file.v[i].raws, file.v[i].block, file.v[i].blocks, file.v[i].text, file.v[i].texts);
	PRINT_ROWS("struct image_raw", "raws", raw, "{%u,%u,%u,%u,0}", raw.v[i].start, raw.v[i].length, raw.v[i].kind, raw.v[i].word);
	PRINT_ROWS("struct image_block", "blocks", block, "{%u,%u,%u,%u,%u,%u,%u,%u}", block.v[i].start, block.v[i].end, block.v[i].raw, block.v[i].raws,
	           block.v[i].name, block.v[i].names, block.v[i].text, block.v[i].texts);
	PRINT_ROWS("uint16_t", "numbers", number, "%u", number.v[i]);
	PRINT_ROWS("uint64_t", "vocabulary", vocabulary.at, "0x%llxu", (unsigned long long)vocabulary.at.v[i]);
	PRINT_ROWS("uint32_t", "spellings", spelling, "%u", spelling.v[i]);
	printf("static const char letters[] =\n");
	for (int i = 0; i < spelling.n; i++)
		printf("\t\"%s\\0\"\n", letters.data + spelling.v[i]);
	printf("\t;\n");
	printf("const struct image fray_image = {files, %u, raws, %u, blocks, %u, numbers, %u, vocabulary, %u, spellings, %u, letters, %u, 0x%llxu};\n",
	       m->files, m->raws, m->blocks, m->numbers, m->vocabularies, m->spellings, m->letters_length, (unsigned long long)m->seal);
}

int main(void)
{
	spelt = calloc(room * 2, sizeof *spelt);
	room *= 2;
	if (!spelt)
		fail("out of memory");
	for (unsigned long i = 0; i < fray_builtin_count; i++)
		learn_names(&fray_builtins[i]);
	unique(&vocabulary);
	if (vocabulary.at.n >= UINT16_MAX)
		fail("the names of the library have too many different words for an image");
	for (unsigned long i = 0; i < fray_builtin_count; i++)
		put_file(&fray_builtins[i]);
	struct image m = {file.v, (uint32_t)file.n, raw.v, (uint32_t)raw.n, block.v, (uint32_t)block.n, number.v, (uint32_t)number.n,
	                  vocabulary.at.v, (uint32_t)vocabulary.at.n, spelling.v, (uint32_t)spelling.n, letters.data, (uint32_t)letters.length, 0};
	for (int i = 0; i < file.n; i++) {
		if (!image_index_seal(&m, (uint32_t)i, &file.v[i].index_seal))
			fail("an image points outside itself");
		file.v[i].seal = image_file_seal(&m, (uint32_t)i, file.v[i].index_seal);
	}
	m.seal = image_seal(&m);
	print_image(&m);
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
