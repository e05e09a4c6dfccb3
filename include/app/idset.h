#ifndef APP_IDSET_H
#define APP_IDSET_H
/* Text keys to row numbers, by 64 bits of digest: which row holds this id, was this cursor followed before. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct idset;

struct idset *idset_new(void);
void idset_free(struct idset *set);
void idset_reset(struct idset *set);
/* Keeps the first number put for a key; false where the key was there. */
bool idset_put(struct idset *set, const char *key, size_t len, size_t number);
/* Keeps the last number; the one before it, SIZE_MAX: there was none. */
size_t idset_swap(struct idset *set, const char *key, size_t len, size_t number);
/* SIZE_MAX: not there. */
size_t idset_find(const struct idset *set, const char *key, size_t len);

#endif
