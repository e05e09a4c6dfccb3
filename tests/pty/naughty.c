/* The naughty strings served as every text of an intent: in the list the columns stand where they stand, the detail and
 * the raw view keep their edges, and no control character reaches the terminal. */
#include "../unit/base_corpora.h"
#include "base/mem.h"
#include "support/one_service.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum {
    ROWS = 50,
    COLS = 200,
    NARROW_ROWS = 24,
    NARROW_COLS = 80,
    WAIT = 30,
    INTENTS_MAX = 1000,
    QUIET_MS = 60,
    FIRST_ROW = 3,
    EVERY = 5, /* of them are opened; all of them are listed */
};

/* @ stands for the text; the id says which it is. */
static const char INTENT[] =
    "{\"id\":\"int-%03d\",\"created_at\":\"2026-06-14T%02d:%02d:%02d.000Z\",\"direction\":\"@\",\"user_id\":\"@\","
    "\"amount\":12500,\"currency\":\"@\",\"status\":\"@\",\"decline_category\":\"@\",\"rail\":\"@\",\"type\":\"@\","
    "\"payment_credential\":{\"id\":\"@\",\"bank_name\":\"@\",\"account\":{\"number_mask\":\"@\"}},"
    "\"account\":{\"id\":\"@\",\"name\":\"@\"},\"dispute\":{\"status\":\"@\",\"reason\":\"@\"},\"note\":\"@\"}";

static int n_intents;

/* Each line of the corpus holds one JSON string; as it stands there, it goes into the intent. */
static void put_one(const char *literal, size_t len, int n) {
    char pattern[sizeof INTENT + 64];
    int second = 86399 - n;
    (void)snprintf(pattern, sizeof pattern, INTENT, n, second / 3600, second / 60 % 60, second % 60);
    service_put_intent(&service, pattern, literal, len);
}

static void put_all(void) {
    struct str text;
    corpora_read("text/naughty-strings.json", &text);
    for (const char *at = text.s; at && n_intents < INTENTS_MAX; at = strchr(at, '\n'), at += at != NULL) {
        size_t line = strcspn(at, "\n");
        const char *open = memchr(at, '"', line), *close = memrchr(at, '"', line);
        if (open && close > open)
            put_one(open + 1, (size_t)(close - open - 1), n_intents++);
    }
    str_clear(&text);
    assert_true(n_intents > 400);
}

static int start(void **state) {
    (void)state;
    if (!console_serve(&service, (const char *const[]){"--intents", "0", "--page-size", "1000", NULL},
                       "  read_only = true\n"))
        return -1;
    put_all();
    return 0;
}

/* Runs of our own sequences aside, nothing of the record acts: no C0 but line ends and cursor moves, no C1, nothing
 * that turns the order of text, joins or hides it. */
static void check_record(struct pty *pty) {
    static const char *const NEVER[] = {"\x1b]",        "\x1bP",        "\x1b_",        "\x1b^",        "\x1b#",
                                        "\x1b[5m",      "\xE2\x80\xAA", "\xE2\x80\xAB", "\xE2\x80\xAC", "\xE2\x80\xAD",
                                        "\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x81\xA7", "\xE2\x81\xA8", "\xE2\x81\xA9",
                                        "\xE2\x80\x8B", "\xE2\x80\x8D", "\xE2\x81\xA0", "\xEF\xBB\xBF", "\xE2\x80\xA8",
                                        "\xE2\x80\xA9", "\xF3\xA0\x80", "\xF3\xA0\x81"};
    size_t len;
    const char *bytes = pty_bytes(pty, &len);
    for (size_t i = 0; i < COUNT_OF(NEVER); i++)
        if (memmem(bytes, len, NEVER[i], strlen(NEVER[i])))
            fail_msg("the record holds forbidden bytes %zu", i);
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)bytes[i];
        bool c1 = c == 0xC2 && i + 1 < len && (unsigned char)bytes[i + 1] >= 0x80 && (unsigned char)bytes[i + 1] < 0xA0;
        if ((c < ' ' && !strchr("\r\n\b\t\x1b", c)) || c == 0x7F || c1)
            fail_msg("the record holds %02x at %zu", c, i);
    }
    assert_int_equal(pty_bells(pty), 0);
    assert_string_equal(pty_title(pty), "");
    assert_int_equal(pty_mouse(pty), 0);
}

static void leave(struct pty *pty) {
    int status;
    check_record(pty);
    pty_feed(pty, "Q");
    assert_true(pty_wait(pty, WAIT, &status));
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    check_record(pty);
    pty_free(pty);
}

static struct pty *open_list(const char *locale, int rows, int cols) {
    char end[64];
    struct pty_options options = {.rows = rows, .cols = cols};
    struct pty *pty = console_open_env(&service, NULL, (const char *const[]){locale, NULL}, &options);
    (void)snprintf(end, sizeof end, " of %d, end of the list seen", n_intents);
    assert_true(pty_expect(pty, end, WAIT));
    pty_feed(pty, "g"); /* the place of the last time is remembered */
    (void)snprintf(end, sizeof end, " 1 of %d,", n_intents);
    assert_true(pty_expect(pty, end, WAIT));
    return pty;
}

/* The column where a text begins in a row, -1 where it does not stand there. */
static int column_of(struct pty *pty, int row, const char *text) {
    int len = (int)strlen(text);
    for (int col = 0; col + len <= COLS; col++) {
        int at = 0;
        while (at < len && pty_cell(pty, row, col + at).text[0] == text[at])
            at++;
        if (at == len)
            return col;
    }
    return -1;
}

static bool seen[INTENTS_MAX];

/* A row of the list: the id under its header tells which; flag and amount stand where they stand, so does the edge. */
static void check_row(struct pty *pty, int row, int id_col, int flag_col) {
    char id[8] = "";
    for (int i = 0; i < 7; i++)
        id[i] = pty_cell(pty, row, id_col + i).text[0];
    char *end = id;
    long n = strncmp(id, "int-", 4) == 0 ? strtol(id + 4, &end, 10) : -1;
    bool found = strcmp(pty_cell(pty, row, flag_col).text, "!") == 0; /* a hint stands before the other flags */
    if (end != id + 7 || n < 0 || n >= n_intents || strcmp(pty_cell(pty, row, flag_col + found).text, "D") != 0 ||
        !strstr(pty_row(pty, row), " 12,500 ") || strcmp(pty_cell(pty, row, COLS - 1).text, " ") == 0)
        fail_msg("row %d: \"%s\" at column %d of\n%s", row, id, id_col, pty_row(pty, row));
    seen[n] = true;
}

static void check_rows(struct pty *pty) {
    int id_col = column_of(pty, FIRST_ROW - 1, " id ") + 1, flag_col = column_of(pty, FIRST_ROW - 1, " flag ") + 1;
    assert_true(id_col > 0 && flag_col > 0);
    for (int row = FIRST_ROW; row < ROWS - 2; row++)
        check_row(pty, row, id_col, flag_col);
}

static void page_through(struct pty *pty) {
    char last[32];
    memset(seen, 0, sizeof seen);
    (void)snprintf(last, sizeof last, " %d of %d,", n_intents, n_intents);
    pty_feed(pty, "d");
    assert_true(pty_expect_gone(pty, "intent int-", WAIT));
    pty_settle(pty, QUIET_MS);
    check_rows(pty);
    for (int page = 0; page < INTENTS_MAX && !pty_shows(pty, last); page++) {
        char *before = mem_dup(pty_row(pty, ROWS - 2));
        pty_feed(pty, "\x06");
        assert_true(pty_expect_gone(pty, before, WAIT));
        pty_settle(pty, QUIET_MS);
        check_rows(pty);
        free(before);
    }
    for (int i = 0; i < n_intents; i++)
        assert_true(seen[i]);
    pty_feed(pty, "d"); /* as it was found: the session is remembered */
    assert_true(pty_expect(pty, "intent int-", WAIT));
}

static void in_the_list_every_column_stands_where_it_stands(void **state) {
    (void)state;
    struct pty *pty = open_list("LC_ALL=C.UTF-8", ROWS, COLS);
    page_through(pty);
    leave(pty);
}

static void without_utf_8_so_it_is_in_ascii_alone(void **state) {
    (void)state;
    size_t len;
    struct pty *pty = open_list("LC_ALL=C", ROWS, COLS);
    page_through(pty);
    const char *bytes = pty_bytes(pty, &len);
    for (size_t i = 0; i < len; i++)
        assert_true((unsigned char)bytes[i] < 0x80);
    leave(pty);
}

/* The edge between list and detail is one straight line, whatever stands on either side. */
static void beside_the_detail_the_edge_stays_straight(void **state) {
    (void)state;
    char status[32];
    struct pty *pty = open_list("LC_ALL=C.UTF-8", ROWS, COLS);
    int edge = column_of(pty, FIRST_ROW - 1, " intent int-") - 1;
    assert_true(edge > 0);
    for (int i = 1; i < n_intents; i += EVERY) {
        (void)snprintf(status, sizeof status, " %d of ", i);
        assert_true(pty_expect(pty, status, WAIT));
        (void)snprintf(status, sizeof status, " intent int-%03d", n_intents - i);
        assert_true(pty_expect(pty, status, WAIT));
        for (int row = FIRST_ROW; row < ROWS - 2; row++)
            if (strcmp(pty_cell(pty, row, edge).text, "\xE2\x94\x82") != 0)
                fail_msg("no edge at column %d of\n%s", edge, pty_row(pty, row));
        pty_feed(pty, "jjjjj");
    }
    leave(pty);
}

/* Terminals that count clusters and those that count code points agree on where the next column is: it is addressed. */
static void check_addressed(struct pty *pty, const char *cluster, const char *blank) {
    size_t len, n = 0, blank_len = strlen(blank);
    const char *bytes = pty_bytes(pty, &len), *end = bytes + len, *at = bytes;
    while ((at = memmem(at, (size_t)(end - at), cluster, strlen(cluster))) != NULL) {
        const char *before = memrchr(bytes, '\x1b', (size_t)(at - bytes));
        at += strlen(cluster);
        size_t digits = at + 2 < end && memcmp(at, "\x1b[", 2) == 0 ? strspn(at + 2, "0123456789") : 0;
        size_t numbers = digits > 0 ? strspn(at + 2, "0123456789;") : 0;
        bool addressed = digits > 0 && (at[2 + digits] == 'G' || at[2 + numbers] == 'H');
        bool along = before && before > bytes && (unsigned char)before[-1] >= 0x80; /* with the cell in front of it */
        bool blanked = before && (size_t)(before - bytes) >= blank_len &&
                       (along || memcmp(before - blank_len, blank, blank_len) == 0) &&
                       at[-1 - (long)strlen(cluster)] == 'G';
        if (!addressed || !blanked)
            fail_msg("the column behind one of \"%s\" is not addressed", cluster);
        n++;
    }
    assert_true(n > 0);
}

static void f56_the_column_behind_a_doubtful_cell_is_addressed(void **state) {
    (void)state;
    struct pty *pty = open_list("LC_ALL=C.UTF-8", ROWS, COLS);
    page_through(pty);
    check_addressed(pty, "\xF0\x9F\x91\xA9\xF0\x9F\x8F\xBD", "    "); /* a woman with a tone of skin */
    check_addressed(pty, "\xF0\x9F\x87\xBA\xF0\x9F\x87\xB8", "  ");   /* a flag: two letters */
    leave(pty);
}

/* The first label, the hint row below and the title above are what they are for a harmless text. */
static void check_frame(struct pty *pty, const char *hints, const char *first) {
    assert_true(pty_expect(pty, hints, WAIT));
    assert_string_equal(pty_row(pty, NARROW_ROWS - 1), hints);
    assert_non_null(strstr(pty_row(pty, 0), "SANDBOX"));
    assert_true(pty_shows(pty, first));
    for (int row = 0; row < NARROW_ROWS; row++) {
        int width = 0;
        for (int col = 0; col<NARROW_COLS; col += pty_cell(pty, row, col).width> 1 ? 2 : 1)
            width += pty_cell(pty, row, col).width > 1 ? 2 : 1;
        assert_int_equal(width, NARROW_COLS); /* no wide character hangs over the edge */
    }
}

static void the_detail_and_the_raw_view_keep_their_frame(void **state) {
    (void)state;
    char status[32];
    struct pty *pty = open_list("LC_ALL=C.UTF-8", NARROW_ROWS, NARROW_COLS);
    char *hints = NULL;
    for (int i = 1; i <= n_intents; i += EVERY) {
        (void)snprintf(status, sizeof status, " %d of ", i);
        assert_true(pty_expect(pty, status, WAIT));
        (void)snprintf(status, sizeof status, "int-%03d", n_intents - i);
        pty_feed(pty, "\r");
        assert_true(pty_expect(pty, status, WAIT));
        assert_true(pty_expect(pty, "decline_category", WAIT));
        assert_true(pty_expect(pty, "o parts, ", WAIT)); /* the end of the last row: the update is whole */
        hints = hints ? hints : mem_dup(pty_row(pty, NARROW_ROWS - 1));
        check_frame(pty, hints, "decline_category");
        pty_feed(pty, "J");
        assert_true(pty_expect(pty, "\"created_at\": \"", WAIT));
        check_frame(pty, hints, "\"id\": \"int-");
        pty_feed(pty, "J\x1b");
        assert_true(pty_expect(pty, "created UTC", WAIT));
        pty_feed(pty, "jjjjj");
    }
    free(hints);
    leave(pty);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_the_list_every_column_stands_where_it_stands),
        cmocka_unit_test(without_utf_8_so_it_is_in_ascii_alone),
        cmocka_unit_test(f56_the_column_behind_a_doubtful_cell_is_addressed),
        cmocka_unit_test(beside_the_detail_the_edge_stays_straight),
        cmocka_unit_test(the_detail_and_the_raw_view_keep_their_frame),
    };
    if (!getenv("BURSAR_CORPORA")) {
        print_message("skipped: no corpora\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, start, stop_service);
}
