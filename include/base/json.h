#ifndef BASE_JSON_H
#define BASE_JSON_H
/* Text as a JSON string, for layers that have no library for it (jansson is wire's). Pure. */

#include "base/str.h"

/* With its quotes. Control characters are escaped, and what is no UTF-8 is U+FFFD: the result is valid whatever text
 * is.
 */
void json_add_string(struct str *out, const char *text, size_t len);

#endif
