/* lsp_wire.c - messages of the language server protocol: a head with the length, then JSON. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lang/app/lsp.h"

enum { CHUNK = 1 << 16, MESSAGE_MAX = 1 << 28 };

static char *held; /* what was read and not taken yet */
static size_t holds, room;

/* More of the input; false: it is at its end. */
static bool more(void)
{
	if (room - holds < CHUNK) {
		char *grown = realloc(held, 2 * room + CHUNK);
		if (!grown)
			return false;
		held = grown;
		room = 2 * room + CHUNK;
	}
	ssize_t n;
	do
		n = read(STDIN_FILENO, held + holds, CHUNK);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	holds += (size_t)n;
	return true;
}

/* The end of the head in what is held; NULL: it is not there yet. */
static const char *head_end(void)
{
	for (size_t i = 3; i < holds; i++)
		if (!memcmp(held + i - 3, "\r\n\r\n", 4))
			return held + i + 1;
	return NULL;
}

static size_t body_length(const char *end)
{
	static const char field[] = "content-length:";
	for (const char *p = held; p < end; p++)
		if ((p == held || p[-1] == '\n') && (size_t)(end - p) > sizeof field &&
			!strncasecmp(p, field, sizeof field - 1))
			return strtoull(p + sizeof field - 1, NULL, 10);
	return 0;
}

static bool whole(void)
{
	const char *end = head_end();
	return end && holds >= (size_t)(end - held) + body_length(end);
}

bool wire_waits(int milliseconds)
{
	struct pollfd in = {STDIN_FILENO, POLLIN, 0};
	return whole() || poll(&in, 1, milliseconds) > 0;
}

json_t *wire_read(bool *broken)
{
	const char *end;
	json_error_t error;
	*broken = false;
	while (!(end = head_end()))
		if (!more())
			return NULL;
	const size_t head = (size_t)(end - held), length = body_length(end);
	if (length > MESSAGE_MAX)
		return NULL;
	while (holds < head + length)
		if (!more())
			return NULL;
	json_t *message = json_loadb(held + head, length, JSON_ALLOW_NUL, &error);
	*broken = !message;
	memmove(held, held + head + length, holds - head - length);
	holds -= head + length;
	return message ? message : json_null();
}

void wire_send(json_t *message)
{
	char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
	if (text) {
		printf("Content-Length: %zu\r\n\r\n", strlen(text));
		fputs(text, stdout);
		fflush(stdout);
	}
	free(text);
	json_decref(message);
}
