#ifndef WIRE_EXTRACT_H
#define WIRE_EXTRACT_H
/* A short printable line from a body that is no JSON error: a page's title or words, or the beginning of a text. */

#include <stddef.h>

/* Heap text, or NULL where nothing can be read. content_type may be NULL. */
char *wire_extract(const char *body, size_t len, const char *content_type);

#endif
