/* What the signs of the list mean stands in help, and two values that differ never look alike. Tests of the tables and
 * of the screen that is drawn from them. */
#include "base/mem.h"
#include "base/utf8.h"
#include "panes/intents/intents.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Every sign at once: a dispute, a refund, an archived credential, an unknown field, what was not served or is odd. */
#define SOME(id, more) "{\"id\":\"" id "\",\"created_at\":\"2026-11-2" id "T10:00:00.000Z\"," more "}"
#define DISPUTED "\"status\":\"approved\",\"direction\":\"cash_in\",\"dispute\":{\"id\":\"d\"}"
#define REFUNDED "\"status\":\"declined\",\"direction\":\"cash_out\",\"refund\":{\"id\":\"r\"}"
#define ODD "\"status\":\"on_hold\",\"rail\":5"
#define ARCHIVED "\"status\":\"created\",\"payment_credential\":{\"is_archived\":true}"
#define UNKNOWN "\"status\":\"pending\",\"news\":1"
#define CANCELED "\"status\":\"canceled\""
static const char SIGNED[] = "{\"data\":[" SOME("9", DISPUTED) "," SOME("8", REFUNDED) "," SOME("7", ODD) "," SOME(
    "6", ARCHIVED) "," SOME("5", UNKNOWN) "," SOME("4", CANCELED) "]}";

static bool is_explained(const struct shell *shell, const char *sign) {
    const struct detail *help = shell_state(shell, OVERLAY_HELP);
    for (size_t i = 0; i < help->lines.n; i++) {
        const struct text_line *line = &help->lines.items[i];
        if (line->label && *line->text && str_equal(line->label, sign))
            return true;
    }
    return false;
}

static void each_is_explained(const struct shell *shell, const char *text) {
    for (; *text; text++) {
        char one[2] = {*text, '\0'};
        if (*text != ' ' && !is_explained(shell, one))
            fail_msg("the sign %s is not in help", one);
    }
}

/* The gutter, the letters of a status and the flags, as the list's own functions give them. */
static void f94_every_sign_of_the_list_is_in_help(void **state) {
    (void)state;
    for (int narrow = 0; narrow < 2; narrow++) {
        struct driver driver;
        driver_open(&driver, 24, narrow ? 40 : 59);
        driver_answer(&driver, SIGNED);
        driver_keys(&driver, "Space j Space r");
        driver_answer(&driver, SIGNED);
        (void)driver_sees(&driver, "");
        driver_key(&driver, "?");
        struct shell *shell = driver.shell;
        for (size_t row = 0; row < 6; row++) {
            static const int COLUMNS[] = {COLUMN_STATUS, COLUMN_FLAGS};
            struct table_gutter gutter = {0};
            intents_gutter(shell, row, &gutter);
            assert_true(!gutter.mark || is_explained(shell, gutter.mark));
            assert_true(!gutter.sign || is_explained(shell, gutter.sign));
            for (size_t i = 0; i < COUNT_OF(COLUMNS); i++) {
                struct str text;
                struct table_cell cell = {.text = &text};
                str_init(&text, 1 << 16);
                intents_cell(shell, row, COLUMNS[i], &cell);
                each_is_explained(shell, text.s);
                str_clear(&text);
            }
        }
        for (enum sign code = 0; code < SIGN_COUNT; code++)
            assert_true(is_explained(shell, sign(code)));
        driver_close(&driver);
    }
}

/* By the rules that are judged by the record alone, as in its detail. */
static void a_row_with_a_finding_is_flagged(void **state) {
    static const char ROWS[] = "{\"data\":[" SOME("9", "\"status\":\"declined\"") "," SOME(
        "8", "\"status\":\"declined\",\"decline_category\":\"risk\"") "," SOME("7", REFUNDED) "]}";
    static const char *const FLAGS[] = {"!    ", "     ", "! R  "};
    struct driver *driver = driver_begin(state);
    driver_open(driver, 24, 120);
    driver_answer(driver, ROWS);
    for (size_t row = 0; row < COUNT_OF(FLAGS); row++) {
        struct str text;
        struct table_cell cell = {.text = &text};
        str_init(&text, 64);
        intents_cell(driver->shell, row, COLUMN_FLAGS, &cell);
        assert_string_equal(text.s, FLAGS[row]);
        str_clear(&text);
    }
    driver_keys(driver, "?");
    assert_true(is_explained(driver->shell, "!"));
}

static void read_source(const char *name, struct str *out) {
    struct str path;
    char buffer[4096];
    size_t n;
    str_init(&path, 4096);
    str_addf(&path, "%s/../src/panes/%s", getenv("BURSAR_TESTS"), name);
    FILE *file = fopen(path.s, "re");
    assert_non_null(file);
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
        str_add_n(out, buffer, n);
    (void)fclose(file);
    str_clear(&path);
}

/* The drawing knows no sign but those of the table, which has a meaning for each. */
static void f94_the_drawing_takes_its_signs_from_the_table_of_the_legend(void **state) {
    static const char *const SOURCES[] = {
        "intents/intents.c",      "intents/intents_columns.c", "intents/intents_rows.c", "intents/intents_cursor.c",
        "intents/intents_link.c", "intents/detail.c",          "intents/detail_lines.c", "shell/chrome.c"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(SOURCES); i++) {
        struct str text;
        str_init(&text, 1 << 20);
        read_source(SOURCES[i], &text);
        assert_true(text.len > 0);
        assert_null(strstr(text.s, "symbol("));
        for (char *at = strstr(text.s, "str_add_char("); at; at = strstr(at + 1, "str_add_char(")) {
            char *literal = strchr(at, '\'');
            assert_true(!literal || literal > strchr(at, ';') || literal[1] == ' ' || literal[1] == ')');
        }
        str_clear(&text);
    }
    for (enum sign code = 0; code < SIGN_COUNT; code++)
        assert_true(*sign(code) != '\0');
}

static void f94_help_has_the_signs_at_every_size(void **state) {
    static const struct { int rows, cols; } SIZES[] = {{24, 80}, {50, 200}, {5, 20}, {8, 40}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        struct driver driver;
        driver_open(&driver, SIZES[i].rows, SIZES[i].cols);
        driver_answer(&driver, SIGNED);
        driver_keys(&driver, "? / 'begins' Enter");
        assert_int_equal(driver_sees(&driver, "before a row: here"), SIZES[i].rows > 5);
        driver_close(&driver);
    }
}

enum { VALUES_MAX = 600 };

/* Names of values with the same beginning and, of some, the same end: none is given twice, each is given again. */
static void f94_names_of_cut_values_differ_at_every_width(void **state) {
    (void)state;
    for (int width = 2; width < 30; width++) {
        struct labels labels = {0};
        size_t n = width == 2 ? 8 : width == 3 ? 90 : VALUES_MAX;
        struct str *names = mem_new_array(n, sizeof *names);
        for (size_t i = 0; i < 2 * n; i++) {
            struct str value, name;
            size_t at = i % n;
            str_init(&value, 256);
            str_init(&name, 256);
            str_addf(&value,
                     at % 3 == 0 ? "faster_payments_of_the_bank_%zu_of_the_north"
                                 : "faster_p\u00e4yments_of_the_bank_%zu",
                     at);
            labels_fit(&labels, &(struct label_value){value.s, value.len, "~", at % 2 == 0}, width, &name);
            assert_true(utf8_cells(name.s, name.len) <= width);
            for (size_t k = 0; k < at && i < n; k++)
                assert_string_not_equal(names[k].s, name.s);
            if (i < n) {
                names[at] = name;
            } else {
                assert_string_equal(names[at].s, name.s);
                str_clear(&name);
            }
            str_clear(&value);
        }
        for (size_t i = 0; i < n; i++)
            str_clear(&names[i]);
        free(names);
        labels_clear(&labels);
    }
}

/* Two rails, brands, banks, users, masks and statuses each that begin or end alike. */
#define ALIKE(id, status, rail, brand, bank, user, mask)                                                             \
    "{\"id\":\"" id "\",\"created_at\":\"2026-11-2" id "T10:00:00.000Z\",\"status\":\"" status "\",\"rail\":\"" rail \
    "\",\"user_id\":\"" user "\",\"decline_category\":\"insufficient_" rail "\",\"type\":\"primary_flow_" brand      \
    "\",\"payment_credential\":{\"bank_name\":\"" bank "\",\"card\":{\"brand\":\"" brand                             \
    "\",\"primary_account_number_mask\":\"" mask "\"}}}"
static const char PAIRS[] = "{\"data\":[" ALIKE(
    "9", "on_hold", "faster_payments", "mastercard", "Saltmarsh Savings Bank North", "usr_1_77b52aa0",
    "400000******1881") "," ALIKE("8", "on_review", "faster_transfers", "mastercraft", "Saltmarsh Savings Bank South",
                                  "usr_2_77b52aa0", "500000******1881") "," ALIKE("7", "approved", "fas\u2026", "maste",
                                                                                  "Saltmarsh Savi\u2026",
                                                                                  "usr_3_77b52aa0", "1881") "]}";

static void f94_two_values_never_look_alike_on_the_screen(void **state) {
    static const int COLS[] = {40, 60, 80, 100, 120, 139, 200};
    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(COLS); i++) {
        struct driver driver;
        driver_open(&driver, 24, COLS[i / 2]);
        driver_answer(&driver, PAIRS);
        driver_keys(&driver, i % 2 ? "w" : "g");
        for (int step = 0; step < COLUMN_COUNT; step++) { /* columns that are scrolled to, too */
            (void)driver_sees(&driver, "");
            struct shell *shell = driver.shell;
            for (int column = 0; column < COLUMN_COUNT; column++) {
                for (size_t pair = 0; pair < 9 && intents_of(shell)->table.widths[column] > 0; pair++) {
                    size_t a = pair / 3, b = pair % 3;
                    struct result_row left, right;
                    struct str x, y;
                    struct table_cell first = {.text = &x}, second = {.text = &y};
                    str_init(&x, 1 << 16);
                    str_init(&y, 1 << 16);
                    assert_true(intents_at(shell, a, &left) && intents_at(shell, b, &right));
                    const char *one = column_text(left.intent, column), *other = column_text(right.intent, column);
                    intents_cell(shell, a, column, &first);
                    intents_cell(shell, b, column, &second);
                    if (!str_equal(one, other) && str_equal(x.s, y.s)) {
                        fail_msg("%d columns, %s: %s and %s are both %s", COLS[i / 2], column_info(column)->name, one,
                                 other, x.s);
                    }
                    str_clear(&x);
                    str_clear(&y);
                }
            }
            driver_key(&driver, "l");
        }
        driver_close(&driver);
    }
}

static void f94_a_rail_gets_the_room_there_is_and_else_its_name_is_in_help(void **state) {
    (void)state;
    for (int cols = 80; cols <= 200; cols += 120) {
        struct driver driver;
        driver_open(&driver, 24, cols);
        driver_answer(&driver, PAIRS);
        driver_keys(&driver, cols == 200 ? "d" : "g");
        assert_int_equal(driver_sees(&driver, "faster_payments "), cols == 200);
        driver_keys(&driver, "? End");
        assert_int_equal(driver_sees(&driver, "rail: faster_payments"), cols == 80);
        driver_close(&driver);
    }
}

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f94_every_sign_of_the_list_is_in_help),
        DRIVER_TEST(a_row_with_a_finding_is_flagged),
        cmocka_unit_test(f94_the_drawing_takes_its_signs_from_the_table_of_the_legend),
        cmocka_unit_test(f94_help_has_the_signs_at_every_size),
        cmocka_unit_test(f94_names_of_cut_values_differ_at_every_width),
        cmocka_unit_test(f94_two_values_never_look_alike_on_the_screen),
        cmocka_unit_test(f94_a_rail_gets_the_room_there_is_and_else_its_name_is_in_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
