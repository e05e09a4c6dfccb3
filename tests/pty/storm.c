/* A service that changes without rest under a console that follows it: what the operator looks at stays where it is.
 * STORM_SECONDS says for how long (15 without it). */
#include "base/clock.h"
#include "support/console.h"
#include "support/relay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

enum {
    ROWS = 50,
    COLS = 200,
    WAIT = 20,
    SECONDS = 15,
    FIRST_ROW = 3,
    ID_SHOWN = 8,
    MARKS = 3,
    ASKED_MIN = 2,
    LOOK_MS = 30
};

static struct service service;
static struct relay *relay;

static int start(void **state) {
    (void)state;
    char url[64];
    if (!service_start(&service, (const char *const[]){"--intents", "300", "--tick", "20", NULL}))
        return -1;
    /* Each piece of an answer takes a while, so that a second request would find the first under way. */
    relay = relay_forward(service.port, &(struct relay_fault){.delay_ms = 20});
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%d", relay_port(relay));
    return console_configure(&service, url, "  auto_refresh = 1\n") ? 0 : -1;
}

static int stop(void **state) {
    (void)state;
    relay_free(relay);
    return service_stop(&service);
}

static int64_t storm_ms(void) {
    const char *text = getenv("STORM_SECONDS");
    return (text ? strtol(text, NULL, 10) : SECONDS) * 1000;
}

/* What the list shows of the intent in a row: its last word, as the detail is closed. */
static void id_of_row(struct pty *pty, int row, char out[ID_SHOWN + 1]) {
    const char *text = pty_row(pty, row);
    size_t at = strlen(text);
    while (at > 0 && text[at - 1] != ' ')
        at--;
    (void)snprintf(out, ID_SHOWN + 1, "%s", text + at);
}

struct seen {
    int row;
    char id[ID_SHOWN + 1], marked[MARKS][ID_SHOWN + 1];
    size_t n_marked;
};

static void look(struct pty *pty, struct seen *seen) {
    int col;
    bool visible;
    *seen = (struct seen){0};
    pty_cursor(pty, &seen->row, &col, &visible);
    id_of_row(pty, seen->row, seen->id);
    for (int row = FIRST_ROW; row < ROWS - 2; row++)
        if (*pty_cell(pty, row, 0).text != ' ' && seen->n_marked++ < MARKS)
            id_of_row(pty, row, seen->marked[seen->n_marked - 1]);
}

static void check_same(const struct seen *before, const struct seen *now) {
    assert_int_equal(now->row, before->row);
    assert_string_equal(now->id, before->id);
    assert_int_equal(now->n_marked, MARKS);
    for (size_t i = 0; i < MARKS; i++)
        assert_string_equal(now->marked[i], before->marked[i]);
}

/* Every third row is marked; the cursor stays below the last of them, where marking leaves it. */
static struct pty *open_marked(struct seen *seen) {
    struct pty *pty = console_open(&service, ROWS, COLS);
    assert_true(pty_expect(pty, " live ", WAIT));
    assert_true(pty_expect(pty, "read so far", WAIT));
    pty_feed(pty, "d");
    assert_true(pty_expect(pty, "flag  decline", WAIT));
    for (int i = 1; i <= MARKS; i++) {
        char status[16];
        (void)snprintf(status, sizeof status, "\n %d of ", 3 * i + 1);
        pty_feed(pty, "jj ");
        assert_true(pty_expect(pty, status + 1, WAIT));
    }
    for (int64_t end = clock_mono() + WAIT * 1000; clock_mono() < end && seen->n_marked < MARKS;) {
        pty_settle(pty, LOOK_MS);
        look(pty, seen);
    }
    assert_int_equal(seen->n_marked, MARKS);
    return pty;
}

static void in_a_storm_of_changes_the_operators_place_stays(void **state) {
    (void)state;
    int status;
    size_t wrote;
    struct seen before = {0}, now;
    struct pty *pty = open_marked(&before);
    int asked = service_journal_count(&service, "/intent/list", "");
    pty_mark(pty);
    for (int64_t end = clock_mono() + storm_ms(); clock_mono() < end;) {
        pty_settle(pty, LOOK_MS);
        look(pty, &now);
        check_same(&before, &now);
    }
    (void)pty_bytes_since(pty, &wrote);
    assert_true(wrote > 0); /* something was told */
    assert_true(pty_expect(pty, " new", WAIT));
    assert_true(service_journal_count(&service, "/intent/list", "") - asked >= ASKED_MIN);
    assert_int_equal(relay_connections(relay), 1); /* two at a time would need two */
    pty_feed(pty, "Q");
    assert_true(pty_wait(pty, WAIT, &status));
    assert_true(WIFEXITED(status));
    pty_free(pty);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_a_storm_of_changes_the_operators_place_stays)};
    return cmocka_run_group_tests(tests, start, stop);
}
