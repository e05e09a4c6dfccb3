/* The manual page holds parts that are made from the program's tables: here they are compared, or with GOLDEN_WRITE
 * set written anew. Runs in the root of the source, as make does. */
#include "sandbox/listen.h"
#include "sandbox/options.h"
#include "sandbox/rule.h"

#include "support/proc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PAGE_MAX = 1 << 20 };

static const char page_path[] = "src/cli/bursar-sandbox.1";
static const char end_mark[] = ".\\\" end\n";

static void escaped(struct str *out, const char *text) {
    for (; *text != '\0'; text++)
        if (*text == '-' || *text == '\\')
            str_add(out, *text == '-' ? "\\-" : "\\e");
        else
            str_add_char(out, *text);
}

static void entry(struct str *out, const char *lead, const char *const words[2], const char *between,
                  const char *help) {
    str_add(out, ".TP\n\\fB");
    escaped(out, lead);
    escaped(out, words[0]);
    str_addf(out, "\\fR%s", words[1][0] == '\0' && between[0] == ' ' ? "" : between);
    str_add(out, "\\fI");
    escaped(out, words[1]);
    str_add(out, "\\fR\n");
    escaped(out, help);
    str_add(out, ".\n");
}

static void option_entry(void *out, const char *name, const char *shape, const char *help) {
    entry(out, "--", (const char *const[]){name, shape}, " ", help);
}

static void pair_entry(void *out, const char *key, const char *value, const char *help) {
    entry(out, "", (const char *const[]){key, value}, "=", help);
}

static void part(struct str *out, const char *name) {
    if (strncmp(name, "options", 7) == 0)
        options_describe(option_entry, out);
    else if (strncmp(name, "listener", 8) == 0)
        listen_options_describe(option_entry, out);
    else if (strncmp(name, "rules", 5) == 0)
        rules_describe(pair_entry, out);
    else
        style_describe(pair_entry, out);
}

static void the_page_agrees_with_the_tables(void **state) {
    (void)state;
    char *page = proc_read_file(page_path);
    struct str out;
    str_init(&out, PAGE_MAX);
    assert_non_null(page);
    const char *at = page;
    int parts = 0;
    for (const char *mark; (mark = strstr(at, "\n.\\\" begin ")) != NULL; parts++) {
        const char *name = mark + 11;
        const char *line = strchr(name, '\n') + 1;
        str_add_n(&out, at, (size_t)(line - at));
        part(&out, name);
        at = strstr(line, end_mark);
        assert_non_null(at);
    }
    str_add(&out, at);
    assert_int_equal(parts, 4);
    if (getenv("GOLDEN_WRITE"))
        assert_true(proc_write_file(page_path, out.s));
    else if (strcmp(page, out.s) != 0)
        fail_msg("%s differs from the tables; GOLDEN_WRITE=1 renews it", page_path);
    str_clear(&out);
    free(page);
}

static void the_page_names_every_control_path(void **state) {
    (void)state;
    static const char *const paths[] = {"users", "registration", "figures", "journal",    "rules",
                                        "tick",  "intents",      "events",  "deliveries", "delivery"};
    char *page = proc_read_file(page_path);
    assert_non_null(page);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct str path;
        str_init(&path, 100);
        str_addf(&path, "/control/%s", paths[i]);
        assert_non_null(strstr(page, path.s));
        str_clear(&path);
    }
    free(page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_agrees_with_the_tables),
        cmocka_unit_test(the_page_names_every_control_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
