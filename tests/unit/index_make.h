#ifndef TESTS_INDEX_MAKE_H
#define TESTS_INDEX_MAKE_H
/* Rows kept beside an index that was fed with them, so that every answer can be made a second time. */

#include "index/index.h"
#include "unit/query_slow.h"

struct kept {
    int64_t key;
    struct intent *intent;
    struct seen seen;
    struct str blob;
    struct cells cells;
};

struct rows {
    struct kept *items;
    size_t n, cap;
    struct index *index;
};

static inline void rows_fill(struct kept *row, struct dice *dice) {
    row->intent = make_intent(dice);
    row->seen = make_seen(dice);
    str_init(&row->blob, 1 << 20);
    cells_pack(row->intent, &row->blob);
    if (!cells_read(row->blob.s, row->blob.len, &row->cells))
        abort();
}

static inline struct query_row rows_view(const struct kept *row) {
    return (struct query_row){row->key, &row->cells, row->seen.first, row->seen.confirmed, row->seen.changed};
}

static inline void rows_drop(struct kept *row) {
    intent_free(row->intent);
    str_clear(&row->blob);
}

static inline struct kept *rows_find(struct rows *rows, int64_t key) {
    for (size_t i = 0; i < rows->n; i++)
        if (rows->items[i].key == key)
            return &rows->items[i];
    return NULL;
}

/* Adds a row, or replaces the one of the same key. */
static inline void rows_put(struct rows *rows, struct dice *dice, int64_t key, bool may_be_there) {
    struct kept *row = may_be_there ? rows_find(rows, key) : NULL;
    if (row)
        rows_drop(row);
    else
        row = vec_add(rows);
    row->key = key;
    rows_fill(row, dice);
    struct query_row view = rows_view(row);
    index_put(rows->index, &view);
}

/* Another row under the key of every third. */
static inline void rows_replace_thirds(struct rows *rows, struct dice *dice) {
    for (size_t i = 0; i < rows->n; i += 3) {
        struct kept *row = &rows->items[i];
        rows_drop(row);
        rows_fill(row, dice);
        struct query_row view = rows_view(row);
        index_put(rows->index, &view);
    }
}

static inline void rows_clear(struct rows *rows) {
    for (size_t i = 0; i < rows->n; i++)
        rows_drop(&rows->items[i]);
    free(rows->items);
    index_free(rows->index);
    *rows = (struct rows){0};
}

static inline int rows_by_key(const void *a, const void *b) {
    const struct kept *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static inline void rows_sort(struct rows *rows) {
    qsort(rows->items, rows->n, sizeof *rows->items, rows_by_key);
}

static inline struct query *must_parse(const char *text) {
    struct query *query;
    if (query_parse(text, &(struct query_options){.unit = MONEY_MINOR, .console = true}, &query, NULL, NULL) != ERR_OK)
        abort();
    return query;
}

static inline bool third_is_marked(const void *marks, int64_t key) {
    (void)marks;
    return key % 3 == 0;
}

static inline struct query_context rows_context(void) {
    return (struct query_context){.now = ROWS_NOW,
                                  .unit = MONEY_MINOR,
                                  .exponents = some_exponents,
                                  .last_visit = ROWS_NOW - 2 * 86400000,
                                  .is_marked = third_is_marked};
}

static inline struct query_plan *must_plan(const char *text) {
    struct query_context context = rows_context();
    struct query *query = must_parse(text);
    struct query_plan *plan = query_plan_new(query, &context);
    query_free(query);
    return plan;
}

static inline struct index_query everything(void) {
    return (struct index_query){.sort = {INDEX_UNSORTED, INDEX_UNSORTED}, .facet = QUERY_FIELD_COUNT};
}

#endif
