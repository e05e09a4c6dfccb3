#include "support/listing.h"
#include "support/service.h"

#include "base/clock.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static int run_with(const char *const args[], struct proc *proc) {
    const char *argv[16] = {0};
    char *program = proc_program("bursar-sandbox");
    argv[0] = program;
    for (size_t i = 0; args[i]; i++)
        argv[i + 1] = args[i];
    int status = proc_run(proc, argv, NULL, PROC_DEADLINE);
    free(program);
    return status;
}

static void help_and_version_end_with_0(void **state) {
    (void)state;
    struct proc proc;
    assert_int_equal(run_with((const char *const[]){"--help", NULL}, &proc), 0);
    assert_non_null(strstr(proc.out.s, "--token-file FILE"));
    assert_non_null(strstr(proc.out.s, "drop_after_read=1"));
    (void)proc_end(&proc);
    assert_int_equal(run_with((const char *const[]){"--version", NULL}, &proc), 0);
    assert_string_equal(proc.out.s, "bursar-sandbox " BURSAR_VERSION "\n");
    (void)proc_end(&proc);
}

static void wrong_usage_is_named_and_ends_with_2(void **state) {
    (void)state;
    static const char *const wrong[][3] = {
        {"--frob", NULL, "--frob"},
        {"--intents", "10000001", "10000001"},
        {"--page-size", "0", "--page-size"},
        {"--seed", NULL, "--seed"},
        {"--clock", "noon", "noon"},
        {"--listen", "here", "here"},
        {"--listen", "0.0.0.0:0", "--allow-remote"},
        {"--fault", "frob=1", "frob"},
        {"--style", "filter=odd", "odd"},
        {"--plain=1", NULL, "--plain"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct proc proc;
        assert_int_equal(run_with((const char *const[]){wrong[i][0], wrong[i][1], NULL}, &proc), 2);
        assert_non_null(strstr(proc.err.s, wrong[i][2]));
        (void)proc_end(&proc);
    }
}

static void a_token_file_is_made_private(void **state) {
    (void)state;
    struct service service;
    struct stat st;
    assert_true(service_start(&service, NULL));
    assert_int_equal(stat(service.token_file, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_true(strlen(service.token) >= 32);
    assert_true(proc_expect(&service.proc, service.url, PROC_DEADLINE));
    assert_int_equal(service_stop(&service), 0);
}

static void a_given_token_is_read_without_its_newline(void **state) {
    (void)state;
    struct service service;
    struct http_reply reply;
    assert_true(service_start(&service, NULL));
    assert_true(proc_write_file(service.token_file, "chosen-by-the-test\n"));
    assert_true(service_restart(&service, NULL));
    assert_true(http_request(service.port, "GET", "/intent/list", "Authorization: Bearer chosen-by-the-test\r\n", NULL,
                             &reply));
    assert_int_equal(reply.status, 200);
    http_reply_clear(&reply);
    assert_int_equal(service_stop(&service), 0);
}

static void a_token_file_open_to_others_is_refused(void **state) {
    (void)state;
    char *folder = proc_folder_new();
    struct proc proc;
    struct str path;
    str_init(&path, 4096);
    str_addf(&path, "%s/token", folder);
    assert_true(proc_write_file(path.s, "secret-word\n"));
    assert_int_equal(chmod(path.s, 0644), 0);
    assert_int_equal(run_with((const char *const[]){"--listen", "127.0.0.1:0", "--token-file", path.s, NULL}, &proc),
                     1);
    assert_null(strstr(proc.err.s, "secret-word"));
    (void)proc_end(&proc);
    str_clear(&path);
    proc_folder_remove(folder);
}

static void an_open_address_needs_the_flag_and_warns(void **state) {
    (void)state;
    struct service service;
    assert_true(service_start(&service, (const char *const[]){"--listen", "0.0.0.0:0", "--allow-remote", NULL}));
    assert_true(proc_expect(&service.proc, "warning", PROC_DEADLINE));
    assert_int_equal(service_stop(&service), 0);
}

static void both_signals_end_it_cleanly(void **state) {
    (void)state;
    static const int signals[] = {SIGTERM, SIGINT};
    for (size_t i = 0; i < 2; i++) {
        struct service service;
        struct http_conn idle;
        assert_true(service_start(&service, NULL));
        assert_true(http_open(&idle, service.port));
        assert_int_equal(kill(service.proc.pid, signals[i]), 0);
        assert_true(proc_wait(&service.proc, PROC_DEADLINE));
        assert_int_equal(service.proc.status, 0);
        http_close(&idle);
        (void)service_stop(&service);
    }
}

static int64_t first_page_of_a_million(void *context) {
    (void)context;
    struct service service;
    struct http_reply reply;
    int64_t start = clock_mono();
    assert_true(service_start(&service, (const char *const[]){"--intents", "1000000", NULL}));
    assert_true(service_request(&service, "GET", "/intent/list", NULL, NULL, &reply));
    int64_t took = clock_mono() - start;
    assert_int_equal(listing_count(reply.body.s), 100);
    print_message("first page of a million after %lld ms\n", (long long)took);
    http_reply_clear(&reply);
    assert_int_equal(service_stop(&service), 0);
    return took;
}

static void a_million_answers_its_first_page_within_a_second(void **state) {
    (void)state;
    enum { BAR_MS = 1000 };
    assert_true(proc_best_of(first_page_of_a_million, NULL, proc_bar(BAR_MS - 1)) < proc_bar(BAR_MS));
}

static char *page(struct service *service, const char *target) {
    struct http_reply reply;
    assert_true(service_request(service, "GET", target, NULL, NULL, &reply));
    assert_int_equal(reply.status, 200);
    str_clear(&reply.head);
    return str_take(&reply.body);
}

static void seed_and_clock_give_the_same_bytes_again(void **state) {
    (void)state;
    struct service service;
    assert_true(service_start(&service, NULL));
    char *first = page(&service, "/intent/list");
    assert_true(service_restart(&service, NULL));
    char *again = page(&service, "/intent/list");
    assert_true(service_restart(&service, (const char *const[]){"--seed", "8", NULL}));
    char *other = page(&service, "/intent/list");
    assert_string_equal(first, again);
    assert_string_not_equal(first, other);
    free(first);
    free(again);
    free(other);
    assert_int_equal(service_stop(&service), 0);
}

static void a_restart_with_its_database_goes_on(void **state) {
    (void)state;
    struct service service;
    struct http_reply reply;
    char *folder = proc_folder_new();
    struct str db;
    struct stat st;
    str_init(&db, 4096);
    str_addf(&db, "%s/books.db", folder);
    const char *const args[] = {"--db", db.s, NULL};
    assert_true(service_start(&service, args));
    assert_true(service_request(&service, "POST", "/user", NULL, "{\"tag\":\"kept\"}", &reply));
    assert_int_equal(reply.status, 201);
    http_reply_clear(&reply);
    assert_true(
        service_request(&service, "POST", "/webhook/register", NULL, "{\"url\":\"https://a.example/\"}", &reply));
    assert_int_equal(reply.status, 201);
    http_reply_clear(&reply);
    assert_true(service_control(&service, "POST", "/control/tick?count=50", NULL, &reply));
    assert_int_equal(reply.status, 200);
    http_reply_clear(&reply);
    assert_true(service_control(&service, "POST", "/control/intents", "{\"currency\":\"XTS\"}", &reply));
    assert_int_equal(reply.status, 201);
    http_reply_clear(&reply);
    char *before = page(&service, "/intent/list");
    assert_non_null(strstr(before, "XTS"));
    assert_true(service_restart(&service, args));
    char *after = page(&service, "/intent/list");
    assert_string_equal(before, after);
    assert_true(service_control(&service, "GET", "/control/users", NULL, &reply));
    assert_non_null(strstr(reply.body.s, "\"tag\":\"kept\""));
    http_reply_clear(&reply);
    assert_true(
        service_request(&service, "POST", "/webhook/register", NULL, "{\"url\":\"https://b.example/\"}", &reply));
    assert_int_equal(reply.status, 200);
    http_reply_clear(&reply);
    assert_int_equal(stat(db.s, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_false(service_restart(&service, (const char *const[]){"--db", db.s, "--seed", "9", NULL}));
    free(before);
    free(after);
    str_clear(&db);
    proc_folder_remove(folder);
    (void)service_stop(&service);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_and_version_end_with_0),
        cmocka_unit_test(wrong_usage_is_named_and_ends_with_2),
        cmocka_unit_test(a_token_file_is_made_private),
        cmocka_unit_test(a_given_token_is_read_without_its_newline),
        cmocka_unit_test(a_token_file_open_to_others_is_refused),
        cmocka_unit_test(an_open_address_needs_the_flag_and_warns),
        cmocka_unit_test(both_signals_end_it_cleanly),
        cmocka_unit_test(a_million_answers_its_first_page_within_a_second),
        cmocka_unit_test(seed_and_clock_give_the_same_bytes_again),
        cmocka_unit_test(a_restart_with_its_database_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
