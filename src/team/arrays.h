#ifndef TEAM_ARRAYS_H
#define TEAM_ARRAYS_H
/* An array as PostgreSQL reads it from a text: one parameter for many values. */

#include "base/str.h"

#include <stdint.h>

void array_begin(struct str *array); /* empties it */
void array_add_text(struct str *array, const char *text, size_t len);
void array_add_null(struct str *array);
void array_add_number(struct str *array, int64_t number);
void array_add_bytes(struct str *array, const struct str *bytes); /* of a BYTEA[] */
void array_end(struct str *array);

#endif
