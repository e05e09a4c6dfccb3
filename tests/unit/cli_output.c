#include "cli/output.h"

#include "app/record.h"

#include "base/mem.h"
#include "base/str.h"
#include "wire/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char first[] =
    "{\"id\": \"int_1\", \"created_at\": \"2026-11-28T10:30:05.000Z\", \"status\": \"declined\",\n"
    " \"direction\": \"in\", \"amount\": 9007199254740993, \"currency\": \"EUR\","
    " \"decline_category\": null, \"rail\": \"card\", \"type\": \"card_only\", \"user_id\": \"usr_1\","
    " \"payment_credential\": {\"bank_name\": \"=1+1\"}, \"dispute\": {\"id\": \"d\"}}";
static const char second[] = "{\"id\":\"int_22\",\"status\":\"approved\",\"amount\":-5,\"currency\":\"JPY\","
                             "\"payment_credential\":{\"bank_name\":\"Nord, \\\"Bank\\\"\"}}";

struct fixture {
    char *text;
    size_t len;
    FILE *out;
    struct output_options options;
    struct output *output;
    struct error error;
};

static int set_up(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    f->out = open_memstream(&f->text, &f->len);
    f->options = (struct output_options){.out = f->out, .utf8 = true};
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    output_free(f->output);
    assert_int_equal(fclose(f->out), 0);
    free(f->text);
    free(f);
    return 0;
}

static void put(struct fixture *f, const char *raw) {
    struct intent *intent = wire_intent(raw, strlen(raw));
    assert_int_equal(output_intent(f->output, intent, &f->error), ERR_OK);
    intent_free(intent);
}

static void printed(struct fixture *f, enum output_format format, const char *const rows[], const char *expected) {
    f->options.format = format;
    f->output = output_new(&f->options);
    for (size_t i = 0; rows[i]; i++)
        put(f, rows[i]);
    assert_int_equal(output_end(f->output, &f->error), ERR_OK);
    assert_string_equal(f->text, expected);
}

static const char *const none[] = {NULL};
static const char *const both[] = {first, second, NULL};

static void a_table_is_aligned(void **state) {
    printed(*state, OUTPUT_TABLE, both,
            "id      created (UTC)        status    direction            amount  currency  type       rail  decline  "
            "flags    user   bank\n"
            "int_1   2026-11-28 10:30:05  declined  in         9007199254740993  EUR       card_only  card  -        "
            "dispute  usr_1  =1+1\n"
            "int_22  -                    approved  -                        -5  JPY       -          -     -        "
            "-        -      Nord, \"Bank\"\n");
}

static void an_empty_table_has_its_header(void **state) {
    struct fixture *f = *state;
    printed(f, OUTPUT_TABLE, none,
            "id  created (UTC)  status  direction  amount  currency  type  rail  decline  flags  user  bank\n");
}

static void a_terminal_gets_the_columns_that_fit(void **state) {
    struct fixture *f = *state;
    f->options.terminal = true;
    f->options.columns = 60;
    printed(f, OUTPUT_TABLE, both,
            "id      status    direction            amount  currency\n"
            "int_1   declined  in         9007199254740993  EUR\n"
            "int_22  approved  -                        -5  JPY\n");
}

/* Ids tell apart by their ends (F94: two that differ are never shown alike). */
static void a_tiny_terminal_gets_the_end_of_the_id(void **state) {
    struct fixture *f = *state;
    f->options.terminal = true;
    f->options.columns = 4;
    printed(f, OUTPUT_TABLE, both, "id\n\xe2\x80\xa6t_1\n\xe2\x80\xa6_22\n");
}

static const char long_id[] = "{\"id\":\"b37875db-170c-479c-849a-4b705c1eba67\",\"status\":\"approved\",\"amount\":5,"
                              "\"currency\":\"JPY\",\"created_at\":\"2026-11-28T10:30:05.000Z\"}";
static const char *const one_long[] = {long_id, NULL};

/* What is read first stays; the id gives room from its front, for ids tell apart by their ends. */
static void a_narrow_terminal_shortens_the_id_first(void **state) {
    struct fixture *f = *state;
    f->options.terminal = true;
    f->options.columns = 70;
    printed(f, OUTPUT_TABLE, one_long,
            "id                     created (UTC)        status    amount  currency\n"
            "\xe2\x80\xa6"
            "9c-849a-4b705c1eba67  2026-11-28 10:30:05  approved       5  JPY\n");
}

static void a_wide_terminal_has_whole_ids(void **state) {
    struct fixture *f = *state;
    f->options.terminal = true;
    f->options.columns = 90;
    printed(f, OUTPUT_TABLE, one_long,
            "id                                    created (UTC)        status    amount  currency\n"
            "b37875db-170c-479c-849a-4b705c1eba67  2026-11-28 10:30:05  approved       5  JPY\n");
}

static void f94_two_values_are_never_cut_alike(void **state) {
    static const char *const rows[] = {"{\"id\":\"a-77b52aa0\",\"rail\":\"faster_payments_north\"}",
                                       "{\"id\":\"b-77b52aa0\",\"rail\":\"faster_payments_south\"}",
                                       "{\"id\":\"c-77b52aa0\",\"rail\":\"faster_payments_north\"}", NULL};
    struct fixture *f = *state;
    f->options.terminal = true;
    f->options.utf8 = false;
    f->options.columns = 24;
    assert_int_equal(columns_parse("id:6,rail:12", &f->options.columns_named, &f->error), ERR_OK);
    printed(f, OUTPUT_TABLE, rows, "id      rail\n~52aa0  faster_paym~\n2~2aa0  faster_pay~h\n3~2aa0  faster_paym~\n");
}

static void name_columns(struct fixture *f, const char *names) {
    assert_int_equal(columns_parse(names, &f->options.columns_named, &f->error), ERR_OK);
}

/* K36: a width cuts texts, never a number. */
static void named_columns_have_their_order_and_widths(void **state) {
    name_columns(*state, "amount:3,bank:5,id");
    printed(*state, OUTPUT_TABLE, both,
            "          amount  bank   id\n"
            "9007199254740993  =1+1   int_1\n"
            "              -5  Nord\xe2\x80\xa6  int_22\n");
}

static void named_columns_are_those_of_csv(void **state) {
    name_columns(*state, "mask,bank,flags,amount");
    printed(*state, OUTPUT_CSV, both,
            "payment_credential.card.primary_account_number_mask,payment_credential.account.number_mask,"
            "payment_credential.bank_name,flags,amount\r\n"
            ",,'=1+1,dispute,9007199254740993\r\n"
            ",,\"Nord, \"\"Bank\"\"\",,-5\r\n");
}

static const char moved[] =
    "{\"id\":\"m\",\"amount\":9487,\"guarantee_amount\":9000,\"currency\":\"USD\",\"dispute\":{\"status\":\"open\"},"
    "\"refund\":[1],\"payment_credential\":{\"is_archived\":true},\"transactions\":["
    "{\"amount\":5000,\"currency\":\"USD\",\"status\":\"settled\"},{\"amount\":4487,\"currency\":\"USD\",\"status\":"
    "\"settled\"},"
    "{\"amount\":7,\"currency\":\"JPY\",\"status\":\"pending\"},{\"amount\":3,\"currency\":\"XAU\",\"status\":"
    "\"pending\"},"
    "{\"amount\":1.5,\"currency\":\"JPY\"}]}";

/* Cells of the first row under the names given. */
static void expect_cells(const struct fixture *f, const char *const cells[][2], size_t n) {
    for (size_t i = 0; i < n; i++) {
        char *head = strdup(f->text), *row = strdup(strstr(f->text, "\r\n") + 2), *h = head, *r = row;
        const char *name, *cell = NULL;
        while ((name = strsep(&h, ",\r")) && (cell = strsep(&r, ",\r")) && strcmp(name, cells[i][0]) != 0) {
        }
        if (!name || !cell || strcmp(cell, cells[i][1]) != 0)
            fail_msg("%s is %s, not %s", cells[i][0], name && cell ? cell : "(no column)", cells[i][1]);
        free(head);
        free(row);
    }
}

static void put_csv(struct fixture *f, const char *raw) {
    f->options.format = OUTPUT_CSV;
    f->output = output_new(&f->options);
    put(f, raw);
    assert_int_equal(output_end(f->output, &f->error), ERR_OK);
}

static void f35_csv_has_transactions_dispute_refund(void **state) {
    static const char *const cells[][2] = {
        {"transactions", "5"},
        {"transactions_amount", "\"USD 9487; JPY 7 (1 without); XAU 3\""},
        {"transactions_status", "\"settled 2; pending 2; no status 1\""},
        {"dispute", "yes"},
        {"dispute_status", "open"},
        {"refund", "yes"},
        {"refund_status", ""},
        {"broken", ""},
    };
    put_csv(*state, moved);
    expect_cells(*state, cells, sizeof cells / sizeof *cells);
    assert_null(strstr(((struct fixture *)*state)->text, "_major"));
}

/* None is not zero, and what is no list is neither. */
static void f34_transactions_that_are_no_list_are_not_counted(void **state) {
    static const struct {
        const char *raw, *cell;
    } rows[] = {
        {"{\"id\":\"m\"}", ""},
        {"{\"id\":\"m\",\"transactions\":null}", ""},
        {"{\"id\":\"m\",\"transactions\":[]}", "0"},
        {"{\"id\":\"m\",\"transactions\":{\"id\":\"t\",\"amount\":5}}", "not a list"},
        {"{\"id\":\"m\",\"transactions\":\"lost\"}", "not a list"},
        {"{\"id\":\"m\",\"transactions\":3}", "not a list"},
        {"{\"id\":\"m\",\"transactions\":false}", "not a list"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fixture *f = *state;
        const char *const cells[][2] = {{"transactions", rows[i].cell}};
        put_csv(f, rows[i].raw);
        expect_cells(f, cells, 1);
        struct intent *intent = wire_intent(rows[i].raw, strlen(rows[i].raw));
        assert_int_equal(intent->unknown > 0, str_equal(rows[i].cell, "not a list"));
        intent_free(intent);
        tear_down(state);
        set_up(state);
    }
}

/* A file has the data: only control characters are not written as they are. */
static void f36_characters_that_nobody_sees_stay_in_a_file(void **state) {
    static const char *const texts[] = {
        "\U0001f469\u200d\U0001f4bb Bank", "soft\u00adhy", "a\u2060b", "x\ufe0fy", "\u202eabc", "\u3164"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        char raw[256];
        const char *const cells[][2] = {
            {"id", texts[i]}, {"payment_credential.bank_name", texts[i]}, {"rail", "c<07>d"}};
        (void)snprintf(raw, sizeof raw,
                       "{\"id\":\"%s\",\"rail\":\"c\\u0007d\",\"payment_credential\":{\"bank_name\":\"%s\"}}", texts[i],
                       texts[i]);
        put_csv(*state, raw);
        expect_cells(*state, cells, COUNT_OF(cells));
        tear_down(state);
        set_up(state);
    }
}

static void f35_a_sum_beyond_64_bits_is_said(void **state) {
    static const char *const cells[][2] = {{"transactions_amount", "USD beyond 64 bits"}, {"refund", "no"}};
    put_csv(*state, "{\"id\":\"m\",\"refund\":false,\"transactions\":["
                    "{\"amount\":9223372036854775807,\"currency\":\"USD\"},{\"amount\":1,\"currency\":\"USD\"}]}");
    expect_cells(*state, cells, sizeof cells / sizeof *cells);
}

static void f88_csv_has_the_unit_beside_the_integers(void **state) {
    static const char *const cells[][2] = {
        {"amount", "9487"},
        {"amount_major", "94.87"},
        {"guarantee_amount", "9000"},
        {"guarantee_amount_major", "90.00"},
        {"transactions_amount", "\"USD 9487; JPY 7 (1 without); XAU 3\""},
        {"transactions_amount_major", "\"USD 94.87; JPY 7 (1 without); XAU raw\""},
    };
    struct fixture *f = *state;
    f->options.money.unit = MONEY_MINOR;
    put_csv(f, moved);
    expect_cells(f, cells, sizeof cells / sizeof *cells);
}

static void f88_a_table_has_one_unit(void **state) {
    struct fixture *f = *state;
    static const char *const rows[] = {
        moved, "{\"id\":\"x\",\"amount\":5,\"guarantee_amount\":4,\"currency\":\"XAU\"}",
        "{\"id\":\"c\",\"amount\":{\"value\":5,\"currency\":\"USD\"},\"currency\":\"EUR\"}",
        "{\"id\":\"g\",\"amount\":5,\"guarantee_amount\":{\"value\":5,\"currency\":\"USD\"}}", NULL};
    f->options.money.unit = MONEY_MINOR;
    name_columns(f, "id,currency,amount,guarantee,flags");
    printed(f, OUTPUT_TABLE, rows,
            "id  currency                          amount  guarantee  flags\n"
            "m   USD                                94.87      90.00  dispute refund archived\n"
            "x   XAU                                5 raw      4 raw  -\n"
            "c   EUR       [{\"value\":5,\"currency\":\"USD\"}]          -  -\n"
            "g   -                                  5 raw   0.05 USD  -\n");
}

static void f31_a_conflict_is_marked_without_a_unit_too(void **state) {
    struct fixture *f = *state;
    static const char *const rows[] = {
        "{\"id\":\"c\",\"amount\":{\"value\":5,\"currency\":\"USD\"},\"currency\":\"EUR\"}", NULL};
    name_columns(f, "id,currency,amount");
    printed(f, OUTPUT_TABLE, rows,
            "id  currency                          amount\n"
            "c   EUR       [{\"value\":5,\"currency\":\"USD\"}]\n");
}

static const char torn[] = "{\"id\":\"b\",\"id\":\"b\",\"note\":\"\xff\\u0000\x01\xc2\x9b\"}";

static void f37_json_with_a_broken_row_is_json(void **state) {
    struct fixture *f = *state;
    static const char *const rows[] = {"{\"id\":\"a\"}", torn, "{oops", "7", NULL};
    printed(f, OUTPUT_JSON, rows,
            "[\n{\"id\":\"a\"},\n"
            "{\"broken\":\"a control character in a "
            "string\",\"raw\":\"{\\\"id\\\":\\\"b\\\",\\\"id\\\":\\\"b\\\",\\\"note\\\":"
            "\\\"\\ufffd\\\\u0000\\u0001\\u009b\\\"}\"},\n"
            "{\"broken\":\"a character that is not JSON\",\"raw\":\"{oops\"},\n"
            "{\"broken\":\"not an object\",\"raw\":\"7\"}\n]\n");
    assert_int_equal(output_check(f->output, &f->error), ERR_INCOMPLETE);
    assert_non_null(strstr(f->error.text, "3 of the rows"));
}

static void f37_other_formats_say_it_too(void **state) {
    struct fixture *f = *state;
    static const enum output_format formats[] = {OUTPUT_NDJSON, OUTPUT_CSV, OUTPUT_TABLE};
    static const char *const said[] = {"{\"broken\":\"not an object\",\"raw\":\"7\"}\n", ",not an object\r\n",
                                       "broken: not an object\n"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        f->options.format = formats[i];
        output_free(f->output);
        f->output = output_new(&f->options);
        put(f, "7");
        assert_int_equal(output_end(f->output, &f->error), ERR_OK);
        assert_non_null(strstr(f->text, said[i]));
        assert_int_equal(output_check(f->output, &f->error), formats[i] == OUTPUT_TABLE ? ERR_OK : ERR_INCOMPLETE);
    }
}

static void a_broken_row_says_so(void **state) {
    static const char *const rows[] = {"{\"id\":\"int_3\",\"amount\":1,\"amount\":2}", NULL};
    struct fixture *f = *state;
    f->options.format = OUTPUT_TABLE;
    f->output = output_new(&f->options);
    put(f, rows[0]);
    assert_int_equal(output_end(f->output, &f->error), ERR_OK);
    assert_non_null(strstr(f->text, "broken: "));
}

static void late_wide_rows_keep_their_text_off_a_terminal(void **state) {
    struct fixture *f = *state;
    f->options.format = OUTPUT_TABLE;
    f->output = output_new(&f->options);
    for (int i = 0; i < 205; i++)
        put(f, "{\"id\":\"a\",\"status\":\"created\"}");
    put(f, "{\"id\":\"a-much-longer-id-than-before\",\"status\":\"created\"}");
    assert_int_equal(output_end(f->output, &f->error), ERR_OK);
    assert_non_null(strstr(f->text, "a-much-longer-id-than-before  -"));
}

static void json_is_one_array_of_what_was_served(void **state) {
    printed(
        *state, OUTPUT_JSON, both,
        "[\n"
        "{\"id\":\"int_1\",\"created_at\":\"2026-11-28T10:30:05.000Z\",\"status\":\"declined\",\"direction\":\"in\","
        "\"amount\":9007199254740993,\"currency\":\"EUR\",\"decline_category\":null,\"rail\":\"card\","
        "\"type\":\"card_only\",\"user_id\":\"usr_1\",\"payment_credential\":{\"bank_name\":\"=1+1\"},"
        "\"dispute\":{\"id\":\"d\"}},\n"
        "{\"id\":\"int_22\",\"status\":\"approved\",\"amount\":-5,\"currency\":\"JPY\","
        "\"payment_credential\":{\"bank_name\":\"Nord, \\\"Bank\\\"\"}}\n"
        "]\n");
}

static void json_of_nothing_is_an_empty_array(void **state) {
    printed(*state, OUTPUT_JSON, none, "[]\n");
}

static void ndjson_is_one_line_each(void **state) {
    static const char *const rows[] = {"{\"id\" : \"a b\", \"x\":\n[1, 2.50]}", "{\"id\":\"c\"}", NULL};
    printed(*state, OUTPUT_NDJSON, rows, "{\"id\":\"a b\",\"x\":[1,2.50]}\n{\"id\":\"c\"}\n");
}

static void ndjson_of_nothing_is_nothing(void **state) {
    struct fixture *f = *state;
    f->options.format = OUTPUT_NDJSON;
    f->output = output_new(&f->options);
    assert_int_equal(output_end(f->output, &f->error), ERR_OK);
    assert_int_equal(f->len, 0);
}

/* K3: a file gets the bytes as served, a terminal the same JSON with nothing that acts on it. */
static void a_terminal_gets_no_control_bytes_in_json(void **state) {
    static const char *const rows[] = {"{\"id\":\"a\xc2\x9b"
                                       "2J\xe2\x80\xae\x7f\"}",
                                       NULL};
    struct fixture *f = *state;
    f->options.terminal = true;
    printed(f, OUTPUT_NDJSON, rows, "{\"id\":\"a\\u009b2J\\u202e\\u007f\"}\n");
}

static void a_file_gets_the_bytes_as_served(void **state) {
    static const char *const rows[] = {"{\"id\":\"a\xe2\x80\xae\\u001b\"}", NULL};
    printed(*state, OUTPUT_NDJSON, rows, "{\"id\":\"a\xe2\x80\xae\\u001b\"}\n");
}

static void a_terminal_without_utf8_gets_ascii(void **state) {
    static const char *const rows[] = {"{\"id\":\"K\xc3\xb6ln\"}", NULL};
    struct fixture *f = *state;
    f->options.terminal = true;
    f->options.utf8 = false;
    printed(f, OUTPUT_NDJSON, rows, "{\"id\":\"K?ln\"}\n");
}

static void csv_has_every_field_and_guards_formulas(void **state) {
    struct fixture *f = *state;
    f->options.format = OUTPUT_CSV;
    f->output = output_new(&f->options);
    put(f, first);
    put(f, second);
    assert_int_equal(output_end(f->output, &f->error), ERR_OK);
    assert_true(str_starts(f->text, "id,created_at,status,decline_category,direction,amount,currency,"));
    assert_non_null(strstr(f->text, "\r\nint_1,2026-11-28T10:30:05.000Z,declined,,in,9007199254740993,EUR,"));
    assert_non_null(strstr(f->text, ",'=1+1,"));
    assert_non_null(strstr(f->text, "\r\nint_22,,approved,,,-5,JPY,"));
    assert_non_null(strstr(f->text, "\"Nord, \"\"Bank\"\"\""));
}

static void csv_of_nothing_has_its_header(void **state) {
    struct fixture *f = *state;
    f->options.format = OUTPUT_CSV;
    f->output = output_new(&f->options);
    assert_int_equal(output_end(f->output, &f->error), ERR_OK);
    size_t commas = 0;
    for (const char *at = f->text; *at; at++)
        commas += *at == ',';
    unsigned char fields[RECORD_FIELD_COUNT];
    assert_int_equal(commas, record_fields_all(&f->options.money, fields) - 1);
    assert_int_equal(f->text[f->len - 1], '\n');
}

/* S7 */
static void a_full_disk_is_an_error(void **state) {
    struct fixture *f = *state;
    f->options.out = fopen("/dev/full", "w");
    assert_non_null(f->options.out);
    f->output = output_new(&f->options);
    put(f, second);
    assert_int_equal(output_end(f->output, &f->error), ERR_FILE);
    assert_string_equal(f->error.text, "standard output cannot be written: No space left on device");
    (void)fclose(f->options.out);
}

static void a_closed_pipe_is_an_error_as_soon_as_it_is_seen(void **state) {
    struct fixture *f = *state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(close(ends[0]), 0);
    (void)signal(SIGPIPE, SIG_IGN);
    f->options.out = fdopen(ends[1], "w");
    assert_non_null(f->options.out);
    assert_int_equal(setvbuf(f->options.out, NULL, _IONBF, 0), 0);
    f->options.format = OUTPUT_NDJSON;
    f->output = output_new(&f->options);
    struct intent *intent = wire_intent(second, strlen(second));
    assert_int_equal(output_intent(f->output, intent, &f->error), ERR_FILE);
    assert_string_equal(f->error.text, "standard output cannot be written: Broken pipe");
    intent_free(intent);
    (void)fclose(f->options.out);
}

int main(void) {
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        return 1;
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        T(a_table_is_aligned),
        T(an_empty_table_has_its_header),
        T(a_terminal_gets_the_columns_that_fit),
        T(a_tiny_terminal_gets_the_end_of_the_id),
        T(f94_two_values_are_never_cut_alike),
        T(a_narrow_terminal_shortens_the_id_first),
        T(a_wide_terminal_has_whole_ids),
        T(named_columns_have_their_order_and_widths),
        T(named_columns_are_those_of_csv),
        T(f35_csv_has_transactions_dispute_refund),
        T(f35_a_sum_beyond_64_bits_is_said),
        T(f34_transactions_that_are_no_list_are_not_counted),
        T(f36_characters_that_nobody_sees_stay_in_a_file),
        T(f88_csv_has_the_unit_beside_the_integers),
        T(f88_a_table_has_one_unit),
        T(f31_a_conflict_is_marked_without_a_unit_too),
        T(f37_json_with_a_broken_row_is_json),
        T(f37_other_formats_say_it_too),
        T(a_broken_row_says_so),
        T(late_wide_rows_keep_their_text_off_a_terminal),
        T(json_is_one_array_of_what_was_served),
        T(json_of_nothing_is_an_empty_array),
        T(ndjson_is_one_line_each),
        T(ndjson_of_nothing_is_nothing),
        T(a_terminal_gets_no_control_bytes_in_json),
        T(a_file_gets_the_bytes_as_served),
        T(a_terminal_without_utf8_gets_ascii),
        T(csv_has_every_field_and_guards_formulas),
        T(csv_of_nothing_has_its_header),
        T(a_full_disk_is_an_error),
        T(a_closed_pipe_is_an_error_as_soon_as_it_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
