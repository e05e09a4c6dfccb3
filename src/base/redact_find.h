#ifndef BASE_REDACT_FIND_H
#define BASE_REDACT_FIND_H
/* Looks for all forms of all values in one pass over the text, so that the time grows with the text only: each form is
 * an automaton (Knuth, Morris and Pratt), and only automata that have begun to match take part. */

#include "redact_units.h"

enum { FIND_BUCKETS = 256 };

struct units {
    struct unit *items;
    size_t n, cap;
};

struct needle {
    struct units units;
    size_t *fails; /* by the number of units matched: how many are still matched when the next unit differs */
    size_t met;
    bool whole;  /* only a match of the whole counts */
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
    struct unit *last; /* ring of the last units, a little more than the longest form has */
    size_t size, at;   /* of last: a power of two; units so far */
    struct unit held;  /* the last unit is judged together with the one behind it */
    bool holds, cut;   /* cut: behind it */
    bool behind_mark;  /* of what was left out: what follows may be a value's end */
    size_t since_mark; /* units */
};

/* False: the match is kept in the text, since something in it is exempt. */
typedef bool found_fn(void *context, size_t start, size_t end);
struct finder {
    size_t cut_min; /* so many first characters of a cut value still count as the value */
    found_fn *found;
    void *context;
};

/* Takes the units. */
void lane_add(struct lane *lane, struct units *units, bool whole);
void lane_start(struct lane *lane);
void lane_feed(struct lane *lane, const struct finder *finder, struct unit unit);
/* After the unit that was fed last, text was left out: matches that have begun are cut there. */
void lane_cut(struct lane *lane);
void lane_end(struct lane *lane, const struct finder *finder);
void lane_clear(struct lane *lane);

void units_clear(struct units *units);

#endif
