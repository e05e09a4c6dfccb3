/* One question answered from start to end at a real terminal: filter, open, copy the id, export, leave. Each screen is
 * a golden file, at three sizes, without colour, and without UTF-8. */
#include "base/mem.h"
#include "support/cells.h"
#include "support/golden.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { PATIENCE = 20, QUIET_MS = 100, DUMP_MAX = 2 << 20 };

static int start(void **state) {
    (void)state;
    return serve_intents("400");
}

struct variant {
    const char *name;
    int rows, cols;
    const char *color, *locale;
};

static void look(struct pty *pty, const struct variant *variant, const char *step) {
    char name[128];
    struct str dump;
    str_init(&dump, DUMP_MAX);
    pty_settle(pty, QUIET_MS);
    cells_dump(pty, variant->rows, variant->cols, &dump);
    (void)snprintf(name, sizeof name, "script-%s-%s", variant->name, step);
    golden_check(name, dump.s, getenv("BURSAR_OUT"));
    str_clear(&dump);
}

static struct pty *open_list(const struct variant *variant) {
    char folder[4096]; /* its own: exports of the same second have the same name */
    (void)snprintf(folder, sizeof folder, "%s/%s", service.folder, variant->name);
    assert_int_equal(mkdir(folder, 0700), 0);
    struct pty_options options = {.rows = variant->rows, .cols = variant->cols, .folder = folder};
    const char *const args[] = {"--color", variant->color, NULL};
    const char *const env[] = {variant->locale, "DISPLAY", "WAYLAND_DISPLAY", "SSH_TTY", "SSH_CONNECTION", NULL};
    struct pty *pty = console_open_env(&service, args, env, &options);
    assert_true(pty_expect(pty, "read so far, more on the server", PATIENCE));
    pty_feed(pty, "R");
    assert_true(pty_expect(pty, "400, end of the list seen", PATIENCE));
    return pty;
}

/* The detail asks for what else the user did, and shows it once that is known. */
static void expect_customer(struct pty *pty, const struct variant *variant, int from_cols, const char *text) {
    if (variant->cols >= from_cols)
        assert_true(pty_expect(pty, text, PATIENCE));
}

static void answer_a_question(const struct variant *variant) {
    struct pty *pty = open_list(variant);
    expect_customer(pty, variant, 200, "customer: 4 intents");
    look(pty, variant, "list");
    pty_feed(pty, "/status:declined type:card_only amount>=5000 bank:bank");
    assert_true(pty_expect(pty, "bank:bank", PATIENCE));
    assert_true(pty_expect(pty, "Nordlys\"     2", PATIENCE));
    assert_true(pty_expect(pty, "1 of 4 ", PATIENCE));
    expect_customer(pty, variant, 120, "customer: 14 intents");
    look(pty, variant, "prompt");
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "local[", PATIENCE));
    assert_true(pty_expect(pty, "1 of 4 ", PATIENCE));
    assert_true(pty_expect_gone(pty, "| reading", PATIENCE));
    expect_customer(pty, variant, 120, "customer: 14 intents");
    look(pty, variant, "result");
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "decline", PATIENCE));
    expect_customer(pty, variant, 0, "customer: 14 intents");
    look(pty, variant, "detail");
    pty_feed(pty, "y");
    assert_true(pty_expect(pty, "sent to the terminal", PATIENCE));
    look(pty, variant, "copied");
    pty_feed(pty, "x");
    assert_true(pty_expect(pty, "write the file", PATIENCE));
    look(pty, variant, "export");
    pty_feed(pty, "G\r");
    assert_true(pty_expect(pty, "masked intent", PATIENCE));
    look(pty, variant, "exported");
    console_leave(pty);
}

static void a_question_is_answered_at_every_size_without_colour_and_in_ascii(void **state) {
    static const struct variant VARIANTS[] = {
        {"80x24", 24, 80, "16", "LC_ALL=C.UTF-8"},   {"120x40", 40, 120, "16", "LC_ALL=C.UTF-8"},
        {"200x50", 50, 200, "16", "LC_ALL=C.UTF-8"}, {"mono", 24, 80, "never", "LC_ALL=C.UTF-8"},
        {"ascii", 24, 80, "16", "LC_ALL=C"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(VARIANTS); i++)
        answer_a_question(&VARIANTS[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_question_is_answered_at_every_size_without_colour_and_in_ascii),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
