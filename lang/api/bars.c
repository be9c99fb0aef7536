/* bars.c - columns and bars, as wide as the terminal and no wider. */
#include "lang/api/bars.h"

#include <string.h>

enum { WIDTH = 80, WIDTH_LEAST = 40, BAR_LEAST = 8, BAR_MOST = 60 };

int bars_room(const struct fray *f)
{
	int w = f->config.width > 0 ? f->config.width : WIDTH;
	return w < WIDTH_LEAST ? WIDTH_LEAST : w;
}

/* Characters, not bytes. */
int bars_columns(const char *text)
{
	int n = 0;
	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

void bars_pad(struct fray *f, enum fray_style style, const char *text, int width)
{
	if (bars_columns(text) <= width) {
		fray_write(f, style, text);
	} else { /* too long: its beginning */
		struct buf b = {0};
		int n = 0;
		for (const char *p = text; *p && (n < width - 2 || ((unsigned char)*p & 0xc0) == 0x80); p++) {
			n += ((unsigned char)*p & 0xc0) != 0x80;
			buf_putc(&b, *p);
		}
		buf_puts(&b, "..");
		fray_write(f, style, buf_text(&b));
		buf_free(&b);
	}
	for (int i = bars_columns(text); i < width; i++)
		fray_write(f, FRAY_PLAIN, " ");
}

void bars_draw(struct fray *f, double share, int width)
{
	static const char *const part[] = {"", "\xe2\x96\x8f", "\xe2\x96\x8e", "\xe2\x96\x8d", "\xe2\x96\x8c", "\xe2\x96\x8b", "\xe2\x96\x8a", "\xe2\x96\x89"};
	struct buf b = {0};
	int eighths = (int)(share * width * 8 + 0.5);
	if (eighths == 0 && share > 0)
		eighths = 1;
	for (int i = 0; i < eighths / 8; i++)
		buf_puts(&b, "\xe2\x96\x88");
	buf_puts(&b, part[eighths % 8]);
	fray_write(f, FRAY_DIE, buf_text(&b));
	buf_free(&b);
}

int bars_width(int left)
{
	return left < BAR_LEAST ? 0 : left > BAR_MOST ? BAR_MOST : left;
}
