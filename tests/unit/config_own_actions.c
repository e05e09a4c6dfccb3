/* Programs of the operator's own: what the file may say, and which values become arguments. */
#include "config/own_actions.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct own_actions actions;
    struct str report;
    struct intent *intent;
    struct own_argv argv;
    struct error error;
};

static int set_up(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    str_init(&f->report, 1 << 16);
    f->intent = intent_new();
    f->intent->id = (struct value_text){.state = VALUE_OK, .text = "int_1"};
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    own_actions_clear(&f->actions);
    own_argv_clear(&f->argv);
    str_clear(&f->report);
    intent_free(f->intent);
    free(f);
    return 0;
}

static void read_text(struct fixture *f, const char *text, const char *report) {
    own_actions_clear(&f->actions);
    str_reset(&f->report);
    own_actions_parse(&f->actions, "actions", text, &f->report);
    assert_string_equal(f->report.s, report);
}

static enum err fill(struct fixture *f) {
    own_argv_clear(&f->argv);
    error_clear(&f->error);
    return own_action_fill(&f->actions.items[0], f->intent, &f->argv, &f->error);
}

static void no_shell_reads_the_words(void **state) {
    struct fixture *f = *state;
    read_text(f, "[a]\nrun = tool --id={id} 'two words; $(x)' \"{id} {id}\" `y`\nreads = yes\n", "");
    assert_true(f->actions.items[0].reads);
    assert_int_equal(fill(f), ERR_OK);
    static const char *const EXPECTED[] = {"tool", "--id=int_1", "two words; $(x)", "int_1 int_1", "`y`"};
    for (size_t i = 0; i < COUNT_OF(EXPECTED); i++)
        assert_string_equal(f->argv.items[i], EXPECTED[i]);
    assert_null(f->argv.items[COUNT_OF(EXPECTED)]);
}

static void a_value_that_could_act_is_refused(void **state) {
    static const char *const BAD[] = {"-rf", "", "a\nb", "\x1b[2J", "x\xE2\x80\xAEy"};
    struct fixture *f = *state;
    read_text(f, "[a]\nrun = tool {id}\n", "");
    for (size_t i = 0; i < COUNT_OF(BAD); i++) {
        f->intent->id.text = BAD[i];
        assert_int_equal(fill(f), ERR_USAGE);
    }
    f->intent->id = (struct value_text){.state = VALUE_ABSENT};
    assert_int_equal(fill(f), ERR_USAGE);
    assert_string_equal(f->error.text, "this intent has no id");
}

static void personal_fields_are_named(void **state) {
    struct fixture *f = *state;
    read_text(f, "[a]\nrun = tool {user_id}\n",
              "actions:1: run: user_id is of a person or an account: personal = user_id hands it over\n");
    assert_int_equal(f->actions.n, 0);
    read_text(f, "[a]\nrun = tool {user_id}\npersonal = user_id\n", "");
}

static void a_fault_costs_its_section(void **state) {
    struct fixture *f = *state;
    read_text(
        f,
        "[a]\nrun = ./tool\n[b]\nreads = maybe\n[c]\nrun = tool {nothing}\n[d]\nrun = {id}\n[e]\nrun = 'x\n"
        "[f]\nrun = good\n[g]\nrun = delete --only \"{id}\nreads = yes\n[h]\nrun = tool\nreads = no\nreads = yes\n"
        "[i]\nrun = tool\nrun = other\n[j]\nrun = tool\nno line\n",
        "actions:4: reads: the names are run, personal and reads = yes or no, each once\n"
        "actions:10: run: a quote is not closed\n"
        "actions:14: run: a quote is not closed\n"
        "actions:19: reads: the names are run, personal and reads = yes or no, each once\n"
        "actions:22: run: the names are run, personal and reads = yes or no, each once\n"
        "actions:25: a line is NAME = VALUE\n"
        "actions:1: the program is neither a plain name, an absolute path nor a path begun by ~/\n"
        "actions:5: run: {nothing} has no field of an intent between { and }\n"
        "actions:7: run: the program is no placeholder\n");
    assert_int_equal(f->actions.n, 1);
    assert_string_equal(f->actions.items[0].name, "f");
}

static void the_sample_is_clean(void **state) {
    struct fixture *f = *state;
    read_text(f, own_actions_sample, "");
    assert_int_equal(f->actions.n, 1);
}

#define T(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {T(no_shell_reads_the_words), T(a_value_that_could_act_is_refused),
                                       T(personal_fields_are_named), T(a_fault_costs_its_section),
                                       T(the_sample_is_clean)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
