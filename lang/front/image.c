/* image.c - an image of the library: is it whole, and the tokens out of it. */
#include "lang/front/image.h"

#include "runtime/base/hash.h"

static bool within(uint32_t from, uint32_t count, uint32_t all)
{
	return from <= all && count <= all - from;
}

bool image_index_seal(const struct image *m, uint32_t file, uint64_t *seal)
{
	const struct image_file *f = &m->file[file];
	uint32_t numbers[] = {f->length, f->raw, f->raws, f->block, f->blocks, f->text, f->texts};
	if (!within(f->raw, f->raws, m->raws) || !within(f->block, f->blocks, m->blocks) || !within(f->text, f->texts, m->numbers))
		return false;
	uint64_t h = hash_bytes(numbers, sizeof numbers, f->text_seal);
	h = hash_bytes(m->block + f->block, f->blocks * sizeof *m->block, h);
	h = hash_bytes(m->number + f->text, f->texts * sizeof *m->number, h);
	/* the blocks' own lists stand in a row */
	for (uint32_t i = f->block; i < f->block + f->blocks; i++)
		if (!within(m->block[i].name, m->block[i].names, m->numbers) || !within(m->block[i].text, m->block[i].texts, m->numbers))
			return false;
	if (f->blocks) {
		const struct image_block *first = &m->block[f->block], *last = first + f->blocks - 1;
		if (last->text + last->texts < first->name)
			return false;
		h = hash_bytes(m->number + first->name, (last->text + last->texts - first->name) * sizeof *m->number, h);
	}
	*seal = h;
	return true;
}

uint64_t image_file_seal(const struct image *m, uint32_t file, uint64_t index_seal)
{
	return hash_bytes(m->raw + m->file[file].raw, m->file[file].raws * sizeof *m->raw, index_seal);
}

uint64_t image_seal(const struct image *m)
{
	uint64_t h = hash_bytes(m->vocabulary, m->vocabularies * sizeof *m->vocabulary, 1);
	h = hash_bytes(m->spelling, m->spellings * sizeof *m->spelling, h);
	return hash_bytes(m->letters, m->letters_length, h);
}

bool image_sound(const struct image *m)
{
	return image_seal(m) == m->seal;
}

bool image_index_sound(const struct image *m, uint32_t file, size_t length)
{
	uint64_t seal;
	return file < m->files && m->file[file].length == length && image_index_seal(m, file, &seal) && seal == m->file[file].index_seal;
}

bool image_file_sound(const struct image *m, uint32_t file, const char *text, size_t length)
{
	return image_index_sound(m, file, length) && m->file[file].text_seal == hash_bytes(text, length, 0) &&
	       image_file_seal(m, file, m->file[file].index_seal) == m->file[file].seal;
}

static void put(const struct image *m, const struct image_raw *from, uint32_t count, sym *word, struct intern *names, struct raws *out)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct image_raw *r = &from[i];
		struct raw x = {r->kind, r->start, r->start + r->length, 0};
		if (r->kind == RAW_WORD || r->kind == RAW_ORDINAL || r->kind == RAW_NUMBER ||
			r->kind == RAW_OF) {
			if (!word[r->word])
				word[r->word] = intern_word(names, m->letters + m->spelling[r->word]);
			x.word = intern_first(names, word[r->word]); /* a spelling may have been declared since */
		}
		VEC_PUSH(out->at, x);
	}
}

void image_raws(const struct image *m, uint32_t file, const bool *taken, sym *word, struct intern *names, struct raws *out)
{
	const struct image_file *f = &m->file[file];
	if (!taken)
		put(m, m->raw + f->raw, f->raws, word, names, out);
	for (uint32_t i = 0; taken && i < f->blocks; i++)
		if (taken[i])
			put(m, m->raw + m->block[f->block + i].raw, m->block[f->block + i].raws, word, names, out);
}
