/* Exporting: what is written, in which portions, and what stands beside it. */
#include "app/export.h"
#include "base/mem.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STEPS_MOST = 100 };

#define ROW(id, more)                                                                                             \
    "{\"id\":\"" id "\",\"created_at\":\"2026-11-28T10:00:00.000Z\",\"user_id\":\"usr_private_1234\",\"amount\":" \
    "9223372036854775807,\"currency\":\"EUR\",\"status\":\"declined\"" more "}"

static const char THREE[] = "{\"data\":[" ROW("a", ",\"payment_credential\":{\"bank_name\":\"=cmd\"}") "," ROW(
    "b", "") "," ROW("c", "") ","
                              "17],\"next_cursor\":"
                              "\"more\"}";

static const struct effect *asked(const struct driver *driver) {
    return driver_effect(driver, EFFECT_EXPORT);
}

/* The performer's answer to what was asked last. */
static void answer(struct driver *driver, const struct error *failure) {
    static const struct error NONE;
    struct event event = {.kind = EVENT_EXPORTED,
                          .ticket = asked(driver)->ticket,
                          .payload = payload_of(error, failure ? failure : &NONE)};
    driver_forget(driver);
    driver_event(driver, &event);
}

static void open_three(struct driver *driver, int rows, int cols) {
    driver_open(driver, rows, cols);
    driver_answer(driver, THREE);
    driver_forget(driver);
}

/* Answers until the end; out gets the data, about what is beside it. */
static void write_all(struct driver *driver, struct str *out, struct str *about) {
    str_init(out, 1 << 20);
    str_init(about, 1 << 16);
    for (size_t steps = 0; asked(driver); steps++) {
        assert_in_range(steps, 0, STEPS_MOST);
        const struct export_ask *ask = effect_get(asked(driver), export_ask);
        str_add_n(ask->step == EXPORT_END ? about : out, ask->text, ask->len);
        answer(driver, NULL);
    }
}

static void the_form_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("export", "80x24 120x40 200x50 40x8", open_three, "x");
}

static void the_default_is_csv_and_masked(void **state) {
    struct driver *driver = *state;
    struct str data, about;
    driver_keys(driver, "x G Enter");
    assert_int_equal(effect_get(asked(driver), export_ask)->step, EXPORT_BEGIN);
    assert_string_equal(effect_get(asked(driver), export_ask)->path, "bursar-acme-eu-20261128-120000-so-far.csv");
    write_all(driver, &data, &about);
    assert_non_null(strstr(data.s, "id,created_at,status,"));
    assert_non_null(
        strstr(data.s, "\r\na,2026-11-28T10:00:00.000Z,declined,,,9223372036854775807,EUR,,,,***1234,,'=cmd,"));
    assert_null(strstr(data.s, "usr_private"));
    assert_non_null(strstr(about.s, "rows: 3, the list on show\n"));
    assert_non_null(strstr(about.s, "complete: no: what was read so far"));
    assert_non_null(strstr(about.s, "values: masked\n"));
    assert_non_null(strstr(about.s, "left out: 1, which cannot be read or went away meanwhile\n"));
    driver_shows(driver, "3 masked intents in ~/exports/bursar-acme-eu-20261128-120000");
    str_clear(&data);
    str_clear(&about);
}

/* Enter is pressed out of habit: the first one writes no file. */
static void the_first_enter_writes_nothing(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "x Enter");
    assert_null(asked(driver));
    driver_shows(driver, "write the file");
    driver_keys(driver, "End Home Enter");
    assert_null(asked(driver));
}

static void the_folder_is_shown_before_it_is_written_to(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "x", "will be written to ~/exports/bursar-acme-eu-20261128-120000-so-far.csv");
    driver_try(driver, "G k Enter Ctrl-U '/srv/q.csv'", "will be written to /srv/q.csv");
    driver_try(driver, "Ctrl-U 'year/of/many/folders/and/one/more/and/another/and/yet/another/the-name.csv'",
               "will be written to ~/exports/year/of/many", "/yet/another/the-name.csv");
}

/* K59: nothing about the filter is inside the data. */
static void json_as_served_is_one_array(void **state) {
    struct driver *driver = *state;
    struct str data, about;
    driver_try(driver, "x G k k Space Home l l j Enter", "personal data in clear");
    driver_keys(driver, "G Enter");
    write_all(driver, &data, &about);
    assert_true(str_starts(data.s, "[\n{\"id\":\"a\""));
    assert_non_null(strstr(data.s, "},\n{\"id\":\"b\""));
    assert_string_equal(data.s + data.len - 3, "\n]\n");
    assert_non_null(strstr(data.s, "usr_private_1234"));
    assert_non_null(strstr(about.s, "values: as served, with personal data\n"));
    str_clear(&data);
    str_clear(&about);
}

static void masked_json_holds_named_fields_alone(void **state) {
    struct driver *driver = *state;
    struct str data, about;
    driver_keys(driver, "x l l l G Enter");
    write_all(driver, &data, &about);
    assert_true(str_starts(data.s, "{\"id\":\"a\",\"created_at\":\"2026-11-28T10:00:00.000Z\","));
    assert_non_null(strstr(data.s, "\"amount\":9223372036854775807,"));
    assert_non_null(strstr(data.s, "\"payment_credential\":{\"id\":null,\"bank_name\":\"=cmd\",\"is_archived\":null,"
                                   "\"account\":{\"number_mask\":null,\"routing\":null},\"card\":{"));
    assert_null(strstr(data.s, "usr_private"));
    str_clear(&data);
    str_clear(&about);
}

static const char USUAL[] = "created_at,status,direction,amount,currency,user_id,rail,payment_credential.bank_name";

/* Those chosen, whatever the window has room for. */
static void f89_the_chosen_columns_whatever_the_window(void **state) {
    static const struct { int rows, cols; } SIZES[] = {{24, 80}, {8, 40}, {40, 200}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        struct driver driver;
        struct str data, about;
        open_three(&driver, SIZES[i].rows, SIZES[i].cols);
        driver_keys(&driver, "x G k k k Space j j j Enter");
        write_all(&driver, &data, &about);
        assert_true(str_starts(data.s, USUAL));
        assert_non_null(strstr(about.s, "columns: those chosen for the list"));
        str_clear(&data);
        str_clear(&about);
        driver_close(&driver);
    }
}

static void f89_one_ticked_by_hand_is_there_and_one_unticked_is_not(void **state) {
    struct driver *driver = driver_begin(state);
    struct str data, about;
    open_three(driver, 8, 40);
    driver_keys(driver, "c j Space G Space Enter x G k k k Space j j j Enter");
    write_all(driver, &data, &about);
    char *line = mem_dup_n(data.s, strcspn(data.s, "\r\n"));
    assert_true(str_starts(line, "created_at,direction,amount,"));
    assert_non_null(strstr(line, ",business_date"));
    free(line);
    str_clear(&data);
    str_clear(&about);
}

/* The rule of `intents list`: rows of other statuses that the service served all the same are left out, and said. */
static void f27_rows_that_are_not_of_the_filter_are_left_out(void **state) {
    struct driver *driver = *state;
    static const char PAGE[] =
        "{\"data\":[{\"id\":\"int_a\",\"status\":\"declined\",\"created_at\":\"2026-11-28T11:00:00.000Z\"},"
        "{\"id\":\"int_b\",\"status\":\"approved\",\"created_at\":\"2026-11-28T10:00:00.000Z\"},"
        "{\"id\":\"int_c\",\"status\":\"pending\",\"created_at\":\"2026-11-28T09:00:00.000Z\"}]}";
    struct str data, about;
    driver_answer(driver, PAGE);
    driver_keys(driver, "/ 'status:declined' Enter");
    driver_answer(driver, PAGE);
    driver_shows(driver, "the service did not apply the filter");
    driver_forget(driver);
    driver_keys(driver, "x G Enter");
    write_all(driver, &data, &about);
    assert_non_null(strstr(data.s, "int_a"));
    assert_null(strstr(data.s, "int_b"));
    assert_null(strstr(data.s, "int_c"));
    assert_non_null(strstr(about.s, "rows: 1, "));
    assert_non_null(strstr(about.s, "the service did not apply the filter; 2 rows that do not match were left out"));
    driver_shows(driver, "left out: 2 not of the filter");
    str_clear(&data);
    str_clear(&about);
}

static void marked_rows_are_offered_first(void **state) {
    struct driver *driver = *state;
    struct str data, about;
    driver_try(driver, "j Space x", "marked: 1");
    driver_keys(driver, "G Enter");
    looker_answer(driver, NULL, true);
    write_all(driver, &data, &about);
    assert_non_null(strstr(data.s, "\r\nb,"));
    assert_null(strstr(data.s, "\r\na,"));
    assert_non_null(strstr(about.s, "rows: 1, marked by hand\nfilter: none: marks\n"));
    str_clear(&data);
    str_clear(&about);
}

/* A row that left the list since it was marked is not written with those of the list, and that is said beside them. */
static void f81_a_marked_row_that_left_the_list_is_not_written(void **state) {
    struct driver *driver = *state;
    static const char GONE[] = "{\"data\":[" ROW("a", "") "," ROW("c", "") "]}";
    struct str data, about;
    driver_answer(driver, "{\"data\":[" ROW("a", "") "," ROW("b", "") "," ROW("c", "") "]}");
    driver_keys(driver, "Space Space");
    driver->now += 1000;
    driver_key(driver, "r");
    driver_answer(driver, GONE);
    driver_forget(driver);
    driver_keys(driver, "x G Enter");
    looker_answer(driver, NULL, true);
    write_all(driver, &data, &about);
    assert_non_null(strstr(data.s, "\r\na,"));
    assert_null(strstr(data.s, "\r\nb,"));
    assert_non_null(strstr(about.s, "rows: 1, marked by hand\n"));
    assert_non_null(strstr(about.s, "left the list: 1, not among the rows\n"));
    str_clear(&data);
    str_clear(&about);
}

static const struct error TAKEN = {.code = ERR_FILE,
                                   .text = "/home/someone/exports/2026/bursar-acme-eu.csv: is already there"};

static void a_file_that_cannot_be_made_leaves_everything_chosen(void **state) {
    static const struct {
        const char *name;
        int rows, cols;
    } SIZES[] = {{"export-refused-80x24", 24, 80}, {"export-refused-40x8", 8, 40}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        struct driver driver;
        open_three(&driver, SIZES[i].rows, SIZES[i].cols);
        driver_keys(&driver, "x Space Space G k k Space G Enter");
        answer(&driver, &TAKEN);
        assert_null(asked(&driver));
        driver_check(&driver, SIZES[i].name);
        driver_keys(&driver, "Enter Ctrl-U 'other.json'");
        driver_hides(&driver, "not exported");
        driver_keys(&driver, "Enter Enter");
        assert_int_equal(effect_get(asked(&driver), export_ask)->step, EXPORT_BEGIN);
        assert_string_equal(effect_get(asked(&driver), export_ask)->path, "other.json");
        assert_true(str_starts(effect_get(asked(&driver), export_ask)->text, "[")); /* JSON still */
        driver_close(&driver);
    }
}

/* A write out of habit is no answer to what was said. */
static void after_a_refusal_the_first_enter_writes_nothing(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "x G Enter");
    answer(driver, &TAKEN);
    driver_keys(driver, "Enter");
    assert_null(asked(driver));
    driver_keys(driver, "Esc k Space"); /* something else is chosen: that was not tried */
    driver_hides(driver, "not exported");
}

static void a_refusal_does_not_come_over_what_was_begun_since(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "x G Enter ?");
    answer(driver, &TAKEN);
    driver_hides(driver, "write the file");
    driver_shows(driver, "E not exported: /home/someone");
}

/* A row with no room for its label above it would stand where nobody looks for it. */
static void no_row_is_shown_by_half(void **state) {
    struct error error = {.code = ERR_FILE, .text = "out.csv: is already there"};
    struct driver *driver = driver_begin(state);
    open_three(driver, 8, 40);
    driver_keys(driver, "x G Enter");
    answer(driver, &error);
    driver_shows(driver, "not exported: out.csv: is already", "so-far.csv");
    driver_hides(driver, "[ write");
}

static void a_failure_while_it_is_written_is_said_and_ends_it(void **state) {
    struct driver *driver = *state;
    struct error error = {.code = ERR_FILE, .text = "out.csv: cannot write: No space left on device"};
    driver_keys(driver, "x G Enter");
    answer(driver, NULL);
    answer(driver, &error);
    assert_null(asked(driver));
    driver_shows(driver, "E not exported: out.csv: cannot write: No space left");
    driver_hides(driver, "write the file");
    driver_keys(driver, "x G Enter");
    assert_int_equal(effect_get(asked(driver), export_ask)->step, EXPORT_BEGIN);
}

static void the_proposed_ending_follows_the_format(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "x G k Enter 'z'");
    driver_keys(driver, "Backspace Enter Home Space Space"); /* it is the proposed one again */
    driver_shows(driver, "-so-far.json");
    driver_try(driver, "Space", "-so-far.ndjson");
    driver_keys(driver, "G k Enter Ctrl-U 'mine.csv'");
    driver_try(driver, "Enter Home Space Space", "will be written to ~/exports/mine.csv");
}

static void a_long_name_takes_the_room_beside_it(void **state) {
    static const char NAME[] = "a-name-of-seventy-cells/that-a-wide-screen-has-room-for/right-here.csv";
    struct driver *driver = driver_begin(state);
    open_three(driver, 50, 200);
    driver_try(driver, "x", "file              bursar-acme-eu-20261128-120000-so-far.csv");
    driver_keys(driver, "G k Enter Ctrl-U");
    driver_text(driver, NAME);
    driver_shows(driver, "file              a-name-of-seventy-cells/that-a-wide-screen-has-room-for/right-here.csv");
}

static void escape_takes_an_unfinished_file_away(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "x G Enter");
    answer(driver, NULL);
    driver_forget(driver);
    driver_key(driver, "Esc");
    assert_int_equal(effect_get(asked(driver), export_ask)->step, EXPORT_DROP);
    driver_shows(driver, "not exported: cancelled");
}

static void leaving_while_it_runs_asks(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "x G Enter Q", "An export is being written");
    assert_false(shell_is_finished(driver->shell));
}

static void a_name_can_be_typed_and_is_needed(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "x G k Enter Ctrl-U Enter Enter", "a name is needed");
    driver_keys(driver, "Enter '~/q.csv' Enter Enter");
    assert_string_equal(effect_get(asked(driver), export_ask)->path, "~/q.csv");
}

static const char REST[] = "{\"data\":[" ROW("d", "") "]}";

static void what_is_not_all_says_so_in_the_name(void **state) {
    struct driver *driver = *state;
    struct str data, about;
    driver_keys(driver, "x G Enter");
    assert_string_equal(effect_get(asked(driver), export_ask)->path, "bursar-acme-eu-20261128-120000-so-far.csv");
    write_all(driver, &data, &about);
    assert_non_null(strstr(about.s, "complete: no: what was read so far"));
    str_clear(&data);
    str_clear(&about);
}

static void all_can_be_read_first(void **state) {
    struct driver *driver = *state;
    struct str data, about;
    driver_keys(driver, "x j Space");
    driver_check(driver, "export-all");
    driver_keys(driver, "G Enter");
    assert_null(asked(driver));
    driver_shows(driver, "reading every page, then the file is written; Esc stops");
    driver_answer(driver, THREE);
    assert_null(asked(driver));
    driver_answer(driver, REST);
    assert_string_equal(effect_get(asked(driver), export_ask)->path, "bursar-acme-eu-20261128-120000.csv");
    write_all(driver, &data, &about);
    assert_non_null(strstr(data.s, "\r\nd,"));
    assert_non_null(strstr(about.s, "complete: yes"));
    str_clear(&data);
    str_clear(&about);
}

static void told_to_wait_it_is_written_later(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "x j Space G Enter");
    driver_answer(driver, THREE);
    driver_fail(driver, ERR_THROTTLED, "slow down", driver->now + 2000);
    assert_null(asked(driver));
    driver_timer(driver, TIMER_RETRY, 3000);
    driver_answer(driver, REST);
    assert_int_equal(effect_get(asked(driver), export_ask)->step, EXPORT_BEGIN);
}

static void what_is_not_read_to_its_end_is_not_written(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "x j Space G Enter Esc", "not exported: the service's list was not read to its end");
    driver_keys(driver, "x j Space G Enter");
    driver_fail(driver, ERR_NETWORK, "the connection was refused", CLOCK_NONE);
    for (int i = 0; i < 9 && !driver_sees(driver, "not exported"); i++) { /* what may pass is asked again first */
        driver_timer(driver, TIMER_RETRY, 60 * 1000);
        driver_fail(driver, ERR_NETWORK, "the connection was refused", CLOCK_NONE);
    }
    driver_shows(driver, "not exported: the service's list was not read to its end");
    assert_null(asked(driver));
}

/* A filter's rows come out of the cache by their keys, whatever the walk has read. */
static void a_filtered_list_is_read_from_the_cache(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open_cached(driver, 24, 80);
    driver_cached(driver, THREE, true);
    driver_answer(driver, THREE);
    driver_keys(driver, "/ 'amount>=1' Enter");
    looker_answer(driver, THREE, true);
    driver_forget(driver);
    driver_keys(driver, "x G Enter");
    answer(driver, NULL);
    assert_int_equal(driver->effects.n, 1);
    const struct effect *rows = &driver->effects.items[0];
    assert_int_equal(rows->kind, EFFECT_LOOKUP_ROWS);
    assert_int_equal(effect_get(rows, lookup_keys)->n, 3);
}

/* A cached row that a page confirms meanwhile has another place and number, and is the same intent. */
static void rows_that_are_confirmed_meanwhile_are_written(void **state) {
    struct driver *driver = driver_begin(state);
    struct str data, about;
    driver_open_cached(driver, 24, 80);
    driver_cached(driver, THREE, true);
    driver_forget(driver);
    driver_keys(driver, "x G Enter");
    assert_int_equal(effect_get(asked(driver), export_ask)->step, EXPORT_BEGIN);
    driver_answer(driver, THREE);
    write_all(driver, &data, &about);
    assert_non_null(strstr(data.s, "\r\na,"));
    assert_non_null(strstr(data.s, "\r\nc,"));
    assert_non_null(strstr(about.s, "rows: 3, "));
    str_clear(&data);
    str_clear(&about);
}

/* The answer on show knew all of the cache, but not the page that ended the walk. */
static void the_last_page_is_waited_for(void **state) {
    static const char FOUR[] = "{\"data\":[" ROW("d", "") "," ROW("a", "") "," ROW("b", "") "," ROW("c", "") "]}";
    struct event indexed = {.kind = EVENT_INDEX, .payload = payload_of(index_filled, &(struct index_filled){true})};
    struct driver *driver = driver_begin(state);
    driver_open_cached(driver, 24, 80);
    driver_cached(driver, NULL, true);
    driver->stored = true;
    driver_answer(driver, THREE);
    driver_keys(driver, "/ 'amount>=1' Enter");
    looker_answer(driver, THREE, true);
    driver_keys(driver, "x j Space G Enter");
    driver_cached(driver, NULL, true);
    driver_answer(driver, THREE);
    driver_forget(driver);
    driver_event(driver, &indexed);
    looker_answer(driver, THREE, true);
    driver_answer(driver, REST);
    driver_forget(driver);
    driver_hides(driver, "all there are");
    driver_event(driver, &indexed);
    assert_null(asked(driver));
    looker_answer(driver, FOUR, true);
    driver_shows(driver, "all there are");
    assert_int_equal(effect_get(asked(driver), export_ask)->step, EXPORT_BEGIN);
    answer(driver, NULL);
    assert_int_equal(effect_get(driver_effect(driver, EFFECT_LOOKUP_ROWS), lookup_keys)->n, 4);
}

static void a_spreadsheet_gets_a_mark_and_text(void **state) {
    struct driver *driver = *state;
    struct str data, about;
    driver_try(driver, "x l", "text stays text", "-so-far.csv");
    driver_keys(driver, "G Enter");
    write_all(driver, &data, &about);
    assert_true(str_starts(data.s, "\xEF\xBB\xBFid,created_at,status,"));
    assert_non_null(strstr(data.s, ",declined,,,\"=\"\"9223372036854775807\"\"\",EUR,"));
    assert_non_null(strstr(data.s, ",\"=\"\"=cmd\"\"\","));
    assert_non_null(strstr(about.s, "format: CSV for a spreadsheet program\n"));
    str_clear(&data);
    str_clear(&about);
}

static void f52_a_separator_that_was_guessed_is_said(void **state) {
    struct driver *driver = *state;
    struct str data, about;
    char *all = mem_dup(getenv("LC_ALL"));
    (void)unsetenv("LC_ALL");
    (void)setenv("LC_NUMERIC", "xx_YY.UTF-8", 1);
    driver_keys(driver, "x l G Enter");
    write_all(driver, &data, &about);
    driver_shows(driver, "LC_NUMERIC=xx_YY.UTF-8");
    (void)unsetenv("LC_NUMERIC");
    if (all)
        (void)setenv("LC_ALL", all, 1);
    free(all);
    str_clear(&data);
    str_clear(&about);
}

static void a_database_gets_cells_and_has_no_file_beside_it(void **state) {
    struct driver *driver = *state;
    struct str data, about;
    driver_try(driver, "x h", "SQLite", "tables intents, about", "-so-far.sqlite");
    driver_keys(driver, "G Enter");
    assert_true(effect_get(asked(driver), export_ask)->database);
    assert_string_equal(effect_get(asked(driver), export_ask)->text, "tid");
    write_all(driver, &data, &about);
    assert_non_null(strstr(about.s, "format: SQLite, table intents\n"));
    driver_shows(driver, "3 masked intents in ~/exports/bursar-acme-eu-20261128-120000-so-far.sqlite");
    driver_hides(driver, ".about");
    str_clear(&data);
    str_clear(&about);
}

static void the_sample_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("export-sample", "80x24 120x40 200x50", open_three, "x j j Enter '2' Enter Enter '7' Enter");
}

static void a_sample_is_drawn_and_said(void **state) {
    struct driver *driver = *state;
    struct str data, about;
    driver_keys(driver, "x j j Enter '2' Enter Enter '7' Enter");
    driver_keys(driver, "G Enter");
    write_all(driver, &data, &about);
    assert_non_null(strstr(about.s, "rows: 2, the list on show\nsample: 2 of 3 intents, drawn by seed 7\n"));
    driver_shows(driver, "2 of 3 intents, drawn by seed 7");
    size_t lines = 0;
    for (const char *at = data.s; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_int_equal(lines, 3);
    str_clear(&data);
    str_clear(&about);
}

/* Of every format: what is written, or how it begins, where nothing can be drawn. */
static void a_sample_of_nothing_ends_and_is_said(void **state) {
    static const struct {
        const char *format, *data;
        bool columns;
    } FORMATS[] = {{"", "id,created_at,", true},
                   {"Space ", "\xEF\xBB\xBFid,created_at,", true},
                   {"Space Space ", "[]\n", false},
                   {"Space Space Space ", "", false},
                   {"h ", "tid", true}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(FORMATS); i++) {
        struct driver driver;
        struct str data, about;
        char keys[128];
        driver_open(&driver, 24, 80);
        driver_answer(&driver, "{\"data\":[17,18,\"x\"]}");
        driver_forget(&driver);
        (void)snprintf(keys, sizeof keys, "x %sj j Enter '2' Enter G Enter", FORMATS[i].format);
        driver_keys(&driver, keys);
        write_all(&driver, &data, &about);
        if (FORMATS[i].columns ? !str_starts(data.s, FORMATS[i].data) : !str_equal(data.s, FORMATS[i].data))
            fail_msg("%s: %s", FORMATS[i].format, data.s);
        assert_non_null(strstr(about.s, "rows: 0, the list on show\nsample: nothing matches to draw from\n"));
        driver_shows(&driver, "matches to draw from; left out: 3");
        str_clear(&data);
        str_clear(&about);
        driver_close(&driver);
    }
}

static void a_sample_that_is_no_number_is_pointed_at(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "x j j Enter 'many' Enter G Enter", "from 1 to 100000");
    driver_try(driver, "Enter Ctrl-U '5' Enter Enter 'x' Enter G Enter", "a number above 0");
    assert_null(asked(driver));
}

/* Which rows are drawn depends on the last one too. */
static void a_sample_of_cached_rows_reads_them_before_the_file_is_made(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open_cached(driver, 24, 80);
    driver_cached(driver, THREE, true);
    driver_answer(driver, THREE);
    driver_keys(driver, "/ 'amount>=1' Enter");
    looker_answer(driver, THREE, true);
    driver_forget(driver);
    driver_keys(driver, "x j j Enter '2' Enter G Enter");
    assert_null(asked(driver));
    assert_int_equal(effect_get(driver_effect(driver, EFFECT_LOOKUP_ROWS), lookup_keys)->n, 3);
}

static void nothing_to_export_is_said(void **state) {
    struct driver *driver = *state;
    driver_answer(driver, "{\"data\":[]}");
    driver_try(driver, "x", "there are no rows to export");
}

static int start(void **state) {
    (void)state;
    return setlocale(LC_ALL, "C.UTF-8") ? 0 : -1;
}

#define AFTER_SET_UP_THREE(test) DRIVER_TEST_IN(test, open_three, 24, 80)
#define AFTER_SET_UP(test) DRIVER_TEST_IN(test, driver_open, 24, 80)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_form_at_every_size),
        AFTER_SET_UP_THREE(the_default_is_csv_and_masked),
        AFTER_SET_UP_THREE(the_first_enter_writes_nothing),
        AFTER_SET_UP_THREE(the_folder_is_shown_before_it_is_written_to),
        AFTER_SET_UP_THREE(json_as_served_is_one_array),
        AFTER_SET_UP_THREE(masked_json_holds_named_fields_alone),
        cmocka_unit_test(f89_the_chosen_columns_whatever_the_window),
        DRIVER_TEST(f89_one_ticked_by_hand_is_there_and_one_unticked_is_not),
        AFTER_SET_UP(f27_rows_that_are_not_of_the_filter_are_left_out),
        AFTER_SET_UP_THREE(marked_rows_are_offered_first),
        AFTER_SET_UP(f81_a_marked_row_that_left_the_list_is_not_written),
        cmocka_unit_test(a_file_that_cannot_be_made_leaves_everything_chosen),
        AFTER_SET_UP_THREE(after_a_refusal_the_first_enter_writes_nothing),
        AFTER_SET_UP_THREE(a_refusal_does_not_come_over_what_was_begun_since),
        DRIVER_TEST(no_row_is_shown_by_half),
        AFTER_SET_UP_THREE(a_failure_while_it_is_written_is_said_and_ends_it),
        AFTER_SET_UP_THREE(the_proposed_ending_follows_the_format),
        DRIVER_TEST(a_long_name_takes_the_room_beside_it),
        AFTER_SET_UP_THREE(escape_takes_an_unfinished_file_away),
        AFTER_SET_UP_THREE(leaving_while_it_runs_asks),
        AFTER_SET_UP_THREE(a_name_can_be_typed_and_is_needed),
        AFTER_SET_UP_THREE(what_is_not_all_says_so_in_the_name),
        AFTER_SET_UP_THREE(all_can_be_read_first),
        AFTER_SET_UP_THREE(told_to_wait_it_is_written_later),
        AFTER_SET_UP_THREE(what_is_not_read_to_its_end_is_not_written),
        DRIVER_TEST(a_filtered_list_is_read_from_the_cache),
        DRIVER_TEST(rows_that_are_confirmed_meanwhile_are_written),
        DRIVER_TEST(the_last_page_is_waited_for),
        AFTER_SET_UP_THREE(a_spreadsheet_gets_a_mark_and_text),
        AFTER_SET_UP_THREE(f52_a_separator_that_was_guessed_is_said),
        AFTER_SET_UP_THREE(a_database_gets_cells_and_has_no_file_beside_it),
        cmocka_unit_test(the_sample_at_every_size),
        AFTER_SET_UP_THREE(a_sample_is_drawn_and_said),
        cmocka_unit_test(a_sample_of_nothing_ends_and_is_said),
        AFTER_SET_UP_THREE(a_sample_that_is_no_number_is_pointed_at),
        DRIVER_TEST(a_sample_of_cached_rows_reads_them_before_the_file_is_made),
        AFTER_SET_UP(nothing_to_export_is_said),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
