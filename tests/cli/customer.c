/* One customer on one page and attempts as payments, with the real program: over intents that were put into the
 * sandbox, and a user whom this machine registered. */
#include "base/mem.h"
#include "support/one_service.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char *user; /* registered here */

static void expect(const char *const args[], int status, struct proc *proc) {
    int got = console_run(&service, args, proc);
    if (got != status)
        fail_msg("exit %d, not %d: %s", got, status, proc->err.s);
}
#define EXPECT(status, proc, ...) expect((const char *const[]){__VA_ARGS__, NULL}, (status), (proc))

static json_t *expect_json(const char *const args[]) {
    struct proc proc;
    expect(args, 0, &proc);
    json_t *root = json_loads(proc.out.s, 0, NULL);
    assert_non_null(root);
    (void)proc_end(&proc);
    return root;
}
#define EXPECT_JSON(...) expect_json((const char *const[]){__VA_ARGS__, NULL})

/* Of other users: their ids are `of`. */
static void put_of(const char *of, const char *id, const char *at, const char *direction, const char *amount,
                   const char *status) {
    struct str text;
    str_init(&text, 1 << 16);
    str_addf(&text,
             "{\"id\":\"%s\",\"user_id\":\"@\",\"created_at\":\"%s\",\"direction\":\"%s\",\"amount\":%s,"
             "\"currency\":\"EUR\",\"status\":\"%s\",\"rail\":\"card\"}",
             id, at, direction, amount, status);
    service_put_intent(&service, text.s, of, strlen(of));
    str_clear(&text);
}

static void put(const char *id, const char *at, const char *amount, const char *currency, const char *status,
                const char *decline) {
    struct str text;
    str_init(&text, 4096);
    str_addf(&text,
             "{\"id\":\"%s\",\"user_id\":\"@\",\"created_at\":\"2026-06-14T%s:00.000Z\",\"direction\":\"cash_in\","
             "\"amount\":%s,\"currency\":\"%s\",\"status\":\"%s\",\"decline_category\":%s,\"rail\":\"card\"}",
             id, at, amount, currency, status, decline);
    service_put_intent(&service, text.s, user, strlen(user));
    str_clear(&text);
}

/* Three attempts, the last approved; one alone a little more than the window later; one in yen; one open. */
static void put_all(void) {
    put("int_1", "09:00", "1200", "EUR", "declined", "\"insufficient_funds\"");
    put("int_2", "09:10", "1200", "EUR", "declined", "\"risk\"");
    put("int_3", "09:25", "1200", "EUR", "approved", "null");
    put("int_4", "10:00", "300", "EUR", "declined", "\"risk\"");
    put("int_5", "10:16", "300", "EUR", "declined", "\"risk\"");
    put("int_6", "11:00", "9223372036854775807", "JPY", "approved", "null");
    put("int_7", "11:01", "9223372036854775807", "JPY", "approved", "null");
    put("int_8", "11:30", "700", "EUR", "pending", "null");
}

enum { LONG_ID = 9001 };
static char long_id[LONG_ID + 1];

/* tries: declined, then approved; flows: in and out; dates: without a zone; nobody: without a name; an id of many. */
static void put_others(void) {
    put_of("tries", "int_20", "2026-06-13T09:00:00.000Z", "cash_in", "100", "declined");
    put_of("tries", "int_21", "2026-06-13T09:01:00.000Z", "cash_in", "100", "approved");
    put_of("flows", "int_22", "2026-06-13T09:02:00.000Z", "cash_in", "300", "approved");
    put_of("flows", "int_23", "2026-06-13T09:03:00.000Z", "cash_out", "700", "approved");
    put_of("dates", "int_24", "2026-06-13", "cash_in", "100", "declined");
    put_of("dates", "int_25", "2026-06-13T09:04:00", "cash_in", "100", "held");
    put_of("", "int_26", "2026-06-13T09:05:00.000Z", "cash_in", "100", "approved");
    memset(long_id, 'u', LONG_ID);
    put_of(long_id, "int_27", "2026-06-13T09:06:00.000Z", "cash_in", "100", "approved");
}

static void register_user(void) {
    char file[4096];
    struct proc proc;
    (void)snprintf(file, sizeof file, "%s/user.json", service.folder);
    assert_true(proc_write_file(file, "{\"name\":{\"first\":\"Ann\",\"last\":\"Sample\"},\"tag\":\"key-1\"}"));
    EXPECT(0, &proc, "users", "create", "--file", file, "--yes", "--format", "json");
    json_t *root = json_loads(proc.out.s, 0, NULL);
    user = mem_dup(json_string_value(json_object_get(root, "id")));
    assert_non_null(user);
    json_decref(root);
    (void)proc_end(&proc);
}

static int start(void **state) {
    (void)state;
    struct proc proc;
    if (!console_serve(&service, (const char *const[]){"--intents", "20", NULL}, "attempt_window_minutes = 15\n"))
        return -1;
    register_user();
    EXPECT(8, &proc, "users", "show", "nobody");
    assert_non_null(strstr(proc.err.s, "nothing was read yet"));
    (void)proc_end(&proc);
    put_all();
    put_others();
    EXPECT(0, &proc, "intents", "list", "--all", "--format", "csv");
    (void)proc_end(&proc);
    return 0;
}

static int stop(void **state) {
    free(user);
    return stop_service(state);
}

static void has(const char *text, const char *part) {
    if (!strstr(text, part))
        fail_msg("no \"%s\" in:\n%s", part, text);
}

static long long number(const json_t *of, const char *name) {
    const json_t *value = json_object_get(of, name);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static const json_t *at(const json_t *of, const char *name, size_t place) {
    const json_t *value = json_array_get(json_object_get(of, name), place);
    assert_non_null(value);
    return value;
}

static void is_word(const json_t *of, const char *name, const char *text) {
    assert_string_equal(json_string_value(json_object_get(of, name)), text);
}

/* ---- users show ---- */

static void a_customer_is_on_one_page(void **state) {
    (void)state;
    struct proc proc;
    EXPECT(0, &proc, "users", "show", user);
    has(proc.out.s, "first 2026-06-14 09:00:00, last 2026-06-14 11:30:00 UTC");
    has(proc.out.s, "declined 4, approved 3, pending 1");
    has(proc.out.s, "EUR 4,900, approved 1,200; JPY sum beyond 64 bits, approved sum beyond 64 bits");
    has(proc.out.s, "6 payments: 2 approved at the first attempt, 1 approved after 3 attempts, 2 not approved, 1 open");
    has(proc.out.s, "newest first: risk 2026-06-14 (3 times), insufficient_funds 2026-06-14");
    has(proc.out.s, "each decline  2026-06-14 09:00:00  insufficient_funds");
    has(proc.out.s, "tried again   2026-06-14 09:00:00  EUR 1,200: 3 attempts, then approved");
    has(proc.out.s, "record 1, with a tag (kept as a digest)");
    has(proc.out.s, "int_8");
    assert_null(strstr(proc.out.s, "key-1"));
    has(proc.err.s, "8 matches in 36 cached intents; that is all of them");
    (void)proc_end(&proc);
}

static void json_has_all_of_it_and_the_intents_as_served(void **state) {
    (void)state;
    json_t *root = EXPECT_JSON("users", "show", user, "--format", "json");
    is_word(root, "user", user);
    is_word(root, "first", "2026-06-14T09:00:00.000Z");
    assert_int_equal(number(root, "intents"), 8);
    is_word(at(root, "statuses", 0), "status", "declined");
    assert_int_equal(number(at(root, "statuses", 0), "intents"), 4);
    assert_int_equal(number(at(root, "sums", 0), "sum"), 4900);
    assert_int_equal(number(json_object_get(at(root, "sums", 0), "approved"), "sum"), 1200);
    assert_true(json_is_null(json_object_get(at(root, "sums", 1), "sum")));
    is_word(at(root, "declines", 0), "reason", "insufficient_funds");
    assert_int_equal(number(json_object_get(root, "registered"), "record"), 1);
    assert_true(json_is_true(json_object_get(json_object_get(root, "registered"), "tagged")));
    assert_int_equal(json_array_size(json_object_get(root, "list")), 8);
    is_word(at(root, "list", 0), "id", "int_8");
    const json_t *attempts = json_object_get(root, "attempts");
    assert_int_equal(number(attempts, "payments"), 6);
    assert_int_equal(number(attempts, "window_minutes"), 15);
    is_word(at(attempts, "each", 0), "end", "open");
    json_decref(root);
}

static void a_filter_narrows_the_page(void **state) {
    (void)state;
    json_t *root = EXPECT_JSON("users", "show", user, "status:declined | status:pending", "--format", "json");
    assert_int_equal(number(root, "intents"), 5);
    assert_int_equal(json_array_size(json_object_get(root, "list")), 5);
    json_decref(root);
}

static const char PARTED[] = "the filter may leave out attempts, as one of a status does";

static void a_filter_that_hides_attempts_tells_none(void **state) {
    (void)state;
    struct proc proc;
    EXPECT(0, &proc, "users", "show", "tries", "status:approved");
    has(proc.out.s, "filter        what follows is of this filter alone: status:approved\n");
    has(proc.out.s, "attempts      not told: the filter hides some");
    assert_null(strstr(proc.out.s, "at the first attempt"));
    has(proc.err.s, PARTED);
    (void)proc_end(&proc);
    EXPECT(0, &proc, "users", "show", "tries", "currency:EUR");
    has(proc.out.s, "1 payment: 1 approved after 2 attempts");
    assert_null(strstr(proc.err.s, PARTED));
    (void)proc_end(&proc);
    json_t *root = EXPECT_JSON("users", "show", "tries", "status:approved", "--format", "json");
    is_word(root, "filter", "status:approved");
    assert_true(json_is_true(json_object_get(json_object_get(root, "attempts"), "filter_hides_attempts")));
    json_decref(root);
    root = EXPECT_JSON("users", "show", "tries", "--format", "json");
    assert_true(json_is_null(json_object_get(root, "filter")));
    assert_true(json_is_false(json_object_get(json_object_get(root, "attempts"), "filter_hides_attempts")));
    json_decref(root);
}

static void what_comes_in_and_what_goes_out_are_never_added(void **state) {
    (void)state;
    struct proc proc;
    EXPECT(0, &proc, "users", "show", "flows");
    has(proc.out.s, "EUR 300 in, approved 300; EUR 700 out, approved 700\n");
    (void)proc_end(&proc);
    json_t *root = EXPECT_JSON("users", "show", "flows", "--format", "json");
    is_word(at(root, "sums", 1), "direction", "cash_out");
    assert_int_equal(number(at(root, "sums", 1), "sum"), 700);
    is_word(at(json_object_get(root, "attempts"), "each", 0), "direction", "cash_out");
    json_decref(root);
    EXPECT(0, &proc, "intents", "stats", "user=flows", "--by", "attempts");
    has(proc.out.s, "EUR in  ");
    has(proc.out.s, "EUR out  ");
    (void)proc_end(&proc);
}

static void a_time_without_a_zone_is_given_as_it_is(void **state) {
    (void)state;
    json_t *root = EXPECT_JSON("users", "show", "dates", "--format", "json");
    const json_t *attempts = json_object_get(root, "attempts");
    assert_int_equal(number(attempts, "payments"), 1);
    assert_int_equal(number(attempts, "intents_apart"), 1);
    is_word(at(attempts, "each", 0), "first", "2026-06-13T09:04:00.000");
    json_decref(root);
}

static void a_page_without_intents_has_its_table_apart(void **state) {
    (void)state;
    struct proc proc;
    EXPECT(0, &proc, "users", "show", user, "status:nothing", "--columns", "id");
    has(proc.out.s, "(kept as a digest)\n\n");
    (void)proc_end(&proc);
}

static void an_id_that_no_filter_has_room_for_is_refused(void **state) {
    (void)state;
    struct proc proc;
    EXPECT(2, &proc, "users", "show", long_id);
    has(proc.err.s, "the id is too long");
    (void)proc_end(&proc);
    EXPECT(2, &proc, "users", "show", "");
    has(proc.err.s, "the id is empty");
    (void)proc_end(&proc);
}

static void csv_has_the_intents_alone(void **state) {
    (void)state;
    struct proc proc;
    EXPECT(0, &proc, "users", "show", user, "--format", "csv", "--columns", "id,status", "--limit", "2");
    assert_string_equal(proc.out.s, "id,status\r\nint_8,pending\r\nint_7,approved\r\n");
    (void)proc_end(&proc);
}

static void ndjson_begins_with_the_customer(void **state) {
    (void)state;
    struct proc proc;
    EXPECT(0, &proc, "users", "show", user, "--format", "ndjson", "--limit", "1");
    assert_true(str_starts(proc.out.s, "{\"user\":"));
    has(proc.out.s, "}\n{\"id\":\"int_8\"");
    (void)proc_end(&proc);
}

static void an_unknown_user_is_said_to_be_one(void **state) {
    (void)state;
    struct proc proc;
    EXPECT(8, &proc, "users", "show", "nobody");
    has(proc.err.s, "nothing is known of such a user");
    (void)proc_end(&proc);
    EXPECT(8, &proc, "users", "show", "tries", "status:nothing");
    has(proc.err.s, "no cached intent of such a user matches the filter, and none was registered here");
    assert_null(strstr(proc.err.s, "nothing is known"));
    (void)proc_end(&proc);
}

static void control_characters_of_an_id_stay_text(void **state) {
    (void)state;
    struct proc proc;
    EXPECT(8, &proc, "users", "show", "a\033[31mb");
    assert_null(strchr(proc.out.s, '\033'));
    assert_null(strchr(proc.err.s, '\033'));
    (void)proc_end(&proc);
}

/* ---- intents stats --by attempts ---- */

static struct str of_user(void) {
    struct str filter;
    str_init(&filter, 4096);
    str_addf(&filter, "user=%s", user);
    return filter;
}

static void payments_are_counted_with_both_rates(void **state) {
    (void)state;
    struct str filter = of_user();
    json_t *root = EXPECT_JSON("intents", "stats", filter.s, "--by", "attempts", "--format", "json");
    assert_int_equal(number(root, "payments"), 6);
    assert_int_equal(number(root, "attempts"), 8);
    assert_int_equal(number(root, "open"), 1);
    assert_int_equal(number(json_object_get(root, "first_attempt"), "approved"), 2);
    assert_int_equal(number(json_object_get(root, "first_attempt"), "of"), 5);
    assert_int_equal(number(json_object_get(root, "final"), "approved"), 3);
    assert_int_equal(number(json_object_get(root, "final"), "percent"), 60);
    is_word(at(root, "currencies", 0), "currency", "EUR");
    assert_int_equal(number(json_object_get(at(root, "currencies", 0), "lost"), "sum"), 600);
    assert_true(json_is_null(json_object_get(json_object_get(at(root, "currencies", 1), "approved"), "sum")));
    assert_int_equal(number(at(root, "by_attempts", 1), "attempts"), 3);
    json_decref(root);
    str_clear(&filter);
}

static void the_table_says_what_a_rate_leaves_out(void **state) {
    (void)state;
    struct str filter = of_user();
    struct proc proc;
    EXPECT(0, &proc, "intents", "stats", filter.s, "--by", "attempts");
    has(proc.out.s, "2 of 5, 40%");
    has(proc.out.s, "3 of 5, 60%");
    has(proc.err.s, "attempts at one payment are at most 15m apart; rates are of the 5 payments that ended, without 1");
    (void)proc_end(&proc);
    EXPECT(0, &proc, "intents", "stats", filter.s, "--by", "attempts", "--format", "csv");
    has(proc.out.s, "EUR,cash_in,4,6,1,0,1,3,1200,600\r\nJPY,cash_in,2,2,0,2,2,2,overflow,0\r\n");
    (void)proc_end(&proc);
    str_clear(&filter);
}

static void a_filter_that_hides_attempts_is_warned_of(void **state) {
    (void)state;
    struct proc proc;
    EXPECT(0, &proc, "intents", "stats", "user=tries status:approved", "--by", "attempts");
    has(proc.err.s, PARTED);
    (void)proc_end(&proc);
    EXPECT(0, &proc, "intents", "stats", "user=tries", "--by", "attempts");
    assert_null(strstr(proc.err.s, PARTED));
    (void)proc_end(&proc);
    json_t *root =
        EXPECT_JSON("intents", "stats", "user=tries status:approved", "--by", "attempts", "--format", "json");
    assert_true(json_is_true(json_object_get(root, "filter_hides_attempts")));
    json_decref(root);
}

static void what_is_in_no_payment_and_in_no_rate_is_said(void **state) {
    (void)state;
    struct proc proc;
    EXPECT(0, &proc, "intents", "stats", "user=dates", "--by", "attempts");
    has(proc.out.s, "\n1 intent without user, amount, currency or time in none\n");
    (void)proc_end(&proc);
    EXPECT(0, &proc, "intents", "stats", "user=dates", "--by", "attempts", "--format", "csv");
    has(proc.out.s, "\r\napart,,0,1,,,,,,\r\n");
    has(proc.err.s,
        "of the 0 payments that ended, without 1 open or of an unknown status; 1 intent is left out: without");
    (void)proc_end(&proc);
    json_t *root = EXPECT_JSON("intents", "stats", "user=dates", "--by", "attempts", "--format", "json");
    assert_true(json_is_null(json_object_get(json_object_get(root, "final"), "percent")));
    json_decref(root);
    root = EXPECT_JSON("intents", "stats", "id=int_26", "--by", "attempts", "--format", "json");
    assert_int_equal(number(root, "payments"), 0);
    assert_int_equal(number(root, "intents_apart"), 1);
    json_decref(root);
}

static void what_does_not_go_with_attempts_is_refused(void **state) {
    (void)state;
    static const char *const OTHERS[][2] = {{"--over", "day"},    {"--rate", "approved"},
                                            {"--compare", "-7d"}, {"--sum", "amount"},
                                            {"--chart"},          {"--limit", "3"}};
    for (size_t i = 0; i < COUNT_OF(OTHERS); i++) {
        struct proc proc;
        EXPECT(2, &proc, "intents", "stats", "--by", "attempts", OTHERS[i][0], OTHERS[i][1]);
        has(proc.err.s, "--by attempts has rates and sums of its own");
        (void)proc_end(&proc);
    }
}

static void fresh_asks_the_service_first(void **state) {
    (void)state;
    struct proc proc;
    EXPECT(0, &proc, "intents", "stats", "user=tries", "--by", "attempts", "--fresh");
    has(proc.err.s, "asked again");
    (void)proc_end(&proc);
    EXPECT(2, &proc, "intents", "stats", "--by", "attempts", "--fresh", "--cached");
    (void)proc_end(&proc);
}

/* ---- Last: the journal is damaged ---- */

static void damage_journal(void) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/state/bursar/journal.db", service.folder);
    if (access(path, F_OK) != 0)
        (void)snprintf(path, sizeof path, "%s/.local/state/bursar/journal.db", service.folder);
    assert_true(proc_write_file(path, "this is no journal"));
}

static void a_journal_that_cannot_be_read_is_said_and_is_exit_1(void **state) {
    (void)state;
    struct proc proc;
    damage_journal();
    EXPECT(1, &proc, "users", "show", "tries");
    has(proc.out.s, "registered    not known: ");
    has(proc.out.s, "int_21");
    has(proc.err.s, "who registered the user cannot be told: ");
    (void)proc_end(&proc);
    EXPECT(1, &proc, "users", "show", "stranger");
    has(proc.err.s, "no cached intent names it, and who registered the user cannot be told: ");
    assert_null(strstr(proc.err.s, "none was registered here"));
    (void)proc_end(&proc);
    EXPECT(1, &proc, "users", "show", "tries", "--format", "json");
    json_t *root = json_loads(proc.out.s, 0, NULL);
    assert_true(json_is_null(json_object_get(root, "registered")));
    assert_true(json_is_string(json_object_get(root, "registered_error")));
    json_decref(root);
    (void)proc_end(&proc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_customer_is_on_one_page),
        cmocka_unit_test(json_has_all_of_it_and_the_intents_as_served),
        cmocka_unit_test(a_filter_narrows_the_page),
        cmocka_unit_test(csv_has_the_intents_alone),
        cmocka_unit_test(ndjson_begins_with_the_customer),
        cmocka_unit_test(an_unknown_user_is_said_to_be_one),
        cmocka_unit_test(control_characters_of_an_id_stay_text),
        cmocka_unit_test(payments_are_counted_with_both_rates),
        cmocka_unit_test(the_table_says_what_a_rate_leaves_out),
        cmocka_unit_test(what_does_not_go_with_attempts_is_refused),
        cmocka_unit_test(a_filter_that_hides_attempts_tells_none),
        cmocka_unit_test(what_comes_in_and_what_goes_out_are_never_added),
        cmocka_unit_test(a_time_without_a_zone_is_given_as_it_is),
        cmocka_unit_test(a_page_without_intents_has_its_table_apart),
        cmocka_unit_test(an_id_that_no_filter_has_room_for_is_refused),
        cmocka_unit_test(a_filter_that_hides_attempts_is_warned_of),
        cmocka_unit_test(what_is_in_no_payment_and_in_no_rate_is_said),
        cmocka_unit_test(fresh_asks_the_service_first),
        cmocka_unit_test(a_journal_that_cannot_be_read_is_said_and_is_exit_1),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
