#include "base/mem.h"
#include "base/secret.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void assert_redacted(const char *text, const char *expected) {
    struct str str;
    str_init(&str, 4096);
    str_add(&str, text);
    secret_redact(&str);
    assert_string_equal(str.s, expected);
    assert_int_equal(str.len, strlen(expected));
    str_clear(&str);
}

static void every_live_secret_is_redacted(void **state) {
    (void)state;
    struct secret *token = secret_new("tok_12345678", 12), *other = secret_new("whsec_abcdefgh", 14);
    assert_string_equal(secret_text(token), "tok_12345678");
    assert_int_equal(secret_len(token), 12);
    assert_redacted("a tok_12345678 b tok_12345678", "a [redacted] b [redacted]");
    assert_redacted("tok_12345678whsec_abcdefgh", "[redacted][redacted]");
    assert_redacted("tok_123", "tok_123");
    assert_redacted("tok_1234567, or not", "tok_1234567, or not");
    assert_redacted("", "");
    secret_free(token);
    assert_redacted("tok_12345678 whsec_abcdefgh", "tok_12345678 [redacted]");
    secret_free(other);
    assert_redacted("whsec_abcdefgh", "whsec_abcdefgh");
    secret_free(NULL);
}

/* The quick look at a row, and the redactor behind it: what it passes over, the redactor would leave as well. */
static void bar5_a_row_is_freed_of_a_secret_in_every_written_form(void **state) {
    (void)state;
    static const char *const FORMS[] = {"tok_Ab+/3456789012",
                                        "TOK_AB+/3456789012",
                                        "tok\\u005fAb\\u002b\\/3456789012",
                                        "tok_Ab%2B%2f3456789012",
                                        "tok_Ab&#43;&#x2F;3456789012",
                                        "dG9rX0FiKy8zNDU2Nzg5MDEy",
                                        "eHRva19BYisvMzQ1Njc4OTAxMg==",
                                        "eHh0b2tfQWIrLzM0NTY3ODkwMTI=",
                                        "eHh0b2tfQWIrLzM0NTY3ODkwMTI",
                                        "746f6b5f41622b2f33343536373839303132",
                                        "tok_\xE2\x80\x8C"
                                        "Ab+/3456789012",
                                        "tok_Ab+/345678\xE2\x80\xA6"};
    struct secret *token = secret_new("tok_Ab+/3456789012", 18), *brief = secret_new("whsec_abc", 9);
    struct str row, out;
    str_init(&row, 4096);
    str_init(&out, 4096);
    for (size_t i = 0; i < COUNT_OF(FORMS); i++) {
        str_reset(&row);
        str_addf(&row, "{\"id\":\"pi_1\",\"name\":\"%s\"}", FORMS[i]);
        if (!secret_redact_row(row.s, row.len, &out) || !strstr(out.s, "[redacted]") || strstr(out.s, "3456789"))
            fail_msg("%s: %s", row.s, out.s);
    }
    static const char PLAIN[] = "{\"id\":\"tok_1\",\"name\":\"whsec_abc tok_Ab\"}";
    assert_false(secret_redact_row(PLAIN, strlen(PLAIN), &out));
    str_clear(&row);
    str_clear(&out);
    secret_free(token);
    secret_free(brief);
}

/* A service echoes what it was sent in its own way (variation C9); the sanitiser would hide the invisible one. */
static void c9_a_secret_is_redacted_in_every_written_form(void **state) {
    (void)state;
    struct secret *token = secret_new("tok_Ab+/3456", 12);
    assert_redacted("{tok_Ab+/3456}", "{[redacted]}");
    assert_redacted("{tok\\u005fAb\\u002b\\/3456}", "{[redacted]}");
    assert_redacted("{tok_Ab%2B%2f3456}", "{[redacted]}");
    assert_redacted("{dG9rX0FiKy8zNDU2}", "{[redacted]}");
    assert_redacted("{tok_Ab&#43;&#x2F;3456}", "{[redacted]}");
    assert_redacted("{TOK_AB+/3456}", "{[redacted]}");
    assert_redacted("{tok\xE2\x80\x8C_Ab+/34\xE2\x80\x8B"
                    "56}",
                    "{[redacted]}");
    assert_redacted("token tok_Ab+/3\xE2\x80\xA6", "token [redacted]\xE2\x80\xA6");
    assert_redacted("token tok_Ab+/3", "token [redacted]");
    secret_free(token);
}

/* Otherwise a secret like "a" would leave nothing of any text. */
static void short_secrets_are_left(void **state) {
    (void)state;
    struct secret *seven = secret_new("1234567", 7), *none = secret_new("", 0);
    assert_redacted("1234567", "1234567");
    secret_free(seven);
    secret_free(none);
}

static void a_text_without_room_ends_without_the_secret(void **state) {
    (void)state;
    struct secret *secret = secret_new("abcdefghij", 10);
    struct str str;
    str_init(&str, 12);
    str_add(&str, "xx abcdefghij");
    assert_true(str.truncated);
    secret_redact(&str);
    assert_string_equal(str.s, "xx [redacted");
    str_clear(&str);
    str_init(&str, 8);
    str_add(&str, "abcdefghij");
    secret_redact(&str);
    assert_string_equal(str.s, "[redacte");
    str_clear(&str);
    secret_free(secret);
}

static void *redact_often(void *argument) {
    (void)argument;
    for (int i = 0; i < 500; i++) {
        struct str str;
        str_init(&str, 64);
        str_add(&str, "x stable-secret y");
        secret_redact(&str);
        bool right = strcmp(str.s, "x [redacted] y") == 0;
        str_clear(&str);
        if (!right)
            return "secret seen";
    }
    return NULL;
}

static void any_thread_may_redact_while_secrets_come_and_go(void **state) {
    (void)state;
    pthread_t threads[3];
    struct secret *stable = secret_new("stable-secret", 13);
    for (size_t i = 0; i < COUNT_OF(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, redact_often, NULL), 0);
    for (int i = 0; i < 200; i++)
        secret_free(secret_new("passing-secret", 14));
    for (size_t i = 0; i < COUNT_OF(threads); i++) {
        void *fault;
        assert_int_equal(pthread_join(threads[i], &fault), 0);
        assert_null(fault);
    }
    secret_free(stable);
}

static void random_text_is_hex_and_never_twice_the_same(void **state) {
    (void)state;
    struct str one, two;
    str_init(&one, 1024);
    str_init(&two, 1024);
    secret_random_hex(&one, 100);
    secret_random_hex(&two, 100);
    assert_int_equal(one.len, 200);
    assert_int_equal(strspn(one.s, "0123456789abcdef"), 200);
    assert_string_not_equal(one.s, two.s);
    str_clear(&one);
    str_clear(&two);
}

static void wiping_leaves_zeros(void **state) {
    (void)state;
    char bytes[16] = "secret", zeros[16] = {0};
    secret_wipe(bytes, sizeof bytes);
    assert_memory_equal(bytes, zeros, sizeof bytes);
}

static void fingerprints_tell_secrets_and_machines_apart(void **state) {
    (void)state;
    struct machine_key key = {{1}}, other_key = {{2}};
    struct secret *a = secret_new("secret-a", 8), *same = secret_new("secret-a", 8), *b = secret_new("secret-b", 8);
    struct str prints[4];
    const struct secret *secrets[] = {a, same, b, a};
    for (size_t i = 0; i < 4; i++) {
        str_init(&prints[i], 64);
        secret_fingerprint(secrets[i], i == 3 ? &other_key : &key, &prints[i]);
        assert_int_equal(prints[i].len, 12);
    }
    assert_string_equal(prints[0].s, prints[1].s);
    assert_string_not_equal(prints[0].s, prints[2].s);
    assert_string_not_equal(prints[0].s, prints[3].s);
    for (size_t i = 0; i < 4; i++)
        str_clear(&prints[i]);
    secret_free(a);
    secret_free(same);
    secret_free(b);
}

/* case K28; in a child, since it cannot be undone. */
static void after_the_start_no_core_is_left(void **state) {
    (void)state;
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit limit;
        bool right = secret_init(NULL) == ERR_OK && getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur == 0 &&
                     limit.rlim_max == 0 && prctl(PR_GET_DUMPABLE) == 0;
        struct secret *secret = secret_new("held while it ends", 18);
        if (!right || !secret)
            _exit(1);
        signal(SIGABRT, SIG_DFL);
        abort();
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_false(WCOREDUMP(status));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bar5_a_row_is_freed_of_a_secret_in_every_written_form),
        cmocka_unit_test(every_live_secret_is_redacted),
        cmocka_unit_test(c9_a_secret_is_redacted_in_every_written_form),
        cmocka_unit_test(short_secrets_are_left),
        cmocka_unit_test(a_text_without_room_ends_without_the_secret),
        cmocka_unit_test(any_thread_may_redact_while_secrets_come_and_go),
        cmocka_unit_test(random_text_is_hex_and_never_twice_the_same),
        cmocka_unit_test(wiping_leaves_zeros),
        cmocka_unit_test(fingerprints_tell_secrets_and_machines_apart),
        cmocka_unit_test(after_the_start_no_core_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
