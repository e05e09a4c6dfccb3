/* `bursar webhook listen`, `events` and `replay`: what comes to an endpoint of one's own, whoever sends it. */
#include "base/clock.h"
#include "base/mem.h"
#include "model/webhook.h"
#include "support/listener.h"
#include "support/one_service.h"
#include "support/relay.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_BYTES = 4096, ARGS = 24, MANY = 60, TERMINATED = 128 + SIGTERM };

static const char SECRET[] = "SENTINEL-0123456789-abcdefghijklmnopqrstuvwxyz";
static const char BODY[] = "{\"id\":\"evt_1\",\"type\":\"intent.updated\",\"created_at\":\"2026-06-15T12:00:00Z\","
                           "\"data\":{\"id\":\"int_listed\",\"status\":\"approved\"}}";

static char secret_file[PATH_BYTES];
static struct proc listening; /* the listener of a test */
static int port;

static const char *in_folder(const char *name) {
    static char path[PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s", service.folder, name);
    return path;
}

static int start(void **state) {
    (void)state;
    if (serve_intents("20") != 0)
        return -1;
    (void)snprintf(secret_file, sizeof secret_file, "%s", in_folder("secret"));
    return proc_write_file(secret_file, SECRET) && chmod(secret_file, S_IRUSR | S_IWUSR) == 0 ? 0 : -1;
}

static int forget(void **state) {
    (void)state;
    if (listening.pid)
        (void)proc_end(&listening);
    console_forget(&service);
    return console_configure(&service, service.url, "") ? 0 : -1;
}

/* ---- the listener ---- */

static void listen_env(const char *const args[], const char *extra) {
    char *program = proc_program("bursar");
    const char *argv[ARGS] = {program, "webhook", "listen", "--listen", "0"};
    const char *env[ARGS] = {extra};
    const char *const *own = console_env(&service);
    for (size_t i = 0; args[i]; i++)
        argv[5 + i] = args[i];
    for (size_t i = 0; own[i]; i++)
        env[(extra ? 1 : 0) + i] = own[i];
    assert_true(proc_start(&listening, argv, env));
    free(program);
    if (!proc_expect(&listening, "listening on ", PROC_DEADLINE) || !proc_expect(&listening, "/", PROC_DEADLINE))
        fail_msg("it does not listen: %s%s", listening.out.s, listening.err.s);
    const char *at = strstr(listening.err.s, "listening on ");
    port = (int)strtol(strrchr(strchr(at, '/') + 2, ':') + 1, NULL, 10);
    assert_true(port > 0);
}

#define LISTEN(...) listen_env((const char *const[]){__VA_ARGS__, NULL}, NULL)

static void expect_told(const char *text) {
    if (!proc_expect(&listening, text, PROC_DEADLINE))
        fail_msg("not told: %s\n%s\n%s", text, listening.out.s, listening.err.s);
}

static void end_listening(int status) {
    assert_int_equal(kill(listening.pid, SIGTERM), 0);
    assert_true(proc_wait(&listening, PROC_DEADLINE));
    assert_int_equal(listening.status, status);
    assert_null(strstr(listening.out.s, "SENTINEL"));
    assert_null(strstr(listening.err.s, "SENTINEL"));
    (void)proc_end(&listening);
}

/* ---- the sender ---- */

/* Header lines of a signature of this age. */
static void sign(enum webhook_scheme scheme, const char *body, int64_t age_s, struct str *out) {
    struct str time, value;
    str_init(&time, 64);
    str_init(&value, 256);
    str_init(out, 1024);
    str_addf(&time, "%lld", (long long)(clock_now() / 1000 - age_s));
    const struct webhook_message message = {"msg_1", time.s, body, strlen(body)};
    webhook_sign(scheme, SECRET, strlen(SECRET), &message, &value);
    if (scheme == WEBHOOK_STANDARD)
        str_addf(out, "webhook-id: msg_1\r\nwebhook-timestamp: %s\r\nwebhook-signature: %s\r\n", time.s, value.s);
    else
        str_addf(out, "X-Webhook-Signature: %s\r\n", value.s);
    str_clear(&time);
    str_clear(&value);
}

static void expect_answer(const char *method, const char *headers, const char *body, int status) {
    struct http_reply reply;
    assert_true(http_request(port, method, "/hook", headers, body, &reply));
    assert_int_equal(reply.status, status);
    http_reply_clear(&reply);
}

static void send_signed(const char *body, int status) {
    struct str headers;
    sign(WEBHOOK_HMAC_HEX, body, 0, &headers);
    expect_answer("POST", headers.s, body, status);
    str_clear(&headers);
}

/* ---- other commands ---- */

static char *webhook(int status, const char *const args[], const char *said) {
    struct proc proc;
    const char *argv[ARGS] = {"webhook"};
    for (size_t i = 0; args[i]; i++)
        argv[1 + i] = args[i];
    int got = console_run(&service, argv, &proc);
    if (got != status || (said && !strstr(proc.err.s, said)))
        fail_msg("status %d, not %d with \"%s\":\n%s\n%s", got, status, said ? said : "", proc.out.s, proc.err.s);
    assert_null(strstr(proc.out.s, "SENTINEL"));
    assert_null(strstr(proc.err.s, "SENTINEL"));
    char *text = mem_dup(proc.out.s);
    (void)proc_end(&proc);
    return text;
}

#define WEBHOOK(status, said, ...) free(webhook(status, (const char *const[]){__VA_ARGS__, NULL}, said))

/* Lines of `webhook events` with these options that hold both texts. */
static void expect_events(const char *option, const char *value, int lines, const char *a, const char *b) {
    const char *const args[] = {"events", "--format", "ndjson", option, value, NULL};
    char *text = webhook(0, args, NULL);
    int found = 0;
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        found += strstr(line, a) && strstr(line, b);
        *end = '\n';
    }
    if (found != lines)
        fail_msg("%d lines, not %d, with \"%s\" and \"%s\":\n%s", found, lines, a, b, text);
    free(text);
}

/* ---- what comes ---- */

static void a_signed_event_is_taken_stored_and_shown(void **state) {
    (void)state;
    LISTEN("--secret-file", secret_file, "--format", "ndjson");
    for (int scheme = 0; scheme < WEBHOOK_SCHEME_COUNT; scheme++) {
        struct str headers;
        sign((enum webhook_scheme)scheme, BODY, 0, &headers);
        expect_answer("POST", headers.s, BODY, 204);
        str_clear(&headers);
        struct str told;
        str_init(&told, 256);
        str_addf(&told, "\"check\":\"verified\",\"scheme\":\"%s\"", webhook_scheme_name((enum webhook_scheme)scheme));
        expect_told(told.s);
        str_clear(&told);
    }
    end_listening(TERMINATED);
    expect_events(NULL, NULL, 3, "\"check\":\"verified\"", "\"status\":\"approved\"");
    struct stat info;
    assert_int_equal(stat(in_folder("state/bursar/events/test/000000000001"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    char *file = proc_read_file(in_folder("state/bursar/events/test/000000000001"));
    assert_string_equal(strchr(file, '\n') + 1, BODY);
    free(file);
}

static void what_does_not_verify_is_refused_and_stored_with_the_reason(void **state) {
    (void)state;
    struct str old;
    sign(WEBHOOK_STANDARD, BODY, 3600, &old);
    LISTEN("--secret-file", secret_file);
    expect_answer("POST", NULL, BODY, 401);
    expect_told("event 1, answered 401: no header holds a signature");
    expect_answer("POST", "X-Webhook-Signature: 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\r\n",
                  BODY, 401);
    expect_told("event 2, answered 401: no scheme matches");
    expect_answer("POST", old.s, BODY, 401);
    expect_told("its time is 60 min ago");
    end_listening(TERMINATED);
    expect_events("--check", "no-signature", 1, "\"n\":1", "\"why\":\"no header");
    expect_events("--check", "mismatch", 1, "\"n\":2", "\"why\":\"no scheme");
    expect_events("--check", "stale", 1, "\"n\":3", "60 min ago");
    expect_events("--check", "unverified", 3, "", "\"answered\":401");
    str_clear(&old);
}

static void the_same_event_again_is_taken_and_said(void **state) {
    (void)state;
    LISTEN("--secret-file", secret_file);
    expect_answer("POST", NULL, BODY, 401); /* a forged one does not count */
    send_signed(BODY, 204);
    send_signed(BODY, 204);
    expect_told("again (came as 2)");
    end_listening(TERMINATED);
    LISTEN("--secret-file", secret_file);
    send_signed(BODY, 204);
    expect_told("again (came as 2)");
    end_listening(TERMINATED);
    expect_events(NULL, NULL, 2, "\"again\":2", "");
}

static void what_is_no_event_is_refused_and_not_stored(void **state) {
    (void)state;
    struct http_reply reply;
    LISTEN("--unsigned");
    assert_true(http_request(port, "GET", "/", NULL, NULL, &reply));
    char *allow = http_header(&reply, "Allow");
    assert_int_equal(reply.status, 405);
    assert_string_equal(allow, "POST");
    free(allow);
    http_reply_clear(&reply);
    expect_told("not a POST");
    expect_answer("POST", NULL, "", 400);
    expect_told("no body");
    struct str large;
    str_init(&large, 3 << 20);
    str_add_repeat(&large, 'x', 2 << 20);
    expect_answer("POST", NULL, large.s, 413);
    expect_told("larger than an event can be");
    str_clear(&large);
    end_listening(TERMINATED);
    WEBHOOK(0, "no event is stored", "events");
}

static void an_event_that_is_no_json_is_kept_and_said_to_be(void **state) {
    (void)state;
    LISTEN("--secret-file", secret_file);
    send_signed("\xff\xfe not json \x1b]0;x\x07", 204);
    expect_told("not JSON");
    send_signed("[1,2]", 204);
    end_listening(TERMINATED);
    expect_events(NULL, NULL, 2, "\"check\":\"verified\"", "\"json\":false");
}

/* Whatever a field or header holds, a terminal gets none of it. */
static void text_of_senders_is_only_ever_text(void **state) {
    (void)state;
    static const char body[] = "{\"id\":\"e\\u001b]0;x\\u0007\",\"type\":\"kind\\u001b[2J\\u202e\\n\","
                               "\"data\":{\"id\":\"i\\u009b1m\",\"status\":\"s\\u0085t\"}}";
    LISTEN("--unsigned");
    expect_answer("POST", "X-Strange: a\x1b]0;b\x07\r\n", body, 204);
    expect_told("kind<1B>[2J");
    for (const char *at = listening.out.s; *at; at++)
        assert_true(*at == '\n' || (unsigned char)*at >= 0x20);
    end_listening(TERMINATED);
    char *text = webhook(0, (const char *const[]){"events", NULL}, NULL);
    assert_non_null(strstr(text, "kind<1B>[2J<202E>"));
    assert_null(strchr(text, '\x1b'));
    free(text);
}

static void a_slow_sender_holds_up_nobody(void **state) {
    (void)state;
    struct http_conn slow, silent;
    LISTEN("--secret-file", secret_file);
    assert_true(http_open(&slow, port) && http_open(&silent, port));
    static const char half[] = "POST /hook HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf";
    assert_true(http_send(&slow, half, sizeof half - 1));
    send_signed(BODY, 204);
    http_close(&slow);
    http_close(&silent);
    end_listening(TERMINATED);
    expect_events(NULL, NULL, 1, "", "");
}

static void many_at_once_are_each_stored_once(void **state) {
    (void)state;
    static struct http_conn senders[MANY];
    LISTEN("--unsigned", "--format", "ndjson");
    for (int i = 0; i < MANY; i++) {
        char body[128];
        (void)snprintf(body, sizeof body, "{\"id\":\"evt_%d\",\"type\":\"t\"}", i);
        assert_true(http_open(&senders[i], port));
        assert_true(http_send_request(&senders[i], "POST", "/", NULL, body));
    }
    for (int i = 0; i < MANY; i++) {
        struct http_reply reply;
        assert_true(http_read(&senders[i], &reply, 1000, PROC_DEADLINE));
        assert_int_equal(reply.status, 204);
        http_reply_clear(&reply);
        http_close(&senders[i]);
    }
    end_listening(TERMINATED);
    char *all = webhook(0, (const char *const[]){"events", "--format", "ndjson", NULL}, NULL);
    for (int i = 0; i < MANY; i++) {
        char id[64], n[64];
        (void)snprintf(id, sizeof id, "\"id\":\"evt_%d\"", i);
        (void)snprintf(n, sizeof n, "{\"n\":%d,", i + 1);
        assert_int_equal(text_times(all, id), 1);
        assert_int_equal(text_times(all, n), 1);
    }
    free(all);
}

static void two_listeners_of_a_profile_share_its_numbers(void **state) {
    (void)state;
    LISTEN("--unsigned");
    const struct proc first = listening;
    int first_port = port;
    listening = (struct proc){0};
    LISTEN("--unsigned");
    expect_answer("POST", NULL, "{\"id\":\"a\"}", 204);
    int second_port = port;
    port = first_port;
    expect_answer("POST", NULL, "{\"id\":\"b\"}", 204);
    port = second_port;
    expect_answer("POST", NULL, "{\"id\":\"c\"}", 204);
    end_listening(TERMINATED);
    listening = first;
    end_listening(TERMINATED);
    expect_events(NULL, NULL, 1, "{\"n\":2,", "\"id\":\"b\"");
    expect_events(NULL, NULL, 1, "{\"n\":3,", "\"id\":\"c\"");
}

/* ---- where it cannot be stored ---- */

static void a_full_disk_is_answered_so_that_the_sender_tries_again(void **state) {
    (void)state;
    static const char *const WRITES[] = {"FAIL_KINDS=w", "FAIL_WITH=ENOSPC", "FAIL_AT=1", "FAIL_ON=1",
                                         "ASAN_OPTIONS=verify_asan_link_order=0"};
    char preload[PATH_BYTES];
    (void)snprintf(preload, sizeof preload, "LD_PRELOAD=%s/preload/fail_call.so", getenv("BURSAR_OUT"));
    for (size_t i = 0; i < COUNT_OF(WRITES); i++)
        assert_int_equal(putenv((char *)(uintptr_t)WRITES[i]), 0);
    listen_env((const char *const[]){"--unsigned", NULL}, preload);
    expect_answer("POST", NULL, BODY, 503);
    expect_told("not stored, answered 503");
    expect_told("No space left on device");
    end_listening(TERMINATED);
    for (size_t i = 0; i < COUNT_OF(WRITES); i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(WRITES[i], "="), WRITES[i]);
        assert_int_equal(unsetenv(name), 0);
    }
    WEBHOOK(0, "no event is stored", "events");
}

static void a_place_that_cannot_be_written_is_said(void **state) {
    (void)state;
    LISTEN("--unsigned");
    assert_true(proc_write_file(in_folder("state/bursar/events"), "a file"));
    expect_answer("POST", NULL, BODY, 503);
    expect_told("not stored, answered 503");
    end_listening(TERMINATED);
}

static void set_age(const char *name, int seconds) {
    const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = clock_now() / 1000 - seconds}};
    assert_int_equal(utimensat(AT_FDCWD, in_folder(name), times, 0), 0);
}

static void old_events_go_by_themselves(void **state) {
    (void)state;
    LISTEN("--unsigned");
    expect_answer("POST", NULL, "{\"id\":\"old\"}", 204);
    expect_answer("POST", NULL, "{\"id\":\"new\"}", 204);
    end_listening(TERMINATED);
    set_age("state/bursar/events/test/000000000001", 31 * 24 * 3600);
    LISTEN("--unsigned");
    expect_told("1 stored event older than events_days removed");
    expect_answer("POST", NULL, "{\"id\":\"newer\"}", 204);
    end_listening(TERMINATED);
    expect_events(NULL, NULL, 0, "\"id\":\"old\"", "");
    expect_events(NULL, NULL, 1, "{\"n\":2,", "\"id\":\"new\"");
    expect_events(NULL, NULL, 1, "{\"n\":3,", "\"id\":\"newer\"");
}

/* An event of at least so many bytes. */
static void large_event(size_t bytes, struct str *out) {
    str_init(out, 1 << 20);
    str_add(out, "{\"id\":\"large\",\"x\":\"");
    str_add_repeat(out, 'x', bytes);
    str_add(out, "\"}");
}

static void the_oldest_make_room_for_what_verifies_and_for_nothing_else(void **state) {
    (void)state;
    struct str large;
    large_event(1000 << 10, &large);
    assert_true(console_configure(&service, service.url, "  events_limit_mb = 1\n"));
    LISTEN("--secret-file", secret_file);
    send_signed(large.s, 204);
    expect_answer("POST", NULL, large.s, 401);
    expect_told("none that verify give way");
    send_signed(large.s, 204);
    end_listening(TERMINATED);
    expect_events(NULL, NULL, 1, "", "");
    expect_events(NULL, NULL, 1, "{\"n\":2,", "\"check\":\"verified\"");
    str_clear(&large);
}

/* Anybody can send what does not verify: it has a tenth of the room, and is the first to go. */
static void what_does_not_verify_pushes_out_nothing_true(void **state) {
    (void)state;
    struct str large, half, third;
    large_event(200 << 10, &large);
    large_event(500 << 10, &half);
    large_event(300 << 10, &third);
    assert_true(console_configure(&service, service.url, "  events_limit_mb = 1\n"));
    LISTEN("--secret-file", secret_file);
    send_signed(BODY, 204);
    for (int i = 0; i < 3; i++)
        expect_answer("POST", NULL, large.s, 401);
    expect_told("event 4, answered 401");
    send_signed(half.s, 204);
    send_signed(large.s, 204);
    expect_told("     6  ");
    end_listening(TERMINATED);
    expect_events("--check", "verified", 3, "", "");
    expect_events("--check", "unverified", 1, "{\"n\":4,", "");
    WEBHOOK(1, "only the first 65536 of its", "replay", "4", "--to", "http://127.0.0.1:9/", "--unsigned", "--yes");
    LISTEN("--secret-file", secret_file);
    send_signed(third.s, 204);
    end_listening(TERMINATED);
    expect_events("--check", "verified", 4, "", "");
    expect_events("--check", "unverified", 0, "", "");
    str_clear(&large);
    str_clear(&half);
    str_clear(&third);
}

static void purge_events(const char *said) {
    struct proc proc;
    assert_int_equal(console_run(&service, (const char *const[]){"purge", "--events", NULL}, &proc), 0);
    assert_non_null(strstr(proc.out.s, said));
    (void)proc_end(&proc);
}

/* A program that is killed while it writes leaves a whole event under another name. */
static void what_was_never_finished_is_removed(void **state) {
    (void)state;
    static const char fresh[] = "state/bursar/events/test/000000000009.0a1b2c.tmp",
                      old[] = "state/bursar/events/test/000000000008.0a1b2c.tmp";
    LISTEN("--unsigned");
    expect_answer("POST", NULL, BODY, 204);
    end_listening(TERMINATED);
    assert_true(proc_write_file(in_folder(fresh), BODY) && proc_write_file(in_folder(old), BODY));
    set_age(old, 120);
    LISTEN("--unsigned");
    end_listening(TERMINATED);
    assert_int_equal(access(in_folder(fresh), F_OK), 0);
    assert_int_not_equal(access(in_folder(old), F_OK), 0);
    purge_events("1 stored event removed");
    assert_int_not_equal(access(in_folder(fresh), F_OK), 0);
}

/* So that `webhook replay 2` sends the event that was meant, or none. */
static void a_number_is_given_once(void **state) {
    (void)state;
    LISTEN("--unsigned");
    expect_answer("POST", NULL, BODY, 204);
    expect_answer("POST", NULL, BODY, 204);
    end_listening(TERMINATED);
    set_age("state/bursar/events/test/000000000001", 31 * 24 * 3600);
    set_age("state/bursar/events/test/000000000002", 31 * 24 * 3600);
    LISTEN("--unsigned");
    expect_told("2 stored events older");
    expect_answer("POST", NULL, BODY, 204);
    end_listening(TERMINATED);
    expect_events(NULL, NULL, 1, "{\"n\":3,", "");
    purge_events("1 stored event removed");
    LISTEN("--unsigned");
    expect_answer("POST", NULL, BODY, 204);
    end_listening(TERMINATED);
    expect_events(NULL, NULL, 1, "{\"n\":4,", "");
}

static void purge_reaches_them(void **state) {
    (void)state;
    struct proc proc;
    LISTEN("--unsigned");
    expect_answer("POST", NULL, BODY, 204);
    end_listening(TERMINATED);
    purge_events("1 stored event removed");
    WEBHOOK(0, "no event is stored", "events");
    LISTEN("--unsigned");
    expect_answer("POST", NULL, BODY, 204);
    end_listening(TERMINATED);
    assert_int_equal(console_run(&service, (const char *const[]){"purge", "--all", NULL}, &proc), 0);
    assert_non_null(strstr(proc.out.s, "/events/test/000000000002 removed"));
    (void)proc_end(&proc);
    assert_int_not_equal(access(in_folder("state/bursar/events"), F_OK), 0);
}

/* ---- starting and ending ---- */

static void a_port_that_is_taken_is_said(void **state) {
    (void)state;
    char taken[64];
    LISTEN("--unsigned");
    (void)snprintf(taken, sizeof taken, "127.0.0.1:%d", port);
    WEBHOOK(2, "Address already in use", "listen", "--unsigned", "--listen", taken);
    WEBHOOK(2, "not an address", "listen", "--unsigned", "--listen", "nowhere.example:1");
    WEBHOOK(2, "not a port", "listen", "--unsigned", "--listen", "127.0.0.1:65536");
    end_listening(TERMINATED);
}

static void a_secret_is_chosen_or_nothing_is_received(void **state) {
    (void)state;
    WEBHOOK(2, "says how events are signed", "listen", "--listen", "0");
    WEBHOOK(2, "says how events are signed", "listen", "--unsigned", "--secret-file", secret_file);
    WEBHOOK(2, "since it has no end", "listen", "--unsigned", "--format", "json");
    WEBHOOK(2, "belong together", "listen", "--unsigned", "--certificate", secret_file);
    char more[PATH_BYTES * 2];
    (void)snprintf(more, sizeof more, "  webhook_secret_file = '%s'\n", secret_file);
    assert_true(console_configure(&service, service.url, more));
    LISTEN("--format", "ndjson");
    send_signed(BODY, 204);
    end_listening(TERMINATED);
}

static void another_secret_than_the_registered_one_is_said(void **state) {
    (void)state;
    WEBHOOK(0, "", "register", "--url", "https://127.0.0.1:1/hook", "--generate-secret", "--secret-out",
            in_folder("other-secret"), "--yes");
    assert_int_equal(unlink(in_folder("other-secret")), 0);
    LISTEN("--secret-file", secret_file);
    assert_non_null(strstr(listening.err.s, "not the secret that was registered last"));
    end_listening(TERMINATED);
}

static void a_signal_in_the_middle_keeps_what_was_answered(void **state) {
    (void)state;
    struct http_conn half;
    LISTEN("--unsigned", "--format", "ndjson");
    expect_answer("POST", NULL, BODY, 204);
    assert_true(http_open(&half, port));
    static const char begun[] = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{\"id\":";
    assert_true(http_send(&half, begun, sizeof begun - 1));
    assert_int_equal(kill(listening.pid, SIGTERM), 0);
    assert_true(proc_wait(&listening, PROC_DEADLINE));
    assert_int_equal(listening.status, TERMINATED);
    assert_int_equal(text_times(listening.out.s, "\n"), 1);
    http_close(&half);
    (void)proc_end(&listening);
    expect_events(NULL, NULL, 1, "", "");
}

static void it_ends_after_so_many(void **state) {
    (void)state;
    LISTEN("--unsigned", "--limit", "2");
    expect_answer("POST", NULL, BODY, 204);
    expect_answer("POST", NULL, BODY, 204);
    assert_true(proc_wait(&listening, PROC_DEADLINE));
    assert_int_equal(listening.status, 0);
    (void)proc_end(&listening);
}

/* ---- sending on ---- */

static void url_of(const struct relay *relay, char out[64]) {
    (void)snprintf(out, 64, "http://127.0.0.1:%d/app", relay_port(relay));
}

static void a_forward_takes_the_event_as_it_came(void **state) {
    (void)state;
    char url[64];
    struct str got;
    struct relay *target = relay_text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    url_of(target, url);
    LISTEN("--secret-file", secret_file, "--forward-to", url);
    expect_answer("POST", NULL, BODY, 401); /* stays here */
    send_signed(BODY, 204);
    expect_told("forward answered 200");
    end_listening(TERMINATED);
    str_init(&got, 64 << 10);
    relay_received(target, &got);
    assert_int_equal(relay_requests(target), 1);
    assert_non_null(strstr(got.s, "POST /app HTTP/1.1\r\n"));
    assert_non_null(strstr(got.s, "X-Webhook-Signature: "));
    assert_non_null(strstr(got.s, BODY));
    assert_null(strstr(got.s, "Authorization"));
    str_clear(&got);
    relay_free(target);
}

static void a_failed_forward_is_said_and_loses_nothing(void **state) {
    (void)state;
    char url[64];
    struct relay *target = relay_text("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n");
    url_of(target, url);
    LISTEN("--secret-file", secret_file, "--forward-to", url, "--format", "ndjson");
    send_signed(BODY, 204);
    expect_told("{\"forwarded\":1,\"status\":500,\"taken\":false");
    end_listening(TERMINATED);
    relay_free(target);
    LISTEN("--secret-file", secret_file, "--forward-to", url);
    send_signed(BODY, 204);
    expect_told("forward failed: ");
    expect_told("; the event is stored");
    end_listening(TERMINATED);
    expect_events(NULL, NULL, 2, "\"check\":\"verified\"", "");
}

static void what_is_being_forwarded_is_waited_for(void **state) {
    (void)state;
    char url[64];
    const struct relay_fault slow = {.delay_ms = 300};
    const struct relay_answer answer = {.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"};
    struct relay *target = relay_script(&answer, 1, &slow);
    url_of(target, url);
    LISTEN("--secret-file", secret_file, "--forward-to", url);
    send_signed(BODY, 204);
    end_listening(TERMINATED);
    assert_int_equal(relay_requests(target), 1);
    relay_free(target);
}

static void who_sends_on_and_on_does_not_keep_it_from_ending(void **state) {
    (void)state;
    char url[64];
    const struct relay_fault slow = {.delay_ms = 1500};
    const struct relay_answer taken = {.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"};
    struct relay *target = relay_script(&taken, 1, &slow);
    url_of(target, url);
    LISTEN("--secret-file", secret_file, "--limit", "1", "--forward-to", url);
    send_signed(BODY, 204);
    send_signed(BODY, 204);
    expect_told("event 2 is not forwarded: it is ending; it is stored");
    assert_true(proc_wait(&listening, PROC_DEADLINE));
    assert_int_equal(listening.status, 0);
    (void)proc_end(&listening);
    assert_int_equal(relay_requests(target), 1);
    relay_free(target);
    expect_events(NULL, NULL, 2, "", "");
}

static void only_safe_targets_are_taken(void **state) {
    (void)state;
    WEBHOOK(2, "--forward-to: it is neither https", "listen", "--unsigned", "--forward-to", "http://hook.example/");
    WEBHOOK(2, "credentials", "listen", "--unsigned", "--forward-to", "https://a:b@hook.example/");
    WEBHOOK(2, "read-only forbids", "listen", "--unsigned", "--forward-to", "http://127.0.0.1:9/", "--read-only");
    WEBHOOK(2, "needs --to", "replay", "1", "--unsigned", "--yes");
    WEBHOOK(2, "--to: it is neither https", "replay", "1", "--unsigned", "--yes", "--to", "http://hook.example/");
    WEBHOOK(2, "read-only", "replay", "1", "--unsigned", "--yes", "--to", "http://127.0.0.1:9/", "--read-only");
    WEBHOOK(2, "--yes is needed", "replay", "1", "--unsigned", "--to", "http://127.0.0.1:9/");
    WEBHOOK(2, "no stored event 1", "replay", "1", "--unsigned", "--yes", "--to", "http://127.0.0.1:9/");
    WEBHOOK(2, "not the number", "replay", "x", "--unsigned", "--yes", "--to", "http://127.0.0.1:9/");
}

/* An event of an hour ago, sent again through a listener that checks it. */
static void a_replay_is_signed_anew_and_sent_once(void **state) {
    (void)state;
    char url[64];
    struct str old;
    sign(WEBHOOK_STANDARD, BODY, 3600, &old);
    LISTEN("--secret-file", secret_file, "--format", "ndjson");
    expect_answer("POST", old.s, BODY, 401);
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%d/again", port);
    WEBHOOK(0, "event 1 to http://127.0.0.1", "replay", "1", "--to", url, "--secret-file", secret_file, "--yes");
    expect_told("\"n\":2,");
    end_listening(TERMINATED);
    expect_events("--check", "verified", 1, "\"n\":2", "\"path\":\"/again\"");
    expect_events(NULL, NULL, 2, "", "\"id\":\"msg_1\"");
    str_clear(&old);
}

static void what_a_replay_s_target_says_is_told(void **state) {
    (void)state;
    char url[64], elsewhere[256];
    LISTEN("--unsigned");
    expect_answer("POST", NULL, BODY, 204);
    end_listening(TERMINATED);
    struct relay *other = relay_text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    (void)snprintf(elsewhere, sizeof elsewhere,
                   "HTTP/1.1 307 Go\r\nLocation: http://127.0.0.1:%d/\r\nContent-Length: 0\r\n\r\n", relay_port(other));
    struct relay *target = relay_text(elsewhere);
    url_of(target, url);
    WEBHOOK(4, "answered 307", "replay", "1", "--to", url, "--unsigned", "--yes");
    assert_int_equal(relay_requests(target), 1);
    assert_int_equal(relay_connections(other), 0);
    relay_free(target);
    relay_free(other);
    WEBHOOK(5, "failed: ", "replay", "1", "--to", url, "--unsigned", "--yes");
    target = relay_text("");
    url_of(target, url);
    WEBHOOK(6, "may have arrived", "replay", "1", "--to", url, "--unsigned", "--yes");
    assert_int_equal(relay_requests(target), 1);
    relay_free(target);
}

/* ---- beside the list ---- */

static void put_intent(const char *id, const char *status) {
    struct http_reply reply;
    char body[256];
    (void)snprintf(body, sizeof body, "{\"id\":\"%s\",\"status\":\"%s\",\"created_at\":\"2026-06-15T11:59:59.000Z\"}",
                   id, status);
    assert_true(service_control(&service, "POST", "/control/intents", body, &reply));
    assert_in_range(reply.status, 200, 201);
    http_reply_clear(&reply);
}

static void an_event_stands_beside_what_the_list_says(void **state) {
    (void)state;
    struct proc proc;
    LISTEN("--secret-file", secret_file);
    send_signed(BODY, 204);
    send_signed("{\"type\":\"x\",\"data\":{\"id\":\"int_agreed\",\"status\":\"approved\"}}", 204);
    send_signed("{\"type\":\"x\",\"data\":{\"id\":\"int_nowhere\",\"status\":\"approved\"}}", 204);
    send_signed("{\"type\":\"ping\"}", 204);
    end_listening(TERMINATED);
    expect_events(NULL, NULL, 3, "\"list\":\"not-held\"", "");
    put_intent("int_listed", "declined");
    put_intent("int_agreed", "approved");
    assert_int_equal(console_run(&service, (const char *const[]){"intents", "list", "--all", NULL}, &proc), 0);
    (void)proc_end(&proc);
    expect_events(NULL, NULL, 1, "\"intent\":\"int_listed\"", "\"list_status\":\"declined\"");
    expect_events("--differs", NULL, 1, "\"differs\":true", "\"intent\":\"int_listed\"");
    expect_events("--differs", NULL, 0, "\"intent\":\"int_agreed\"", "");
    expect_events("--kind", "ping", 1, "\"list\":\"not-asked\"", "");
    expect_events("--intent", "int_agreed", 1, "\"differs\":false", "");
    expect_events("--limit", "1", 1, "", "\"kind\":\"ping\"");
    char *text = webhook(0, (const char *const[]){"events", NULL}, NULL);
    assert_non_null(strstr(text, "event said approved, the list says declined (as of "));
    assert_non_null(strstr(text, "not in the cache"));
    free(text);
    text = webhook(0, (const char *const[]){"events", "--format", "csv", "--kind", "ping", NULL}, NULL);
    assert_non_null(strstr(text, ",verified,ping,,,,,\r\n"));
    free(text);
}

/* Events with a filter of theirs, and with one of the list that their intents are held against: so many, and what is
 * said beside them. */
static void expect_filtered(int lines, const char *said, const char *filter, const char *intents) {
    const char *const args[] = {"events", "--format", "ndjson", filter, intents ? "--intents" : NULL, intents, NULL};
    char *text = webhook(0, args, said);
    if (text_times(text, "\n") != lines)
        fail_msg("not %d lines of %s and %s:\n%s", lines, filter, intents ? intents : "", text);
    free(text);
}

static void a_filter_narrows_events_as_it_does_the_list(void **state) {
    (void)state;
    struct proc proc;
    LISTEN("--secret-file", secret_file);
    send_signed(BODY, 204);
    send_signed("{\"type\":\"ping\",\"data\":{\"id\":\"int_agreed\",\"status\":\"declined\",\"user_id\":\"u-1\"}}",
                204);
    send_signed("{\"type\":\"ping\",\"data\":{\"id\":\"int_nowhere\",\"user\":{\"id\":\"u-2\"}}}", 204);
    expect_answer("POST", NULL, BODY, 401);
    end_listening(TERMINATED);
    put_intent("int_listed", "declined");
    put_intent("int_agreed", "approved");
    assert_int_equal(console_run(&service, (const char *const[]){"intents", "list", "--all", NULL}, &proc), 0);
    (void)proc_end(&proc);
    expect_filtered(4, "4 stored events; all that were stored here", "", NULL);
    expect_filtered(3, "3 of 4 stored events; all that were stored here", "is:verified", NULL);
    expect_filtered(2, NULL, "status:approved", NULL);
    expect_filtered(1, NULL, "status:approved -is:verified", NULL);
    expect_filtered(2, NULL, "type:ping", NULL);
    expect_filtered(2, NULL, "type:intent.*", NULL);
    expect_filtered(1, NULL, "user=u-1", NULL);
    expect_filtered(1, NULL, "user=u-2", NULL);
    expect_filtered(1, NULL, "id:int_nowhere", NULL);
    expect_filtered(2, NULL, "ping", NULL);
    expect_filtered(4, NULL, "created:today", NULL);
    expect_filtered(0, "no stored event is one of these", "created<2020", NULL);
    expect_filtered(1, "1 of 4 stored events", "", "id:int_agreed status:approved");
    expect_filtered(2, "1 match in ", "", "id:int_listed,int_agreed -status:approved");
    expect_filtered(1, NULL, "is:verified", "id:int_listed status:declined");
    WEBHOOK(2, "an event has no amount", "events", "amount>5");
    WEBHOOK(2, "no field is called", "events", "--intents", "nofield:1");
}

static void without_a_cache_there_is_nothing_to_hold_intents_against(void **state) {
    (void)state;
    assert_true(proc_write_file(in_folder("cache"), "a file"));
    LISTEN("--unsigned");
    expect_answer("POST", NULL, BODY, 204);
    end_listening(TERMINATED);
    WEBHOOK(1, "cache", "events", "--intents", "status:declined");
    WEBHOOK(0, "1 stored event; all that were stored here", "events", "is:verified | -is:verified");
    assert_int_equal(unlink(in_folder("cache")), 0);
}

static void what_made_room_is_said_and_since_when_none_is_missing(void **state) {
    (void)state;
    LISTEN("--unsigned");
    for (int i = 0; i < 3; i++)
        expect_answer("POST", NULL, BODY, 204);
    end_listening(TERMINATED);
    set_age("state/bursar/events/test/000000000001", 31 * 24 * 3600);
    LISTEN("--unsigned");
    expect_told("1 stored event older than events_days removed");
    end_listening(TERMINATED);
    WEBHOOK(0, "2 stored events; all that were stored since 20", "events");
    WEBHOOK(0, "; 1 is not kept any more (events_days, events_limit_mb, purge)", "events");
    assert_int_equal(unlink(in_folder("state/bursar/events/test/000000000003")), 0);
    WEBHOOK(0, "1 stored event; not all that were stored here; 2 are not kept any more", "events");
}

/* They need not come in their order: the one that happened last counts, and none that is forged. */
static void the_latest_event_of_an_intent_counts(void **state) {
    (void)state;
    struct proc proc;
    static const char last[] = "{\"created_at\":\"2026-06-15T12:00:02Z\",\"data\":{\"id\":\"int_late\","
                               "\"status\":\"approved\"}}",
                      first[] = "{\"created_at\":\"2026-06-15T12:00:01Z\",\"data\":{\"id\":\"int_late\","
                                "\"status\":\"pending\"}}";
    LISTEN("--secret-file", secret_file);
    send_signed(last, 204);
    send_signed(first, 204);
    expect_answer("POST", NULL, BODY, 401);
    end_listening(TERMINATED);
    put_intent("int_late", "approved");
    assert_int_equal(console_run(&service, (const char *const[]){"intents", "list", "--all", NULL}, &proc), 0);
    (void)proc_end(&proc);
    expect_events("--differs", NULL, 0, "", "");
    expect_events("--intent", "int_late", 1, "{\"n\":2,", "\"later\":1");
    char *text = webhook(0, (const char *const[]){"events", NULL}, NULL);
    assert_non_null(strstr(text, "the list says approved, event 1 is later (as of "));
    free(text);
}

static void what_was_not_checked_gives_way_to_what_verified(void **state) {
    (void)state;
    static const char forged[] = "{\"id\":\"evt_1\",\"created_at\":\"2099-01-01T00:00:00Z\","
                                 "\"data\":{\"id\":\"int_listed\",\"status\":\"canceled\"}}";
    LISTEN("--unsigned");
    expect_answer("POST", NULL, forged, 204);
    end_listening(TERMINATED);
    LISTEN("--secret-file", secret_file);
    send_signed(BODY, 204);
    end_listening(TERMINATED);
    expect_events(NULL, NULL, 1, "{\"n\":1,", "\"later\":2");
    expect_events(NULL, NULL, 1, "{\"n\":2,", "\"later\":null");
    expect_events(NULL, NULL, 0, "\"again\":1", "");
}

static void a_damaged_file_costs_itself_alone(void **state) {
    (void)state;
    LISTEN("--unsigned");
    expect_answer("POST", NULL, BODY, 204);
    expect_answer("POST", NULL, BODY, 204);
    end_listening(TERMINATED);
    assert_true(proc_write_file(in_folder("state/bursar/events/test/000000000001"), "{\"n\":"));
    char *text = webhook(8, (const char *const[]){"events", NULL}, "1 stored event cannot be read");
    assert_non_null(strstr(text, "int_listed"));
    free(text);
    WEBHOOK(1, "cannot be read", "replay", "1", "--to", "http://127.0.0.1:9/", "--unsigned", "--yes");
}

static void events_of_another_account_are_counted_and_left(void **state) {
    (void)state;
    LISTEN("--unsigned");
    expect_answer("POST", NULL, BODY, 204);
    end_listening(TERMINATED);
    assert_true(console_configure(&service, service.url, "  account = 'other'\n"));
    char *text = webhook(0, (const char *const[]){"events", NULL}, "1 came for another origin or account");
    assert_string_equal(text, "");
    free(text);
}

/* Delivered by the sandbox, over TLS, with the secret that was registered. */
static void the_service_s_own_events_verify(void **state) {
    (void)state;
    struct listener made;
    struct service sender;
    char certificate[PATH_BYTES], key[PATH_BYTES], body[PATH_BYTES];
    struct http_reply reply;
    char *folder = proc_folder_new();
    assert_true(listener_start(&made, folder, NULL)); /* it makes the certificate */
    const char *const serve[] = {"--deliver-ca", made.ca, NULL};
    assert_true(service_start(&sender, serve));
    assert_int_equal(listener_stop(&made), 0);
    (void)snprintf(certificate, sizeof certificate, "%s/listener-tls/server.pem", folder);
    (void)snprintf(key, sizeof key, "%s/listener-tls/server.key", folder);
    LISTEN("--secret-file", secret_file, "--format", "ndjson", "--certificate", certificate, "--certificate-key", key);
    (void)snprintf(body, sizeof body, "{\"url\":\"https://localhost:%d/hook\",\"secret\":\"%s\"}", port, SECRET);
    assert_true(service_request(&sender, "POST", "/webhook/register", NULL, body, &reply));
    http_reply_clear(&reply);
    assert_true(service_control(&sender, "POST", "/control/events?count=3", NULL, &reply));
    http_reply_clear(&reply);
    expect_told("{\"n\":3,");
    end_listening(TERMINATED);
    expect_events("--check", "verified", 3, "\"kind\":\"intent.updated\"", "\"intent\":\"");
    assert_int_equal(service_stop(&sender), 0);
    proc_folder_remove(folder);
}

#define TEST(test) cmocka_unit_test_teardown(test, forget)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_signed_event_is_taken_stored_and_shown),
        TEST(what_does_not_verify_is_refused_and_stored_with_the_reason),
        TEST(the_same_event_again_is_taken_and_said),
        TEST(what_is_no_event_is_refused_and_not_stored),
        TEST(an_event_that_is_no_json_is_kept_and_said_to_be),
        TEST(text_of_senders_is_only_ever_text),
        TEST(a_slow_sender_holds_up_nobody),
        TEST(many_at_once_are_each_stored_once),
        TEST(two_listeners_of_a_profile_share_its_numbers),
        TEST(a_full_disk_is_answered_so_that_the_sender_tries_again),
        TEST(a_place_that_cannot_be_written_is_said),
        TEST(old_events_go_by_themselves),
        TEST(a_filter_narrows_events_as_it_does_the_list),
        TEST(without_a_cache_there_is_nothing_to_hold_intents_against),
        TEST(what_made_room_is_said_and_since_when_none_is_missing),
        TEST(the_oldest_make_room_for_what_verifies_and_for_nothing_else),
        TEST(what_does_not_verify_pushes_out_nothing_true),
        TEST(purge_reaches_them),
        TEST(what_was_never_finished_is_removed),
        TEST(a_number_is_given_once),
        TEST(a_port_that_is_taken_is_said),
        TEST(a_secret_is_chosen_or_nothing_is_received),
        TEST(another_secret_than_the_registered_one_is_said),
        TEST(a_signal_in_the_middle_keeps_what_was_answered),
        TEST(it_ends_after_so_many),
        TEST(a_forward_takes_the_event_as_it_came),
        TEST(a_failed_forward_is_said_and_loses_nothing),
        TEST(what_is_being_forwarded_is_waited_for),
        TEST(who_sends_on_and_on_does_not_keep_it_from_ending),
        TEST(only_safe_targets_are_taken),
        TEST(a_replay_is_signed_anew_and_sent_once),
        TEST(what_a_replay_s_target_says_is_told),
        TEST(an_event_stands_beside_what_the_list_says),
        TEST(the_latest_event_of_an_intent_counts),
        TEST(what_was_not_checked_gives_way_to_what_verified),
        TEST(a_damaged_file_costs_itself_alone),
        TEST(events_of_another_account_are_counted_and_left),
        TEST(the_service_s_own_events_verify),
    };
    return cmocka_run_group_tests_name("webhook listen", tests, start, stop_service);
}
