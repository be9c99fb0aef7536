/* json_out.h - diagnostics as JSON lines. */
#ifndef FRAY_APP_JSON_OUT_H
#define FRAY_APP_JSON_OUT_H

#include <stdio.h>

#include "lang/app/app.h"

/* A JSON string on standard output; what is no UTF-8 in it is replaced. */
void json_print_string(const char *text);
/* The same to another stream; a diagnostic as an object without its line's end. */
void json_put_string(FILE *out, const char *text);
void json_put_diagnostic(FILE *out, const struct fray_diagnostic *d);
/* One object on one line of standard output. */
void json_print_diagnostic(const struct fray_diagnostic *d);

#endif
