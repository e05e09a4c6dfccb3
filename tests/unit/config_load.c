#include "config/near.h"
#include "config/profile.h"

#include "support/proc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char good[] = "profile live { environment = sandbox base_url = 'https://a.example' token_env = T }\n";

struct fixture {
    char *folder;
    char path[512], link[512];
    struct config config;
    struct str report;
    struct error error;
};

static int set_up(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    f->folder = proc_folder_new();
    (void)snprintf(f->path, sizeof f->path, "%s/config", f->folder);
    (void)snprintf(f->link, sizeof f->link, "%s/link", f->folder);
    str_init(&f->report, 4096);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    config_clear(&f->config);
    str_clear(&f->report);
    proc_folder_remove(f->folder);
    free(f);
    return 0;
}

static void write_config(struct fixture *f, const char *text, mode_t mode) {
    assert_true(proc_write_file(f->path, text));
    assert_int_equal(chmod(f->path, mode), 0);
}

static void refused(struct fixture *f, const char *reason) {
    assert_int_equal(config_load(f->path, &f->config, &f->report, &f->error), ERR_CONFIG);
    assert_int_equal(f->config.n, 0);
    if (!strstr(f->report.s, reason) || !strstr(f->error.text, reason))
        fail_msg("\"%s\" is not in \"%s\" or \"%s\"", reason, f->report.s, f->error.text);
}

static void f75_a_byte_order_mark_is_no_text(void **state) {
    struct fixture *f = *state;
    char text[256];
    (void)snprintf(text, sizeof text, "\xEF\xBB\xBF%s", good);
    write_config(f, text, 0644);
    assert_int_equal(config_load(f->path, &f->config, &f->report, &f->error), ERR_OK);
    assert_int_equal(f->config.n, 1);
}

static void a_good_file_is_loaded_also_by_a_link(void **state) {
    struct fixture *f = *state;
    write_config(f, good, 0644);
    assert_int_equal(config_load(f->path, &f->config, &f->report, &f->error), ERR_OK);
    assert_int_equal(f->config.n, 1);
    config_clear(&f->config);
    assert_int_equal(symlink(f->path, f->link), 0);
    assert_int_equal(config_load(f->link, &f->config, &f->report, &f->error), ERR_OK);
    assert_int_equal(f->config.n, 1);
}

static void a_missing_file_says_how_to_make_one(void **state) {
    refused(*state, "there is no such file; bursar config init makes one");
}

static void a_file_that_others_may_write_is_refused(void **state) {
    struct fixture *f = *state;
    write_config(f, good, 0602);
    refused(f, "can be written by other users");
}

static void a_folder_that_others_may_write_is_refused(void **state) {
    struct fixture *f = *state;
    write_config(f, good, 0600);
    assert_int_equal(chmod(f->folder, 0777), 0);
    refused(f, "can be written by other users");
    assert_int_equal(chmod(f->folder, 0700), 0);
}

static void nul_bytes_are_refused(void **state) {
    struct fixture *f = *state;
    FILE *file = fopen(f->path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(good, 1, sizeof good, file), sizeof good); /* with its NUL */
    assert_int_equal(fclose(file), 0);
    refused(f, "NUL bytes");
}

static void a_folder_is_no_file(void **state) {
    struct fixture *f = *state;
    assert_int_equal(mkdir(f->path, 0700), 0);
    refused(f, "is not a regular file");
}

/* K31: the file is left alone. */
static void a_refused_file_is_left_alone(void **state) {
    struct fixture *f = *state;
    write_config(f, "profile live {\n", 0600);
    refused(f, "is not closed");
    char *text = proc_read_file(f->path);
    assert_string_equal(text, "profile live {\n");
    free(text);
}

static void the_place_is_fixed(void **state) {
    struct fixture *f = *state;
    struct str path;
    str_init(&path, 4096);
    unsetenv("BURSAR_CONFIG");
    setenv("XDG_CONFIG_HOME", "/some/where", 1);
    assert_int_equal(config_path(&path, &f->error), ERR_OK);
    assert_string_equal(path.s, "/some/where/bursar/config");
    str_reset(&path);
    setenv("BURSAR_CONFIG", "/other/file", 1);
    assert_int_equal(config_path(&path, &f->error), ERR_OK);
    assert_string_equal(path.s, "/other/file");
    setenv("BURSAR_CONFIG", "config", 1);
    assert_int_equal(config_path(&path, &f->error), ERR_CONFIG);
    unsetenv("BURSAR_CONFIG");
    str_clear(&path);
}

static void the_nearest_word_is_offered_only_when_near(void **state) {
    (void)state;
    static const char *const words[] = {"intents", "config", NULL, "keys"};
    assert_string_equal(near_word("intent", words, 4), "intents");
    assert_string_equal(near_word("cofnig", words, 4), "config");
    assert_null(near_word("x", words, 4));
    assert_null(near_word("webhook", words, 4));
    assert_null(near_word("", words, 4));
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        T(f75_a_byte_order_mark_is_no_text),
        T(a_good_file_is_loaded_also_by_a_link),
        T(a_missing_file_says_how_to_make_one),
        T(a_file_that_others_may_write_is_refused),
        T(a_folder_that_others_may_write_is_refused),
        T(nul_bytes_are_refused),
        T(a_folder_is_no_file),
        T(a_refused_file_is_left_alone),
        T(the_place_is_fixed),
        T(the_nearest_word_is_offered_only_when_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
