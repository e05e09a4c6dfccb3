/* A user as the body that leaves, and back. */
#include "base/mem.h"
#include "base_corpora.h"
#include "wire/body.h"
#include "wire/user.h"

#include <string.h>

static void empty_fields_are_left_out(void **state) {
    (void)state;
    struct user user = {0};
    struct str body;
    str_init(&body, WIRE_USER_MAX);
    user_set(&user, USER_LAST, "Sample");
    user_set(&user, USER_EMAIL, "");
    user_set(&user, USER_VERIFIED, "false");
    wire_user_body(&user, NULL, NULL, &body);
    assert_string_equal(body.s, "{\n  \"name\": {\n    \"last\": \"Sample\"\n  },\n  \"identity_verified\": false\n}");
    str_clear(&body);
    user_clear(&user);
}

static void a_key_stands_at_the_end(void **state) {
    (void)state;
    struct user user = {0};
    struct str body;
    str_init(&body, WIRE_USER_MAX);
    user_set(&user, USER_TAG, "t");
    wire_user_body(&user, "request_key", "abc", &body);
    assert_string_equal(body.s, "{\n  \"tag\": \"t\",\n  \"request_key\": \"abc\"\n}");
    str_clear(&body);
    user_clear(&user);
}

static void a_draft_holds_no_birth_date_and_no_id(void **state) {
    (void)state;
    struct user user = {0}, back;
    struct str text;
    int64_t locked;
    str_init(&text, WIRE_USER_MAX);
    for (int i = 0; i < USER_VERIFIED; i++)
        user_set(&user, (enum user_field)i, "value");
    wire_draft(&user, 12, "test https://a.example", &text);
    assert_null(strstr(text.s, "date_of_birth"));
    assert_null(strstr(text.s, "government_id"));
    assert_int_equal(wire_draft_read(text.s, text.len, "live https://a.example", &back, &locked, NULL), ERR_INVALID);
    assert_int_equal(wire_draft_read(text.s, text.len, "test https://a.example", &back, &locked, NULL), ERR_OK);
    assert_int_equal(locked, 12);
    assert_string_equal(back.text[USER_POSTAL], "value");
    assert_null(back.text[USER_BIRTH]);
    user_clear(&back);
    user_clear(&user);
    str_clear(&text);
}

/* What would be blocked at the field does not count: all else arrives byte for byte. */
static void naughty_strings_arrive_byte_for_byte_in_every_field(void **state) {
    (void)state;
    struct str text;
    struct body *tree = NULL;
    size_t sent = 0;
    corpora_read("text/naughty-strings.json", &text);
    assert_int_equal(body_read(text.s, text.len, &tree, NULL), ERR_OK);
    for (size_t i = 0; i < body_count(body_root(tree)); i++) {
        size_t len;
        const char *given = body_string(body_item(body_root(tree), i), &len);
        if (!given || len == 0 || strlen(given) != len || len > USER_TEXT_MAX)
            continue;
        struct user user = {0}, back;
        struct str body;
        str_init(&body, WIRE_USER_MAX);
        for (int field = 0; field < USER_VERIFIED; field++)
            user_set(&user, (enum user_field)field, given);
        wire_user_body(&user, NULL, NULL, &body);
        assert_int_equal(wire_user_read(body.s, body.len, &back, NULL), ERR_OK);
        for (int field = 0; field < USER_VERIFIED; field++)
            assert_string_equal(back.text[field], given);
        sent++;
        user_clear(&user);
        user_clear(&back);
        str_clear(&body);
    }
    assert_true(sent > 400);
    body_free(tree);
    str_clear(&text);
}

static struct user_findings found(const struct user *user) {
    struct user_findings findings = {0};
    struct user_rules rules = {.now = INT64_C(1795867200000)};
    user_check(user, &rules, &findings);
    return findings;
}

static void dates_are_days_of_the_calendar(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool blocks;
    } CASES[] = {{"2000-02-29", false}, {"1900-02-29", true},  {"2023-02-29", true}, {"2024-02-29", false},
                 {"1972-13-01", true},  {"1972-4-1", true},    {"72-04-01", true},   {"1972-04-31", true},
                 {"2030-01-01", true},  {"2026-11-29", false}, {"1850-01-01", false}};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        struct user user = {0};
        user_set(&user, USER_LAST, "Sample");
        user_set(&user, USER_BIRTH, CASES[i].text);
        struct user_findings findings = found(&user);
        assert_int_equal(findings.blocks > 0, CASES[i].blocks);
        user_findings_clear(&findings);
        user_clear(&user);
    }
}

static void no_postal_code_is_asked_for_where_none_is_used(void **state) {
    (void)state;
    static const char *const NONE[] = {"BS", "BW", "HK", "AE"};
    for (size_t i = 0; i < COUNT_OF(NONE); i++) {
        struct user user = {0};
        user_set(&user, USER_LAST, "Sample");
        user_set(&user, USER_COUNTRY, NONE[i]);
        struct user_findings findings = found(&user);
        assert_null(user_finding_of(&findings, USER_POSTAL));
        user_findings_clear(&findings);
        user_set(&user, USER_POSTAL, "12345");
        findings = found(&user);
        assert_non_null(user_finding_of(&findings, USER_POSTAL));
        assert_int_equal(findings.blocks, 0);
        user_findings_clear(&findings);
        user_clear(&user);
    }
}

static void the_same_person_is_the_same_text(void **state) {
    (void)state;
    struct user a = {0}, b = {0};
    user_set(&a, USER_FIRST, "Jos\xC3\xA9");
    user_set(&b, USER_FIRST, " JOSE\xCC\x81 ");
    user_set(&a, USER_BIRTH, "1972-02-29");
    user_set(&b, USER_BIRTH, "1972-02-29");
    user_set(&a, USER_PHONE, "+49 (171) 143-4816");
    user_set(&b, USER_PHONE, "+491711434816");
    user_set(&a, USER_EMAIL, "Ann@A.Example");
    user_set(&b, USER_EMAIL, "ann@a.example");
    for (int i = USER_MATCH_EMAIL; i < USER_MATCH_COUNT; i++) {
        struct str left, right;
        str_init(&left, 4096);
        str_init(&right, 4096);
        assert_true(user_match_text(&a, (enum user_match)i, &left));
        assert_true(user_match_text(&b, (enum user_match)i, &right));
        assert_string_equal(left.s, right.s);
        str_clear(&left);
        str_clear(&right);
    }
    user_clear(&a);
    user_clear(&b);
}

static void every_letter_of_a_string_is_read_back(void **state) {
    (void)state;
    for (int letter = 1; letter < 0x80; letter++) {
        const char text[] = {'a', (char)letter, 'z', '\0'};
        struct str json;
        struct body *body;
        size_t len = 0;
        str_init(&json, 64);
        str_add(&json, "{\"x\":");
        wire_add_string(&json, text);
        str_add(&json, "}");
        assert_int_equal(body_read(json.s, json.len, &body, NULL), ERR_OK);
        assert_string_equal(body_string(body_member(body_root(body), "x"), &len), text);
        body_free(body);
        str_clear(&json);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_fields_are_left_out),
        cmocka_unit_test(every_letter_of_a_string_is_read_back),
        cmocka_unit_test(a_key_stands_at_the_end),
        cmocka_unit_test(a_draft_holds_no_birth_date_and_no_id),
        cmocka_unit_test(naughty_strings_arrive_byte_for_byte_in_every_field),
        cmocka_unit_test(dates_are_days_of_the_calendar),
        cmocka_unit_test(no_postal_code_is_asked_for_where_none_is_used),
        cmocka_unit_test(the_same_person_is_the_same_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
