/* The file that says what declines mean: what is read, and that a fault costs its line and is told. */
#include "config/own.h"
#include "config/reasons.h"

#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct reasons reasons;
    struct str report;
};

static int set_up(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    str_init(&f->report, 1 << 20);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    reasons_clear(&f->reasons);
    str_clear(&f->report);
    free(f);
    return 0;
}

static void expect(struct fixture *f, const char *text, const char *report) {
    reasons_clear(&f->reasons);
    str_reset(&f->report);
    reasons_parse(&f->reasons, "reasons", text, &f->report);
    assert_string_equal(f->report.s, report);
}

static void a_code_has_meaning_words_and_deed(void **state) {
    struct fixture *f = *state;
    expect(f,
           "\xEF\xBB\xBF# ours\r\n\r\n[ no funds = 51 ]\r\n meaning = Too low = really\r\n\ttell=Try later  \n"
           "do = Nothing\n[b]\nmeaning = B",
           "");
    const struct reason *reason = reasons_find(&f->reasons, "no funds = 51");
    assert_non_null(reason);
    assert_string_equal(reason->texts[REASON_MEANING], "Too low = really");
    assert_string_equal(reason->texts[REASON_TELL], "Try later");
    assert_string_equal(reason->texts[REASON_DO], "Nothing");
    reason = reasons_find(&f->reasons, "b");
    assert_non_null(reason);
    assert_null(reason->texts[REASON_DO]);
    assert_null(reasons_find(&f->reasons, "B")); /* as the service spells it */
    assert_null(reasons_find(&f->reasons, NULL));
    assert_null(reasons_find(NULL, "b"));
}

static void a_fault_costs_its_line_and_names_it(void **state) {
    struct fixture *f = *state;
    expect(
        f,
        "meaning = before\n[a]\nmeening = x\nsay = x\nmeaning = one\nmeaning = two\ntell\ndo =\n[a]\nmeaning = three\n"
        "[b\n[]\n[c]\ntell = without a meaning\n",
        "reasons:1: a line stands before the first [section]\n"
        "reasons:3: unknown name meening; did you mean meaning?\n"
        "reasons:4: unknown name say; they are meaning, tell and do\n"
        "reasons:6: meaning is given twice for a\n"
        "reasons:7: a line is NAME = VALUE\n"
        "reasons:8: do has no value\n"
        "reasons:9: a second section for a, the first is on line 2\n"
        "reasons:11: a section begins with [ and ends with ]\n"
        "reasons:12: the section has no name\n"
        "reasons:13: the section has no meaning = ...\n");
    assert_string_equal(reasons_find(&f->reasons, "a")->texts[REASON_MEANING], "one");
    assert_null(reasons_find(&f->reasons, "c"));
}

static void text_that_could_act_is_refused(void **state) {
    struct fixture *f = *state;
    expect(f, "[a]\nmeaning = \x1b]0;x\x07\n",
           "reasons:2: the value holds control or invisible characters\n"
           "reasons:1: the section has no meaning = ...\n");
    expect(f, "[a]\nmeaning = \xE2\x80\xAE tfel\n",
           "reasons:2: the value holds control or invisible characters\n"
           "reasons:1: the section has no meaning = ...\n");
    expect(f, "[a]\nmeaning = \xFF\n",
           "reasons:2: the value is not valid UTF-8\n"
           "reasons:1: the section has no meaning = ...\n");
    expect(f, "[b]\nmeaning = B\n[a\x1b]\ntell = of the section that was refused\n",
           "reasons:3: the value holds control or invisible characters\n");
    assert_null(reasons_find(&f->reasons, "b")->texts[REASON_TELL]);
}

static void sizes_have_their_limits(void **state) {
    struct fixture *f = *state;
    char *text = malloc(20000);
    memcpy(text, "[a]\nmeaning = ", 14);
    memset(text + 14, 'x', 1001);
    strcpy(text + 14 + 1001, "\n");
    expect(f, text, "reasons:2: meaning is longer than 1000 bytes\nreasons:1: the section has no meaning = ...\n");
    memset(text + 14, 'x', 15000);
    strcpy(text + 14 + 15000, "\n[b]\nmeaning = B\n");
    expect(f, text, "reasons:2: the value is longer than 4096 bytes\nreasons:1: the section has no meaning = ...\n");
    assert_non_null(reasons_find(&f->reasons, "b"));
    free(text);
}

static void the_sample_is_clean(void **state) {
    struct fixture *f = *state;
    expect(f, reasons_sample, "");
    assert_true(f->reasons.n > 5);
    for (size_t i = 0; i < f->reasons.n; i++)
        for (int text = 0; text < REASON_TEXT_COUNT; text++)
            assert_non_null(f->reasons.items[i].texts[text]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_code_has_meaning_words_and_deed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_fault_costs_its_line_and_names_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(text_that_could_act_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sizes_have_their_limits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_sample_is_clean, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
