/* The manual pages hold parts that are made from the program's tables: here they are compared, or with GOLDEN_WRITE
 * set written anew. Runs in the root of the source, as make does. */
#include "cli/help.h"

#include "base/mem.h"
#include "support/proc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_MAX = 1 << 20 };

static const char begin[] = "\n.\\\" begin ", end[] = ".\\\" end\n";

/* The page with every part as the tables have it. Gives the number of parts. */
static size_t renew(const char *page, struct str *out) {
    size_t parts = 0;
    for (const char *at; (at = strstr(page, begin)) != NULL; parts++) {
        const char *name = at + sizeof begin - 1;
        const char *line_end = strchr(name, '\n');
        const char *stop = line_end ? strstr(line_end, end) : NULL;
        char word[64];
        assert_non_null(stop);
        str_add_n(out, page, (size_t)(line_end + 1 - page));
        (void)snprintf(word, sizeof word, "%.*s", (int)(line_end - name), name);
        if (!manual_part(word, out))
            fail_msg("no part %s", word);
        page = stop;
    }
    str_add(out, page);
    assert_false(out->truncated);
    return parts;
}

static void check_page(const char *path, size_t parts) {
    struct str out;
    char *page = proc_read_file(path);
    assert_non_null(page);
    str_init(&out, PAGE_MAX);
    assert_int_equal(renew(page, &out), parts);
    if (getenv("GOLDEN_WRITE"))
        assert_true(proc_write_file(path, out.s));
    else if (strcmp(page, out.s) != 0)
        fail_msg("%s differs from the tables; GOLDEN_WRITE=1 renews it", path);
    str_clear(&out);
    free(page);
}

static void the_manual_says_what_the_tables_say(void **state) {
    (void)state;
    check_page("src/cli/bursar.1", 8);
}

static void the_manual_of_the_configuration_says_what_the_keys_are(void **state) {
    (void)state;
    check_page("src/cli/bursar-config.5", 1);
}

static void no_text_of_a_table_is_taken_for_a_request(void **state) {
    (void)state;
    static const char *const names[] = {"synopsis",    "options",       "commands", "exit-status", "keys",
                                        "environment", "configuration", "jobs",     "team-store"};
    static const char *const requests[] = {".TP", ".br", ".SS ", ".PP"};
    struct str out;
    str_init(&out, PAGE_MAX);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_true(manual_part(names[i], &out));
    for (const char *at = out.s; *at; at += strcspn(at, "\n") + 1) {
        bool known = at[0] != '.' && at[0] != '\'';
        for (size_t i = 0; i < 4; i++)
            known = known || strncmp(at, requests[i], strlen(requests[i])) == 0;
        assert_true(known);
    }
    assert_false(manual_part("nothing", &out));
    str_clear(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_manual_says_what_the_tables_say),
        cmocka_unit_test(the_manual_of_the_configuration_says_what_the_keys_are),
        cmocka_unit_test(no_text_of_a_table_is_taken_for_a_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
