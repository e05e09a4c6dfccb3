/* What keys cost on the wire to the terminal at 200x50 with the detail closed, and that the screen shows the data all
 * the same: ncurses scrolls the terminal by itself only as long as it is let to. Counts, not times. */
#include "base/mem.h"
#include "support/console.h"
#include "support/listing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    ROWS = 50,
    COLS = 200,
    TOTAL = 400,
    ROW_MAX = 420,
    SCROLL_MAX = 450,
    TITLE_ROWS = 3, /* title, filter, header */
    SCROLLS = 300,
    QUIET_MS = 60,
    PAUSE_MS = 20, /* after a key: the status row, that was waited for, is the last that is written */
    WAIT = 20,
    ID_SHOWN = 20, /* characters of an id that the list has room for */
};

static struct service service;
static char *ids[TOTAL];

static int read_ids(void) {
    struct http_reply reply;
    bool got = service_request(&service, "GET", "/intent/list", NULL, NULL, &reply);
    for (size_t i = 0; got && i < TOTAL; i++) {
        ids[i] = listing_id(reply.body.s, i);
        got = ids[i] != NULL;
    }
    http_reply_clear(&reply);
    return got ? 0 : -1;
}

static int start(void **state) {
    (void)state;
    if (!service_start(&service, (const char *const[]){"--intents", "400", "--page-size", "400", NULL}))
        return -1;
    return console_configure(&service, service.url, "") ? read_ids() : -1;
}

static int stop(void **state) {
    (void)state;
    for (size_t i = 0; i < TOTAL; i++)
        free(ids[i]);
    return service_stop(&service);
}

/* The column of amounts grows with the first sight of a wider one, which lays out all rows anew: seen here before. */
static void see_every_row(struct pty *pty) {
    while (!strstr(pty_screen(pty), " 400 of 400,")) {
        pty_feed(pty, "\x06");
        pty_settle(pty, QUIET_MS);
    }
    pty_feed(pty, "g");
    assert_true(pty_expect(pty, "  1 of 400,", WAIT));
}

static struct pty *open_list(void) {
    struct pty *pty = console_open(&service, ROWS, COLS);
    assert_true(pty_expect(pty, "1 of 400, end of the list seen", WAIT));
    pty_feed(pty, "d");
    assert_true(pty_expect(pty, "flag  decline", WAIT));
    see_every_row(pty);
    pty_settle(pty, QUIET_MS);
    return pty;
}

static bool row_shows(struct pty *pty, int row, size_t intent) {
    char part[ID_SHOWN + 1];
    (void)snprintf(part, sizeof part, "%s", ids[intent]);
    return strstr(pty_row(pty, row), part) != NULL;
}

/* Rows of the list in sight: all that lead with the intents from `top` on. */
static int check_rows(struct pty *pty, size_t top) {
    int row = TITLE_ROWS;
    while (row < ROWS && top < TOTAL && row_shows(pty, row, top)) {
        row++;
        top++;
    }
    assert_true(row - TITLE_ROWS > ROWS / 2);
    return row - TITLE_ROWS;
}

/* A key, and what it wrote once the status row says where the cursor now is. */
static size_t cost(struct pty *pty, const char *key, size_t cursor) {
    char status[32];
    size_t len;
    (void)snprintf(status, sizeof status, " %zu of 400,", cursor + 1);
    pty_mark(pty);
    pty_feed(pty, key);
    assert_true(pty_expect(pty, status, WAIT));
    pty_settle(pty, PAUSE_MS);
    (void)pty_bytes_since(pty, &len);
    return len;
}

static void check_cursor(struct pty *pty, size_t top, size_t cursor) {
    int row, col;
    bool visible;
    pty_cursor(pty, &row, &col, &visible);
    assert_int_equal(row, TITLE_ROWS + (int)(cursor - top));
    assert_true(row_shows(pty, row, cursor));
}

/* The terminal as it is equals the terminal as it would be painted anew. */
static void check_repaint(struct pty *pty) {
    char *before = strdup(pty_screen(pty));
    assert_non_null(before);
    pty_mark(pty);
    pty_feed(pty, "\x0c");
    size_t len;
    pty_settle(pty, QUIET_MS);
    (void)pty_bytes_since(pty, &len);
    assert_true(len >= ROWS * COLS / 2);
    assert_string_equal(pty_screen(pty), before);
    free(before);
}

static void moving_the_cursor_writes_two_rows_at_most(void **state) {
    (void)state;
    struct pty *pty = open_list();
    size_t page = (size_t)check_rows(pty, 0);
    for (size_t i = 1; i < page; i++) {
        assert_in_range(cost(pty, "j", i), 1, ROW_MAX);
        assert_int_equal(check_rows(pty, 0), page);
        check_cursor(pty, 0, i);
    }
    for (size_t i = page - 1; i-- > 0;) {
        assert_in_range(cost(pty, "k", i), 1, ROW_MAX);
        check_cursor(pty, 0, i);
    }
    check_repaint(pty);
    console_leave(pty);
}

/* So many that places of one, two and three digits, names of every script and each status come by. */
static void scrolling_by_one_lets_the_terminal_scroll(void **state) {
    (void)state;
    struct pty *pty = open_list();
    size_t page = (size_t)check_rows(pty, 0);
    for (size_t i = 1; i < page; i++)
        (void)cost(pty, "j", i);
    for (size_t i = 0; i < SCROLLS; i++) {
        assert_in_range(cost(pty, "j", page + i), 1, SCROLL_MAX);
        assert_int_equal(check_rows(pty, i + 1), page);
        check_cursor(pty, i + 1, page + i);
    }
    check_repaint(pty);
    console_leave(pty);
}

static void a_key_that_changes_nothing_writes_no_byte(void **state) {
    (void)state;
    static const char *const KEYS[] = {"k", "g", "\x15", "\x02"}; /* up, at the top; a key of no meaning says so */
    struct pty *pty = open_list();
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        size_t len;
        pty_mark(pty);
        pty_feed(pty, KEYS[i]);
        pty_settle(pty, QUIET_MS * 2);
        (void)pty_bytes_since(pty, &len);
        assert_int_equal(len, 0);
    }
    check_repaint(pty);
    console_leave(pty);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moving_the_cursor_writes_two_rows_at_most),
        cmocka_unit_test(scrolling_by_one_lets_the_terminal_scroll),
        cmocka_unit_test(a_key_that_changes_nothing_writes_no_byte),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
