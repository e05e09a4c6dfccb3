#include "app/left.h"
#include "app/rows.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { LEFT_MAX = 2000, FATE_PAGES_MAX = 3 };

static void clear(struct browse_left_row *row) {
    free(row->id);
    free(row->became);
}

void left_drop(struct browse *browse) {
    for (size_t i = 0; i < browse->left.n; i++) {
        clear(&browse->left.items[i]);
    }
    browse->left.n = 0;
    browse->left.pages = 0;
}

static struct browse_left_row *find(const struct browse *browse, const char *id) {
    for (size_t i = 0; id && i < browse->left.n; i++) {
        if (str_equal(browse->left.items[i].id, id)) {
            return &browse->left.items[i];
        }
    }
    return NULL;
}

void left_add(struct browse *browse, const struct intent *intent, int64_t at) {
    const char *id = rows_id(intent);
    if (!id || find(browse, id) || browse->left.n == LEFT_MAX) {
        return;
    }
    struct browse_left_row *row = vec_add(&browse->left);
    *row = (struct browse_left_row){.id = mem_dup(id), .ms = intent->created_at.ms, .at = at};
    browse->left.pages = 0;
}

void left_apply(struct browse *browse) {
    for (size_t i = 0; i < browse->left.n; i++) {
        browse->left.items[i].applied = true;
    }
}

void left_remove(struct browse *browse, const char *id) {
    struct browse_left_row *row = find(browse, id);
    if (row) {
        clear(row);
        *row = browse->left.items[--browse->left.n];
    }
}

const char *browse_became(const struct browse *browse, const char *id) {
    const struct browse_left_row *row = find(browse, id);
    return !row ? NULL : row->became ? row->became : "";
}

static size_t unknown(const struct browse *browse) {
    size_t n = 0;
    for (size_t i = 0; i < browse->left.n; i++) {
        n += !browse->left.items[i].became;
    }
    return n;
}

bool left_wants_fate(const struct browse *browse) {
    return browse->filter.n > 0 && !browse->mismatch && browse->left.pages < FATE_PAGES_MAX && unknown(browse) > 0;
}

struct list_ask *left_ask(struct browse *browse, const char *cursor, bool is_url) {
    struct server_filter filter = {
        .type = browse->filter.type, .after = browse->filter.after, .before = browse->filter.before};
    browse->left.pages++;
    return list_ask_new(&filter, cursor, is_url);
}

/* On show with what it is now: it stays one that left. */
static void show(struct browse *browse, struct page *page, size_t i, int64_t now) {
    size_t row = browse_find(browse, rows_id(page->items[i]));
    if (row < browse->confirmed && browse->items[row].gone && rows_replace(browse, page->items[i], now)) {
        (void)page_take_row(page, i);
        browse->items[row].gone = true;
        browse->gone_rows++;
    }
}

static bool is_of_filter(const struct browse *browse, const struct intent *intent) {
    return intent->status.state == VALUE_OK && server_filter_has(&browse->filter, intent->status.text);
}

bool left_take_page(struct browse *browse, struct page *page, int64_t now) {
    int64_t oldest = INT64_MAX, last = INT64_MAX;
    for (size_t i = 0; i < page->n; i++) {
        const struct intent *intent = page->items[i];
        struct browse_left_row *row = find(browse, rows_id(intent));
        last = intent->created_at.state == VALUE_OK ? intent->created_at.ms : last;
        if (row && !row->became && intent->status.state == VALUE_OK && !is_of_filter(browse, intent)) {
            row->became = mem_dup(intent->status.text);
            show(browse, page, i, now);
        }
    }
    for (size_t i = 0; i < browse->left.n; i++) {
        const struct browse_left_row *row = &browse->left.items[i];
        oldest = !row->became && row->ms < oldest ? row->ms : oldest;
    }
    bool passed = browse->newest_first && oldest != INT64_MAX && last < oldest;
    if (passed || page->n == 0) {
        browse->left.pages = FATE_PAGES_MAX; /* not listed at all any more */
    }
    return left_wants_fate(browse);
}
