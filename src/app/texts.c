#include "app/texts.h"

#include "app/idset.h"
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NEAR_TEXTS = 1 << 12 };

struct texts {
    struct arena arena;
    struct idset *numbers;
    const char **items;
    size_t n, cap;
    struct {
        const char *from, *kept;
    } near[NEAR_TEXTS]; /* by the address that they had */
};

struct texts *texts_new(void) {
    struct texts *texts = mem_new(sizeof *texts);
    texts->numbers = idset_new();
    return texts;
}

void texts_free(struct texts *texts) {
    if (!texts)
        return;
    idset_free(texts->numbers);
    arena_clear(&texts->arena);
    free(texts->items);
    free(texts);
}

const char *texts_keep(struct texts *texts, const char *text, size_t len) {
    size_t at = idset_find(texts->numbers, text, len);
    if (at != SIZE_MAX)
        return texts->items[at];
    (void)idset_put(texts->numbers, text, len, texts->n);
    return *(const char **)vec_add(texts) = arena_dup_n(&texts->arena, text, len);
}

const char *texts_keep_slice(struct texts *texts, struct cells_slice slice) {
    enum { ALIGNED = 3 };
    size_t at = ((uintptr_t)slice.s ^ (uintptr_t)slice.s >> ALIGNED) % NEAR_TEXTS;
    if (!slice.s || slice.len == 0)
        return NULL;
    if (texts->near[at].from != slice.s) {
        texts->near[at].kept = texts_keep(texts, slice.s, slice.len);
        texts->near[at].from = slice.s;
    }
    return texts->near[at].kept;
}

static size_t texts_place_of(struct idset *places, const char *const *texts, size_t len, size_t n) {
    size_t at = idset_find(places, (const char *)texts, len);
    if (at != SIZE_MAX)
        return at;
    (void)idset_put(places, (const char *)texts, len, n);
    return n;
}

size_t texts_place(struct idset *places, const char *text, size_t n) {
    return texts_place_of(places, &text, sizeof text, n);
}

size_t texts_place_of_pair(struct idset *places, const char *first, const char *second, size_t n) {
    const char *const pair[] = {first, second};
    return texts_place_of(places, pair, sizeof pair, n);
}

void texts_begin(struct texts *texts) {
    memset(texts->near, 0, sizeof texts->near);
}
