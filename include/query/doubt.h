#ifndef QUERY_DOUBT_H
#define QUERY_DOUBT_H
/* What may be wrong with a filter that finds nothing: a word that looks like a slip (the interface document names the
 * field's values, not this one, and one like it), and other readings of its terms. Services add values, and who writes
 * may mean what is written, so it is a hint where nothing matched and never a fault. Pure; any thread. */

#include "query/query.h"

struct query_doubt {
    enum query_field_code field;
    struct query *tried;              /* what is to be looked for before it is said; owned */
    struct query *term;               /* the value alone, or its other reading; owned */
    const char *value;                /* in term; NULL: another reading, and tried is the whole filter with it */
    const char *near[QUERY_NEAR_MAX]; /* constant */
    size_t n_near;
    const char *why;  /* the words before a reading; constant */
    const char *word; /* an operator of other languages, a word here: tried is how it is written; in term; NULL: none */
};

enum { QUERY_DOUBTS_MAX = 8 };
struct query_doubts {
    struct query_doubt items[QUERY_DOUBTS_MAX];
    size_t n;
};

/* All that may be said of it, of what is asked for and not excluded, the likeliest first. query may be NULL. */
void query_doubts(const struct query *query, struct query_doubts *out);
/* Where amounts are shown in a unit: appends how the filter's first integer is read, and how that unit is written;
 * false: it has none. */
bool query_say_integers(const struct query *query, struct str *out);
void query_doubts_clear(struct query_doubts *doubts);
/* Whether it is to be said, of a filter that found nothing: found is whether any row is of what is tried. */
bool query_doubt_stands(const struct query_doubt *doubt, bool found);
/* Appends `no status "declned" among 22,394 (declined?)`: rows is how many were looked at. */
void query_doubt_say(const struct query_doubt *doubt, size_t rows, struct str *out);

#endif
