#include "config/profile.h"

#include "base/command.h"
#include "config/keys.h"

#include "base/clock.h"

#include "support/proc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct fixture {
    struct profile *profile;
    struct secret *secret;
    struct error error;
    char *folder;
};

static int set_up(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    f->profile = profile_new("live", "sandbox", "http://127.0.0.1:1");
    f->folder = proc_folder_new();
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    profile_free(f->profile);
    secret_free(f->secret);
    proc_folder_remove(f->folder);
    free(f);
    return 0;
}

static void use_command(struct fixture *f, const char *program, const char *script) {
    const struct key *key = key_find(SECTION_PROFILE, "token_command");
    const char *const words[] = {program, "-c", script};
    struct str reason;
    str_init(&reason, 256);
    for (size_t i = 0; i < 3; i++)
        assert_true(key_set(key, f->profile, words[i], &reason));
    str_clear(&reason);
}

static char *write_token(struct fixture *f, const char *text, mode_t mode) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/token", f->folder);
    assert_true(proc_write_file(path, text));
    assert_int_equal(chmod(path, mode), 0);
    free(f->profile->token_file);
    f->profile->token_file = strdup(path);
    return f->profile->token_file;
}

static void given(struct fixture *f, const char *token) {
    if (config_token(f->profile, &f->secret, &f->error) != ERR_OK)
        fail_msg("%s", f->error.text);
    assert_string_equal(secret_text(f->secret), token);
}

static void refused(struct fixture *f, const char *text) {
    assert_int_equal(config_token(f->profile, &f->secret, &f->error), ERR_CONFIG);
    assert_null(f->secret);
    if (!strstr(f->error.text, text))
        fail_msg("\"%s\" is not in \"%s\"", text, f->error.text);
    assert_null(strstr(f->error.text, "tok-1234"));
}

static void a_command_gives_the_token_without_its_newline(void **state) {
    use_command(*state, "sh", "echo tok-1234567");
    given(*state, "tok-1234567");
}

static void a_command_is_found_by_path_and_sees_no_other_variable(void **state) {
    setenv("OTHER_TOKEN", "sentinel", 1);
    use_command(*state, "sh", "echo tok$OTHER_TOKEN${HOME:+home}");
    given(*state, "tokhome");
    unsetenv("OTHER_TOKEN");
}

static void a_command_inherits_no_descriptor(void **state) {
    int leaked = fcntl(2, F_DUPFD, 50);
    assert_int_equal(leaked, 50);
    use_command(*state, "sh", "if [ -e /proc/$$/fd/50 ]; then echo open; else echo closed; fi");
    given(*state, "closed");
    close(leaked);
}

static void arguments_go_through_no_shell(void **state) {
    struct fixture *f = *state;
    use_command(f, "echo", "$(touch${IFS}pwned)`id`");
    refused(f, "holds a blank"); /* echo prints its "-c" and the words as they are */
}

static void a_failing_command_is_named_with_its_status(void **state) {
    use_command(*state, "sh", "echo tok-1234567; exit 3");
    refused(*state, "command sh ended with status 3");
}

static void a_missing_program_is_named(void **state) {
    use_command(*state, "no-such-program-here", "");
    refused(*state, "command no-such-program-here cannot be run");
}

static void a_killed_command_is_named(void **state) {
    use_command(*state, "sh", "kill -9 $$");
    refused(*state, "command sh was ended by signal 9");
}

static void a_chatty_command_is_stopped_at_the_cap(void **state) {
    use_command(*state, "sh", "yes tok-1234");
    refused(*state, "printed more than 65536 bytes");
}

/* One that would go on without printing is not waited for. */
static void a_command_that_printed_too_much_is_ended(void **state) {
    int64_t start = clock_mono();
    use_command(*state, "sh", "head -c 70000 /dev/zero | tr '\\0' x; exec sleep 50");
    refused(*state, "printed more than 65536 bytes");
    assert_true(clock_mono() - start < 30000);
}

static void a_slow_command_is_ended(void **state) {
    (void)state;
    static struct command_output output;
    struct error error = {0};
    char *argv[] = {"sleep", "30", NULL};
    assert_int_equal(command_run(argv, 50, &output, &error), ERR_CONFIG);
    assert_string_equal(error.text, "command sleep did not end within 1 s");
    char *closed[] = {"sh", "-c", "exec >&-; exec sleep 30", NULL};
    error_clear(&error);
    assert_int_equal(command_run(closed, 50, &output, &error), ERR_CONFIG);
    assert_string_equal(error.text, "command sh did not end within 1 s");
}

static void two_lines_are_refused(void **state) {
    use_command(*state, "sh", "echo tok-1234; echo login: x");
    refused(*state, "the token of profile live from command sh is more than one line");
}

static void blanks_controls_and_nothing_are_refused(void **state) {
    static const char *const texts[] = {"\n", "tok-1234 5\n", "tok-1234\t5", "tok-1234\x1b[2J", "tok-1234\xc3\xa4"};
    static const char *const reasons[] = {"is empty", "holds a blank", "holds a blank", "a control character",
                                          "outside ASCII"};
    struct fixture *f = *state;
    for (size_t i = 0; i < 5; i++) {
        error_clear(&f->error);
        write_token(f, texts[i], 0600);
        refused(f, reasons[i]);
    }
}

static void a_private_file_gives_the_token(void **state) {
    write_token(*state, "tok-1234567\r\n", 0600);
    given(*state, "tok-1234567");
}

static void a_file_open_to_others_is_refused(void **state) {
    struct fixture *f = *state;
    refused((write_token(f, "tok-1234567\n", 0640), f), "is open to other users");
}

static void a_missing_file_is_named(void **state) {
    struct fixture *f = *state;
    char *path = write_token(f, "x", 0600);
    assert_int_equal(unlink(path), 0);
    refused(f, path);
}

static bool environ_memory_holds(const char *text) {
    FILE *file = fopen("/proc/self/environ", "r");
    static char bytes[1 << 20];
    assert_non_null(file);
    size_t n = fread(bytes, 1, sizeof bytes, file);
    assert_int_equal(fclose(file), 0);
    return memmem(bytes, n, text, strlen(text)) != NULL;
}

/* P1: the value is wiped where it stands. main starts this program again with the variable in its first environment,
 * which is what /proc shows. */
static void a_variable_is_overwritten_and_removed(void **state) {
    struct fixture *f = *state;
    assert_true(environ_memory_holds("tok-sentinel-1"));
    free(f->profile->token_env);
    f->profile->token_env = strdup("CONFIG_TEST_TOKEN");
    given(f, "tok-sentinel-1");
    assert_null(getenv("CONFIG_TEST_TOKEN"));
    assert_false(environ_memory_holds("tok-sentinel-1"));
}

static void a_missing_variable_is_named(void **state) {
    struct fixture *f = *state;
    free(f->profile->token_env);
    f->profile->token_env = strdup("CONFIG_TEST_NONE");
    refused(f, "variable CONFIG_TEST_NONE is not set");
}

static void without_a_source_there_is_no_token(void **state) {
    struct fixture *f = *state;
    struct str source;
    str_init(&source, 100);
    config_token_source(f->profile, &source);
    assert_string_equal(source.s, "no source");
    str_clear(&source);
    refused(f, "names no source");
}

int main(int argc, char **argv) {
    (void)argc;
    if (!getenv("CONFIG_TEST_TOKEN")) {
        setenv("CONFIG_TEST_TOKEN", "tok-sentinel-1", 1);
        execv("/proc/self/exe", argv);
        return 1;
    }
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        T(a_command_gives_the_token_without_its_newline),
        T(a_command_is_found_by_path_and_sees_no_other_variable),
        T(a_command_inherits_no_descriptor),
        T(arguments_go_through_no_shell),
        T(a_failing_command_is_named_with_its_status),
        T(a_missing_program_is_named),
        T(a_killed_command_is_named),
        T(a_chatty_command_is_stopped_at_the_cap),
        T(a_command_that_printed_too_much_is_ended),
        T(a_slow_command_is_ended),
        T(two_lines_are_refused),
        T(blanks_controls_and_nothing_are_refused),
        T(a_private_file_gives_the_token),
        T(a_file_open_to_others_is_refused),
        T(a_missing_file_is_named),
        T(a_variable_is_overwritten_and_removed),
        T(a_missing_variable_is_named),
        T(without_a_source_there_is_no_token),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
