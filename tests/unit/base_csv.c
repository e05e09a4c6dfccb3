#include "base/csv.h"
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_cell(const char *text, const char *expected) {
    struct str out;
    str_init(&out, 256);
    csv_add_text(&out, text, strlen(text));
    assert_string_equal(out.s, expected);
    str_clear(&out);
}

/* faults P9, case K53 */
static void cells_that_would_run_are_guarded(void **state) {
    (void)state;
    assert_cell("=1+1", "'=1+1");
    assert_cell("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0");
    assert_cell("+1", "'+1");
    assert_cell("-1", "'-1");
    assert_cell("@SUM(A1)", "'@SUM(A1)");
    assert_cell("\t=1", "\"'\t=1\"");
    assert_cell("\r=1", "\"'\r=1\"");
    assert_cell("＝1", "'＝1");
    assert_cell("＋1", "'＋1");
    assert_cell("－1", "'－1");
    assert_cell("＠x", "'＠x");
    assert_cell("a=1", "a=1");
    assert_cell("", "");
    assert_cell("a;=1", "\"a;=1\"");
}

static void assert_value(const char *text, const char *expected) {
    struct str out;
    str_init(&out, 1024);
    csv_add_value(&out, text, strlen(text));
    assert_string_equal(out.s, expected);
    str_clear(&out);
}

static void f36_values_are_guarded_and_come_back(void **state) {
    static const char *const NUMBERS[] = {"-5000.10", "-5", "-0.5", "-1.5E+20", "5000", "4.5"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(NUMBERS); i++)
        assert_value(NUMBERS[i], NUMBERS[i]);
    assert_value("=1", "'=1");
    assert_value("'=1", "''=1");
    assert_value("''=1", "'''=1");
    assert_value("'-5", "''-5");
    assert_value("'s-Sample", "'s-Sample");
    assert_value("-5+cmd", "'-5+cmd");
    assert_value("-", "'-");
    assert_value("-1.", "'-1.");
    assert_value("+15550100001", "'+15550100001");
    assert_value("\xE2\x80\x8Dx\xE2\x80\x8D", "\xE2\x80\x8Dx\xE2\x80\x8D");
    assert_value("a\x1b[2J", "a<1B>[2J");
    assert_value("a,\"b", "\"a,\"\"b\"");
}

static void assert_excel_cell(enum csv_reader_kind kind, const char *text, const char *expected) {
    enum csv_reader_kind before = csv_write_for(kind);
    assert_value(text, expected);
    csv_write_for(before);
}

/* K63, K73: a spreadsheet reads each cell as if it were typed. */
static void what_a_spreadsheet_would_change_is_written_as_text(void **state) {
    static const char *const CHANGED[] = {"02138",     "12345678901234567890",
                                          "3-4",       "12/27",
                                          "1E5",       "true",
                                          "FALSE",     "=1+1",
                                          "+1555",     "-5",
                                          "@x",        "mar1",
                                          "***1",      "$5",
                                          "2026-11-03"};
    static const char *const KEPT[] = {"Saltmarsh Bank", "declined", "Łódź", "truely", ""};
    char expected[64];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(CHANGED); i++) {
        (void)snprintf(expected, sizeof expected, "\"=\"\"%s\"\"\"", CHANGED[i]);
        assert_excel_cell(CSV_FOR_EXCEL, CHANGED[i], expected);
        assert_excel_cell(CSV_FOR_EXCEL_COMMA, CHANGED[i], expected);
    }
    for (size_t i = 0; i < COUNT_OF(KEPT); i++)
        assert_excel_cell(CSV_FOR_EXCEL, KEPT[i], KEPT[i]);
    assert_excel_cell(CSV_FOR_EXCEL, "7\"", "\"=\"\"7\"\"\"\"\"\"\"");
    assert_excel_cell(CSV_FOR_EXCEL, "a;b", "\"a;b\"");
}

/* A formula takes no longer text. */
static void a_long_text_has_an_apostrophe_instead(void **state) {
    char text[300], expected[302];
    (void)state;
    memset(text, '1', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    (void)snprintf(expected, sizeof expected, "'%s", text);
    assert_excel_cell(CSV_FOR_EXCEL, text, expected);
}

static void assert_excel_row(enum csv_reader_kind kind, const char *expected) {
    static const char *const NUMBERS[] = {"-1250", "1234.50", "123456789012345", "1234567890123456",
                                          "-123456789012345.6"};
    struct str out;
    enum csv_reader_kind before = csv_write_for(kind);
    str_init(&out, 512);
    csv_begin(&out);
    csv_add_names(&out, "id,amount");
    csv_end_row(&out);
    for (size_t i = 0; i < COUNT_OF(NUMBERS); i++) {
        csv_add_number(&out, NUMBERS[i], strlen(NUMBERS[i]));
        csv_end_cell(&out);
    }
    csv_end_row(&out);
    csv_write_for(before);
    assert_string_equal(out.s, expected);
    str_clear(&out);
}

/* Digits beyond the fifteenth would become zeros; the mark says which characters follow. */
static void numbers_for_a_spreadsheet_are_exact_and_in_its_form(void **state) {
    (void)state;
    assert_excel_row(CSV_FOR_PROGRAMS,
                     "id,amount\r\n-1250,1234.50,123456789012345,1234567890123456,-123456789012345.6\r\n");
    assert_excel_row(CSV_FOR_EXCEL,
                     "\xEF\xBB\xBFid,amount\r\n-1250,1234.50,123456789012345,\"=\"\"1234567890123456\"\"\","
                     "\"=\"\"-123456789012345.6\"\"\"\r\n");
    assert_excel_row(CSV_FOR_EXCEL_COMMA,
                     "\xEF\xBB\xBFid;amount\r\n-1250;1234,50;123456789012345;\"=\"\"1234567890123456\"\"\";"
                     "\"=\"\"-123456789012345.6\"\"\"\r\n");
}

static void numbers_stay_numbers(void **state) {
    (void)state;
    struct str out;
    str_init(&out, 256);
    csv_add_number(&out, "-1250", 5);
    csv_end_cell(&out);
    csv_add_text(&out, "x", 1);
    csv_end_cell(&out);
    csv_end_row(&out);
    assert_string_equal(out.s, "-1250,x\r\n");
    str_clear(&out);
}

static void cells_are_quoted_where_needed(void **state) {
    (void)state;
    assert_cell("plain text", "plain text");
    assert_cell("a,b", "\"a,b\"");
    assert_cell("say \"hi\"", "\"say \"\"hi\"\"\"");
    assert_cell("two\nlines", "\"two\nlines\"");
    assert_cell(" lead", "\" lead\"");
    assert_cell("trail ", "\"trail \"");
    assert_cell("=\"a\"", "\"'=\"\"a\"\"\"");
}

/* Reads the whole text as `cell|cell/` rows, or the error. */
static void assert_rows(const char *text, const char *expected) {
    struct csv_reader reader;
    struct error error = {0};
    struct str out;
    bool more = true;
    str_init(&out, 4096);
    csv_reader_init(&reader, text, strlen(text));
    while (csv_read(&reader, &more, &error) == ERR_OK && more) {
        size_t len;
        for (size_t i = 0; i < reader.n; i++) {
            const char *cell = csv_cell(&reader, i, &len);
            assert_int_equal(strlen(cell), len);
            str_addf(&out, "%s%s", i ? "|" : "", cell);
        }
        assert_null(csv_cell(&reader, reader.n, &len));
        str_addf(&out, "/%zu ", reader.line);
    }
    str_add(&out, error.text);
    assert_string_equal(out.s, expected);
    assert_int_equal(csv_read(&reader, &more, NULL), ERR_OK);
    assert_false(more);
    csv_reader_clear(&reader);
    str_clear(&out);
}

static void records_are_read_with_their_line(void **state) {
    (void)state;
    assert_rows("", "");
    assert_rows("a,b\r\nc,d\r\n", "a|b/1 c|d/2 ");
    assert_rows("a,b\nc,d", "a|b/1 c|d/2 ");
    assert_rows("a\rb\r", "a/1 b/2 ");
    assert_rows("\xEF\xBB\xBF"
                "a,b",
                "a|b/1 ");
    assert_rows("\"a\nb\",c\nd", "a\nb|c/1 d/3 ");
    assert_rows("\"a\r\nb\"\r\n\r\nd", "a\r\nb/1 /3 d/4 ");
    assert_rows(",\n", "|/1 ");
    assert_rows("\"\",\"\"\"\"", "|\"/1 ");
    assert_rows("\"a,b\",'c'", "a,b|'c'/1 ");
    assert_rows("04101,007", "04101|007/1 ");
    assert_rows(" a , b ", " a | b /1 ");
}

static void quoting_faults_name_line_and_column(void **state) {
    (void)state;
    assert_rows("a\nb,\"c\nd", "a/1 line 2, column 3: the quote that opens here is never closed");
    assert_rows("\"a\"b\n", "line 1, column 4: text after a closing quote");
    assert_rows("x\r\né,b\"c\"", "x/1 line 2, column 4: a quote inside a cell that does not start with one");
    assert_rows("\"", "line 1, column 1: the quote that opens here is never closed");
    assert_rows("\"a\r\nb\" c", "line 2, column 3: text after a closing quote");
}

static uint32_t next_random(uint32_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

enum { ROWS = 60, COLUMNS = 5, CELL_MAX = 12 };

static void what_is_written_reads_back(void **state) {
    (void)state;
    static const char alphabet[] = "ab,;\"\r\n\t '=+-@0";
    char cells[ROWS][COLUMNS][CELL_MAX + 1];
    uint32_t seed = 4180;
    struct str out;
    struct error error = {0};
    str_init(&out, 1 << 20);
    for (size_t row = 0; row < ROWS; row++) {
        for (size_t column = 0; column < COLUMNS; column++) {
            size_t len = next_random(&seed) % CELL_MAX;
            for (size_t i = 0; i < len; i++)
                cells[row][column][i] = alphabet[next_random(&seed) % (sizeof alphabet - 1)];
            cells[row][column][len] = '\0';
            csv_add_text(&out, cells[row][column], len);
            csv_end_cell(&out);
        }
        csv_end_row(&out);
    }
    struct csv_reader reader;
    bool more;
    csv_reader_init(&reader, out.s, out.len);
    for (size_t row = 0; row < ROWS; row++) {
        assert_int_equal(csv_read(&reader, &more, &error), ERR_OK);
        assert_true(more);
        assert_int_equal(reader.n, COLUMNS);
        for (size_t column = 0; column < COLUMNS; column++) {
            const char *cell = csv_cell(&reader, column, NULL), *wrote = cells[row][column];
            bool guarded = *wrote && strchr("=+-@\t\r", *wrote);
            assert_string_equal(guarded ? cell + 1 : cell, wrote);
            assert_true(!guarded || *cell == '\'');
        }
    }
    assert_int_equal(csv_read(&reader, &more, &error), ERR_OK);
    assert_false(more);
    csv_reader_clear(&reader);
    str_clear(&out);
}

static void nul_bytes_stay_in_their_cell(void **state) {
    (void)state;
    struct csv_reader reader;
    struct error error = {0};
    bool more;
    size_t len;
    csv_reader_init(&reader, "a\0b,c", 5);
    assert_int_equal(csv_read(&reader, &more, &error), ERR_OK);
    assert_memory_equal(csv_cell(&reader, 0, &len), "a\0b", 4);
    assert_int_equal(len, 3);
    assert_string_equal(csv_cell(&reader, 1, &len), "c");
    csv_reader_clear(&reader);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_that_would_run_are_guarded),
        cmocka_unit_test(f36_values_are_guarded_and_come_back),
        cmocka_unit_test(what_a_spreadsheet_would_change_is_written_as_text),
        cmocka_unit_test(a_long_text_has_an_apostrophe_instead),
        cmocka_unit_test(numbers_for_a_spreadsheet_are_exact_and_in_its_form),
        cmocka_unit_test(numbers_stay_numbers),
        cmocka_unit_test(cells_are_quoted_where_needed),
        cmocka_unit_test(records_are_read_with_their_line),
        cmocka_unit_test(quoting_faults_name_line_and_column),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(nul_bytes_stay_in_their_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
