#ifndef SUPPORT_LISTING_H
#define SUPPORT_LISTING_H
/* Reads the sandbox's listings without a JSON parser, which the tests of real binaries have none of: by the order of
 * members that the generator writes. Texts given out are on the heap. */

#include <stddef.h>

size_t text_count(const char *text, const char *part); /* occurrences that do not overlap */

size_t listing_count(const char *body);           /* generated intents in it */
char *listing_id(const char *body, size_t index); /* of the index'th, or NULL */
char *listing_ids(const char *body);              /* all, each followed by a newline */
char *listing_cursor(const char *body);           /* next_cursor where it is a string, or NULL */

#endif
