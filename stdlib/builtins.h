/* builtins.h - the standard library's texts, built into libfray by stdlib/embed.sh.
 *
 * Names are paths below stdlib/ without ".fray": "core/core". Sorted by name. */
#ifndef FRAY_STDLIB_BUILTINS_H
#define FRAY_STDLIB_BUILTINS_H

struct fray_builtin {
	const char *name;
	const char *text;     /* NUL-terminated, UTF-8 */
	unsigned long length; /* without the NUL */
};

extern const struct fray_builtin fray_builtins[];
extern const unsigned long fray_builtin_count;

/* What stdlib/pack.c worked out of them: lang/front/image.h. */
struct image;
extern const struct image fray_image;

#endif
