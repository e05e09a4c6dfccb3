/* What is said about a copy: never more than is known (K54). */
#include "app/copy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void said(const struct copied *copied, const char *expected) {
    struct str text;
    str_init(&text, 512);
    copied_tell(copied, &text);
    assert_string_equal(text.s, expected);
    str_clear(&text);
}

static void only_a_programs_success_is_called_copied(void **state) {
    (void)state;
    said(&(struct copied){.way = COPY_TOOL, .what = "the id", .tool = "wl-copy"}, "the id copied with wl-copy");
    said(&(struct copied){.way = COPY_TERMINAL, .what = "the id"},
         "the id sent to the terminal (OSC 52), which does not say if it took it");
}

static void what_stands_between_is_named(void **state) {
    (void)state;
    said(
        &(struct copied){.way = COPY_TERMINAL, .what = "the id", .through = "tmux"},
        "the id sent to the terminal by tmux (OSC 52), needs set-clipboard on: by default nothing arrives. tmux set -s "
        "set-clipboard on lets it through");
    said(&(struct copied){.way = COPY_TERMINAL, .what = "the id", .through = "screen", .tool = "xclip"},
         "the id sent to the terminal by screen (OSC 52); xclip failed");
}

static void a_text_that_went_nowhere_is_said_with_its_size(void **state) {
    (void)state;
    said(&(struct copied){.way = COPY_NOWHERE, .what = "the JSON", .bytes = 200000},
         "the JSON not copied: the terminal takes no 200000 bytes");
    said(&(struct copied){.way = COPY_NOWHERE, .what = "the JSON", .tool = "xclip", .bytes = 9},
         "the JSON not copied: xclip failed, and the terminal takes no 9 bytes");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_a_programs_success_is_called_copied),
        cmocka_unit_test(what_stands_between_is_named),
        cmocka_unit_test(a_text_that_went_nowhere_is_said_with_its_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
