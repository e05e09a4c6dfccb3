#include "base/error.h"
#include "base/secret.h"
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void the_first_error_is_kept(void **state) {
    (void)state;
    struct error error = {0};
    assert_int_equal(error_set(&error, ERR_FILE, "first %d", 1), ERR_FILE);
    assert_int_equal(error_set(&error, ERR_TLS, "second"), ERR_TLS);
    assert_int_equal(error.code, ERR_FILE);
    assert_string_equal(error.text, "first 1");
    error_clear(&error);
    assert_int_equal(error.code, ERR_OK);
    assert_string_equal(error.text, "");
}

static void without_a_record_only_the_code_is_given(void **state) {
    (void)state;
    assert_int_equal(error_set(NULL, ERR_SERVER, "text"), ERR_SERVER);
    error_prefix(NULL, "nothing");
    error_clear(NULL);
}

static void a_text_is_one_clean_line(void **state) {
    (void)state;
    struct error error = {0};
    assert_int_equal(error_set(&error, ERR_SERVER, "a\nb\x1b[2J %s", "%s%n"), ERR_SERVER);
    assert_string_equal(error.text, "a<0A>b<1B>[2J %s%n");
}

static void a_long_text_is_cut_between_characters(void **state) {
    (void)state;
    char text[3 * ERROR_TEXT_MAX + 1];
    for (size_t shift = 0; shift < 3; shift++) {
        struct error error = {0};
        memset(text, 'x', shift);
        for (size_t i = shift; i + 3 < sizeof text; i += 3)
            memcpy(text + i, "\xE4\xB8\x96", 4);
        assert_int_equal(error_set(&error, ERR_SERVER, "%s", text), ERR_SERVER);
        assert_true(strlen(error.text) >= ERROR_TEXT_MAX - 4);
        assert_true(utf8_is_clean(error.text, strlen(error.text)));
    }
}

static void no_text_holds_a_live_secret(void **state) {
    (void)state;
    const char *token = "tok_0123456789abcdef";
    struct secret *secret = secret_new(token, strlen(token));
    struct error error = {0};
    assert_int_equal(error_set(&error, ERR_SERVER, "echo %s end", token), ERR_SERVER);
    assert_string_equal(error.text, "echo [redacted] end");
    error_prefix(&error, token);
    assert_string_equal(error.text, "[redacted]: echo [redacted] end");
    secret_free(secret);
}

/* Redaction shortens the text, so what stood beyond the limit comes into view. */
static void a_secret_cut_by_the_limit_is_redacted_too(void **state) {
    (void)state;
    enum { TOKEN = 4000, TIMES = 17 };
    char *token = calloc(1, TOKEN + 1), *echo = calloc(TIMES, TOKEN + 1);
    assert_non_null(token);
    assert_non_null(echo);
    memset(token, 'k', TOKEN);
    struct secret *secret = secret_new(token, TOKEN);
    memset(echo, 'k', (size_t)TIMES * TOKEN);
    struct error error = {0};
    assert_int_equal(error_set(&error, ERR_SERVER, "%s", echo), ERR_SERVER);
    assert_null(strstr(error.text, "kkkk"));
    free(token);
    free(echo);
    secret_free(secret);
}

static void a_prefix_gives_the_context(void **state) {
    (void)state;
    struct error error = {0};
    error_prefix(&error, "nothing kept");
    assert_string_equal(error.text, "");
    assert_int_equal(error_set(&error, ERR_CONFIG, "line 3"), ERR_CONFIG);
    error_prefix(&error, "config");
    assert_string_equal(error.text, "config: line 3");
}

static void every_code_has_name_sentence_and_exit_status(void **state) {
    (void)state;
    for (int code = 0; code < ERR_COUNT; code++) {
        assert_true(strlen(err_name((enum err)code)) > 1);
        assert_true(strlen(err_sentence((enum err)code)) > 3);
        assert_in_range(err_exit((enum err)code), code == ERR_OK ? 0 : 1, code == ERR_OK ? 0 : 9);
        for (int other = 0; other < code; other++)
            assert_string_not_equal(err_name((enum err)code), err_name((enum err)other));
    }
    assert_int_equal(err_exit(ERR_UNKNOWN), 6);
    assert_int_equal(err_exit((enum err)9999), err_exit(ERR_SYSTEM));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_error_is_kept),     cmocka_unit_test(without_a_record_only_the_code_is_given),
        cmocka_unit_test(a_text_is_one_clean_line),    cmocka_unit_test(a_long_text_is_cut_between_characters),
        cmocka_unit_test(no_text_holds_a_live_secret), cmocka_unit_test(a_secret_cut_by_the_limit_is_redacted_too),
        cmocka_unit_test(a_prefix_gives_the_context),  cmocka_unit_test(every_code_has_name_sentence_and_exit_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
