#ifndef BASE_NEAR_H
#define BASE_NEAR_H
/* How far apart two words are, for "did you mean". Pure. */

#include <stdbool.h>
#include <stddef.h>

enum { EDIT_WORD_MAX = 40 }; /* bytes; longer words are for nobody to type */

/* Edits from a to b: insert, delete, change. as_typed: the case of ASCII letters does not count, and two neighbours
 * exchanged are one edit (optimal string alignment), which is how fingers err. */
size_t edit_distance(const char *a, size_t a_len, const char *b, size_t b_len, bool as_typed);

#endif
