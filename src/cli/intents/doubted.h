#ifndef CLI_DOUBTED_H
#define CLI_DOUBTED_H
/* What may be wrong with the filter of a walk, held against the rows that are looked at while none matches it. Private
 * to the layer; NULL is of no filter. */

#include "query/doubt.h"
#include "query/plan.h"

#include <stdio.h>

struct doubted *doubted_new(const struct query *query, const struct query_context *context);
void doubted_free(struct doubted *doubted);
void doubted_look(struct doubted *doubted, const struct query_row *row);
/* Says the first that stands, of a filter that found nothing in that many rows. */
void doubted_say(const struct doubted *doubted, size_t rows, FILE *to);

#endif
