#include "page_keep.h"

#include "base/mem.h"
#include "base/spool.h"

#include <stdlib.h>

enum { MEMORY_MAX = 16 << 20, PAGE_MAX = 512 << 20 };

static void forget_pages(struct page_keep *keep) {
    if (keep->spool)
        spool_reset(keep->spool);
    keep->pages.n = keep->stored = 0;
}

/* Where there is no room, all that is there goes: the oldest alone cannot. */
static void make_room(struct page_keep *keep) {
    if (!spool_is_full(keep->spool))
        return;
    keep->given_up += keep->pages.n - keep->stored;
    forget_pages(keep);
}

static void put_last_away(struct page_keep *keep) {
    struct str text;
    if (!keep->last)
        return;
    if (!keep->spool)
        keep->spool = spool_new(MEMORY_MAX);
    make_room(keep);
    str_init(&text, PAGE_MAX);
    cache_batch_write(keep->last, &text);
    *vec_add(&keep->pages) = (struct kept_page){spool_len(keep->spool), text.len};
    spool_add(keep->spool, text.s, text.len);
    str_clear(&text);
    cache_batch_free(keep->last);
    keep->last = NULL;
}

void page_keep_add(struct page_keep *keep, struct cache_batch *batch) {
    put_last_away(keep);
    /* The mirror has several walks at once. */
    if (cache_batch_begins(batch) && !cache_batch_is_mirrored(batch) && keep->stored == keep->pages.n)
        forget_pages(keep);
    keep->last = batch;
}

void page_keep_clear(struct page_keep *keep) {
    cache_batch_free(keep->last);
    cache_batch_free(keep->back);
    spool_free(keep->spool);
    free(keep->pages.items);
    *keep = (struct page_keep){0};
}

static struct cache_batch *read_back(const struct page_keep *keep, const struct kept_page *page) {
    struct spool_window window = {0};
    const char *text = spool_see(keep->spool, &window, page->at, page->len);
    struct cache_batch *batch = text ? cache_batch_read(text, page->len) : NULL;
    spool_window_clear(&window);
    return batch;
}

struct cache_batch *page_keep_next(struct page_keep *keep) {
    while (keep->stored < keep->pages.n && !keep->back) {
        keep->back = read_back(keep, &keep->pages.items[keep->stored]);
        if (!keep->back)
            page_keep_skip(keep);
    }
    return keep->stored < keep->pages.n ? keep->back : keep->last;
}

static void page_keep_pass(struct page_keep *keep) {
    cache_batch_free(keep->back);
    keep->back = NULL;
    keep->stored++;
}

void page_keep_stored(struct page_keep *keep) {
    if (keep->stored == keep->pages.n)
        put_last_away(keep);
    page_keep_pass(keep);
}

void page_keep_skip(struct page_keep *keep) {
    keep->given_up++;
    if (keep->stored < keep->pages.n) {
        page_keep_pass(keep);
    } else {
        cache_batch_free(keep->last);
        keep->last = NULL;
    }
}

void page_keep_restart(struct page_keep *keep) {
    cache_batch_free(keep->back);
    keep->back = NULL;
    keep->stored = 0;
}
