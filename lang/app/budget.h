/* budget.h - how much one command may take: time, memory, output.
 *
 * `--time`, `--memory` and `--output` may be given with every command. Each has a default, so that
 * a stranger's script cannot take a computer for itself. A budget that is spent ends the command
 * with a message and exit status 3. */
#ifndef FRAY_APP_BUDGET_H
#define FRAY_APP_BUDGET_H

#include "lang/app/app.h"
#include "lang/app/options.h"

/* Takes the options out of the words. False after saying what is wrong with one. */
bool budget_take(int *argc, char **argv);
/* The options, for help and completion. */
const struct option *budget_options(int *count);

/* Begins to count the time of the command called that name. */
void budget_begin(const char *command);
/* From now on the default limit of time does not apply: the command line says how much work it
 * asks for. */
void budget_asked(void);
/* Whether the time is up. */
bool budget_time_is_up(void);
/* Counts bytes of output. Ends the process when they are too many. */
void budget_written(size_t bytes);
/* An answer of odds may take so many MB, on so many threads: they come on top. */
void budget_answer_takes(uint64_t mb, int threads);
/* Says that there is not enough memory, and ends the process. */
_Noreturn void budget_out_of_memory(void);
/* The exit status of a command that ended with this one; says so if a budget was spent. */
int budget_finish(int status);

#endif
