#include "app/actions.h"
#include "ui/keymap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void every_key_is_known_and_no_two_actions_share_one(void **state) {
    size_t n;
    struct str report;
    const struct action *table = actions(&n);
    (void)state;
    str_init(&report, 4096);
    (void)keymap_check(table, n, &report);
    assert_string_equal(report.s, "");
    str_clear(&report);
}

/* So that none is missing in help, which goes by them. */
static void every_action_of_the_list_has_a_job_of_the_table(void **state) {
    size_t n, n_jobs;
    const struct action *table = actions(&n);
    const char *const *jobs = action_jobs(&n_jobs);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        const char *job = action_job(table[i].id);
        size_t at = 0;
        while (job && at < n_jobs && !str_equal(jobs[at], job))
            at++;
        if (strcmp(table[i].section, "intents") == 0 && (!job || at == n_jobs))
            fail_msg("%s has no job", table[i].name);
        if (strcmp(table[i].section, "intents") != 0 && job)
            fail_msg("%s has a job, but its view has no others", table[i].name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_known_and_no_two_actions_share_one),
        cmocka_unit_test(every_action_of_the_list_has_a_job_of_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
