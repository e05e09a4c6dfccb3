#ifndef CLI_HELD_H
#define CLI_HELD_H
/* Matching rows of a walk, held back until it ends, so that an id that is served several times is printed once, as it
 * was served last. Rows are kept as they will be printed, by their place in the walk, in a spool: memory does not grow
 * with them but by a bit each. Where the spool is full, what is held is printed before the end; it is counted whether
 * one of those rows was served again. Private to the layer. */

#include "cli/output.h"

struct idset;
struct spool;

struct held {
    struct output *output;
    struct spool *spool; /* a record for each place, and after it one for each time that a row came again */
    struct idset *again; /* by place: where its last record stands */
    struct str row;
    unsigned char *wanted; /* a bit for each place: a row that matches, printed or not */
    size_t n, cap;
    size_t from; /* places before it are printed */
    size_t late; /* rows that were served again with other content after they were printed */
};
void held_init(struct held *held, struct output *output);
void held_clear(struct held *held);
/* Puts a row at its place, over what was there or behind all others; NULL: it does not match, or not any more. */
void held_put(struct held *held, size_t place, const struct intent *intent);
bool held_has(const struct held *held, size_t place);
bool held_is_full(const struct held *held);
/* Prints what is held, in its order. */
enum err held_print(struct held *held, struct error *error) MUST_CHECK;

#endif
