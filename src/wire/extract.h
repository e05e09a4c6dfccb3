#ifndef WIRE_EXTRACT_H
#define WIRE_EXTRACT_H
/* A short printable line out of a body that is no JSON we know: a page's title or words, a text's beginning. */

#include <stddef.h>

/* Heap text, or NULL where nothing can be read. content_type may be NULL. */
char *wire_extract(const char *body, size_t len, const char *content_type);

#endif
