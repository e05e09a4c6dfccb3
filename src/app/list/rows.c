#include "rows.h"
#include "app/idset.h"
#include "left.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "model/change.h"

#include <stdlib.h>
#include <string.h>

void rows_drop(struct browse *browse) {
    for (size_t i = 0; i < browse->n; i++)
        intent_free(browse->items[i].intent);
    browse->n = browse->confirmed = browse->forgotten = 0;
    browse->pages.n = 0;
    browse->broken_rows = browse->repeated_rows = browse->gone_rows = browse->failed_pages = browse->partial_pages = 0;
    browse->said[0] = '\0';
    browse->newest_first = browse->oldest_first = true;
    idset_reset(browse->ids);
    rows_number_anew(browse);
}

static void rows_note_order(struct browse *browse, const struct intent *intent) {
    const struct intent *last = browse->confirmed ? browse->items[browse->confirmed - 1].intent : NULL;
    if (!last)
        return;
    if (last->created_at.state == VALUE_OK && intent->created_at.state == VALUE_OK) {
        browse->newest_first = browse->newest_first && intent->created_at.ms <= last->created_at.ms;
        browse->oldest_first = browse->oldest_first && intent->created_at.ms >= last->created_at.ms;
    }
}

static void put_in_place(struct browse_row *held, struct intent *intent, int64_t now) {
    held->changed |= held->intent ? intent_changes(held->intent, intent) : 0;
    held->confirmed = now;
    held->gone = false;
    intent_free(held->intent);
    held->intent = intent;
}

bool rows_replace(struct browse *browse, struct intent *intent, int64_t now) {
    size_t row = browse_find(browse, intent_id(intent));
    if (row >= browse->confirmed)
        return false;
    if (browse->items[row].gone) {
        browse->gone_rows--;
        browse->items[row].gone = false;
    }
    put_in_place(&browse->items[row], intent, now);
    rows_note_moved(browse, &browse->items[row]);
    return true;
}

bool rows_renew_cached(struct browse *browse, size_t row, struct intent *intent, int64_t now) {
    put_in_place(&browse->items[row], intent, now);
    rows_note_moved(browse, &browse->items[row]);
    return true;
}

bool rows_knows(const struct browse *browse, const struct intent *intent) {
    char bytes[IDSET_BYTES_KEY];
    if (intent_id(intent))
        return false;
    size_t row = idset_find(browse->ids, idset_bytes_key(intent->raw, intent->raw_len, bytes), sizeof bytes);
    return row < browse->forgotten + browse->confirmed;
}

/* A row without an id counts as new only where the very same bytes were not served before. */
static bool note_identity(struct browse *browse, const struct intent *intent, size_t row) {
    char bytes[IDSET_BYTES_KEY];
    const char *id = intent_id(intent);
    row += browse->forgotten;
    if (id)
        return idset_put(browse->ids, id, strlen(id), row);
    return idset_put(browse->ids, idset_bytes_key(intent->raw, intent->raw_len, bytes), sizeof bytes, row);
}

static void rows_reindex(struct browse *browse) {
    idset_reset(browse->ids);
    for (size_t i = 0; i < browse->n; i++)
        if (browse->items[i].intent)
            (void)note_identity(browse, browse->items[i].intent, i);
}

static void drop_row(struct browse *browse, struct browse_row *row) {
    browse->broken_rows -= row->intent->broken != NULL;
    rows_note_moved(browse, row);
    intent_free(row->intent);
    row->intent = NULL;
}

void rows_drop_cached(struct browse *browse) {
    if (browse->n == browse->confirmed)
        return;
    for (size_t i = browse->confirmed; i < browse->n; i++)
        drop_row(browse, &browse->items[i]);
    browse->n = browse->confirmed;
    rows_reindex(browse);
}

void rows_note_gone(struct browse *browse, size_t end, int64_t since) {
    for (size_t i = 0; i < end && i < browse->confirmed; i++) {
        struct browse_row *row = &browse->items[i];
        if (!row->gone && row->confirmed < since && intent_id(row->intent)) {
            row->gone = true;
            browse->gone_rows++;
            rows_note_moved(browse, row); /* such a row is not counted any more */
            left_add(browse, row->intent, since);
        }
    }
}

void rows_drop_gone(struct browse *browse) {
    size_t kept = 0, confirmed = browse->confirmed;
    for (size_t i = 0; i < browse->n; i++) {
        struct browse_row *row = &browse->items[i];
        if (row->gone) {
            drop_row(browse, row);
            browse->confirmed -= i < confirmed;
            for (size_t page = 0; page < browse->pages.n; page++)
                browse->pages.items[page].first -= browse->pages.items[page].first > kept;
        } else {
            browse->items[kept++] = *row;
        }
    }
    if (kept < browse->n) {
        browse->n = kept;
        browse->gone_rows = 0;
        rows_reindex(browse);
    }
}

/* Whether a cached row should have been on this page. The list is taken to be newest first unless a row says otherwise:
 * then cached rows newer than the page's last row would be above that row, if the service still listed them. */
static bool is_passed_over(const struct browse *browse, const struct intent *cached, const struct page *page) {
    const struct intent *last = page->n ? page->items[page->n - 1] : NULL;
    return last && browse->newest_first && last->created_at.state == VALUE_OK && cached->created_at.state == VALUE_OK &&
           cached->created_at.ms > last->created_at.ms;
}

/* Removes the cached rows down to the page's last one, since the page has them now; the page's rows are compared with
 * them first, to mark changes. A page that meets no cached row ends above them: rows between the two were not read,
 * which is a gap. */
static void pass_cached(struct browse *browse, const struct page *page, uint64_t *changed) {
    size_t end = browse->confirmed;
    for (size_t i = 0; i < page->n; i++) {
        size_t row = browse_find(browse, intent_id(page->items[i]));
        if (row >= browse->confirmed && row < browse->n) {
            changed[i] = intent_changes(browse->items[row].intent, page->items[i]);
            end = row + 1 > end ? row + 1 : end;
        }
    }
    while (end < browse->n && is_passed_over(browse, browse->items[end].intent, page))
        end++;
    for (size_t i = browse->confirmed; i < end; i++)
        drop_row(browse, &browse->items[i]);
    memmove(browse->items + browse->confirmed, browse->items + end, (browse->n - end) * sizeof *browse->items);
    browse->n -= end - browse->confirmed;
    browse->gap = end == browse->confirmed && (browse->gap || browse->pages.n == 1);
    if (end > browse->confirmed)
        rows_reindex(browse);
}

/* Makes room for one row below the confirmed ones. */
static struct browse_row *open_row(struct browse *browse) {
    (void)vec_add(browse);
    struct browse_row *row = &browse->items[browse->confirmed];
    memmove(row + 1, row, (browse->n - 1 - browse->confirmed) * sizeof *row);
    browse->confirmed++;
    return row;
}

void rows_drop_replaced(struct browse *browse) {
    for (size_t i = 0; i < browse->replaced.n; i++)
        intent_free(browse->replaced.items[i].intent);
    browse->replaced.n = 0;
}

/* Takes the intent of a row that this walk read before, forgotten since or not. */
static bool take_again(struct browse *browse, struct intent *intent, int64_t now) {
    const char *id = intent_id(intent);
    size_t place = id ? idset_find(browse->ids, id, strlen(id)) : SIZE_MAX;
    struct browse_again again = {.place = place, .confirmed = now};
    if (place < browse->forgotten)
        again.intent = intent;
    else if (!rows_replace(browse, intent, now))
        return false;
    *vec_add(&browse->replaced) = again;
    browse->repeated_rows++;
    return true;
}

size_t rows_append(struct browse *browse, struct page *page, int64_t now) {
    size_t fresh = 0;
    uint64_t *changed = mem_new_array(page->n + 1, sizeof *changed);
    bool below = browse->n > browse->confirmed;
    struct browse_page *mark = vec_add(&browse->pages);
    *mark = (struct browse_page){.first = browse->confirmed, .at = now};
    if (below)
        pass_cached(browse, page, changed);
    for (size_t i = 0; i < page->n; i++) {
        struct intent *intent = page_take_row(page, i);
        left_remove(browse, intent_id(intent));
        if (take_again(browse, intent, now))
            continue;
        rows_note_order(browse, intent);
        fresh += note_identity(browse, intent, browse->confirmed);
        browse->broken_rows += intent->broken != NULL;
        *open_row(browse) =
            (struct browse_row){.intent = intent, .page = browse->pages.n - 1, .confirmed = now, .changed = changed[i]};
        rows_number(browse, browse->confirmed - 1);
    }
    if (below)
        rows_reindex(browse);
    free(changed);
    return fresh;
}

/* A new row and the time that decides its place: its own, or where it has none that of the row before it. */
struct placed {
    struct intent *intent;
    int64_t ms;
    size_t at; /* its position in the answer */
};

static int64_t time_after(const struct intent *intent, int64_t before) {
    return intent->created_at.state == VALUE_OK ? intent->created_at.ms : before;
}

static int rows_newest_first(const void *a, const void *b) {
    const struct placed *x = a, *y = b;
    return x->ms != y->ms ? (x->ms < y->ms ? 1 : -1) : (x->at > y->at) - (x->at < y->at);
}

static int oldest_first(const void *a, const void *b) {
    const struct placed *x = a, *y = b;
    return x->ms != y->ms ? (x->ms > y->ms ? 1 : -1) : (x->at > y->at) - (x->at < y->at);
}

/* Removes the cached copies of rows that were placed among the confirmed ones. */
static void drop_held(struct browse *browse, const struct placed *placed, size_t n, uint64_t *changed) {
    for (size_t i = 0; i < n; i++) {
        size_t row = browse_find(browse, intent_id(placed[i].intent));
        if (row >= browse->confirmed && row < browse->n && browse->items[row].intent) {
            changed[placed[i].at] = intent_changes(browse->items[row].intent, placed[i].intent);
            drop_row(browse, &browse->items[row]);
        }
    }
    size_t kept = browse->confirmed;
    for (size_t i = browse->confirmed; i < browse->n; i++)
        if (browse->items[i].intent)
            browse->items[kept++] = browse->items[i];
    browse->n = kept;
}

struct placing {
    struct browse *browse;
    const struct placed *placed;
    const uint64_t *changed;
    size_t n, next; /* of placed */
    struct browse_row *out;
    size_t n_out, page;
    int64_t now;
};

static void put_next(struct placing *placing) {
    const struct placed *placed = &placing->placed[placing->next++];
    placing->out[placing->n_out++] = (struct browse_row){.intent = placed->intent,
                                                         .page = placing->page,
                                                         .confirmed = placing->now,
                                                         .is_new = true,
                                                         .changed = placing->changed[placed->at]};
    placing->browse->broken_rows += placed->intent->broken != NULL;
}

/* Pages keep the rows that they begin with. */
static void rows_merge(struct placing *placing, bool by_time, bool newest) {
    struct browse *browse = placing->browse;
    size_t confirmed = browse->confirmed, mark = 0;
    int64_t ms = newest ? INT64_MAX : INT64_MIN;
    for (size_t i = 0; i <= confirmed; i++) {
        ms = i < confirmed ? time_after(browse->items[i].intent, ms) : newest ? INT64_MIN : INT64_MAX;
        while (placing->next < placing->n && (!by_time || (newest ? placing->placed[placing->next].ms >= ms
                                                                  : placing->placed[placing->next].ms <= ms)))
            put_next(placing);
        for (; mark < browse->pages.n && browse->pages.items[mark].first <= i; mark++) {
            browse->pages.items[mark].first = mark > 0 ? placing->n_out : 0;
            placing->page = mark;
        }
        if (i < confirmed)
            placing->out[placing->n_out++] = browse->items[i];
    }
}

static struct placed *placed_of(const struct browse *browse, struct intent **intents, size_t n) {
    struct placed *placed = mem_new_array(n + 1, sizeof *placed);
    bool oldest = browse->oldest_first && !browse->newest_first;
    int64_t ms = oldest ? INT64_MIN : INT64_MAX;
    for (size_t i = 0; i < n; i++) {
        ms = time_after(intents[i], ms);
        placed[i] = (struct placed){intents[i], ms, i};
    }
    if (browse->newest_first || oldest)
        qsort(placed, n, sizeof *placed, oldest ? oldest_first : rows_newest_first);
    return placed;
}

void rows_place(struct browse *browse, struct intent **intents, size_t n, int64_t now) {
    if (n == 0)
        return;
    bool newest = browse->newest_first, by_time = newest || browse->oldest_first;
    struct placed *placed = placed_of(browse, intents, n);
    uint64_t *changed = mem_new_array(n, sizeof *changed);
    drop_held(browse, placed, n, changed);
    size_t cached = browse->n - browse->confirmed, cap = browse->n + n;
    struct placing placing = {.browse = browse,
                              .placed = placed,
                              .changed = changed,
                              .n = n,
                              .out = mem_new_array(cap, sizeof *placing.out),
                              .now = now};
    rows_merge(&placing, by_time, newest);
    memcpy(placing.out + placing.n_out, browse->items + browse->confirmed, cached * sizeof *browse->items);
    free(browse->items);
    browse->items = placing.out;
    browse->n = browse->cap = cap;
    browse->confirmed += n;
    rows_number_new(browse);
    if (browse->pages.n)
        browse->pages.items[0].at = now;
    free(placed);
    free(changed);
    rows_reindex(browse);
}

void rows_add_cached(struct browse *browse, struct cached_rows *cached) {
    for (size_t i = 0; i < cached->page.n; i++) {
        struct intent *intent = page_take_row(&cached->page, i);
        if (left_is_hidden(browse, intent, cached->confirmed[i]) || !note_identity(browse, intent, browse->n)) {
            intent_free(intent);
            continue;
        }
        browse->broken_rows += intent->broken != NULL;
        struct browse_row *row = vec_add(browse);
        *row = (struct browse_row){.intent = intent, .confirmed = cached->confirmed[i], .cached = true};
        rows_number(browse, browse->n - 1);
    }
}

/* Rows of an answer with an error, or of one that says it is not whole, stay in the list, but the list is not all there
 * is. A text beside no rows at all may say why there are none. */
void rows_note_said(struct browse *browse, const struct page *page) {
    bool odd = page->failed || page->partial;
    browse->failed_pages += page->failed;
    browse->partial_pages += !page->failed && page->partial;
    if ((odd || page->n == 0) && page->beside && !*browse->said) {
        size_t len = strlen(page->beside);
        while (len >= sizeof browse->said)
            len = utf8_prev(page->beside, len, len);
        memcpy(browse->said, page->beside, len);
        browse->said[len] = '\0';
    }
}
