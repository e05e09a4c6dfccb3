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
    unsigned across; /* set by rows_relate */
};

struct rows {
    struct kept *items;
    size_t n, cap;
    struct index *index;
};

static inline struct value_text rows_same(struct intent *intent, const struct value_text *text) {
    struct value_text same = *text;
    same.text = text->text ? arena_dup_n(&intent->arena, text->text, strlen(text->text)) : NULL;
    return same;
}

/* Some have the user, amount and currency of another within a minute or so, or name it as a source. */
static inline void rows_tie(const struct rows *rows, struct intent *intent, struct dice *dice) {
    const struct intent *other = rows->n > 0 ? rows->items[below(dice, rows->n)].intent : NULL;
    if (!other || other->id.state != VALUE_OK || !one_in(dice, 4))
        return;
    if (intent->n_transactions > 0 && one_in(dice, 2)) {
        intent->transactions[intent->n_transactions - 1].source_id = rows_same(intent, &other->id);
        return;
    }
    intent->user_id = rows_same(intent, &other->user_id);
    intent->currency = rows_same(intent, &other->currency);
    intent->amount = other->amount;
    intent->created_at.state = other->created_at.state;
    intent->created_at.ms = other->created_at.ms + (one_in(dice, 2) ? 60000 : (int64_t)below(dice, 140000) - 70000);
    if (one_in(dice, 6))
        intent->id = rows_same(intent, &other->id);
}

static inline void rows_fill(const struct rows *rows, struct kept *row, struct dice *dice) {
    struct intent *intent = make_intent(dice);
    if (rows)
        rows_tie(rows, intent, dice);
    row->across = 0;
    row->intent = intent;
    row->seen = make_seen(dice);
    str_init(&row->blob, 1 << 20);
    cells_pack(row->intent, &row->blob);
    if (!cells_read(row->blob.s, row->blob.len, &row->cells))
        abort();
}

static inline struct query_row rows_view(const struct kept *row) {
    return (struct query_row){row->key,          &row->cells, row->seen.first,       row->seen.confirmed,
                              row->seen.changed, row->across, row->seen.transitions, false};
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
    row->intent = NULL;
    rows_fill(rows, row, dice);
    struct query_row view = rows_view(row);
    index_put(rows->index, &view);
}

/* Another row under the key of every third. */
static inline void rows_replace_thirds(struct rows *rows, struct dice *dice) {
    for (size_t i = 0; i < rows->n; i += 3) {
        struct kept *row = &rows->items[i];
        rows_drop(row);
        rows_fill(NULL, row, dice);
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

static inline bool rows_are_two(const struct intent *a, const struct intent *b) {
    return a->id.state == VALUE_OK && b->id.state == VALUE_OK && *a->id.text && *b->id.text &&
           strcmp(a->id.text, b->id.text) != 0;
}

static inline bool rows_is_zoned(const struct intent *i) {
    return i->created_at.state == VALUE_OK && i->created_at.text[0] != '2';
}

static inline bool rows_are_twice(const struct intent *a, const struct intent *b) {
    return a->amount.number == b->amount.number && a->amount.state == VALUE_OK && b->amount.state == VALUE_OK &&
           rows_is_zoned(a) && rows_is_zoned(b) && llabs(a->created_at.ms - b->created_at.ms) <= 60000 &&
           has_text(&a->user_id) && has_text(&b->user_id) && !strcmp(a->user_id.text, b->user_id.text) &&
           has_text(&a->currency) && has_text(&b->currency) && !strcmp(a->currency.text, b->currency.text) &&
           rows_are_two(a, b);
}

static inline int rows_by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Each row beside each other. */
static inline void rows_relate(struct rows *rows) {
    const char **ids = calloc(rows->n + 1, sizeof *ids);
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++)
        if (rows->items[i].intent->id.state == VALUE_OK)
            ids[n++] = rows->items[i].intent->id.text;
    qsort(ids, n, sizeof *ids, rows_by_name);
    for (size_t i = 0; i < rows->n; i++) {
        const struct intent *intent = rows->items[i].intent;
        unsigned across = 0;
        for (size_t k = 0; k < rows->n && !across; k++)
            across = rows_are_twice(intent, rows->items[k].intent) ? FINDING_BIT(FINDING_TWICE) : 0;
        for (size_t t = 0; t < intent->n_transactions && intent->id.state == VALUE_OK; t++) {
            const struct value_text *source = &intent->transactions[t].source_id;
            if (source->state == VALUE_OK && strcmp(source->text, intent->id.text) != 0 &&
                bsearch(&source->text, ids, n, sizeof *ids, rows_by_name))
                across |= FINDING_BIT(FINDING_SOURCE);
        }
        rows->items[i].across = across;
    }
    free(ids);
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
                                  .is_marked = third_is_marked,
                                  .notes = rows_notes()};
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
