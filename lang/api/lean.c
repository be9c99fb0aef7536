/* lean.c - which stat blocks of the library a script can mean.
 *
 * The library holds more stat blocks than any fight needs, and reading takes time. A file of it
 * that holds stat blocks alone is cut down to those whose names' words all stand somewhere in
 * what is read: in the script, in the rules, in a stat block that is taken. That may be some too
 * many, and never one too few; whatever is found wrong then is looked at again with all of them.
 * Which words stand where in the library was worked out by make: lang/front/image.h. */
#include <stdlib.h>
#include <string.h>

#include "lang/api/interp.h"
#include "lang/front/image.h"

struct met { const struct image *image; bool *word; };

static void meet(void *context, uint64_t hash)
{
	struct met *met = context;
	const uint64_t *v = met->image->vocabulary;
	uint32_t low = 0, high = met->image->vocabularies;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (v[middle] < hash)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < met->image->vocabularies && v[low] == hash)
		met->word[low] = true;
}

static void meet_all(struct met *met, uint32_t from, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		met->word[met->image->number[from + i]] = true;
}

static bool has_all(const struct met *met, const struct image_block *b)
{
	for (uint32_t i = 0; i < b->names; i++)
		if (!met->word[met->image->number[b->name + i]])
			return false;
	return true;
}

void lean_take(const struct image *image, const struct sources *s, const uint32_t *file, bool *const *taken, int files)
{
	struct met met = {image, calloc(image->vocabularies + 1, sizeof *met.word)};
	if (!met.word)
		abort();
	for (int i = 0; i < s->file.n; i++) {
		const struct source *x = &s->file.v[i];
		if (x->image)
			meet_all(&met, image->file[x->image_file].text, image->file[x->image_file].texts);
		else
			words_of_text(x->text, x->text + x->length, !strncmp(x->name, "library/", 8), meet, &met);
	}
	{
		static const char no_word[] = "a";
		words_of_name(no_word, no_word + 1, meet, &met);
	}
	for (bool more = true; more;) {
		more = false;
		for (int i = 0; i < files; i++)
			for (uint32_t k = 0; k < image->file[file[i]].blocks; k++) {
				const struct image_block *b = &image->block[image->file[file[i]].block + k];
				if (taken[i][k] || !has_all(&met, b))
					continue;
				taken[i][k] = more = true;
				meet_all(&met, b->text, b->texts);
			}
	}
	free(met.word);
}
