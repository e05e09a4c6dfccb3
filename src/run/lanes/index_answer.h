#ifndef RUN_INDEX_ANSWER_H
#define RUN_INDEX_ANSWER_H
/* Answers a question to the column index over what it holds by now. Runs on the read lane, which keeps the index filled
 * (index_lane.c). */

#include "index_lane.h"

#include <stdatomic.h>

/* known: the coverage before newly written rows were taken into the index. */
void index_answer(struct index_lane *lane, struct lookup *lookup, const struct coverage *known,
                  const atomic_bool *dropped, struct lookup_result *out);
/* Decodes rows of the cache, a few at a time, so that a question that was dropped meanwhile does not hold up the next
 * one. */
void index_read_rows(struct index_lane *lane, const int64_t *keys, size_t n, const atomic_bool *dropped,
                     struct lookup_result *found);

#endif
