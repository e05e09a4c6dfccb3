/* What comes in from a terminal: keys torn into bytes, bursts, pastes and what terminals say by themselves. Nothing
 * acts that the operator did not press. */
#include "base/mem.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 24, COLS = 80, WAIT = 30, TRIES = 20, QUIET_MS = 50, BURST = 2000, PASTE = 64 << 10 };

static int start(void **state) {
    (void)state;
    return serve_intents("80");
}

static struct pty *open_list(const char *variable) {
    struct pty_options options = {.rows = ROWS, .cols = COLS};
    struct pty *pty = console_open_env(&service, NULL, (const char *const[]){variable, NULL}, &options);
    assert_true(pty_expect(pty, "of 80, end of the list seen", WAIT));
    pty_feed(pty, "g");
    assert_true(pty_expect(pty, " 1 of 80", WAIT));
    pty_settle(pty, QUIET_MS);
    return pty;
}

static void feed_torn(struct pty *pty, const char *bytes) {
    for (; *bytes; bytes++) {
        pty_feed_n(pty, bytes, 1);
        assert_true(pty_taken(pty, WAIT));
    }
}

/* The list's place, 0 where the status row does not say. */
static int place(struct pty *pty) {
    const char *row = pty_row(pty, ROWS - 2);
    return strstr(row, " of 80") ? (int)strtol(row, NULL, 10) : 0;
}

/* A torn key is that key, or on a line that stalls an Escape, which does nothing at the root; its bytes are no keys. */
static void a_key_in_pieces_is_one_key_or_none(void **state) {
    (void)state;
    static const char *const DOWNS[] = {"\x1b[B", "\x1bOB", "\x1b[1;2B"};
    struct pty *pty = open_list("ESCDELAY=5000");
    int at = 1, moved = 0;
    for (int i = 0; i < TRIES; i++) {
        feed_torn(pty, DOWNS[i % (int)COUNT_OF(DOWNS)]);
        pty_feed(pty, "j"); /* comes after it */
        for (double end = pty_now() + WAIT; place(pty) == at && pty_now() < end;)
            pty_settle(pty, QUIET_MS);
        pty_settle(pty, QUIET_MS);
        assert_in_range(place(pty), at + 1, at + 2);
        moved += place(pty) == at + 2;
        at = place(pty);
        assert_false(pty_shows(pty, "does nothing here"));
    }
    assert_true(moved > 0);
    console_leave(pty);
}

static void two_thousand_keys_with_noise_between_are_as_many_steps(void **state) {
    (void)state;
    static const char *const PIECES[] = {"j", "\x1b[I", "k", "\x1b[O", "\x1b[B", "\x1b[99;1x", "\x1bOA", "\x1b[57~"};
    struct str burst;
    struct pty *pty = open_list("ESCDELAY=5000");
    str_init(&burst, 64 << 10);
    for (int i = 0; i < BURST; i++)
        str_add(&burst, PIECES[i % (int)COUNT_OF(PIECES)]);
    str_add(&burst, "jjjjjjjjj");
    pty_feed_n(pty, burst.s, burst.len);
    assert_true(pty_expect(pty, " 10 of 80", WAIT));
    assert_false(pty_shows(pty, "does nothing here"));
    str_clear(&burst);
    console_leave(pty);
}

/* All rows but the last. */
static char *rows_above(struct pty *pty) {
    const char *screen = pty_screen(pty), *end = screen;
    for (int row = 0; row < ROWS - 1; row++)
        end = strchr(end, '\n') + 1;
    return mem_dup_n(screen, (size_t)(end - screen));
}

/* The screen as it was, but for the last row, where a message may stand; and the keyboard works. */
static void check_untouched(struct pty *pty, const char *before, const char *what) {
    assert_true(pty_taken(pty, WAIT));
    pty_feed(pty, "j");
    if (!pty_expect(pty, " 2 of 80", WAIT))
        fail_msg("after %s the list does not move", what);
    pty_feed(pty, "k");
    assert_true(pty_expect(pty, " 1 of 80", WAIT));
    pty_settle(pty, QUIET_MS);
    char *now = rows_above(pty);
    if (strcmp(before, now) != 0)
        fail_msg("after %s the screen is\n%s", what, now);
    free(now);
}

static void what_a_terminal_says_by_itself_does_nothing(void **state) {
    (void)state;
    static const struct {
        const char *name, *bytes;
    } SAID[] = {
        {"focus", "\x1b[I\x1b[O\x1b[I"},
        {"its attributes", "\x1b[?62;22c\x1b[>1;95;0c"},
        {"its version", "\x1bP>|kind 1.0\x1b\\"},
        {"its colour", "\x1b]11;rgb:0000/0000/0000\x07\x1b]10;rgb:ffff/ffff/ffff\x1b\\"},
        {"where the cursor is", "\x1b[24;80R"},
        {"its size", "\x1b[8;24;80t"},
        {"a mode", "\x1b[?2026;2$y\x1b[?1A"},
        {"the mouse", "\x1b[<0;10;10M\x1b[<0;10;10m\x1b[M !!"},
        {"keys let go of, in another protocol", "\x1b[113;5:3u\x1b[81;1:3;81u\x1b[57442;5u"},
        {"pictures", "\x1b_Gi=1;OK\x1b\\"},
        {"broken characters", "\xff\xc3(\xe2\x82\xf0\x9f"},
        {"controls nobody has", "\x1b[99;99x\x1b[3;3H\x1b[57~"},
    };
    struct pty *pty = open_list("ESCDELAY=5000");
    pty_feed(pty, "jk");
    assert_true(pty_expect(pty, " 1 of 80", WAIT));
    pty_settle(pty, QUIET_MS);
    char *before = rows_above(pty);
    for (size_t i = 0; i < COUNT_OF(SAID); i++) {
        pty_feed(pty, SAID[i].bytes);
        check_untouched(pty, before, SAID[i].name);
    }
    free(before);
    console_leave(pty);
}

/* Escape works at once where nothing waits for the rest of a key: Ctrl-C is sure. */
static void leave_prompt(struct pty *pty) {
    pty_feed(pty, "\x03");
    assert_true(pty_expect(pty, "/ filter", WAIT));
    console_leave(pty);
}

static void the_same_in_a_prompt_is_no_text(void **state) {
    (void)state;
    struct pty *pty = open_list("ESCDELAY=5000");
    pty_feed(pty, "/am\x1b[I\x1b]11;rgb:1/2/3\x07o\x1b[?62;22cun\x1b[24;80Rt\x1b[200~>=\x1b[201~50");
    assert_true(pty_expect(pty, "amount>=50", WAIT));
    pty_feed(pty, "\x1b[F00");
    assert_true(pty_expect(pty, "amount>=5000", WAIT));
    leave_prompt(pty);
}

static void a_paste_into_the_list_does_nothing(void **state) {
    (void)state;
    static const char *const PASTES[] = {"jjjG",    "Q",        "q\rq\rQ", "\x1b[B\x1b[B\x1b", "2\rname\ts", "/x\r",
                                         ":quit\r", "\x03\x03", "\x1a"};
    struct pty *pty = open_list("ESCDELAY=5000");
    char *before = rows_above(pty);
    for (size_t i = 0; i < COUNT_OF(PASTES); i++) {
        char bytes[64];
        (void)snprintf(bytes, sizeof bytes, "\x1b[200~%s\x1b[201~", PASTES[i]);
        pty_feed(pty, bytes);
        bool control = strpbrk(PASTES[i], "\x1b\x03\x1a") != NULL;
        assert_true(pty_expect(pty, control ? "it holds control characters" : "pasted text was ignored", WAIT));
        check_untouched(pty, before, "a paste");
    }
    free(before);
    console_leave(pty);
}

/* K17. What comes after it within a moment belongs to it; then keys are keys again. */
static void a_paste_that_lost_its_end_recovers(void **state) {
    (void)state;
    struct str bytes;
    struct pty *pty = open_list("ESCDELAY=50");
    str_init(&bytes, 2 * PASTE);
    str_add(&bytes, "\x1b[200~");
    while (bytes.len < PASTE)
        str_add(&bytes, "jQq\r");
    pty_feed_n(pty, bytes.s, bytes.len);
    assert_true(pty_expect(pty, "pasted text was ignored", WAIT));
    pty_feed(pty, "\x1b");
    for (int i = 0; i < TRIES && !pty_shows(pty, " 2 of 80"); i++) {
        pty_settle(pty, 10 * QUIET_MS);
        pty_feed(pty, "gj");
        pty_settle(pty, QUIET_MS);
    }
    assert_true(pty_expect(pty, " 2 of 80", WAIT));
    str_clear(&bytes);
    console_leave(pty);
}

static void a_paste_without_its_end_stays_in_the_field(void **state) {
    (void)state;
    struct pty *pty = open_list("ESCDELAY=50");
    pty_feed(pty, "/");
    assert_true(pty_expect(pty, "filter:", WAIT));
    pty_feed(pty, "\x1b[200~bank:nord");
    assert_true(pty_expect(pty, "bank:nord", WAIT));
    pty_feed(pty, "lys");
    assert_true(pty_expect(pty, "bank:nordlys", WAIT));
    leave_prompt(pty);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_in_pieces_is_one_key_or_none),
        cmocka_unit_test(two_thousand_keys_with_noise_between_are_as_many_steps),
        cmocka_unit_test(what_a_terminal_says_by_itself_does_nothing),
        cmocka_unit_test(the_same_in_a_prompt_is_no_text),
        cmocka_unit_test(a_paste_into_the_list_does_nothing),
        cmocka_unit_test(a_paste_that_lost_its_end_recovers),
        cmocka_unit_test(a_paste_without_its_end_stays_in_the_field),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
