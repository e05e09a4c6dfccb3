/* What an answer says of itself, on the real binary: a write that the service says failed is never done, a list that is
 * not whole is never all, and a token that ends in the middle of a walk is read once more. */
#include "base/mem.h"
#include "support/listing.h"
#include "support/one_service.h"
#include "support/relay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { ANSWERS_MAX = 8, ANSWER_CAP = 4096, PATH_CAP = 4096, MORE_CAP = PATH_CAP + 64 };

#define LIST_ALL "intents", "list", "--all", "--format", "ndjson"
#define ROW(id) "{\"id\":\"" id "\",\"created_at\":\"2026-06-01T12:00:00.000Z\",\"status\":\"pending\",\"amount\":5}"

static int start(void **state) {
    (void)state;
    return serve_intents("5");
}

struct scripted {
    const char *status; /* NULL: 200 OK */
    const char *head;   /* further header lines; NULL */
    const char *body;
};

/* A service that gives these answers in turn, and a configuration for it. */
static struct relay *serve(const struct scripted *scripted, size_t n, const char *more) {
    static char texts[ANSWERS_MAX][ANSWER_CAP];
    struct relay_answer answers[ANSWERS_MAX] = {{0}};
    char url[64];
    for (size_t i = 0; i < n; i++) {
        const struct scripted *one = &scripted[i];
        (void)snprintf(texts[i], ANSWER_CAP,
                       "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n%s"
                       "Connection: close\r\n\r\n%s",
                       one->status ? one->status : "200 OK", strlen(one->body), one->head ? one->head : "", one->body);
        answers[i].bytes = texts[i];
    }
    struct relay *relay = relay_script(answers, n, NULL);
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%d", relay_port(relay));
    assert_true(console_configure(&service, url, more));
    return relay;
}

static int requests(struct relay *relay) {
    return (int)relay_requests(relay);
}

#define RUN(proc, ...) console_run(&service, (const char *const[]){__VA_ARGS__, NULL}, proc)

/* That of another relay is of another origin, and left alone. */
static void drop_cache(void) {
    static const char *const NAMES[] = {"test.db", "test.db-wal", "test.db-shm"};
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        char path[PATH_CAP];
        (void)snprintf(path, sizeof path, "%s/cache/bursar/%s", service.folder, NAMES[i]);
        (void)remove(path);
    }
}

static void write_user(const char *tag, char path[PATH_CAP]) {
    char body[512];
    (void)snprintf(path, PATH_CAP, "%s/u.json", service.folder);
    (void)snprintf(body, sizeof body, "{\"name\":{\"first\":\"Ann\",\"last\":\"Sample\"},\"tag\":\"%s\"}", tag);
    assert_true(proc_write_file(path, body));
}

static const char *const FAILED[] = {"{\"success\":false}", "{\"status\":\"failed\"}",  "{\"status\":\"error\"}",
                                     "{\"ok\":false}",      "{\"error\":{\"kind\":7}}", "{\"errors\":[\"no\"]}"};

static void f28_a_user_that_the_service_says_failed_is_unknown_and_not_sent_again(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(FAILED); i++) {
        struct scripted scripted = {.status = i % 2 ? "201 Created" : NULL, .body = FAILED[i]};
        struct relay *relay = serve(&scripted, 1, "");
        struct proc proc;
        char path[PATH_CAP], tag[32];
        (void)snprintf(tag, sizeof tag, "tag-%zu", i);
        write_user(tag, path);
        assert_int_equal(RUN(&proc, "users", "create", "--file", path, "--yes", "--format", "json"), 6);
        assert_non_null(strstr(proc.out.s, "\"outcome\":\"unknown\""));
        (void)proc_end(&proc);
        assert_int_equal(RUN(&proc, "users", "create", "--file", path, "--yes"), 2);
        (void)proc_end(&proc);
        assert_int_equal(requests(relay), 1);
        relay_free(relay);
    }
}

static void f28_an_imported_row_that_the_service_says_failed_is_unknown(void **state) {
    (void)state;
    struct scripted scripted = {.body = "{\"id\":\"err_1\",\"success\":false}"};
    struct relay *relay = serve(&scripted, 1, "");
    struct proc proc;
    char path[PATH_CAP], results[PATH_CAP];
    (void)snprintf(path, sizeof path, "%s/p.csv", service.folder);
    (void)snprintf(results, sizeof results, "%s/p.result.csv", service.folder);
    assert_true(proc_write_file(path, "first name,last name,tag\nAnn,Sample,imp-1\n"));
    assert_int_equal(RUN(&proc, "users", "import", path, "--yes"), 6);
    (void)proc_end(&proc);
    char *text = proc_read_file(results);
    assert_non_null(text);
    assert_non_null(strstr(text, "1,2,unknown,"));
    assert_null(strstr(text, ",done,"));
    free(text);
    assert_int_equal(requests(relay), 1);
    relay_free(relay);
}

static void f28_a_webhook_that_the_service_says_failed_is_unknown(void **state) {
    (void)state;
    static const char *const BODIES[] = {"{\"success\":false}",
                                         "{\"url\":\"https://h.example.com/a\",\"status\":\"failed\"}",
                                         "{\"url\":\"https://h.example.com/a\",\"error\":{\"message\":\"no\"}}"};
    for (size_t i = 0; i < COUNT_OF(BODIES); i++) {
        struct scripted scripted = {.status = "201 Created", .body = BODIES[i]};
        struct relay *relay = serve(&scripted, 1, "");
        struct proc proc;
        int status = RUN(&proc, "webhook", "register", "--url", "https://h.example.com/a", "--unsigned", "--yes",
                         "--format", "json");
        if (status != 6)
            fail_msg("%s %s", proc.out.s, proc.err.s);
        assert_non_null(strstr(proc.out.s, "\"outcome\":\"unknown\""));
        assert_int_equal(requests(relay), 1);
        (void)proc_end(&proc);
        assert_int_equal(RUN(&proc, "webhook", "show"), 0);
        assert_non_null(strstr(proc.out.s, "has no known outcome"));
        (void)proc_end(&proc);
        relay_free(relay);
    }
}

static void f16_a_webhook_that_was_only_accepted_is_not_said_to_be_in_force(void **state) {
    (void)state;
    struct scripted scripted[] = {{.status = "202 Accepted", .body = "{}"},
                                  {.body = "{\"url\":\"https://hook.example.com/in\"}"}};
    struct relay *relay = serve(scripted, 2, "");
    struct proc proc;
    assert_int_equal(RUN(&proc, "webhook", "register", "--url", "https://hook.example.com/old", "--unsigned", "--yes"),
                     0);
    assert_non_null(strstr(proc.err.s, "whether it is in force is not known"));
    (void)proc_end(&proc);
    assert_int_equal(RUN(&proc, "webhook", "show"), 0);
    assert_non_null(strstr(proc.out.s, "accepted (202), whether it is in force is not known"));
    (void)proc_end(&proc);
    assert_int_equal(RUN(&proc, "webhook", "show", "--format", "json"), 0);
    assert_non_null(strstr(proc.out.s, "\"status\":202,\"effect\":\"unknown\""));
    (void)proc_end(&proc);
    assert_int_equal(RUN(&proc, "webhook", "register", "--url", "https://hook.example.com/in", "--unsigned", "--yes"),
                     0);
    assert_non_null(strstr(proc.err.s, "URL then     not known; sent last: https://hook.example.com/old"));
    assert_non_null(strstr(proc.err.s, "whether this console made it is not known"));
    (void)proc_end(&proc);
    assert_int_equal(RUN(&proc, "webhook", "show", "--format", "json"), 0);
    assert_non_null(strstr(proc.out.s, "\"status\":200,\"effect\":\"replaced\""));
    (void)proc_end(&proc);
    relay_free(relay);
}

static void f28_rows_of_an_answer_that_is_not_whole_end_with_8_and_are_not_all(void **state) {
    (void)state;
    static const char *const LAST[][2] = {
        {"{\"data\":[" ROW("b") "],\"errors\":[{\"message\":\"shard 3 is down\"}]}",
         "1 answer said that something failed, so rows may be missing: shard 3 is down"},
        {"{\"data\":[" ROW("b") "],\"partial\":true}", "1 answer said that it is not whole, so rows may be missing"},
        {"{\"data\":[],\"incomplete\":true}", "1 answer said that it is not whole, so rows may be missing"}};
    for (size_t i = 0; i < COUNT_OF(LAST); i++) {
        struct scripted scripted[] = {{.body = "{\"data\":[" ROW("a") "],\"next_cursor\":\"n\"}"},
                                      {.body = LAST[i][0]}};
        struct relay *relay = serve(scripted, 2, "");
        struct proc proc;
        drop_cache();
        assert_int_equal(RUN(&proc, LIST_ALL), 8);
        assert_non_null(strstr(proc.out.s, "\"id\":\"a\""));
        assert_non_null(strstr(proc.err.s, LAST[i][1]));
        assert_null(strstr(proc.err.s, "end of the list"));
        (void)proc_end(&proc);
        if (RUN(&proc, "intents", "list", "--all", "--cached", "--format", "ndjson"))
            fail_msg("%zu %s", i, proc.err.s);
        assert_null(strstr(proc.err.s, "that is all of them"));
        if (strstr(LAST[i][0], ROW("b")))
            assert_non_null(strstr(proc.out.s, "\"id\":\"b\"")); /* what was read can be looked for */
        (void)proc_end(&proc);
        relay_free(relay);
    }
}

static void f37_a_broken_row_that_reads_as_an_id_is_printed_and_ends_with_8(void **state) {
    (void)state;
    static const char *const BODIES[] = {"{\"data\":[5,{\"id\":5}],\"next_cursor\":null}",
                                         "{\"data\":[{\"id\":5},5],\"next_cursor\":null}"};
    for (size_t i = 0; i < COUNT_OF(BODIES); i++) {
        struct scripted scripted = {.body = BODIES[i]};
        struct relay *relay = serve(&scripted, 1, "");
        struct proc proc;
        drop_cache();
        assert_int_equal(RUN(&proc, LIST_ALL), 8);
        assert_non_null(strstr(proc.out.s, "\"raw\":\"5\"}\n"));
        assert_non_null(strstr(proc.out.s, "{\"id\":5}\n"));
        (void)proc_end(&proc);
        relay_free(relay);
    }
}

static void f28_an_answer_without_its_list_says_where_one_is(void **state) {
    (void)state;
    struct scripted scripted = {.body = "{\"data\":{\"items\":[" ROW("a") "]}}"};
    struct relay *relay = serve(&scripted, 1, "");
    struct proc proc;
    assert_int_equal(RUN(&proc, LIST_ALL), 7);
    assert_non_null(strstr(proc.err.s, "list_data = \"data.items\""));
    (void)proc_end(&proc);
    relay_free(relay);
    relay = serve(&scripted, 1, "api { list_data = \"data.items\" }"); /* which then works */
    assert_int_equal(RUN(&proc, LIST_ALL), 0);
    assert_non_null(strstr(proc.out.s, "\"id\":\"a\""));
    (void)proc_end(&proc);
    relay_free(relay);
}

static void f28_what_is_said_beside_no_row_is_told(void **state) {
    (void)state;
    struct scripted scripted = {.body = "{\"data\":[],\"message\":\"the token ends today\"}"};
    struct relay *relay = serve(&scripted, 1, "");
    struct proc proc;
    assert_int_equal(RUN(&proc, LIST_ALL), 0);
    assert_non_null(strstr(proc.err.s, "0 intents; end of the list; the service says: the token ends today"));
    (void)proc_end(&proc);
    relay_free(relay);
}

static void lists_with(const struct scripted *scripted, size_t n, int status, const char *says) {
    struct relay *relay = serve(scripted, n, "");
    struct proc proc;
    drop_cache();
    if (RUN(&proc, LIST_ALL) != status || !strstr(proc.err.s, says))
        fail_msg("%s: %d %s", says, proc.status, proc.err.s);
    assert_int_equal(strstr(proc.err.s, "end of the list") != NULL, status == 0);
    (void)proc_end(&proc);
    assert_int_equal(RUN(&proc, LIST_ALL, "--cached"), 0);
    assert_int_equal(strstr(proc.err.s, "that is all of them") != NULL, status == 0);
    (void)proc_end(&proc);
    relay_free(relay);
}

/* An end that falls short of the service's own count is no end of the list. */
static void f28_fewer_than_the_service_counts_are_not_all(void **state) {
    (void)state;
    static const char *const NONE[] = {"{\"data\":[],\"total\":5}", "{\"data\":[],\"meta\":{\"totalCount\":\"5\"}}",
                                       "{\"data\":null,\"pagination\":{\"total_results\":5}}"};
    for (size_t i = 0; i < COUNT_OF(NONE); i++)
        lists_with(&(struct scripted){.body = NONE[i]}, 1, 8,
                   "0 intents; nothing follows, but this may not be all; 1 answer said that it is not whole, so rows "
                   "may be missing: 5 in all by its own count, none given");
    const struct scripted some[] = {{.body = "{\"data\":[" ROW("a") "],\"next_cursor\":\"n\",\"total\":3}"},
                                    {.body = "{\"data\":[" ROW("b") "],\"total\":4}"}};
    lists_with(some, 2, 8, "3 in all by its own count, 2 given");
}

/* Rows come while a walk goes on, and the last page may be an empty one. */
static void f28_a_count_that_is_met_says_nothing(void **state) {
    (void)state;
    const struct scripted grown[] = {{.body = "{\"data\":[" ROW("a") "],\"next_cursor\":\"n\",\"total\":2}"},
                                     {.body = "{\"data\":[" ROW("b") "],\"total\":3}"}};
    lists_with(grown, 2, 0, "2 intents; end of the list\n");
    const struct scripted ended[] = {{.body = "{\"data\":[" ROW("a") "],\"next_cursor\":\"n\",\"total\":1}"},
                                     {.body = "{\"data\":[],\"total\":1}"}};
    lists_with(ended, 2, 0, "1 intent; end of the list\n");
    struct relay *relay = serve(&(struct scripted){.body = "{\"data\":[],\"total\":5}"}, 1, "");
    struct proc proc; /* which may count what the filter leaves out */
    assert_int_equal(RUN(&proc, LIST_ALL, "--status", "pending"), 0);
    assert_non_null(strstr(proc.err.s, "end of the list; the service says: 5 in all by its own count, none given"));
    (void)proc_end(&proc);
    relay_free(relay);
}

/* A total of amounts is no number of rows. */
static void f28_a_sum_of_amounts_is_no_count(void **state) {
    (void)state;
    static const char *const SUMS[] = {"{\"data\":[" ROW("a") "],\"total\":94870,\"currency\":\"EUR\"}",
                                       "{\"data\":[" ROW("a") "],\"summary\":{\"total\":94870}}",
                                       "{\"data\":[" ROW("a") "],\"total\":\"948.70\"}",
                                       "{\"meta\":{\"sum\":1,\"total\":94870,\"count\":1},\"data\":[" ROW("a") "]}",
                                       "{\"data\":[" ROW("a") "],\"total\":{\"amount\":94870,\"currency\":\"EUR\"}}"};
    for (size_t i = 0; i < COUNT_OF(SUMS); i++)
        lists_with(&(struct scripted){.body = SUMS[i]}, 1, 0, "1 intent; end of the list\n");
    lists_with(&(struct scripted){.body = "{\"data\":[" ROW("a") "," ROW("b") "],\"total\":10}"}, 1, 0,
               "2 intents; end of the list\n");
}

/* A source that gives another token each time it is asked, and leaves the file `renewed` at the second. */
static void renew_tokens(char more[MORE_CAP]) {
    char path[PATH_CAP + 16], script[2 * PATH_CAP + 64];
    (void)snprintf(path, sizeof path, "%s/token.sh", service.folder);
    (void)snprintf(script, sizeof script,
                   "echo x >> '%s/asked'; n=$(wc -l < '%s/asked'); echo token-$n; [ $n -lt 2 ] || : > '%s/renewed'\n",
                   service.folder, service.folder, service.folder);
    assert_true(proc_write_file(path, script));
    (void)snprintf(more, MORE_CAP, "%s/asked", service.folder);
    (void)remove(more);
    (void)snprintf(more, MORE_CAP, "%s/renewed", service.folder);
    (void)remove(more);
    (void)snprintf(more, MORE_CAP, "token_command = {'sh', '%s'}", path);
}

static void configure_without_file(const struct relay *relay, const char *more) {
    char path[PATH_CAP], text[2 * PATH_CAP];
    (void)snprintf(path, sizeof path, "%s/config", service.folder);
    (void)snprintf(text, sizeof text,
                   "default_profile = \"test\"\nprofile test {\n environment = sandbox\n"
                   " base_url = 'http://127.0.0.1:%d'\n %s\n}\n",
                   relay_port(relay), more);
    assert_true(proc_write_file(path, text) && chmod(path, S_IRUSR | S_IWUSR) == 0);
}

#define PAGE_A \
    { .body = "{\"data\":[" ROW("a") "],\"next_cursor\":\"n\"}" }
#define PAGE_B \
    { .body = "{\"data\":[" ROW("b") "]}" }
#define ENDED \
    { .status = "401 Unauthorized", .body = "{\"message\":\"expired\"}" }

static void f62_a_401_midway_reads_the_token_once_more_and_goes_on(void **state) {
    (void)state;
    struct scripted scripted[] = {PAGE_A, ENDED, PAGE_B};
    struct relay *relay = serve(scripted, 3, "");
    struct proc proc;
    struct str received;
    char more[MORE_CAP];
    drop_cache();
    renew_tokens(more);
    configure_without_file(relay, more);
    assert_int_equal(RUN(&proc, LIST_ALL, "--same-account"), 0);
    assert_int_equal(text_count(proc.out.s, "\n"), 2);
    (void)proc_end(&proc);
    assert_int_equal(requests(relay), 3);
    str_init(&received, 1 << 20);
    relay_received(relay, &received);
    assert_int_equal(text_count(received.s, "Bearer token-1\r\n"), 2);
    assert_int_equal(text_count(received.s, "Bearer token-2\r\n"), 1);
    str_clear(&received);
    relay_free(relay);
}

/* All was read and printed, so it is done; whose the cache is nobody has said, so it stays as it was (F24). */
static void f62_a_renewed_token_ends_a_whole_walk_with_0(void **state) {
    (void)state;
    struct scripted scripted[] = {PAGE_A, ENDED, PAGE_B};
    struct relay *relay = serve(scripted, 3, "");
    struct proc proc;
    char more[MORE_CAP];
    drop_cache();
    renew_tokens(more);
    configure_without_file(relay, more);
    assert_int_equal(RUN(&proc, LIST_ALL), 0);
    assert_int_equal(text_count(proc.out.s, "\n"), 2);
    assert_non_null(strstr(proc.err.s, "2 intents; end of the list"));
    assert_int_equal(text_count(proc.err.s, "not kept in the cache: --same-account"), 1);
    (void)proc_end(&proc);
    assert_int_equal(RUN(&proc, LIST_ALL, "--cached", "--same-account"), 0);
    assert_non_null(strstr(proc.out.s, "\"id\":\"a\""));
    assert_null(strstr(proc.out.s, "\"id\":\"b\""));
    assert_null(strstr(proc.err.s, "that is all of them"));
    (void)proc_end(&proc);
    relay_free(relay);
}

/* The first lock of each program that is started waits until the token was renewed. */
static const char *const LATE[][2] = {{"LD_PRELOAD", NULL},
                                      {"FAIL_UNTIL", NULL},
                                      {"FAIL_KINDS", "l"},
                                      {"FAIL_AT", "1"},
                                      {"FAIL_ON", "1"},
                                      {"FAIL_WITH", "WAIT"},
                                      {"ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0"}};
static char *asan_options;

static int open_late(void **state) {
    (void)state;
    char value[PATH_CAP];
    asan_options = getenv("ASAN_OPTIONS") ? mem_dup(getenv("ASAN_OPTIONS")) : NULL;
    for (size_t i = 0; i < COUNT_OF(LATE); i++) {
        (void)snprintf(value, sizeof value, "%s%s", i == 0 ? getenv("BURSAR_OUT") : service.folder,
                       i == 0 ? "/preload/fail_call.so" : "/renewed");
        if (setenv(LATE[i][0], LATE[i][1] ? LATE[i][1] : value, 1) != 0)
            return -1;
    }
    return 0;
}

static int open_in_time(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(LATE); i++)
        (void)unsetenv(LATE[i][0]);
    if (asan_options)
        (void)setenv("ASAN_OPTIONS", asan_options, 1);
    free(asan_options);
    return 0;
}

/* The token that the walk began with was strange to the cache already: renewing it is no yes. */
static void f24_a_token_renewed_in_a_walk_is_no_yes(void **state) {
    (void)state;
    struct scripted scripted[] = {PAGE_B, PAGE_A, ENDED, PAGE_B};
    struct relay *relay = serve(scripted, 4, "");
    struct proc proc;
    char more[MORE_CAP];
    drop_cache();
    renew_tokens(more);
    configure_without_file(relay, more);
    assert_int_equal(RUN(&proc, LIST_ALL), 0);
    (void)proc_end(&proc);
    assert_int_equal(RUN(&proc, LIST_ALL), 1);
    assert_int_equal(text_count(proc.out.s, "\n"), 2);
    assert_non_null(strstr(proc.err.s, "neither read nor written"));
    (void)proc_end(&proc);
    relay_free(relay);
}

static void f62_a_401_that_stays_ends_with_3_after_one_more_try(void **state) {
    (void)state;
    struct scripted scripted[] = {PAGE_A, ENDED};
    struct relay *relay = serve(scripted, 2, "");
    struct proc proc;
    char more[MORE_CAP];
    drop_cache();
    renew_tokens(more);
    configure_without_file(relay, more);
    assert_int_equal(RUN(&proc, LIST_ALL, "--same-account"), 3);
    assert_int_equal(text_count(proc.out.s, "\n"), 1);
    assert_non_null(strstr(proc.err.s, "expired"));
    assert_null(strstr(proc.err.s, "end of the list"));
    (void)proc_end(&proc);
    assert_int_equal(requests(relay), 3);
    relay_free(relay);
}

static void f62_a_401_at_once_is_not_asked_again(void **state) {
    (void)state;
    struct scripted scripted[] = {ENDED};
    struct relay *relay = serve(scripted, 1, "");
    struct proc proc;
    assert_int_equal(RUN(&proc, LIST_ALL), 3);
    (void)proc_end(&proc);
    assert_int_equal(requests(relay), 1);
    relay_free(relay);
}

/* What a service quotes in a request's id is neither logged nor said, and an id that quotes nothing stays whole. */
static void a_sent_value_in_a_request_id_is_taken_out(void **state) {
    (void)state;
    static const char *const HEADS[] = {"X-Request-Id: req-marker.person@a.example-7\r\n",
                                        "Request-Id: req-MARKER.person%40a.example\r\n", "X-Request-Id: req-77aa\r\n"};
    char path[PATH_CAP], log[PATH_CAP];
    (void)snprintf(path, sizeof path, "%s/u.json", service.folder);
    (void)snprintf(log, sizeof log, "%s/state/bursar/log", service.folder);
    assert_true(proc_write_file(
        path,
        "{\"name\":{\"first\":\"Ann\",\"last\":\"Bee\"},\"email\":\"marker.person@a.example\",\"tag\":\"ids%zu\"}"));
    for (size_t i = 0; i < COUNT_OF(HEADS); i++) {
        struct scripted scripted = {.status = "422 Unprocessable", .head = HEADS[i], .body = "{\"message\":\"no\"}"};
        struct relay *relay = serve(&scripted, 1, "");
        struct proc proc;
        assert_int_equal(RUN(&proc, "users", "create", "--file", path, "--yes", "--format", "json"), 4);
        char *text = proc_read_file(log);
        assert_non_null(text);
        assert_null(strcasestr(text, "marker"));
        assert_null(strcasestr(proc.out.s, "marker"));
        assert_null(strcasestr(proc.err.s, "marker"));
        assert_non_null(strstr(text, "req-"));
        assert_true(i < 2 || (strstr(text, "req-77aa") && strstr(proc.err.s, "req-77aa")));
        free(text);
        (void)proc_end(&proc);
        relay_free(relay);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f28_a_user_that_the_service_says_failed_is_unknown_and_not_sent_again),
        cmocka_unit_test(f28_an_imported_row_that_the_service_says_failed_is_unknown),
        cmocka_unit_test(f28_a_webhook_that_the_service_says_failed_is_unknown),
        cmocka_unit_test(f16_a_webhook_that_was_only_accepted_is_not_said_to_be_in_force),
        cmocka_unit_test(f28_rows_of_an_answer_that_is_not_whole_end_with_8_and_are_not_all),
        cmocka_unit_test(f37_a_broken_row_that_reads_as_an_id_is_printed_and_ends_with_8),
        cmocka_unit_test(f28_an_answer_without_its_list_says_where_one_is),
        cmocka_unit_test(f28_what_is_said_beside_no_row_is_told),
        cmocka_unit_test(f28_fewer_than_the_service_counts_are_not_all),
        cmocka_unit_test(f28_a_count_that_is_met_says_nothing),
        cmocka_unit_test(f28_a_sum_of_amounts_is_no_count),
        cmocka_unit_test(a_sent_value_in_a_request_id_is_taken_out),
        cmocka_unit_test(f62_a_401_midway_reads_the_token_once_more_and_goes_on),
        {"f62_a_cache_that_opens_late_is_asked_about_the_renewed_token_too",
         f62_a_renewed_token_ends_a_whole_walk_with_0, open_late, open_in_time, NULL},
        cmocka_unit_test(f62_a_renewed_token_ends_a_whole_walk_with_0),
        cmocka_unit_test(f24_a_token_renewed_in_a_walk_is_no_yes),
        cmocka_unit_test(f62_a_401_that_stays_ends_with_3_after_one_more_try),
        cmocka_unit_test(f62_a_401_at_once_is_not_asked_again),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
