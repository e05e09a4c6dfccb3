#ifndef STORE_DICTIONARY_H
#define STORE_DICTIONARY_H
/* Dictionary number 1 of the cache, as src/store/dictionary/make.c made it. Constant. */

#include <stddef.h>
#include <stdint.h>

extern const unsigned char dictionary_bytes[];
extern const unsigned char dictionary_end[];

static inline size_t dictionary_len(void) {
    return (size_t)((uintptr_t)dictionary_end - (uintptr_t)dictionary_bytes);
}

#endif
