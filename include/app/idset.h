#ifndef APP_IDSET_H
#define APP_IDSET_H
/* A map from text keys to row numbers, by 64 bits of digest: which row has this id, was this cursor followed before. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct idset;

struct idset *idset_new(void);
void idset_free(struct idset *set);
void idset_reset(struct idset *set);
/* Keeps the first number that was put for a key; false where the key was there already. */
bool idset_put(struct idset *set, const char *key, size_t len, size_t number);
/* Keeps the last number; returns the one before it, or SIZE_MAX where there was none. */
size_t idset_swap(struct idset *set, const char *key, size_t len, size_t number);
/* SIZE_MAX: not there. */
size_t idset_find(const struct idset *set, const char *key, size_t len);
/* The key of a row that has no id, by its bytes: of this length, and with a first byte that no id has, so that a row
 * which is the bare text `5` is not taken for the one whose id is 5. */
enum { IDSET_BYTES_KEY = 9 };
const char *idset_bytes_key(const char *raw, size_t len, char key[IDSET_BYTES_KEY]);

#endif
