#ifndef CLI_HELD_H
#define CLI_HELD_H
/* Matching rows of a walk, held back until it ends, so that an id that is served several times is printed once, as it
 * was served last. Rows are kept as served, by their place in the walk. Beyond a bound the first ones are printed
 * before the end; it is counted whether one of those was served again. Private to the layer. */

#include "cli/output.h"

struct held {
    struct held_row {
        char *raw; /* NULL: does not match, or is printed */
        size_t len;
        bool printed;
    } * items;
    size_t n, cap;
    size_t bytes, rows; /* held */
    size_t from;        /* places before it are printed */
    size_t late;        /* rows that were served again with other content after they were printed */
};
void held_clear(struct held *held);
/* Puts a row at its place, over what was there; NULL: the row there does not match any more. */
void held_put(struct held *held, size_t place, const struct intent *intent);
bool held_has(const struct held *held, size_t place); /* a row that matches, printed or not */
bool held_is_full(const struct held *held);
/* Prints what is held, in its order. */
enum err held_print(struct held *held, struct output *output, struct error *error) MUST_CHECK;

#endif
