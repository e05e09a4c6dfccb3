#ifndef STORE_CACHE_BATCH_H
#define STORE_CACHE_BATCH_H
/* A page made ready: made by whoever has the page, then moved to the thread that stores it. */

#include "cache_own.h"

struct batch_row {
    int64_t base;         /* the key without a clash */
    size_t at, cells_len; /* in `plain`: cells, then raw; loose rows have no cells */
    size_t len;
    size_t packed_at, packed_len; /* in `packed` */
    bool loose;
};

struct cache_batch {
    char *filter, *cursor, *next; /* next NULL at the end of the list; cursor "" for the first page */
    int64_t now;
    struct batch_row *items;
    size_t n, cap;
    struct str plain, packed;
    bool whole; /* all rows that are not loose are in `packed`, */
    bool bare;  /* and in `plain` the loose ones alone */
    bool rows_only;
    bool if_later; /* what is held as of later stays */
    char *note_name, *note_text;
};

struct cache_batch *cache_batch_empty(int64_t now);

/* The rows of a page as they are stored: a key each, and the raw text of what has none. */
void page_blob_add(struct str *out, int64_t key, const char *raw, size_t len);
/* Walks a blob: start with at = 0; false at the end. */
bool page_blob_next(const char *blob, size_t len, size_t *at, int64_t *key, const char **raw, size_t *raw_len);

/* Within the transaction: stores the page of a batch. *in_walk as in cache_put_result. */
enum err cache_page_put(struct cache *cache, const struct cache_batch *batch, const struct cache_put_row *rows,
                        bool *in_walk, struct error *error) MUST_CHECK;

#endif
