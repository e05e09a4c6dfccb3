/* Other programs: what they are given, and that none of them holds us up. */
#include "base/clock.h"
#include "base/command.h"
#include "base/mem.h"
#include "support/proc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATIENCE_MS = 30000 };

static char folder[] = "/tmp/bursar-command-XXXXXX";
static char file[64];

static int make_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    (void)snprintf(file, sizeof file, "%s/got", folder);
    return 0;
}

static int drop_folder(void **state) {
    (void)state;
    (void)unlink(file);
    return rmdir(folder);
}

static enum err feed(const char *script, const char *text, int timeout_ms, struct error *error) {
    char *argv[] = {"sh", "-c", (char *)script, "sh", file, NULL};
    (void)unlink(file);
    return command_feed(argv, text, strlen(text), timeout_ms, error);
}

static void every_byte_arrives(void **state) {
    enum { BIG = 1 << 20 };
    char *text = mem_new(BIG + 1);
    (void)state;
    memset(text, 'x', BIG);
    assert_int_equal(feed("cat > \"$1\"", text, PATIENCE_MS, NULL), ERR_OK);
    char *got = proc_read_file(file);
    assert_string_equal(got, text);
    free(got);
    free(text);
}

/* One that takes nothing neither blocks us nor raises SIGPIPE. */
static void a_program_that_reads_nothing_is_fine(void **state) {
    (void)state;
    assert_int_equal(feed("exit 0", "text", PATIENCE_MS, NULL), ERR_OK);
}

static void a_failure_is_named(void **state) {
    struct error error = {0};
    (void)state;
    assert_int_equal(feed("exit 3", "text", PATIENCE_MS, &error), ERR_CONFIG);
    assert_string_equal(error.text, "command sh ended with status 3");
    error_clear(&error);
    char *argv[] = {"/nowhere/at/all", NULL};
    assert_int_equal(command_feed(argv, "", 0, PATIENCE_MS, &error), ERR_CONFIG);
    assert_non_null(strstr(error.text, "cannot be run"));
}

static void a_program_that_hangs_is_ended(void **state) {
    int64_t start = clock_mono();
    struct error error = {0};
    (void)state;
    assert_int_equal(feed("exec sleep 60", "text", 50, &error), ERR_CONFIG);
    assert_non_null(strstr(error.text, "did not end within"));
    assert_true(clock_mono() - start < PATIENCE_MS);
}

/* A part of it that stays behind, as clipboard programs do, is not waited for. */
static void what_stays_behind_is_not_waited_for(void **state) {
    int64_t start = clock_mono();
    (void)state;
    assert_int_equal(feed("sleep 40 & exit 0", "text", PATIENCE_MS, NULL), ERR_OK);
    assert_true(clock_mono() - start < PATIENCE_MS);
}

static void a_token_in_the_environment_is_not_passed_on(void **state) {
    (void)state;
    assert_int_equal(setenv("BURSAR_TEST_TOKEN", "tok-secret", 1), 0);
    assert_int_equal(feed("env > \"$1\"", "", PATIENCE_MS, NULL), ERR_OK);
    char *got = proc_read_file(file);
    assert_non_null(strstr(got, "PATH="));
    assert_null(strstr(got, "tok-secret"));
    free(got);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_arrives),
        cmocka_unit_test(a_program_that_reads_nothing_is_fine),
        cmocka_unit_test(a_failure_is_named),
        cmocka_unit_test(a_program_that_hangs_is_ended),
        cmocka_unit_test(what_stays_behind_is_not_waited_for),
        cmocka_unit_test(a_token_in_the_environment_is_not_passed_on),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
