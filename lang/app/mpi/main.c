/* main.c - fray-mpi odds ..: the ranks of an MPI job play a share each; the first puts the parts
 * together and tells what one machine would have told. Built by `make mpi`. */
#include <limits.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/app/files.h"
#include "lang/app/odds_run.h"
#include "lang/app/options.h"

static const struct command odds_command = {"odds", cmd_odds, "FILE [ENCOUNTER]", "tell how likely everything is"};

struct job {
	struct odds o;
	const char *report, *out;
	enum fray_odds_form form;
	int rank, ranks;
};

/* Every rank's part at the first rank; status tells whether all of them are there. */
static int gather(const struct job *j, int status, const struct text *part, char **all, int **length, int **at)
{
	int mine = status == EXIT_FINE && part->length <= INT_MAX ? (int)part->length : 0, worst = status;
	MPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	if (worst != EXIT_FINE)
		return worst;
	if (j->rank == 0) {
		*length = calloc((size_t)j->ranks, sizeof **length);
		*at = calloc((size_t)j->ranks + 1, sizeof **at);
		if (!*length || !*at)
			abort();
	}
	MPI_Gather(&mine, 1, MPI_INT, *length, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (j->rank == 0) {
		for (int i = 0; i < j->ranks; i++)
			(*at)[i + 1] = (*at)[i] + (*length)[i];
		*all = malloc((size_t)(*at)[j->ranks] + 1);
		if (!*all)
			abort();
	}
	MPI_Gatherv(part->data, mine, MPI_CHAR, *all, *length, *at, MPI_CHAR, 0, MPI_COMM_WORLD);
	return EXIT_FINE;
}

static int put_together(const struct job *j, const char *all, const int *length, const int *at)
{
	struct fray_part *part = calloc((size_t)j->ranks, sizeof *part);
	char (*name)[24] = calloc((size_t)j->ranks, sizeof *name);
	struct text answer = {0};
	struct odds o;
	if (!part || !name)
		abort();
	for (int i = 0; i < j->ranks; i++) {
		snprintf(name[i], sizeof name[i], "rank %d", i);
		part[i].name = name[i];
		part[i].data = all + at[i];
		part[i].length = (size_t)length[i];
	}
	memset(&o, 0, sizeof o);
	o.options.form = j->form;
	o.options.threads = j->o.options.threads;
	o.report = j->report;
	o.answer = j->out ? &answer : NULL;
	int status = odds_run_merge(&o, part, j->ranks);
	const char *why = answer.length ? file_write(j->out, answer.data, answer.length) : NULL;
	if (why) {
		complain("cannot write the answer %s: %s.", j->out, why);
		status = exit_worse(status, EXIT_WRONG);
	}
	text_free(&answer);
	free(part);
	free(name);
	return status;
}

/* mpirun reads what the ranks tell and says nothing when it cannot write that itself: only a rank's
 * own file is known to have been written. */
static bool may_answer(const struct odds *o)
{
	const char *why = o->out ? file_may_write(o->out) : NULL;
	if (why)
		complain("cannot write the answer %s: %s.", o->out, why);
	return !why;
}

static int run(struct job *j, int argc, char **argv)
{
	struct text part = {0};
	char *all = NULL;
	int *length = NULL, *at = NULL;
	int status = odds_read_options(&odds_command, argc, argv, &j->o);
	if (status != OPTIONS_DONE)
		return status;
	if (j->o.options.within > 0 || j->o.options.method == FRAY_EXACT || j->o.one_trial || j->o.of) {
		complain("fray-mpi divides a number of fights: leave out --within, --exact, --trial and --shard.");
		return EXIT_WRONG;
	}
	int may = j->rank || (odds_may_report(&j->o) && may_answer(&j->o));
	MPI_Bcast(&may, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (!may)
		return EXIT_WRONG;
	/* how it is told is the first rank's business, at the end */
	j->report = j->o.report;
	j->form = j->o.options.form;
	j->out = j->o.out;
	j->o.report = j->o.out = NULL;
	j->o.options.form = FRAY_ODDS_TEXT;
	/* one rank a core is usual; who wants fewer ranks says how many threads each has */
	if (!j->o.threads_given)
		j->o.options.threads = 1;
	j->o.shard = (uint32_t)j->rank + 1;
	j->o.of = (uint32_t)j->ranks;
	status = gather(j, odds_run_share(&j->o, &part), &part, &all, &length, &at);
	if (status == EXIT_FINE && j->rank == 0)
		status = put_together(j, all, length, at);
	text_free(&part);
	free(all);
	free(length);
	free(at);
	return status;
}

int main(int argc, char **argv)
{
	struct job j;
	int status = EXIT_WRONG;
	signal(SIGPIPE, SIG_IGN);
	memset(&j, 0, sizeof j);
	/* mpirun shows the ranks a terminal of its own, wherever their words go in the end */
	setenv("NO_COLOR", "1", 1);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &j.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &j.ranks);
	/* all ranks would say the same of the same command line and script */
	if (j.rank && !freopen("/dev/null", "w", stderr))
		MPI_Abort(MPI_COMM_WORLD, EXIT_STOPPED);
	if (j.rank && !freopen("/dev/null", "w", stdout))
		MPI_Abort(MPI_COMM_WORLD, EXIT_STOPPED);
	if (argc < 2 || strcmp(argv[1], "odds"))
		complain("usage: mpirun fray-mpi odds [OPTION]... FILE [ENCOUNTER]");
	else
		status = run(&j, argc - 1, argv + 1);
	status = host_finish(status);
	/* nobody leaves before the answer is told; the first rank says how it went */
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return j.rank ? EXIT_FINE : status;
}
