#include "state.h"

#include "base/utf8.h"

#include <string.h>

static void add_filter(const struct server_filter *filter, struct str *out) {
    struct list_query query = server_filter_query(filter, NULL, false);
    api_query_text(&query, out);
}

void intents_filter_row(struct shell *shell, struct canvas *canvas, struct rect row) {
    const struct browse *browse = &shell->intents.browse;
    int x = 1 + canvas_text(canvas, row, 0, 1, ROLE_DIM, "filter: ");
    if (server_filter_is_empty(&browse->filter)) {
        x += canvas_text(canvas, row, 0, x, ROLE_DIM, "none, every intent of this account");
    } else {
        struct str text;
        str_init(&text, 4096);
        add_filter(&browse->filter, &text);
        x += canvas_textf(canvas, row, 0, x, ROLE_PROMPT, "server[%s]", text.s);
        str_clear(&text);
    }
    const char *order = "order: as served";
    int cols = (int)strlen(order);
    if (x + cols + 2 < row.cols) {
        canvas_text(canvas, row, 0, row.cols - cols - 1, ROLE_DIM, order);
    }
}

/* What of the service's list was seen by this walk. */
static void add_extent(const struct browse *browse, struct str *out) {
    switch (browse->end) {
    case BROWSE_OPEN:
        str_add(out, browse->next ? " read so far, more on the server" : " read");
        break;
    case BROWSE_END:
        str_add(out, ", end of the list seen");
        break;
    case BROWSE_LOOP:
        str_add(out, " read; stopped: the service repeats a cursor");
        break;
    case BROWSE_NO_PROGRESS:
        str_add(out, " read; stopped: pages bring nothing new, PgDn reads on");
        break;
    }
}

static void add_rows(const struct browse *browse, size_t cursor, struct str *out) {
    size_t cached = browse->n - browse->confirmed;
    if (browse->n > 0) {
        chrome_count(out, cursor + 1);
        str_add(out, " of ");
    }
    if (browse->confirmed > 0 || cached == 0) {
        chrome_count(out, browse->confirmed);
        add_extent(browse, out);
    }
    if (cached > 0) {
        str_add(out, browse->confirmed > 0 ? " + " : "");
        chrome_count(out, cached);
        str_add(out, browse->cache.done ? " cached" : " cached so far");
    }
}

/* Which page, or how old where the cache had to serve. */
static void add_page(const struct browse *browse, size_t cursor, int64_t now, struct str *out) {
    if (cursor >= browse->n) {
        return;
    }
    const struct browse_row *row = &browse->items[cursor];
    if (row->cached) {
        str_add(out, " | seen ");
        clock_format(out, row->confirmed, CLOCK_AGE, now);
        str_add(out, now - row->confirmed < 60000 ? "" : " ago");
        return;
    }
    str_add(out, " | page ");
    chrome_count(out, row->page + 1);
    str_add(out, " of ");
    chrome_count(out, browse->pages.n);
}

static void add_count(struct str *out, size_t n, const char *what) {
    if (n) {
        str_add(out, " | ");
        chrome_count(out, n);
        str_add_char(out, ' ');
        str_add(out, what);
    }
}

void intents_status_row(struct shell *shell, struct canvas *canvas, struct rect row) {
    const struct intents *intents = &shell->intents;
    const struct browse *browse = &intents->browse;
    struct str text;
    str_init(&text, 1024);
    add_rows(browse, intents->table.cursor, &text);
    add_page(browse, intents->table.cursor, shell->now, &text);
    add_count(&text, browse->new_rows, "new");
    add_count(&text, browse->broken_rows, "broken");
    int x = 1 + canvas_text(canvas, row, 0, 1, ROLE_TEXT, text.s);
    if (browse_is_busy(browse)) {
        const char *what = browse->task == BROWSE_HEAD ? " | asking for newer ones" : " | reading";
        x += canvas_text(canvas, row, 0, x, ROLE_INFO, what);
    }
    str_reset(&text);
    str_addf(&text, "times %s", clock_zone_name(shell->zone));
    int cols = utf8_cells(text.s, text.len);
    if (x + cols + 2 < row.cols) {
        canvas_text(canvas, row, 0, row.cols - cols - 1, ROLE_DIM, text.s);
    }
    str_clear(&text);
}
