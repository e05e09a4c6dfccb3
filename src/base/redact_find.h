#ifndef BASE_REDACT_FIND_H
#define BASE_REDACT_FIND_H
/* All forms of all values are looked for in one pass over the text, in time that grows with the text alone: each form
 * is an automaton (Knuth, Morris and Pratt), of which only those take part that have begun. */

#include "redact_units.h"

enum { FIND_BUCKETS = 256 };

struct units {
    struct unit *items;
    size_t n, cap;
};

struct needle {
    struct units units;
    size_t *fails; /* by how many units are met: how many of a beginning are met still */
    size_t met;
    bool whole;  /* no part of it counts */
    size_t next; /* of its bucket, plus one */
};

/* One sequence of units and the forms that are looked for in it. */
struct lane {
    struct needle *items;
    size_t n, cap;
    size_t buckets[FIND_BUCKETS]; /* by the first unit: needle plus one */
    struct {
        size_t *items;
        size_t n, cap;
    } begun;
    struct unit *last; /* the last units, as many as the longest form has and more */
    size_t size, at;   /* of last: a power of two; units so far */
    struct unit held;  /* what stands behind a unit decides with it */
    bool holds, cut;   /* cut: behind it */
};

/* False: it stays, since something in it is not to be taken. */
typedef bool found_fn(void *context, size_t start, size_t end);
struct finder {
    size_t cut_min; /* so much of a value that was cut is one still */
    found_fn *found;
    void *context;
};

/* Takes the units. */
void lane_add(struct lane *lane, struct units *units, bool whole);
void lane_start(struct lane *lane);
void lane_feed(struct lane *lane, const struct finder *finder, struct unit unit);
/* Behind the unit that was fed last something is left out: what has begun was cut. */
void lane_cut(struct lane *lane);
void lane_end(struct lane *lane, const struct finder *finder);
void lane_clear(struct lane *lane);

void units_clear(struct units *units);

#endif
