#ifndef QUERY_DOUBT_H
#define QUERY_DOUBT_H
/* Words of a filter that look like a slip, and near readings of terms that find nothing: the interface document names
 * the field's values, not this one, and one like it. Services add values, so it is a hint where nothing matched and
 * never a fault. Pure; any thread. */

#include "query/query.h"

struct query_doubt {
    enum query_field_code field;
    struct query *term;               /* the value alone, to see whether any row has it; owned */
    const char *value;                /* in term */
    const char *near[QUERY_NEAR_MAX]; /* constant */
    size_t n_near;
    bool is_reading; /* term is another reading of what was written: of use where it does find rows */
};

/* Whether it is to be said, of a filter that found nothing: found is whether any row is of its term. */
bool query_doubt_stands(const struct query_doubt *doubt, bool found);
/* The first that is asked for, not excluded; false and empty where there is none. query may be NULL. */
bool query_doubt(const struct query *query, struct query_doubt *out);
void query_doubt_clear(struct query_doubt *doubt);
/* Appends `no status "declned" among 22,394 (declined?)`: rows is how many were looked at. */
void query_doubt_say(const struct query_doubt *doubt, size_t rows, struct str *out);

#endif
