#ifndef BASE_REDACT_ENTITY_H
#define BASE_REDACT_ENTITY_H
/* The names that HTML has for characters. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ENTITY_NAME_MAX = 8 };

/* A letter with an accent is given as the letter: texts are compared without accents. */
bool entity_find(const char *name, size_t len, int32_t *cp);

#endif
