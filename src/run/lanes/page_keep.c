#include "page_keep.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static const size_t BYTES_MAX = (size_t)64 << 20;

static void drop_at(struct page_keep *keep, size_t at) {
    keep->bytes -= cache_batch_bytes(keep->items[at]);
    keep->given_up += at >= keep->stored;
    keep->stored -= at < keep->stored;
    cache_batch_free(keep->items[at]);
    keep->n--;
    memmove(keep->items + at, keep->items + at + 1, (keep->n - at) * sizeof *keep->items);
}

void page_keep_add(struct page_keep *keep, struct cache_batch *batch) {
    if (cache_batch_begins(batch))
        while (keep->stored > 0)
            drop_at(keep, keep->stored - 1);
    keep->bytes += cache_batch_bytes(batch);
    struct cache_batch **slot = vec_add(keep);
    *slot = batch;
    while (keep->bytes > BYTES_MAX && keep->n > 1)
        drop_at(keep, 0);
}

void page_keep_clear(struct page_keep *keep) {
    while (keep->n > 0)
        drop_at(keep, keep->n - 1);
    free(keep->items);
    *keep = (struct page_keep){0};
}

void page_keep_restart(struct page_keep *keep) {
    keep->stored = 0;
}

void page_keep_skip(struct page_keep *keep) {
    if (keep->stored < keep->n)
        drop_at(keep, keep->stored);
}
