/* pager.h - long answers at a terminal are shown by $PAGER, as git does it. */
#ifndef FRAY_APP_PAGER_H
#define FRAY_APP_PAGER_H

#include <stdbool.h>

/* From now on standard output goes to the pager: at a terminal alone, and when $PAGER is neither
 * empty nor `cat`. $LESS is FRX where nothing is said: short answers are printed as they are. */
void pager_begin(void);
/* Whether it does. */
bool pager_runs(void);
/* Waits until the reader has left it; after the last output. */
void pager_end(void);

#endif
