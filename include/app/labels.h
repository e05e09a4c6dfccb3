#ifndef APP_LABELS_H
#define APP_LABELS_H
/* Names of values that are too long for a column, never one for two: of the list on the screen and of the table on the
 * command line. Owned by whoever draws; a zeroed struct is empty. Names are borrowed until the next reset. */

#include "base/mem.h"
#include "base/str.h"

struct idset;

struct label {
    const char *name, *value;
};
struct labels {
    struct arena arena;
    struct label *items; /* in the order that they were drawn in */
    size_t n, cap;
    struct idset *names, *taken; /* place by value; by name */
    int width;
    bool again; /* a value that fits looks like a name given before: what was drawn is to be drawn anew */
};
struct label_value {
    const char *text;
    size_t len;
    const char *sign; /* that something is cut, one cell */
    bool end;         /* its end tells it apart */
};
/* Appends the value, or its name where it has more cells than the width. */
void labels_fit(struct labels *labels, const struct label_value *value, int width, struct str *out);
void labels_reset(struct labels *labels); /* another list */
void labels_clear(struct labels *labels);

#endif
