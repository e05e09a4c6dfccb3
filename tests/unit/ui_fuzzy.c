#include "ui/fuzzy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void the_nearer_fit_scores_more(void **state) {
    static const char *const NAMES[] = {
        "sort", "resort-all", "page-sort", "s-oxo-rt", "assorted", "sxoxrxt",
    };
    static const char *const WORSE[][2] = {
        {"sort", "page-sort"},
        {"page-sort", "s-o-r-t"},
        {"s-o-r-t", "resorted"},
        {"resorted", "sxoxrxt"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        assert_true(fuzzy_score(NAMES[i], NULL, NULL, "sort") > 0);
    for (size_t i = 0; i < sizeof WORSE / sizeof *WORSE; i++)
        assert_true(fuzzy_score(WORSE[i][0], NULL, NULL, "sort") > fuzzy_score(WORSE[i][1], NULL, NULL, "sort"));
}

static void every_word_must_fit(void **state) {
    (void)state;
    assert_true(fuzzy_score("sort-second", "By a second key", NULL, "key sec") > 0);
    assert_int_equal(fuzzy_score("sort-second", "By a second key", NULL, "key third"), 0);
    assert_int_equal(fuzzy_score("sort", NULL, NULL, "trs"), 0);
    assert_true(fuzzy_score("sort", NULL, NULL, "  ") > 0);
    assert_true(fuzzy_score("counts", "A sum", "total", "tot") > fuzzy_score("counts", "A sum", "total", "sum"));
    assert_int_equal(fuzzy_score("counts", NULL, "total", "otal"), 0);
}

static void case_and_long_words_are_no_matter(void **state) {
    char word[500];
    (void)state;
    for (size_t i = 0; i < sizeof word - 1; i++)
        word[i] = 'x';
    word[sizeof word - 1] = '\0';
    assert_int_equal(fuzzy_score("sort", "text", NULL, word), 0);
    assert_true(fuzzy_score("Sort", "TEXT", NULL, "sort text") > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearer_fit_scores_more),
        cmocka_unit_test(every_word_must_fit),
        cmocka_unit_test(case_and_long_words_are_no_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
