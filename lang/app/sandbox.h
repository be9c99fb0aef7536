/* sandbox.h - shuts this process in before it reads a stranger's script. */
#ifndef FRAY_APP_SANDBOX_H
#define FRAY_APP_SANDBOX_H

/* From now on this process can read files below `folder` (NULL: the current one), write to what it
 * has open, and nothing else: no other file, no network, no other program. There is no way back.
 * Returns NULL, or why that cannot be had here. */
const char *sandbox_enter(const char *folder);

#endif
