/* Events from the sandbox to its listener, over TLS, as programs. */
#include "support/listener.h"
#include "support/service.h"

#include "base/clock.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char secret[] = "SENTINEL-0123456789-abcdefghijklmnopqrstuvwxyz";

static char *folder, *secret_file;
static struct service service;
static struct listener listener;

static int new_folder(void **state) {
    (void)state;
    struct str path;
    folder = proc_folder_new();
    str_init(&path, 8192);
    str_addf(&path, "%s/secret", folder);
    secret_file = str_take(&path);
    return proc_write_file(secret_file, secret) ? 0 : -1;
}

static int remove_all(void **state) {
    (void)state;
    int status = service.port == 0 ? 0 : service_stop(&service);
    if (listener.port != 0)
        (void)listener_stop(&listener);
    proc_folder_remove(folder);
    free(secret_file);
    return status;
}

static void start(const char *scheme, const char *fail_every) {
    const char *const listen[] = {"--secret-file", secret_file, "--fail-every", fail_every, NULL};
    assert_true(listener_start(&listener, folder, listen));
    const char *const serve[] = {"--deliver-ca", listener.ca, "--sign", scheme, "--retry-base", "2", NULL};
    assert_true(service_start(&service, serve));
}

static void enrol(const char *url, const char *with_secret) {
    struct http_reply reply;
    struct str body;
    str_init(&body, 1000);
    str_addf(&body, "{\"url\":\"%s\"", url);
    if (with_secret)
        str_addf(&body, ",\"secret\":\"%s\"", with_secret);
    str_add_char(&body, '}');
    assert_true(service_request(&service, "POST", "/webhook/register", NULL, body.s, &reply));
    assert_true(reply.status == 200 || reply.status == 201);
    http_reply_clear(&reply);
    str_clear(&body);
}

static void control(const char *method, const char *target, int status) {
    struct http_reply reply;
    assert_true(service_control(&service, method, target, NULL, &reply));
    assert_int_equal(reply.status, status);
    http_reply_clear(&reply);
}

/* Waits until what the control path says of the deliveries holds the text. */
static void expect_deliveries(const char *target, const char *text) {
    int64_t end = clock_mono() + PROC_DEADLINE;
    for (bool found = false; !found;) {
        struct http_reply reply;
        assert_true(service_control(&service, "GET", target, NULL, &reply));
        found = strstr(reply.body.s, text) != NULL;
        if (!found && clock_mono() > end)
            fail_msg("\"%s\" did not come: %s", text, reply.body.s);
        http_reply_clear(&reply);
        (void)poll(NULL, 0, found ? 0 : 20);
    }
}

static void each_scheme_verifies_as_itself_alone(void **state) {
    (void)state;
    static const char *const schemes[] = {"hmac-hex", "hmac-base64", "standard-webhooks"};
    for (size_t i = 0; i < 3; i++) {
        if (i > 0) {
            assert_int_equal(service_stop(&service), 0);
            assert_int_equal(listener_stop(&listener), 0);
        }
        start(schemes[i], "0");
        enrol(listener.url, secret);
        control("POST", "/control/events", 202);
        struct str mark;
        str_init(&mark, 100);
        str_addf(&mark, "\"%s\":\"verified\"", schemes[i]);
        assert_true(listener_wait(&listener, 1, mark.s, ""));
        assert_int_equal(listener_count(&listener, "\"verified\"", ""), (int)i + 1);
        str_clear(&mark);
    }
}

static void a_change_makes_an_event_that_tells_of_it(void **state) {
    (void)state;
    start("hmac-hex", "0");
    struct http_reply reply;
    enrol(listener.url, secret);
    assert_true(
        service_control(&service, "POST", "/control/intents", "{\"id\":\"int_marked\",\"amount\":4711}", &reply));
    http_reply_clear(&reply);
    assert_true(listener_wait(&listener, 1, "\"kind\":\"intent.created\"", "int_marked"));
    control("POST", "/control/tick?count=5", 200);
    assert_true(listener_wait(&listener, 2, "\"kind\":\"intent.updated\"", "\"hmac-hex\":\"verified\""));
    assert_int_equal(listener_count(&listener, "\"hmac-hex\":\"no\"", ""), 0);
}

static void without_a_secret_events_go_unsigned(void **state) {
    (void)state;
    start("hmac-hex", "0");
    enrol(listener.url, secret);
    control("POST", "/control/events", 202);
    assert_true(listener_wait(&listener, 1, "\"signed\":true", ""));
    enrol(listener.url, NULL);
    control("POST", "/control/events", 202);
    assert_true(listener_wait(&listener, 1, "\"signed\":false", "\"hmac-hex\":\"unsigned\""));
    expect_deliveries("/control/deliveries?limit=1", "\"signed\":null");
}

static void a_thousand_events_arrive_though_a_tenth_fails(void **state) {
    (void)state;
    start("standard-webhooks", "10");
    enrol(listener.url, secret);
    control("POST", "/control/events?count=1000", 202);
    assert_true(listener_wait(&listener, 1000, "\"status\":204", ""));
    expect_deliveries("/control/delivery", "\"waiting\":0,\"delivered\":1000,");
    int all = listener_count(&listener, "", "");
    int failed = listener_count(&listener, "\"status\":500", "");
    assert_int_equal(failed, all / 10);
    assert_int_equal(all - failed, 1000);
    assert_int_equal(listener_count(&listener, "\"standard-webhooks\":\"verified\"", ""), all);
    /* Each event of those taken is another one. */
    char *text = proc_read_file(listener.events);
    char *sorted[2000];
    size_t n = 0;
    for (char *line = text; (line = strstr(line, "\"id\":\"evt_")) != NULL && n < 2000; line++) {
        char *status = strstr(line, "\"status\":");
        if (status && strncmp(status, "\"status\":204", 12) == 0) {
            line[30] = '\0';
            sorted[n++] = line;
        }
        line += 30;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(sorted[i], sorted[j]);
    assert_int_equal(n, 1000);
    free(text);
}

static void other_machines_get_nothing(void **state) {
    (void)state;
    start("hmac-hex", "0");
    static const char *const places[] = {"https://192.0.2.1/hook", "https://hook.example/",
                                         "https://127.0.0.1.example/"};
    for (size_t i = 0; i < 3; i++) {
        enrol(places[i], secret);
        control("POST", "/control/events", 202);
        expect_deliveries("/control/deliveries?limit=1", places[i]);
        expect_deliveries("/control/deliveries?limit=1", "\"outcome\":\"not_delivered\"");
    }
}

static void a_dead_endpoint_is_given_up_after_eight_attempts(void **state) {
    (void)state;
    start("hmac-hex", "0");
    enrol("https://127.0.0.1:1/hook", secret);
    control("POST", "/control/events", 202);
    expect_deliveries("/control/delivery", "\"delivered\":0,\"failed\":7,\"given_up\":1,");
    expect_deliveries("/control/deliveries?limit=2", "\"attempt\":7,\"outcome\":\"failed\"");
}

static void nothing_registered_means_no_events(void **state) {
    (void)state;
    start("hmac-hex", "0");
    control("POST", "/control/events", 404);
    control("POST", "/control/tick?count=3", 200);
    expect_deliveries("/control/delivery", "\"waiting\":0,\"delivered\":0,\"failed\":0,");
    enrol(listener.url, NULL);
    control("POST", "/control/events?count=0", 400);
    control("POST", "/control/events?count=20001", 400);
    control("POST", "/control/events?count=x", 400);
}

static void the_secret_is_in_no_record(void **state) {
    (void)state;
    start("standard-webhooks", "0");
    enrol(listener.url, secret);
    control("POST", "/control/events", 202);
    assert_true(listener_wait(&listener, 1, "\"verified\"", ""));
    assert_int_equal(listener_count(&listener, "SENTINEL", ""), 0);
    assert_int_equal(service_journal_count(&service, "SENTINEL", ""), 0);
    struct http_reply reply;
    assert_true(service_control(&service, "GET", "/control/deliveries", NULL, &reply));
    assert_null(strstr(reply.body.s, "SENTINEL"));
    http_reply_clear(&reply);
}

static void a_listener_without_its_folder_is_a_usage_error(void **state) {
    (void)state;
    static const char *const wrong[][3] = {{"listen", NULL}, {"listen", "--tls-dir", NULL}, {"listen", "--nope", NULL}};
    char *program = proc_program("bursar-sandbox");
    for (size_t i = 0; i < 3; i++) {
        struct proc proc = {0};
        const char *argv[] = {program, wrong[i][0], wrong[i][1], wrong[i][2], NULL};
        assert_int_equal(proc_run(&proc, argv, NULL, PROC_DEADLINE), 2);
        (void)proc_end(&proc);
    }
    free(program);
}

#define AFTER_NEW_FOLDER(test) cmocka_unit_test_setup_teardown(test, new_folder, remove_all)

int main(void) {
    const struct CMUnitTest tests[] = {
        AFTER_NEW_FOLDER(each_scheme_verifies_as_itself_alone),
        AFTER_NEW_FOLDER(a_change_makes_an_event_that_tells_of_it),
        AFTER_NEW_FOLDER(without_a_secret_events_go_unsigned),
        AFTER_NEW_FOLDER(a_thousand_events_arrive_though_a_tenth_fails),
        AFTER_NEW_FOLDER(other_machines_get_nothing),
        AFTER_NEW_FOLDER(a_dead_endpoint_is_given_up_after_eight_attempts),
        AFTER_NEW_FOLDER(nothing_registered_means_no_events),
        AFTER_NEW_FOLDER(the_secret_is_in_no_record),
        AFTER_NEW_FOLDER(a_listener_without_its_folder_is_a_usage_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
