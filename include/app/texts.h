#ifndef APP_TEXTS_H
#define APP_TEXTS_H
/* Texts of many rows, each kept once: statuses, currencies and banks of a million intents are few. So equal texts have
 * one address. */

#include "model/cells.h"

struct texts;
struct texts *texts_new(void);
void texts_free(struct texts *texts);
const char *texts_keep(struct texts *texts, const char *text, size_t len); /* good until it is freed */
/* The same for a text of the column index, which keeps its address while rows are taken; NULL for none and for an
 * empty one. */
const char *texts_keep_slice(struct texts *texts, struct cells_slice slice);
/* The place that a kept text has among the n that were met so far, by its address; n: it is new there. */
struct idset;
size_t texts_place(struct idset *places, const char *text, size_t n);
/* The same of a pair of them. */
size_t texts_place_of_pair(struct idset *places, const char *first, const char *second, size_t n);
void texts_begin(struct texts *texts); /* rows of another answer: addresses may be others' now */

#endif
