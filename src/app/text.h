#ifndef APP_TEXT_H
#define APP_TEXT_H
/* Text helpers of this layer. */

#include "base/str.h"

#include <stdint.h>

void text_json(struct str *out, const char *text); /* a JSON string; NULL gives null */
void text_time(struct str *out, int64_t at);       /* with its zone, UTC */

#endif
