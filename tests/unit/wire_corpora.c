/* The shared corpora: every file of the JSON test suite as a page, as a row and as an error, and hostile strings
 * through every way that text takes. */
#include "base/path.h"
#include "base/utf8.h"
#include "wire/errors.h"
#include "wire/page.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FILES = 318, FILE_MAX = 1 << 20 };

static const char *folder(void) {
    const char *name = getenv("BURSAR_CORPORA");
    if (!name) {
        print_message("skipped: BURSAR_CORPORA is not set\n");
        skip();
    }
    return name;
}

static void read_file(const char *path, struct str *out) {
    struct error error = {0};
    str_init(out, FILE_MAX);
    if (path_read(path, FILE_MAX, false, out, &error) != ERR_OK)
        fail_msg("%s", error.text);
}

/* Calls visit for each file; the text is a block of its own size, so that reading past its end is seen. */
static void each_file(void (*visit)(const char *name, const char *text, size_t len)) {
    char path[1024];
    size_t n = 0;
    struct dirent *entry;
    snprintf(path, sizeof path, "%s/json/test_parsing", folder());
    DIR *dir = opendir(path);
    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        struct str text;
        if (!strstr(entry->d_name, ".json"))
            continue;
        snprintf(path, sizeof path, "%s/json/test_parsing/%s", folder(), entry->d_name);
        read_file(path, &text);
        char *block = malloc(text.len ? text.len : 1);
        assert_non_null(block);
        memcpy(block, text.s, text.len);
        visit(entry->d_name, block, text.len);
        free(block);
        str_clear(&text);
        n++;
    }
    closedir(dir);
    assert_int_equal(n, FILES);
}

/* Sound as syntax, refused as text: the row says which. */
static bool is_refused_on_purpose(const char *reason) {
    return strcmp(reason, "duplicate key") == 0 || strcmp(reason, "a NUL character in a string") == 0;
}

static void as_row(const char *name, const char *text, size_t len) {
    struct intent *row = wire_intent(text, len);
    bool object = wire_kind_of(text, len) == WIRE_OBJECT;
    assert_int_equal(row->raw_len, len);
    if (name[0] == 'n' && !row->broken)
        fail_msg("%s was accepted", name);
    if (name[0] == 'y' && object && row->broken && !is_refused_on_purpose(row->broken))
        fail_msg("%s was refused: %s", name, row->broken);
    if (name[0] == 'y' && !object && strcmp(row->broken, "not an object") != 0 && !is_refused_on_purpose(row->broken))
        fail_msg("%s was refused for another reason: %s", name, row->broken);
    intent_free(row);
}

static void every_file_as_a_row_is_accepted_or_broken_as_it_must_be(void **state) {
    (void)state;
    each_file(as_row);
}

static void as_kind(const char *name, const char *text, size_t len) {
    enum wire_kind kind = wire_kind_of(text, len);
    bool sound = kind != WIRE_NOT_JSON && kind != WIRE_NOTHING;
    if (name[0] != 'i' && sound != (name[0] == 'y'))
        fail_msg("%s was judged %d", name, (int)kind);
}

static void the_scanner_agrees_with_the_suite_on_every_file(void **state) {
    (void)state;
    each_file(as_kind);
}

/* Among good rows a file either costs its own row or, where it cannot be followed, the page: never a good row alone. */
static void as_one_of_three_rows(const char *name, const char *text, size_t len) {
    const struct wire_shape shape = {"data", "next_cursor", NULL};
    struct str body;
    struct page page;
    struct error error = {0};
    str_init(&body, len + 200);
    str_add(&body, "{\"data\":[{\"id\":\"first\"},");
    str_add_n(&body, text, len);
    str_add(&body, ",{\"id\":\"last\"}],\"next_cursor\":\"n\"}");
    enum err err = wire_page(body.s, body.len, &shape, &page, &error);
    if (name[0] == 'y' && err != ERR_OK)
        fail_msg("%s made the page unusable: %s", name, error.text);
    if (err == ERR_OK) {
        assert_true(page.n >= 3);
        assert_string_equal(page.items[0]->id.text, "first");
        assert_string_equal(page.items[page.n - 1]->id.text, "last");
        assert_string_equal(page.next, "n");
        if (name[0] == 'n' && page.n == 3)
            assert_non_null(page.items[1]->broken);
    }
    page_clear(&page);
    str_clear(&body);
}

static void every_file_among_good_rows_costs_no_other_row(void **state) {
    (void)state;
    each_file(as_one_of_three_rows);
}

static void as_page(const char *name, const char *text, size_t len) {
    static const char *const paths[] = {"data", "", "a", "a.b"};
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        const struct wire_shape shape = {paths[i], "next_cursor", "has_more"};
        struct page page;
        struct error error = {0};
        enum err err = wire_page(text, len, &shape, &page, &error);
        /* A fault inside a row is the row's; whatever is accepted whole must be sound. */
        if (name[0] == 'n' && err == ERR_OK && page.broken == 0)
            fail_msg("%s was accepted as a page", name);
        assert_int_equal(error.code, err);
        page_clear(&page);
    }
}

static void every_file_as_a_page_is_judged(void **state) {
    (void)state;
    each_file(as_page);
}

static void as_error(const char *name, const char *text, size_t len) {
    static const char *const extra[] = {"a.b", "", NULL};
    struct service_error error;
    struct str out;
    struct tree tree;
    (void)name;
    str_init(&out, 16 * FILE_MAX);
    wire_service_error(text, len, NULL, extra, &error);
    service_error_line(&error, &out);
    assert_true(utf8_is_clean(out.s, out.len));
    service_error_clear(&error);
    str_reset(&out);
    wire_compact(&out, text, len, true);
    assert_true(utf8_is_clean(out.s, out.len));
    wire_pretty(&out, text, len);
    wire_tree(text, len, &tree);
    for (size_t i = 0; i < tree.n; i++)
        assert_true(!tree.items[i].text || utf8_is_clean(tree.items[i].text, strlen(tree.items[i].text)));
    assert_true(tree.n > 0);
    tree_clear(&tree);
    free(wire_member_text(text, len, "a"));
    (void)wire_has_error_text(text, len);
    str_clear(&out);
}

static void every_file_as_an_error_and_as_text_is_quiet(void **state) {
    (void)state;
    each_file(as_error);
}

/* Each hostile string, still JSON-escaped, as a text field and as an error. */
static void hostile_strings_become_quiet_text(void **state) {
    (void)state;
    char path[1024];
    struct str list, raw;
    size_t n = 0;
    snprintf(path, sizeof path, "%s/text/naughty-strings.json", folder());
    read_file(path, &list);
    str_init(&raw, FILE_MAX);
    for (const char *at = strchr(list.s, '"'); at; at = strchr(at, '"'), n++) {
        const char *end = at + 1;
        while (*end != '"')
            end += *end == '\\' ? 2 : 1;
        str_reset(&raw);
        str_add(&raw, "{\"message\":");
        str_add_n(&raw, at, (size_t)(end + 1 - at));
        str_add(&raw, ",\"id\":");
        str_add_n(&raw, at, (size_t)(end + 1 - at));
        str_add(&raw, "}");
        struct intent *row = wire_intent(raw.s, raw.len);
        assert_null(row->broken);
        assert_true(utf8_is_clean(row->id.text, strlen(row->id.text)));
        struct service_error error;
        wire_service_error(raw.s, raw.len, NULL, NULL, &error);
        assert_true(!error.text || utf8_is_clean(error.text, strlen(error.text)));
        service_error_clear(&error);
        intent_free(row);
        at = end + 1;
    }
    assert_true(n > 400);
    str_clear(&list);
    str_clear(&raw);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_as_a_row_is_accepted_or_broken_as_it_must_be),
        cmocka_unit_test(the_scanner_agrees_with_the_suite_on_every_file),
        cmocka_unit_test(every_file_among_good_rows_costs_no_other_row),
        cmocka_unit_test(every_file_as_a_page_is_judged),
        cmocka_unit_test(every_file_as_an_error_and_as_text_is_quiet),
        cmocka_unit_test(hostile_strings_become_quiet_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
