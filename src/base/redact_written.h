#ifndef BASE_REDACT_WRITTEN_H
#define BASE_REDACT_WRITTEN_H
/* How a character may be written other than by itself, in one table that the text and each value are read with alike:
 * JSON and C escapes, percent-encoding, HTML entities, the sanitiser's tokens; nested also those of one within another,
 * doubled quotation marks, and quoted-printable. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The character at s, of len > 0 bytes; gives how many were read. Bytes that are no UTF-8 are Latin-1. */
size_t written_read(const char *s, size_t len, bool nested, int32_t *cp);
size_t written_decode(const char *s, size_t len, int32_t *cp);
/* Whether it could differ from what stands there, and from what is read when not nested. NUL-terminated. */
bool written_has_escapes(const char *s);
bool written_has_nested(const char *s);

#endif
