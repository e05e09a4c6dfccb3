/* `bursar webhook` against the sandbox and its listener: what leaves, what arrives, what is kept. */
#include "base/clock.h"
#include "support/console.h"
#include "support/listener.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char secret[] = "SENTINEL-0123456789-abcdefghijklmnopqrstuvwxyz";

static struct service service;
static struct listener listener;
static char *secret_file, *new_file, *folder;

static char *in_folder(const char *name) {
    struct str path;
    str_init(&path, 8192);
    str_addf(&path, "%s/%s", service.folder, name);
    return str_take(&path);
}

static int start(void **state) {
    (void)state;
    folder = proc_folder_new();
    if (!listener_start(&listener, folder, (const char *const[]){NULL}))
        return -1;
    const char *const serve[] = {"--deliver-ca", listener.ca, "--retry-base", "5", NULL};
    if (!console_serve(&service, serve, ""))
        return -1;
    secret_file = in_folder("secret");
    new_file = in_folder("new-secret");
    return proc_write_file(secret_file, secret) && chmod(secret_file, S_IRUSR | S_IWUSR) == 0 ? 0 : -1;
}

static int stop(void **state) {
    (void)state;
    (void)listener_stop(&listener);
    proc_folder_remove(folder);
    free(secret_file);
    free(new_file);
    return service_stop(&service);
}

/* Runs and checks status and a part of what was printed (out or err). */
static void run(const char *const args[], int status, const char *part) {
    struct proc proc = {0};
    int got = console_run(&service, args, &proc);
    if (got != status || (!strstr(proc.out.s, part) && !strstr(proc.err.s, part)))
        fail_msg("status %d, not %d with \"%s\":\n%s\n%s", got, status, part, proc.out.s, proc.err.s);
    assert_null(strstr(proc.out.s, "SENTINEL"));
    assert_null(strstr(proc.err.s, "SENTINEL"));
    (void)proc_end(&proc);
}

#define RUN(status, part, ...) run((const char *const[]){"webhook", __VA_ARGS__, NULL}, status, part)

static int posts(void) {
    return service_journal_count(&service, "\"path\":\"/webhook/register\"", "");
}

static void signing_is_chosen_or_nothing_is_sent(void **state) {
    (void)state;
    int before = posts();
    RUN(2, "nothing was sent", "register", "--url", listener.url, "--yes");
    RUN(2, "nothing was sent", "register", "--url", listener.url, "--unsigned", "--generate-secret", "--yes");
    RUN(2, "nothing was sent", "register", "--url", listener.url, "--unsigned");
    RUN(2, "nothing was sent", "register", "--unsigned", "--yes");
    RUN(2, "nothing was sent", "register", "--url", listener.url, "--unsigned", "--secret-out", new_file, "--yes");
    RUN(2, "read-only", "register", "--url", listener.url, "--unsigned", "--yes", "--read-only");
    assert_int_equal(posts(), before);
}

static void refused_urls_cause_no_connection(void **state) {
    (void)state;
    static const char *const urls[] = {"http://hook.example.com/",    "https://u:p@hook.example.com/",
                                       "https://hook.example.com/#x", "https://hook.example.com/ ",
                                       "wss://https://http://a:b@c",  "nonsense"};
    int before = posts();
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++)
        RUN(2, "nothing was sent", "register", "--url", urls[i], "--unsigned", "--yes");
    assert_int_equal(posts(), before);
}

static void event(void) {
    struct http_reply reply;
    assert_true(service_control(&service, "POST", "/control/events", NULL, &reply));
    assert_int_equal(reply.status, 202);
    http_reply_clear(&reply);
}

static void each_choice_shows_in_the_next_event(void **state) {
    (void)state;
    RUN(0, "\"effect\":\"registered\"", "register", "--url", listener.url, "--secret-file", secret_file, "--yes",
        "--format", "json");
    event();
    assert_true(listener_wait(&listener, 1, "\"signed\":true", ""));
    RUN(0, "switches signing OFF", "register", "--url", listener.url, "--unsigned", "--yes");
    event();
    assert_true(listener_wait(&listener, 1, "\"signed\":false", ""));
    RUN(0, "\"effect\":\"replaced\"", "register", "--url", listener.url, "--generate-secret", "--secret-out", new_file,
        "--yes", "--format", "json");
    struct stat info;
    assert_int_equal(stat(new_file, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(info.st_size, 50);
    event();
    assert_true(listener_wait(&listener, 2, "\"signed\":true", ""));
    /* A file that is there is never overwritten, and nothing is sent then. */
    int before = posts();
    RUN(1, "nothing was sent", "register", "--url", listener.url, "--generate-secret", "--secret-out", new_file,
        "--yes");
    assert_int_equal(posts(), before);
}

static void the_record_is_shown_without_a_request(void **state) {
    (void)state;
    int before = service_journal_count(&service, "", "");
    RUN(0, "this console's record", "show");
    RUN(0, listener.url, "show", "--format", "json");
    assert_int_equal(service_journal_count(&service, "", ""), before);
}

/* It takes effect, and its answer is lost. */
static void register_unanswered(const char *url) {
    service_rule(&service, "path=/webhook/register nth=1 drop_after_read=1 apply=1");
    RUN(6, "safe", "register", "--url", url, "--unsigned", "--yes");
    service_rule(&service, NULL);
}

static void a_lost_answer_is_unknown_and_said_safe_to_repeat(void **state) {
    (void)state;
    register_unanswered(listener.url);
    RUN(0, "no known outcome", "show");
}

/* As in the pane: it may be the one in force. */
static void a_check_takes_the_url_sent_last_and_says_which(void **state) {
    (void)state;
    struct str url, said;
    str_init(&url, 8192);
    str_init(&said, 8192);
    str_addf(&url, "%s-other", listener.url);
    RUN(0, "Journal record", "register", "--url", listener.url, "--unsigned", "--yes");
    str_addf(&said, "bursar: checking %s (record ", listener.url);
    RUN(0, said.s, "check", "--ca-file", listener.ca);
    RUN(0, ", registered ", "check", "--ca-file", listener.ca);
    register_unanswered(url.s);
    str_reset(&said);
    str_addf(&said, "bursar: checking %s (record ", url.s);
    RUN(0, said.s, "check", "--ca-file", listener.ca);
    RUN(0, ", outcome unknown)", "check", "--ca-file", listener.ca);
    str_clear(&url);
    str_clear(&said);
}

static void an_interrupted_registration_names_its_record(void **state) {
    (void)state;
    struct proc proc = {0};
    int before = posts();
    service_rule(&service, "path=/webhook/register hang=1");
    char *program = proc_program("bursar");
    const char *const argv[] = {program,      "webhook", "register", "--url", listener.url,
                                "--unsigned", "--yes",   "--format", "json",  NULL};
    assert_true(proc_start(&proc, argv, console_env(&service)));
    for (int64_t end = clock_mono() + PROC_DEADLINE; posts() == before && clock_mono() < end;)
        (void)proc_expect(&proc, "never printed", 10);
    assert_int_equal(posts(), before + 1);
    assert_int_equal(kill(proc.pid, SIGINT), 0);
    assert_true(proc_wait(&proc, PROC_DEADLINE));
    assert_int_equal(proc.status, 6);
    assert_non_null(strstr(proc.out.s, "{\"outcome\":\"unknown\","));
    const char *number = strstr(proc.out.s, "\"journal\":");
    const char *said = strstr(proc.err.s, "is safe (record ");
    assert_non_null(number);
    assert_non_null(said);
    assert_int_equal(strtol(number + strlen("\"journal\":"), NULL, 10),
                     strtol(said + strlen("is safe (record "), NULL, 10));
    (void)proc_end(&proc);
    service_rule(&service, NULL);
    free(program);
}

static void a_secret_said_back_is_not_repeated(void **state) {
    (void)state;
    struct str rule;
    char *bait = in_folder("bait");
    char place[4096];
    assert_true(proc_write_file(bait, "{\"error\":{\"code\":\"bad\",\"message\":\"not good: "
                                      "SENTINEL-0123456789-abcdefghijklmnopqrstuvwxyz!\"}}"));
    str_init(&rule, 8192);
    str_addf(&rule, "path=/webhook/register nth=1 status=422 body_file=%s", bait);
    service_rule(&service, rule.s);
    RUN(4, "not good: [...]!", "register", "--url", listener.url, "--secret-file", secret_file, "--yes");
    service_rule(&service, NULL);
    (void)snprintf(place, sizeof place, "%s/state", service.folder);
    struct proc proc = {0};
    const char *argv[] = {"/bin/grep", "-ral", "SENTINEL", place, NULL};
    (void)proc_run(&proc, argv, NULL, PROC_DEADLINE);
    assert_string_equal(proc.out.s, "");
    (void)proc_end(&proc);
    str_clear(&rule);
    free(bait);
}

static void the_doctor_passes_the_listener_and_fails_a_dead_port(void **state) {
    (void)state;
    RUN(0, "overall: ", "check", listener.url, "--ca-file", listener.ca);
    RUN(9, "\"overall\":\"fail\"", "check", listener.url, "--format", "json"); /* the system does not trust it */
    RUN(9, "refused", "check", "https://localhost:1/", "--ca-file", listener.ca);
    RUN(9, "FAIL", "check", "http://localhost/");
}

static void a_check_needs_no_profile_and_leaves_nothing(void **state) {
    (void)state;
    char *home = in_folder("bare-home"), *program = proc_program("bursar");
    struct str config;
    struct proc proc = {0};
    str_init(&config, 8192);
    str_addf(&config, "XDG_CONFIG_HOME=%s", home);
    const char *const env[] = {
        config.s, "XDG_STATE_HOME=/nonexistent", "XDG_CACHE_HOME=/nonexistent", "BURSAR_CONFIG", "BURSAR_PROFILE",
        NULL};
    const char *const check[] = {program,     "webhook",   "check",         listener.url,
                                 "--ca-file", listener.ca, "--allow-local", NULL};
    const char *const nothing[] = {program, "webhook", "check", NULL};
    int status = proc_run(&proc, check, env, PROC_DEADLINE);
    if (status != 0 || !strstr(proc.out.s, "overall: "))
        fail_msg("status %d\n%s\n%s", status, proc.out.s, proc.err.s);
    (void)proc_end(&proc);
    assert_int_not_equal(proc_run(&proc, nothing, env, PROC_DEADLINE), 0);
    assert_non_null(strstr(proc.err.s, "config init"));
    (void)proc_end(&proc);
    assert_int_equal(access(home, F_OK), -1);
    str_clear(&config);
    free(home);
    free(program);
}

static void verify_names_the_scheme_or_the_slip(void **state) {
    (void)state;
    /* printf '{"a":1}' | openssl dgst -sha256 -hmac KEY, KEY as below */
    char *body = in_folder("body"), *key = in_folder("key");
    static const char header[] =
        "X-Webhook-Signature: f0546246da9e2349100c845a8561214788d75d900f3c086a72fcfa03bb1f42ab";
    assert_true(proc_write_file(body, "{\"a\":1}"));
    assert_true(proc_write_file(key, "0123456789abcdef0123456789abcdef"));
    assert_true(chmod(key, S_IRUSR | S_IWUSR) == 0);
    RUN(0, "verified: hmac-hex", "verify", "--body", body, "--header", header, "--secret-file", key);
    assert_true(proc_write_file(key, "0123456789abcdef0123456789abcdef\n"));
    RUN(9, "line end", "verify", "--body", body, "--header", header, "--secret-file", key);
    assert_true(proc_write_file(key, "0123456789abcdef0123456789abcdef"));
    assert_true(proc_write_file(body, "{ \"a\": 1 }"));
    RUN(9, "written anew", "verify", "--body", body, "--header", header, "--secret-file", key);
    RUN(9, "header X-Sig: this header's form is not one of the known ones", "verify", "--body", body, "--header",
        "X-Sig: sha1=0644de49523cf2c6c385a72deab74a857df1aa5a", "--secret-file", key); /* F73 */
    RUN(9, "no header holds", "verify", "--body", body, "--header", "X: y", "--secret-file", key);
    RUN(2, "needs --body", "verify", "--body", body);
    free(body);
    free(key);
}

/* However much longer it is, the rule's own number is said, and nothing is sent. */
static void f103_a_secret_too_long_is_refused_by_the_rules_own_number(void **state) {
    (void)state;
    static const size_t LENGTHS[] = {4097, 4112, 4113, 20000};
    char *file = in_folder("long"), *body = in_folder("long-body");
    int before = posts();
    assert_true(proc_write_file(body, "{}"));
    for (size_t i = 0; i < sizeof LENGTHS / sizeof *LENGTHS; i++) {
        struct str text;
        str_init(&text, LENGTHS[i] + 1);
        for (size_t at = 0; at < LENGTHS[i]; at++)
            str_add_char(&text, (char)('a' + at % 26));
        assert_true(proc_write_file(file, text.s));
        assert_int_equal(chmod(file, S_IRUSR | S_IWUSR), 0);
        RUN(2, "nothing was sent: the secret cannot be used: a secret has at most 4096 characters", "register", "--url",
            listener.url, "--secret-file", file, "--yes");
        str_clear(&text);
    }
    RUN(2, "at most 4096 characters", "verify", "--body", body, "--header", "X: y", "--secret-file", file);
    assert_int_equal(posts(), before);
    free(file);
    free(body);
}

static void accepted_urls_arrive_byte_for_byte(void **state) {
    (void)state;
    static const char *const urls[] = {
        "https://hook.example.com/a//b/../c/./d",
        "https://HOOK.Example.COM/In",
        "https://hook.example.com/%2F%41?x=%20&y=",
        "https://hook.example.com",
        "https://hook.example.com/in/",
        "https://hook.example.com:8443/in;v=1,2(a)'b*!$&",
    };
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct http_reply reply;
        struct str wanted;
        RUN(0, "Replaced", "register", "--url", urls[i], "--unsigned", "--yes");
        assert_true(service_control(&service, "GET", "/control/registration", NULL, &reply));
        str_init(&wanted, 1000);
        str_addf(&wanted, "\"url\":\"%s\"", urls[i]);
        assert_non_null(strstr(reply.body.s, wanted.s));
        str_clear(&wanted);
        http_reply_clear(&reply);
    }
}

static void two_consoles_at_once_are_both_recorded(void **state) {
    (void)state;
    static const char *const urls[] = {"https://one.example.com/", "https://two.example.com/"};
    char *program = proc_program("bursar");
    struct proc procs[2] = {0};
    for (size_t i = 0; i < 2; i++) {
        const char *const argv[] = {program,      "webhook", "register", "--url", urls[i],
                                    "--unsigned", "--yes",   "--format", "json",  NULL};
        assert_true(proc_start(&procs[i], argv, console_env(&service)));
    }
    char record[2][64];
    for (size_t i = 0; i < 2; i++) {
        assert_true(proc_wait(&procs[i], PROC_DEADLINE));
        assert_int_equal(procs[i].status, 0);
        assert_non_null(strstr(procs[i].out.s, urls[i]));
        assert_non_null(strstr(procs[i].out.s, "\"effect\":\"replaced\""));
        const char *number = strstr(procs[i].out.s, "\"journal\":");
        assert_non_null(number);
        (void)snprintf(record[i], sizeof record[i], "%s", number);
        (void)proc_end(&procs[i]);
    }
    assert_string_not_equal(record[0], record[1]);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signing_is_chosen_or_nothing_is_sent),
        cmocka_unit_test(refused_urls_cause_no_connection),
        cmocka_unit_test(each_choice_shows_in_the_next_event),
        cmocka_unit_test(the_record_is_shown_without_a_request),
        cmocka_unit_test(a_lost_answer_is_unknown_and_said_safe_to_repeat),
        cmocka_unit_test(an_interrupted_registration_names_its_record),
        cmocka_unit_test(a_secret_said_back_is_not_repeated),
        cmocka_unit_test(the_doctor_passes_the_listener_and_fails_a_dead_port),
        cmocka_unit_test(a_check_takes_the_url_sent_last_and_says_which),
        cmocka_unit_test(a_check_needs_no_profile_and_leaves_nothing),
        cmocka_unit_test(f103_a_secret_too_long_is_refused_by_the_rules_own_number),
        cmocka_unit_test(accepted_urls_arrive_byte_for_byte),
        cmocka_unit_test(two_consoles_at_once_are_both_recorded),
        cmocka_unit_test(verify_names_the_scheme_or_the_slip),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
