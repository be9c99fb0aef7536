/* state.h - the folder for what outlives a session: $XDG_STATE_HOME/fray, or below HOME. */
#ifndef FRAY_APP_STATE_H
#define FRAY_APP_STATE_H

/* The path of a file there, malloc'ed; its folders are made, for their owner alone. NULL when
 * there is no place. */
char *state_path(const char *name);
/* The same for a plain file that is there afterwards, for its owner alone. */
char *state_file(const char *name);

#endif
