/* fingerprint.h - a hash of all that a line may change: for the assertion that a refused one changed nothing. */
#ifndef FRAY_API_FINGERPRINT_H
#define FRAY_API_FINGERPRINT_H

#include "lang/api/interp.h"

/* In parts, so that it can be said which is another. */
enum fingerprint_part { PRINT_NAMES, PRINT_FILES, PRINT_TREES, PRINT_MODEL, PRINT_SESSION, PRINT_FIGHT, PRINT_PARTS };
struct fingerprint { uint64_t part[PRINT_PARTS]; };

struct fingerprint fingerprint_of(struct fray *f);

#endif
