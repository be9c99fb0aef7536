/* shim.c - put in front of the C library by tests/app/t_short.py: an allocation that fails, calls
 * that are interrupted, reads and writes that do less than was asked.
 *
 *   SHIM_MEMORY=N   allocation number N fails, and with SHIM_ON=1 each one after it
 *   SHIM_EINTR=1    every second read and write is interrupted
 *   SHIM_SHORT=1    reads and writes stop after a few bytes
 *   SHIM_COUNT=F    the number of allocations is written to the file F at the end */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static atomic_long allocations;
static long fails;
static int on, interrupts, cuts, begun;
static atomic_int calls;

static long number(const char *name)
{
	const char *text = getenv(name);
	return text ? atol(text) : 0;
}

__attribute__((constructor)) static void begin(void)
{
	fails = number("SHIM_MEMORY");
	on = (int)number("SHIM_ON");
	interrupts = (int)number("SHIM_EINTR");
	cuts = (int)number("SHIM_SHORT");
	begun = 1;
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("SHIM_COUNT");
	begun = 0;
	FILE *out = path ? fopen(path, "w") : NULL;
	if (out) {
		fprintf(out, "%ld\n", (long)allocations);
		fclose(out);
	}
}

static int refused(void)
{
	if (!begun)
		return 0;
	const long n = ++allocations;
	if (!fails || n < fails || (n > fails && !on))
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t size)
{
	return refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return refused() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
	return refused() ? NULL : __libc_realloc(old, size);
}

static int interrupted(void)
{
	if (!interrupts || ++calls % 2)
		return 0;
	errno = EINTR;
	return 1;
}

static size_t cut(size_t n)
{
	const size_t most = (size_t)(1 + ++calls % 7);
	return cuts && n > most ? most : n;
}

ssize_t read(int fd, void *to, size_t n)
{
	return interrupted() ? -1 : syscall(SYS_read, fd, to, cut(n));
}

ssize_t write(int fd, const void *from, size_t n)
{
	return interrupted() ? -1 : syscall(SYS_write, fd, from, cut(n));
}
