#ifndef APP_LABELS_H
#define APP_LABELS_H
/* Short names for values that are too long for a column, never the same name for two values: in the list on the screen
 * and the table on the command line. Owned by whoever draws; a zeroed struct is empty. Names are borrowed until the
 * next reset. */

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
    bool again; /* a value that fits looks like a name given before: what was drawn has to be drawn again */
};
struct label_value {
    const char *text;
    size_t len;
    const char *sign; /* the sign that something is cut, one cell */
    bool end;         /* values differ at their ends, so that is the part to keep */
};
/* Appends the value, or its name where it has more cells than the width. */
void labels_fit(struct labels *labels, const struct label_value *value, int width, struct str *out);
void labels_reset(struct labels *labels); /* begins another list */
void labels_clear(struct labels *labels);

#endif
