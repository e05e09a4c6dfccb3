#ifndef WIRE_BESIDE_H
#define WIRE_BESIDE_H
/* What stands beside the rows of a listing, for page.c. */

#include "decode.h"

#include "wire/page.h"

/* Says in plain terms that it failed: an error, a flag that is false, a status of failure. */
bool wire_says_failed(json_t *top);
/* Whether an answer without its list is an empty page. elsewhere: the path of a list that is there, for people; the
 * caller frees; NULL. */
bool wire_is_listing(json_t *top, const struct wire_shape *shape, char **elsewhere);
/* Its error text as one line; NULL. The caller frees. */
char *wire_beside_text(const char *skeleton, size_t len);

#endif
