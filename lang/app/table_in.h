/* table_in.h - tables of creatures from other programs: CSV with a heading, or JSON objects. */
#ifndef FRAY_APP_TABLE_IN_H
#define FRAY_APP_TABLE_IN_H

#include <stdbool.h>
#include <stddef.h>

struct cell { char *column, *value; };
struct row { struct cell *cell; int cells, room; };
struct table_in { struct row *row; int rows, room; };

/* False after saying what is wrong, with the line where it is. */
bool table_read_csv(struct table_in *t, const char *path, const char *text, size_t length);
bool table_read_json(struct table_in *t, const char *path, const char *text, size_t length);
void table_free(struct table_in *t);
/* The value of a column, or NULL. */
const char *row_value(const struct row *r, const char *column);

#endif
