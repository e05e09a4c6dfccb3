#include "app/rows.h"
#include "app/idset.h"

#include "base/mem.h"
#include "model/change.h"

#include <stdlib.h>
#include <string.h>

void rows_drop(struct browse *browse) {
    for (size_t i = 0; i < browse->n; i++) {
        intent_free(browse->items[i].intent);
    }
    browse->n = browse->confirmed = 0;
    browse->pages.n = 0;
    browse->broken_rows = browse->repeated_rows = browse->gone_rows = 0;
    browse->newest_first = true;
    idset_reset(browse->ids);
}

const char *rows_id(const struct intent *intent) {
    return intent->id.state == VALUE_OK && *intent->id.text ? intent->id.text : NULL;
}

static void note_order(struct browse *browse, const struct intent *intent) {
    const struct intent *last = browse->confirmed ? browse->items[browse->confirmed - 1].intent : NULL;
    if (!last) {
        return;
    }
    if (last->created_at.state == VALUE_OK && intent->created_at.state == VALUE_OK &&
        intent->created_at.ms > last->created_at.ms) {
        browse->newest_first = false;
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
    size_t row = browse_find(browse, rows_id(intent));
    if (row >= browse->confirmed) {
        return false;
    }
    browse->gone_rows -= browse->items[row].gone;
    put_in_place(&browse->items[row], intent, now);
    return true;
}

bool rows_knows(const struct browse *browse, const struct intent *intent) {
    return !rows_id(intent) && idset_find(browse->ids, intent->raw, intent->raw_len) < browse->confirmed;
}

/* A row without an id makes progress only where the very same bytes were not served before (variations A5, A13). */
static bool note_identity(struct browse *browse, const struct intent *intent, size_t row) {
    const char *id = rows_id(intent);
    if (id) {
        return idset_put(browse->ids, id, strlen(id), row);
    }
    return idset_put(browse->ids, intent->raw, intent->raw_len, row);
}

static void reindex(struct browse *browse) {
    idset_reset(browse->ids);
    for (size_t i = 0; i < browse->n; i++) {
        if (browse->items[i].intent) {
            (void)note_identity(browse, browse->items[i].intent, i);
        }
    }
}

void rows_drop_cached(struct browse *browse) {
    if (browse->n == browse->confirmed) {
        return;
    }
    for (size_t i = browse->confirmed; i < browse->n; i++) {
        browse->broken_rows -= browse->items[i].intent->broken != NULL;
        intent_free(browse->items[i].intent);
    }
    browse->n = browse->confirmed;
    reindex(browse);
}

void rows_note_gone(struct browse *browse, size_t end, int64_t since) {
    for (size_t i = 0; i < end && i < browse->confirmed; i++) {
        struct browse_row *row = &browse->items[i];
        if (!row->gone && row->confirmed < since && rows_id(row->intent)) {
            row->gone = true;
            browse->gone_rows++;
        }
    }
}

void rows_drop_gone(struct browse *browse) {
    size_t kept = 0, confirmed = browse->confirmed;
    for (size_t i = 0; i < browse->n; i++) {
        struct browse_row *row = &browse->items[i];
        if (row->gone) {
            browse->broken_rows -= row->intent->broken != NULL;
            intent_free(row->intent);
            browse->confirmed -= i < confirmed;
            for (size_t page = 0; page < browse->pages.n; page++) {
                browse->pages.items[page].first -= browse->pages.items[page].first > kept;
            }
        } else {
            browse->items[kept++] = *row;
        }
    }
    if (kept < browse->n) {
        browse->n = kept;
        browse->gone_rows = 0;
        reindex(browse);
    }
}

/* The service's order is newest first where nothing so far says otherwise: cached rows newer than the page's last row
 * would stand above it, had the service still listed them. */
static bool is_passed_over(const struct browse *browse, const struct intent *cached, const struct page *page) {
    const struct intent *last = page->n ? page->items[page->n - 1] : NULL;
    return last && browse->newest_first && last->created_at.state == VALUE_OK && cached->created_at.state == VALUE_OK &&
           cached->created_at.ms > last->created_at.ms;
}

/* Cached rows up to the page's last one leave; what the page brings anew is compared with them, to mark changes. */
static void pass_cached(struct browse *browse, const struct page *page, uint64_t *changed) {
    size_t end = browse->confirmed;
    for (size_t i = 0; i < page->n; i++) {
        size_t row = browse_find(browse, rows_id(page->items[i]));
        if (row >= browse->confirmed && row < browse->n) {
            changed[i] = intent_changes(browse->items[row].intent, page->items[i]);
            end = row + 1 > end ? row + 1 : end;
        }
    }
    while (end < browse->n && is_passed_over(browse, browse->items[end].intent, page)) {
        end++;
    }
    for (size_t i = browse->confirmed; i < end; i++) {
        browse->broken_rows -= browse->items[i].intent->broken != NULL;
        intent_free(browse->items[i].intent);
    }
    memmove(browse->items + browse->confirmed, browse->items + end, (browse->n - end) * sizeof *browse->items);
    browse->n -= end - browse->confirmed;
    if (end > browse->confirmed) {
        reindex(browse);
    }
}

/* Room for one row at the end of those confirmed. */
static struct browse_row *open_row(struct browse *browse) {
    (void)vec_add(browse);
    struct browse_row *row = &browse->items[browse->confirmed];
    memmove(row + 1, row, (browse->n - 1 - browse->confirmed) * sizeof *row);
    browse->confirmed++;
    return row;
}

size_t rows_append(struct browse *browse, struct page *page, int64_t now) {
    size_t fresh = 0;
    uint64_t *changed = mem_new_array(page->n + 1, sizeof *changed);
    bool below = browse->n > browse->confirmed;
    struct browse_page *mark = vec_add(&browse->pages);
    *mark = (struct browse_page){.first = browse->confirmed, .at = now};
    if (below) {
        pass_cached(browse, page, changed);
    }
    for (size_t i = 0; i < page->n; i++) {
        struct intent *intent = page_take_row(page, i);
        if (rows_replace(browse, intent, now)) {
            browse->repeated_rows++;
            continue;
        }
        note_order(browse, intent);
        fresh += note_identity(browse, intent, browse->confirmed);
        browse->broken_rows += intent->broken != NULL;
        *open_row(browse) =
            (struct browse_row){.intent = intent, .page = browse->pages.n - 1, .confirmed = now, .changed = changed[i]};
    }
    if (below) {
        reindex(browse);
    }
    free(changed);
    return fresh;
}

void rows_prepend(struct browse *browse, struct intent **intents, size_t n, int64_t now) {
    if (n == 0) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        (void)vec_add(browse);
    }
    memmove(browse->items + n, browse->items, (browse->n - n) * sizeof *browse->items);
    for (size_t i = 0; i < n; i++) {
        browse->items[i] = (struct browse_row){.intent = intents[i], .confirmed = now, .is_new = true};
        browse->broken_rows += intents[i]->broken != NULL;
    }
    for (size_t i = 1; i < browse->pages.n; i++) {
        browse->pages.items[i].first += n;
    }
    if (browse->pages.n) {
        browse->pages.items[0].at = now;
    }
    browse->confirmed += n;
    reindex(browse);
}

void rows_add_cached(struct browse *browse, struct cached_rows *cached) {
    for (size_t i = 0; i < cached->page.n; i++) {
        struct intent *intent = page_take_row(&cached->page, i);
        if (!note_identity(browse, intent, browse->n)) {
            intent_free(intent);
            continue;
        }
        browse->broken_rows += intent->broken != NULL;
        struct browse_row *row = vec_add(browse);
        *row = (struct browse_row){.intent = intent, .confirmed = cached->confirmed[i], .cached = true};
    }
}
