#include "left.h"
#include "rows.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { LEFT_MAX = 2000, FATE_PAGES_MAX = 3 };

static void left_clear(struct browse_left_row *row) {
    free(row->id);
    free(row->became);
}

void left_drop(struct browse *browse) {
    for (size_t i = 0; i < browse->left.n; i++)
        left_clear(&browse->left.items[i]);
    browse->left.n = 0;
    browse->left.pages = 0;
}

static struct browse_left_row *left_find(const struct browse *browse, const char *id) {
    for (size_t i = 0; id && i < browse->left.n; i++)
        if (str_equal(browse->left.items[i].id, id))
            return &browse->left.items[i];
    return NULL;
}

static void take_away(struct browse *browse, struct browse_left_row *row) {
    left_clear(row);
    *row = browse->left.items[--browse->left.n];
}

/* Rows that left the list of an earlier filter are dropped first. */
static bool left_has_room(struct browse *browse) {
    for (size_t i = 0; browse->left.n == LEFT_MAX && i < LEFT_MAX; i++)
        if (browse->left.items[i].elsewhere)
            take_away(browse, &browse->left.items[i]);
    return browse->left.n < LEFT_MAX;
}

void left_add(struct browse *browse, const struct intent *intent, int64_t at) {
    const char *id = intent_id(intent);
    struct browse_left_row *row = left_find(browse, id);
    if (row && row->elsewhere) {
        take_away(browse, row);
        row = NULL;
    }
    if (!id || row || !left_has_room(browse))
        return;
    row = vec_add(&browse->left);
    *row = (struct browse_left_row){.id = mem_dup(id),
                                    .ms = intent->created_at.ms,
                                    .at = at,
                                    .vanished = browse->filter.n == 0 || browse->mismatch};
    browse->left.pages = 0;
}

void left_leave(struct browse *browse) {
    for (size_t i = 0; i < browse->left.n; i++)
        browse->left.items[i].elsewhere = browse->left.items[i].applied = true;
    browse->left.pages = 0;
}

bool left_hides(const struct browse_left_row *row, size_t statuses) {
    return row->vanished || statuses > 0;
}

bool left_is_hidden(const struct browse *browse, const struct intent *intent, int64_t confirmed) {
    const struct browse_left_row *row = left_find(browse, intent_id(intent));
    return row && row->elsewhere && confirmed < row->at && left_hides(row, browse->filter.n);
}

void left_apply(struct browse *browse) {
    for (size_t i = 0; i < browse->left.n; i++)
        browse->left.items[i].applied = true;
}

void left_remove(struct browse *browse, const char *id) {
    struct browse_left_row *row = left_find(browse, id);
    if (row)
        take_away(browse, row);
}

const char *browse_became(const struct browse *browse, const char *id) {
    const struct browse_left_row *row = left_find(browse, id);
    return !row || row->elsewhere ? NULL : row->became ? row->became : "";
}

static size_t left_unknown(const struct browse *browse) {
    size_t n = 0;
    for (size_t i = 0; i < browse->left.n; i++)
        n += !browse->left.items[i].became && !browse->left.items[i].elsewhere;
    return n;
}

bool left_wants_fate(const struct browse *browse) {
    return browse->filter.n > 0 && !browse->mismatch && browse->left.pages < FATE_PAGES_MAX && left_unknown(browse) > 0;
}

struct list_ask *left_ask(struct browse *browse, const char *cursor, bool is_url) {
    struct server_filter filter = {
        .type = browse->filter.type, .after = browse->filter.after, .before = browse->filter.before};
    browse->left.pages++;
    return list_ask_new(&filter, cursor, is_url);
}

/* Shows the row as it is now; it still counts as one that left. */
static void left_show(struct browse *browse, struct page *page, size_t i, int64_t now) {
    size_t row = browse_find(browse, intent_id(page->items[i]));
    if (row < browse->confirmed && browse->items[row].gone && rows_replace(browse, page->items[i], now)) {
        (void)page_take_row(page, i);
        browse->items[row].gone = true;
        browse->gone_rows++;
    }
}

bool left_at_once(struct browse *browse, size_t row, struct intent *intent, int64_t now) {
    left_add(browse, intent, now);
    struct browse_left_row *left = left_find(browse, intent_id(intent));
    if (left && intent->status.state == VALUE_OK) {
        free(left->became);
        left->became = mem_dup(intent->status.text);
    }
    (void)rows_replace(browse, intent, now);
    browse->items[row].gone = true;
    browse->gone_rows++;
    return true;
}

bool left_take_page(struct browse *browse, struct page *page, int64_t now) {
    int64_t oldest = INT64_MAX, last = INT64_MAX;
    for (size_t i = 0; i < page->n; i++) {
        const struct intent *intent = page->items[i];
        struct browse_left_row *row = left_find(browse, intent_id(intent));
        last = intent->created_at.state == VALUE_OK ? intent->created_at.ms : last;
        if (row && !row->became && intent->status.state == VALUE_OK &&
            !server_filter_matches(&browse->filter, intent)) {
            row->became = mem_dup(intent->status.text);
            left_show(browse, page, i, now);
        }
    }
    for (size_t i = 0; i < browse->left.n; i++) {
        const struct browse_left_row *row = &browse->left.items[i];
        oldest = !row->became && !row->elsewhere && row->ms < oldest ? row->ms : oldest;
    }
    bool passed = browse->newest_first && oldest != INT64_MAX && last < oldest;
    if (passed || page->n == 0)
        browse->left.pages = FATE_PAGES_MAX; /* no page is needed any more: these rows are in no list */
    return left_wants_fate(browse);
}
