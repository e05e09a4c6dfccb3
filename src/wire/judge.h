#ifndef WIRE_JUDGE_H
#define WIRE_JUDGE_H
/* What an answer says about itself, for page.c, which gives it the answer without its rows. */

#include "decode.h"

#include "wire/errors.h"
#include "wire/page.h"

void judge_value(json_t *top, struct wire_verdict *out);

/* How many rows there are in all, by the answer's own count; 0: it does not say. Of several numbers the smallest. */
long long judge_total(json_t *top);

/* Whether an answer without its list is an empty page: it is empty itself, or says where the next page is. */
bool judge_is_listing(json_t *top, const struct wire_shape *shape);
/* Where else a list is, as a dotted path that list_data accepts: intents before other lists, outer before inner ones.
 * `rows`: only a list of intents. NULL; the caller frees. */
char *judge_find_list(json_t *top, bool rows);
/* Where an answer without a next cursor says that more follows, as a dotted path; NULL: it does not. At its own place
 * what is no cursor is the end. The caller frees. */
char *judge_find_more(json_t *top, const struct wire_shape *shape);
bool judge_is_row(const json_t *value); /* it looks like an intent, so it is no entry of a list of errors */
/* Its error text as one line; NULL. The caller frees. */
char *judge_text(const char *skeleton, size_t len);

#endif
