#include "ui/input.h"
#include "ui/keymap.h"

#include "base/mem.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct str out;

static int set_up(void **state) {
    (void)state;
    str_init(&out, 4096);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    str_clear(&out);
    return 0;
}

static const char *name_of(int32_t key) {
    str_reset(&out);
    input_key_name(key, &out);
    return out.s;
}

static void names_go_both_ways(void **state) {
    static const int32_t keys[] = {INPUT_UP,
                                   INPUT_PAGE_DOWN,
                                   INPUT_INSERT,
                                   INPUT_DELETE,
                                   INPUT_BACKSPACE,
                                   INPUT_ENTER,
                                   INPUT_TAB,
                                   INPUT_BACK_TAB,
                                   INPUT_ESCAPE,
                                   INPUT_F1,
                                   INPUT_F12,
                                   ' ',
                                   'j',
                                   '/',
                                   0x65e5,
                                   KEY_CTRL('A'),
                                   KEY_CTRL('_'),
                                   KEY_CTRL('\\')};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        int32_t back;
        assert_true(input_key_parse(name_of(keys[i]), &back));
        assert_int_equal(back, keys[i]);
    }
    assert_string_equal(name_of(KEY_CTRL('D')), "Ctrl-D");
    assert_string_equal(name_of(INPUT_PAGE_UP), "PgUp");
    assert_string_equal(name_of(INPUT_F12), "F12");
}

static void other_spellings_are_understood(void **state) {
    int32_t key;

    (void)state;
    assert_true(input_key_parse("ctrl-d", &key));
    assert_int_equal(key, KEY_CTRL('D'));
    assert_true(input_key_parse("ESCAPE", &key));
    assert_int_equal(key, INPUT_ESCAPE);
    assert_true(input_key_parse("pagedown", &key));
    assert_int_equal(key, INPUT_PAGE_DOWN);
}

static void keys_that_never_arrive_are_refused(void **state) {
    static const char *const names[] = {"Ctrl-I", "Ctrl-H", "Ctrl-M", "Ctrl-[", "Ctrl-1", "Ctrl-", "F0",        "F13",
                                        "F01",    "",       "jk",     "\x1b",   "\xff",   "Alt-x", "Ctrl-Enter"};
    int32_t key;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_false(input_key_parse(names[i], &key));
    assert_true(input_key_parse("F", &key));
    assert_int_equal(key, 'F');
}

static void only_printable_keys_are_text(void **state) {
    (void)state;
    assert_true(input_is_text('a') && input_is_text(' ') && input_is_text(0x1F600));
    assert_false(input_is_text(0) || input_is_text(0x1b) || input_is_text(0x7f) || input_is_text(0x9b) ||
                 input_is_text(INPUT_UP) || input_is_text(-1) || input_is_text(0xd800) || input_is_text(0x110000));
}

static const struct action actions[] = {
    {1, "global", "quit", "q", "quit", "Close the view."},
    {2, "global", "down", "j Down", "", "Down."},
    {3, "intents", "query", "/ q", "filter", "Filter."},
    {4, "intents", "unbound", "", "", "Nothing."},
};

static void a_views_own_keys_go_before_the_global_ones(void **state) {
    struct keymap *keymap = keymap_new(actions, COUNT_OF(actions));

    (void)state;
    assert_int_equal(keymap_find(keymap, "intents", 'q'), 3);
    assert_int_equal(keymap_find(keymap, "webhook", 'q'), 1);
    assert_int_equal(keymap_find(keymap, "intents", INPUT_DOWN), 2);
    assert_int_equal(keymap_find(keymap, "intents", 'z'), -1);
    keymap_free(keymap);
}

static void an_actions_keys_are_listed_by_name(void **state) {
    struct keymap *keymap = keymap_new(actions, COUNT_OF(actions));
    size_t n;

    (void)state;
    keymap_key(keymap, 2, &out);
    assert_string_equal(out.s, "j");
    str_reset(&out);
    keymap_keys(keymap, 2, &out);
    assert_string_equal(out.s, "j, Down");
    str_reset(&out);
    keymap_key(keymap, 4, &out);
    assert_string_equal(out.s, "");
    assert_ptr_equal(keymap_actions(keymap, &n), actions);
    assert_int_equal(n, COUNT_OF(actions));
    keymap_free(keymap);
}

static void clashes_and_names_of_no_key_are_reported(void **state) {
    static const struct action bad[] = {
        {1, "global", "quit", "q", "", ""},
        {2, "global", "query", "Hyper-x q", "", ""},
        {3, "intents", "other", "q", "", ""}, /* another view: no clash */
    };

    (void)state;
    assert_true(keymap_check(actions, COUNT_OF(actions), &out));
    assert_false(keymap_check(bad, COUNT_OF(bad), &out));
    assert_string_equal(out.s, "global query: no such key: Hyper-x\nglobal query: q is taken by quit\n");
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(names_go_both_ways),
        T(other_spellings_are_understood),
        T(keys_that_never_arrive_are_refused),
        T(only_printable_keys_are_text),
        T(a_views_own_keys_go_before_the_global_ones),
        T(an_actions_keys_are_listed_by_name),
        T(clashes_and_names_of_no_key_are_reported),
    };
#undef T

    (void)setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
