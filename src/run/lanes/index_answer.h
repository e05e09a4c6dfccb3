#ifndef RUN_INDEX_ANSWER_H
#define RUN_INDEX_ANSWER_H
/* A question to the column index, answered over what it holds by now: on the read lane, which keeps it filled
 * (index_lane.c). */

#include "index_lane.h"

#include <stdatomic.h>

/* known: how far the rows reached before those that came meanwhile were taken in. */
void index_answer(struct index_lane *lane, struct lookup *lookup, const struct coverage *known,
                  const atomic_bool *dropped, struct lookup_result *out);
/* Decodes rows of the cache. A few at a time: a question that was dropped meanwhile must not hold up the next one. */
void index_read_rows(struct index_lane *lane, const int64_t *keys, size_t n, const atomic_bool *dropped,
                     struct lookup_result *found);

#endif
