#ifndef APP_HEADINGS_H
#define APP_HEADINGS_H
/* Which column of a table is which field: the names that people give to fields, and a mapping file of the operator.
 * Headings are compared as csv_table_name has them. Pure. */

#include "base/error.h"

#include <stddef.h>

enum { HEADING_LEFT_OUT = -1, HEADING_NOT_KNOWN = -2, HEADING_NO_NAME = -3 };

/* Of a mapping file. */
struct headings {
    struct heading {
        char *name; /* as it is compared */
        int field;
    } * items;
    size_t n, cap;
};
/* A field by its name in a mapping file; negative: there is none. */
typedef int heading_find(const char *path);
/* Lines `Header = field`, `-` leaves a column out, # begins a comment. ERR_INVALID with the line. */
enum err headings_read(struct headings *map, const char *text, size_t len, heading_find *find,
                       struct error *error) MUST_CHECK;
void headings_clear(struct headings *map);
/* aliases: of each of n fields the names as they are compared, separated by blanks; NULL: none. */
int headings_field(const struct headings *map, const char *const *aliases, size_t n, const char *heading);

#endif
