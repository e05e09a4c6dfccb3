/* Texts of many scripts on the real screen, as terminals show it that do not agree with libvterm: those that count
 * clusters or have an older table of widths (the record is shown again, such clusters cut to what they draw), and those
 * that put letters from right to left in another order. */
#include "base/mem.h"
#include "base/utf8.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

enum { ROWS = 40, COLS = 200, WAIT = 20, SETTLED_MS = 150 };

/* The second: what another terminal draws for the first, in cells of ASCII; NULL: the same. */
static const struct {
    const char *text, *cluster, *drawn;
} TEXTS[] = {
    {"North Example", NULL, NULL},
    {"\U0001F44B\U0001F3FD wave", "\U0001F44B\U0001F3FD", "##"},             /* a tone of skin */
    {"\U0001F1E9\U0001F1EA flag", "\U0001F1E9\U0001F1EA", "#"},              /* two letters */
    {"\U0001F9B0 red", "\U0001F9B0", "#"},                                   /* newer than some tables */
    {"\u0915\u094D\u0937\u0924\u094D\u0930", "\u0915\u094D\u0937", "#"},     /* Devanagari, a conjunct */
    {"\u0DC1\u0DCA\u200D\u0DBB\u0DD3", NULL, NULL},                          /* Sinhala */
    {"\u0E01\u0E33\u0E41\u0E1E\u0E07", "\u0E01\u0E33", "#"},                 /* Thai, SARA AM */
    {"\u1112\u1161\u11AB\u1100\u116E\u11A8", "\u1112\u1161\u11AB", "#"},     /* Hangul by its jamo */
    {"\u1820\u180B\u182D", NULL, NULL},                                      /* Mongolian with a selector */
    {"\u05D1\u05E0\u05E7 \u05D4\u05E6\u05E4\u05D5\u05DF", NULL, NULL},       /* Hebrew */
    {"\u0628\u0646\u0643 \u0627\u0644\u0634\u0645\u0627\u0644", NULL, NULL}, /* Arabic */
    {"\u0645\u06CC\u200C\u0631\u0648\u062F", NULL, NULL},                    /* Persian */
};

static const char INTENT[] =
    "{\"id\":\"int-%02zu\",\"created_at\":\"2026-06-14T10:00:%02zu.000Z\",\"direction\":\"pay_in\",\"user_id\":\"@\","
    "\"amount\":12500,\"currency\":\"USD\",\"status\":\"declined\",\"decline_category\":\"@\",\"rail\":\"@\","
    "\"type\":\"@\",\"payment_credential\":{\"id\":\"@\",\"bank_name\":\"@\",\"account\":{\"number_mask\":\"@\"}},"
    "\"account\":{\"id\":\"@\",\"name\":\"@\"},\"note\":\"@\"}";

static void put_one(size_t n) {
    char pattern[sizeof INTENT + 64];
    (void)snprintf(pattern, sizeof pattern, INTENT, n, n);
    service_put_intent(&service, pattern, TEXTS[n].text, strlen(TEXTS[n].text));
}

static int start(void **state) {
    (void)state;
    if (!console_serve(&service, (const char *const[]){"--intents", "0", NULL}, ""))
        return -1;
    for (size_t n = 0; n < COUNT_OF(TEXTS); n++)
        put_one(n);
    return 0;
}

static struct pty *open_list(void) {
    char end[64];
    struct pty *pty = console_open(&service, ROWS, COLS);
    (void)snprintf(end, sizeof end, " of %zu, end of the list seen", COUNT_OF(TEXTS));
    assert_true(pty_expect(pty, end, WAIT));
    return pty;
}

static void replace(struct str *text, const char *from, const char *to) {
    char *at = text->s;
    while ((at = memmem(at, text->len - (size_t)(at - text->s), from, strlen(from))) != NULL) {
        size_t place = (size_t)(at - text->s);
        str_delete(text, place, strlen(from));
        str_insert(text, place, to, strlen(to));
        at = text->s + place;
    }
}

/* The record as a terminal shows it that draws each cluster in its own way. */
static struct pty *show_again(struct pty *pty) {
    static const char SCRIPT[] = "stty raw -echo; cat \"$0\"; printf '\\033[1;1Hshown again'; cat";
    char path[512];
    struct str record;
    size_t len;
    const char *bytes = pty_bytes(pty, &len);
    str_init(&record, 1 << 24);
    str_add_n(&record, bytes, len);
    for (size_t i = 0; i < COUNT_OF(TEXTS); i++)
        if (TEXTS[i].cluster)
            replace(&record, TEXTS[i].cluster, TEXTS[i].drawn);
    (void)snprintf(path, sizeof path, "%s/record", service.folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(record.s, 1, record.len, file), record.len);
    assert_int_equal(fclose(file), 0);
    str_clear(&record);
    struct pty *again = pty_spawn((const char *const[]){"sh", "-c", SCRIPT, path, NULL},
                                  &(struct pty_options){.rows = ROWS, .cols = COLS});
    assert_true(pty_expect(again, "shown again", WAIT));
    return again;
}

static bool is_ascii(const char *text) {
    return text[0] > ' ' && text[0] < 0x7f && text[1] == '\0';
}

/* What is in letters of ASCII stands in the same column, and nothing older shines through. */
static void check_columns(struct pty *pty) {
    pty_settle(pty, SETTLED_MS);
    struct pty *again = show_again(pty);
    int checked = 0;
    for (int row = 1; row < ROWS; row++) {
        for (int col = 0; col < COLS; col++) {
            struct pty_cell a = pty_cell(pty, row, col), b = pty_cell(again, row, col);
            bool drawn = strcmp(b.text, "#") == 0;
            checked += is_ascii(a.text);
            if (is_ascii(a.text) ? strcmp(a.text, b.text) != 0 : is_ascii(b.text) && !drawn) {
                fail_msg("column %d of row %d: \"%s\" instead of \"%s\" in\n%s", col, row, b.text, a.text,
                         pty_row(again, row));
            }
        }
    }
    assert_true(checked > 100);
    pty_free(again);
}

static void f56_columns_stand_in_a_terminal_that_draws_clusters_otherwise(void **state) {
    (void)state;
    struct pty *pty = open_list();
    check_columns(pty);
    for (size_t i = 0; i < COUNT_OF(TEXTS); i++) { /* the bar goes over each row, the detail changes beside it */
        char title[40];
        (void)snprintf(title, sizeof title, " intent int-%02zu", COUNT_OF(TEXTS) - 1 - i);
        assert_true(pty_expect(pty, title, WAIT));
        check_columns(pty);
        pty_feed(pty, "j");
    }
    pty_feed(pty, "d");
    assert_true(pty_expect_gone(pty, " intent int-", WAIT));
    check_columns(pty);
    console_leave(pty);
}

static void f56_so_they_do_in_a_table_of_the_command_line(void **state) {
    (void)state;
    const struct pty_options options = {.rows = ROWS, .cols = COLS};
    struct pty *pty = console_open_args(&service, (const char *const[]){"intents", "list", NULL}, &options);
    int status;
    assert_true(pty_wait(pty, WAIT, &status));
    assert_true(pty_shows(pty, "declined"));
    check_columns(pty);
    pty_free(pty);
}

static void f56_so_they_do_in_the_form(void **state) {
    (void)state;
    struct pty *pty = open_list();
    pty_feed(pty, "2");
    assert_true(pty_expect(pty, "Identity verified", WAIT));
    pty_feed(pty, "\r");
    pty_feed(pty, "\x1b[200~Anna\U0001F44B\U0001F3FDx\x1b[201~");
    assert_true(pty_expect(pty, "Anna", WAIT));
    check_columns(pty);
    pty_feed(pty, "b"); /* behind the cluster it goes on in the column where it was */
    assert_true(pty_expect(pty, "xb", WAIT));
    check_columns(pty);
    pty_free(pty);
}

/* By the rules of Unicode (UAX 9): a number takes the direction of the last strong character before it. */
static void check_order(const char *row) {
    bool right = false;
    size_t len = strlen(row);
    int32_t code;
    for (size_t at = 0; at < len;) {
        at += utf8_decode(row + at, len - at, &code);
        if (code >= 0x0590 && code < 0x0900)
            right = true;
        else if (code == 0x200E || (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z'))
            right = false;
        else if (right && code >= '0' && code <= '9')
            fail_msg("a number changes places with the text before it:\n%s", row);
    }
    if (right)
        fail_msg("what follows the row's last text may change places with it:\n%s", row);
}

static int check_rows(struct pty *pty, const char *text) {
    int n = 0;
    for (int row = 0; row < ROWS; row++) {
        n += strstr(pty_row(pty, row), text) != NULL;
        check_order(pty_row(pty, row));
    }
    return n;
}

static void f57_text_from_right_to_left_is_fenced_on_the_screen(void **state) {
    (void)state;
    struct pty *pty = open_list();
    for (size_t i = 0; i < COUNT_OF(TEXTS); i++) {
        assert_true(check_rows(pty, "\u05D1\u05E0\u05E7") > 0);
        pty_feed(pty, "j");
        pty_settle(pty, SETTLED_MS);
    }
    pty_feed(pty, "d");
    assert_true(pty_expect_gone(pty, " intent int-", WAIT));
    pty_settle(pty, SETTLED_MS);
    assert_true(check_rows(pty, "\u0628\u0646\u0643") > 0);
    console_leave(pty);
}

static void f57_so_it_is_in_what_is_printed_on_a_terminal(void **state) {
    static const char *const ARGS[][4] = {{"intents", "list", NULL}, {"intents", "show", "int-09", NULL}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(ARGS); i++) {
        struct pty *pty = console_open_args(&service, ARGS[i], &(struct pty_options){.rows = ROWS, .cols = COLS});
        int status;
        assert_true(pty_wait(pty, WAIT, &status));
        assert_int_equal(WEXITSTATUS(status), 0);
        assert_true(check_rows(pty, "\u05D1\u05E0\u05E7") > 0);
        pty_free(pty);
    }
}

static void f57_files_hold_no_marks_of_ours(void **state) {
    struct proc proc;
    (void)state;
    assert_int_equal(console_run(&service, (const char *const[]){"intents", "list", NULL}, &proc), 0);
    assert_non_null(strstr(proc.out.s, "\u05D1\u05E0\u05E7"));
    assert_null(strstr(proc.out.s, "\u200E"));
    (void)proc_end(&proc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f56_columns_stand_in_a_terminal_that_draws_clusters_otherwise),
        cmocka_unit_test(f56_so_they_do_in_a_table_of_the_command_line),
        cmocka_unit_test(f56_so_they_do_in_the_form),
        cmocka_unit_test(f57_text_from_right_to_left_is_fenced_on_the_screen),
        cmocka_unit_test(f57_so_it_is_in_what_is_printed_on_a_terminal),
        cmocka_unit_test(f57_files_hold_no_marks_of_ours),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
