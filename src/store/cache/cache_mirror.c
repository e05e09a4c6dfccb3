/* The walks of a mirror: held apart, resumed from their last page, and noted together once all of them are whole. */
#include "cache_batch.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static const int64_t PLACES = INT64_C(1) << CACHE_PAGE_BITS;

/* No filter's text begins so: it names a field first, with a colon. */
static const char PREFIX[] = "mirror ";

char *cache_mirror_walk(const char *filter) {
    struct str name;
    str_init(&name, strlen(filter) + sizeof PREFIX);
    str_addf(&name, "%s%s", PREFIX, filter);
    return str_take(&name);
}

bool cache_batch_is_mirrored(const struct cache_batch *batch) {
    return str_starts(batch->filter, PREFIX);
}

static void take_scan(struct cache_mirrored *out, struct cache_page_scan *scan) {
    out->began = out->pages == 0 || scan->fetched < out->began ? scan->fetched : out->began;
    out->ended = out->pages == 0 || scan->fetched > out->ended ? scan->fetched : out->ended;
    out->pages++;
    out->rows += scan->keys;
    out->loose += scan->loose;
    free(out->next);
    out->next = scan->next;
    scan->next = NULL;
    out->whole = !out->next;
}

/* Each page from the first on, as long as they follow each other. */
static enum err scan_walk(struct cache *cache, const char *name, struct cache_mirrored *out, struct error *error) {
    int64_t walk = 0;
    enum err err = cache_walk_of(cache, name, &walk, error);
    bool follows = err == ERR_OK && walk != 0;
    for (int64_t at = 0; err == ERR_OK && follows && !out->whole; at++) {
        struct cache_page_scan scan;
        err = cache_page_scan(cache, name, walk * PLACES + at, &scan, error);
        follows = err == ERR_OK && scan.whole && str_equal(scan.cursor, out->next);
        if (follows)
            take_scan(out, &scan);
        free(scan.cursor);
        free(scan.next);
    }
    return err;
}

enum err cache_mirrored(struct cache *cache, const char *filter, struct cache_mirrored *out, struct error *error) {
    *out = (struct cache_mirrored){0};
    char *name = cache_mirror_walk(filter);
    enum err err = cache_usable(cache, error);
    if (err == ERR_OK)
        err = scan_walk(cache, name, out, error);
    free(name);
    return err;
}

static void add_walk(struct cache_whole *sum, const struct cache_mirrored *walk) {
    bool first = !sum->known && sum->ended == 0;
    sum->began = first || walk->began < sum->began ? walk->began : sum->began;
    sum->ended = walk->ended > sum->ended ? walk->ended : sum->ended;
    sum->rows += walk->rows;
    sum->loose += walk->loose;
}

static enum err sum_walks(struct cache *cache, const char *const *filters, size_t n, struct cache_whole *sum,
                          struct error *error) {
    enum err err = ERR_OK;
    bool whole = n > 0;
    for (size_t i = 0; i < n && err == ERR_OK && whole; i++) {
        struct cache_mirrored walk;
        err = cache_mirrored(cache, filters[i], &walk, error);
        whole = err == ERR_OK && walk.whole;
        add_walk(sum, &walk);
        free(walk.next);
    }
    sum->known = whole;
    return err;
}

static enum err drop_mirrored(struct cache *cache, const char *filter, struct error *error) {
    int64_t walk = 0;
    char *name = cache_mirror_walk(filter);
    enum err err = cache_walk_of(cache, name, &walk, error);
    free(name);
    return err == ERR_OK && walk != 0 ? cache_pages_cut(cache, walk * PLACES, error) : err;
}

static enum err drop_walks(struct cache *cache, const char *const *filters, size_t n, struct error *error) {
    enum err err = ERR_OK;
    for (size_t i = 0; i < n && err == ERR_OK; i++)
        err = drop_mirrored(cache, filters[i], error);
    return err;
}

enum err cache_mirror_drop(struct cache *cache, const char *const *filters, size_t n, struct error *error) {
    enum err err = db_begin(&cache->db, error);
    return err != ERR_OK ? err : db_end(&cache->db, drop_walks(cache, filters, n, error), error);
}

static bool lacks_row(const struct cache_page *page) {
    for (size_t i = 0; i < page->rows.n; i++)
        if (page->rows.items[i].missing)
            return true;
    return false;
}

/* Ends a walk before its first page with a row that is not held any more, so that it is read again from there. */
static enum err cut_at_hole(struct cache *cache, const char *filter, struct error *error) {
    int64_t walk = 0;
    char *name = cache_mirror_walk(filter);
    enum err err = cache_walk_of(cache, name, &walk, error);
    bool there = err == ERR_OK && walk != 0, hole = false;
    for (size_t i = 0; err == ERR_OK && there && !hole; i++) {
        struct cache_page page;
        cache_page_init(&page);
        err = cache_page(cache, name, i, &page, error);
        there = page.there;
        hole = err == ERR_OK && there && lacks_row(&page);
        cache_page_clear(&page);
        if (hole)
            err = cache_pages_cut(cache, walk * PLACES + (int64_t)i, error);
    }
    free(name);
    return err;
}

/* Looks for damage in all rows; *lost: some were, and the walks end before them. */
static enum err heal_walks(struct cache *cache, const char *const *filters, size_t n, bool *lost, struct error *error) {
    int64_t before = 0, after = 0;
    enum err err = cache_count_get(cache, CACHE_COUNTER_DROPPED, &before, error);
    if (err == ERR_OK)
        err = cache_heal(cache, error);
    if (err == ERR_OK)
        err = cache_count_get(cache, CACHE_COUNTER_DROPPED, &after, error);
    *lost = err == ERR_OK && after != before;
    for (size_t i = 0; i < n && err == ERR_OK && *lost; i++)
        err = cut_at_hole(cache, filters[i], error);
    return err;
}

static enum err join(struct cache *cache, const char *const *filters, size_t n, bool *joined, struct error *error) {
    struct cache_whole sum = {0};
    bool lost = false;
    enum err err = sum_walks(cache, filters, n, &sum, error);
    /* Also where the walks are not found to their ends: it is asked when they were read, so damage may hide pages. */
    if (err == ERR_OK)
        err = heal_walks(cache, filters, n, &lost, error);
    if (err != ERR_OK || !sum.known || lost)
        return err;
    if (err == ERR_OK)
        err = cache_whole_set(cache, "", &sum, error);
    if (err == ERR_OK && sum.loose == 0)
        err = drop_walks(cache, filters, n, error);
    *joined = err == ERR_OK;
    return err;
}

enum err cache_mirror_join(struct cache *cache, const char *const *filters, size_t n, bool *joined,
                           struct error *error) {
    *joined = false;
    enum err err = cache_usable(cache, error);
    if (err == ERR_OK)
        err = db_begin(&cache->db, error);
    if (err != ERR_OK)
        return err;
    err = db_end(&cache->db, join(cache, filters, n, joined, error), error);
    *joined = *joined && err == ERR_OK;
    return err;
}
