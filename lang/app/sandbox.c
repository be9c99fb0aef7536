/* sandbox.c - see sandbox.h. Linux on x86-64 and arm64.
 *
 * A filter of system calls (seccomp) permits those that a run needs and refuses every other one
 * with EPERM. It looks at numbers alone and cannot read paths; where the kernel has Landlock, that
 * also confines what may be opened to the script's folder. */
#define _GNU_SOURCE
#include "lang/app/sandbox.h"

#include <stddef.h>

#if defined __linux__ && (defined __x86_64__ || defined __aarch64__)

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#if defined __x86_64__
#define OUR_ARCH AUDIT_ARCH_X86_64
#else
#define OUR_ARCH AUDIT_ARCH_AARCH64
#endif

/* ---- Landlock ---- */

static bool confine_reading(const char *folder)
{
	const struct landlock_ruleset_attr all = {
		.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1, /* of its first version */
	};
	struct landlock_path_beneath_attr below = {
		.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
	};
	const int rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
	if (rules < 0)
		return errno == ENOSYS || errno == EOPNOTSUPP; /* this kernel has none */
	below.parent_fd = open(folder ? folder : ".", O_PATH | O_CLOEXEC);
	const bool good = below.parent_fd >= 0 &&
		!syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &below, 0) &&
		!syscall(SYS_landlock_restrict_self, rules, 0);
	if (below.parent_fd >= 0)
		close(below.parent_fd);
	close(rules);
	return good;
}

/* ---- seccomp ---- */

/* Calls that are permitted whatever their arguments. */
static const int permitted[] = {
	SYS_read, SYS_readv, SYS_write, SYS_writev, SYS_close, SYS_lseek, SYS_fstat, SYS_newfstatat,
	SYS_statx, SYS_readlinkat, SYS_getcwd, SYS_getpid, SYS_gettid,
	SYS_fcntl, SYS_munmap, SYS_mremap, SYS_brk,
	SYS_madvise, SYS_futex, SYS_clock_gettime, SYS_rt_sigreturn, SYS_rt_sigaction,
	SYS_rt_sigprocmask, SYS_setitimer, SYS_ppoll, SYS_wait4, SYS_exit, SYS_exit_group,
	SYS_sched_yield, SYS_restart_syscall, SYS_getrandom, SYS_pselect6,
#ifdef SYS_stat
	SYS_stat, SYS_lstat, SYS_readlink, SYS_poll,
#endif
};

enum { FILTER_MOST = 2 * (sizeof permitted / sizeof *permitted) + 40 };

struct filter {
	struct sock_filter step[FILTER_MOST];
	int n;
};

static void add(struct filter *f, struct sock_filter step)
{
	f->step[f->n++] = step;
}

static void answer(struct filter *f, uint32_t what)
{
	add(f, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what));
}

static void load(struct filter *f, size_t at)
{
	add(f, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)at));
}

/* A call that is permitted when its argument has none of these bits. */
static void permit_without(struct filter *f, int call, int argument, uint32_t bits)
{
	const size_t at = offsetof(struct seccomp_data, args) + 8 * (size_t)argument;
	add(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4));
	load(f, at); /* both processors keep the low half first */
	add(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0));
	answer(f, SECCOMP_RET_ALLOW);
	answer(f, SECCOMP_RET_ERRNO | EPERM);
}

/* A call that is permitted when its argument is this number. */
static void permit_with(struct filter *f, int call, int argument, uint32_t number)
{
	const size_t at = offsetof(struct seccomp_data, args) + 8 * (size_t)argument;
	add(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4));
	load(f, at);
	add(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
	answer(f, SECCOMP_RET_ALLOW);
	load(f, offsetof(struct seccomp_data, nr)); /* another rule may permit it */
}

static bool filter_calls(void)
{
	struct filter f = {.n = 0};
	load(&f, offsetof(struct seccomp_data, arch));
	add(&f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0));
	answer(&f, SECCOMP_RET_KILL_PROCESS);
	load(&f, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < sizeof permitted / sizeof *permitted; i++) {
		const uint32_t call = (uint32_t)permitted[i];
		add(&f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
		answer(&f, SECCOMP_RET_ALLOW);
	}
	permit_without(&f, SYS_openat, 2, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND);
#ifdef SYS_open
	permit_without(&f, SYS_open, 1, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND);
#endif
	permit_without(&f, SYS_mmap, 2, PROT_EXEC);
	permit_without(&f, SYS_mprotect, 2, PROT_EXEC);
	permit_with(&f, SYS_tgkill, 0, (uint32_t)getpid()); /* abort(), where memory ran out */
	permit_with(&f, SYS_ioctl, 1, TCGETS);
	permit_with(&f, SYS_ioctl, 1, TIOCGWINSZ);
	answer(&f, SECCOMP_RET_ERRNO | EPERM);
	const struct sock_fprog program = {.len = (unsigned short)f.n, .filter = f.step};
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

const char *sandbox_enter(const char *folder)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !confine_reading(folder))
		return strerror(errno);
	return filter_calls() ? NULL : strerror(errno);
}

#else

const char *sandbox_enter(const char *folder)
{
	(void)folder;
	return "it is only known how on Linux, on x86-64 and arm64";
}

#endif
