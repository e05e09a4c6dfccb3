#include "wire/page.h"
#include "wire/unknown_fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void note(void *context, const char *kind, const char *name) {
    str_addf(context, "%s %s\n", kind, name);
}

static void expect(const char *raw, const char *lines) {
    struct str said;
    struct intent *intent = wire_intent(raw, strlen(raw));
    str_init(&said, 1 << 20);
    wire_unknown_fields(intent, note, &said);
    assert_string_equal(said.s, lines);
    str_clear(&said);
    intent_free(intent);
}

static void what_the_document_names_is_not_said(void **state) {
    (void)state;
    expect(
        "{\"id\":\"i\",\"created_at\":\"2026-01-02T03:04:05Z\",\"direction\":\"sideways\",\"user_id\":\"u\","
        "\"amount\":{\"value\":1,\"currency\":\"USD\"},\"currency\":\"ZZZ\",\"guarantee_amount\":{\"amount\":\"1\"},"
        "\"status\":\"approved\",\"decline_category\":\"moon\",\"transactions\":[{\"id\":\"t\",\"created_at\":null,"
        "\"date\":\"2026-01-02\",\"type\":\"new\",\"status\":\"new\",\"direction\":\"x\",\"amount\":{\"amount\":1},"
        "\"currency\":\"X\",\"source_id\":\"i\",\"account_id\":\"a\"}],\"dispute\":{\"anything\":{\"at\":\"all\"}},"
        "\"refund\":{\"status\":\"lost\"},\"payment_credential\":{\"id\":\"c\",\"bank_name\":\"B\",\"is_archived\":"
        "false,\"account\":{\"number_mask\":\"1\",\"routing\":\"2\"},\"card\":{\"primary_account_number_mask\":\"3\","
        "\"expiration\":\"01/27\",\"brand\":\"x\"}},\"rail\":\"x\",\"account\":{\"id\":\"a\",\"type\":\"x\",\"name\":"
        "\"n\",\"created_at\":null},\"type\":\"card_only\"}",
        "");
    expect("{}", "");
    expect("{\"status\":null,\"type\":null}", "");
}

static void variation_f3_unknown_fields_are_named_by_their_path(void **state) {
    (void)state;
    expect("{\"id\":\"i\",\"merchant\":{\"id\":1,\"name\":\"n\"},\"rail\":\"x\",\"fee\":0}",
           "field merchant\nfield fee\n");
    expect("{\"payment_credential\":{\"wallet\":1,\"card\":{\"brand\":\"x\",\"bin\":\"4\"}},\"dispute\":{\"x\":1}}",
           "field payment_credential.wallet\nfield payment_credential.card.bin\n");
    expect("{\"transactions\":[7,[1],{\"id\":\"t\",\"fee\":[1,{\"a\":2}],\"amount\":{\"amount\":1,\"fx\":2}}],\"z\":1}",
           "field transactions[].fee\nfield transactions[].amount.fx\nfield z\n");
    expect("{\"amount\":{\"value\":1,\"scale\":2},\"account\":{\"value\":1}}",
           "field amount.scale\nfield account.value\n");
    expect("{\"account.id\":1,\"transactions[]\":2,\"\":3,\"\\u0069d\":\"i\",\"\\u0078\":1}",
           "field account.id\nfield transactions[]\nfield \nfield x\n");
}

static void variation_f2_values_outside_a_closed_set_are_said(void **state) {
    (void)state;
    expect("{\"status\":\"frozen\",\"type\":\"primary\"}", "status frozen\n");
    expect("{\"status\":\"Approved\",\"type\":\"wallet\"}", "status Approved\ntype wallet\n");
    expect("{\"status\":7,\"type\":[\"x\"]}", "status 7\ntype [\"x\"]\n");
    expect("{\"status\":\"\"}", "status \n");
}

static void variation_f9_names_and_values_are_sanitised_and_cut(void **state) {
    (void)state;
    struct str raw, lines;
    expect("{\"\\u001b[2J\\u202e\":1,\"status\":\"a\\u009bb\"}", "status a<9B>b\nfield <1B>[2J<202E>\n");
    str_init(&raw, 1 << 20);
    str_init(&lines, 1 << 20);
    str_add(&raw, "{\"");
    str_add_repeat(&raw, 'n', 5000);
    str_add(&raw, "\":1,\"payment_credential\":{\"");
    str_add_repeat(&raw, 'm', 5000);
    str_add(&raw, "\":{\"x\":1},\"id\":\"c\"},\"last\":1}");
    str_add(&lines, "field ");
    str_add_repeat(&lines, 'n', WIRE_UNKNOWN_NAME_MAX);
    str_add(&lines, "\xE2\x80\xA6\nfield payment_credential.");
    str_add_repeat(&lines, 'm', WIRE_UNKNOWN_NAME_MAX - strlen("payment_credential."));
    str_add(&lines, "\xE2\x80\xA6\nfield last\n");
    expect(raw.s, lines.s);
    str_clear(&raw);
    str_clear(&lines);
}

static void variation_f10_a_flood_of_names_is_bounded(void **state) {
    (void)state;
    struct str raw, said;
    size_t lines = 0;
    str_init(&raw, 1 << 20);
    str_init(&said, 1 << 20);
    str_add_char(&raw, '{');
    for (int i = 0; i < 5000; i++)
        str_addf(&raw, "\"n%d\":%d,", i, i);
    str_add(&raw, "\"id\":\"i\"}");
    struct intent *intent = wire_intent(raw.s, raw.len);
    wire_unknown_fields(intent, note, &said);
    for (const char *c = said.s; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, WIRE_UNKNOWN_MAX);
    intent_free(intent);
    str_clear(&raw);
    str_clear(&said);
}

static void a_broken_row_gives_nothing(void **state) {
    (void)state;
    expect("{\"x\":1,\"x\":2}", "");
    expect("[\"x\"]", "");
    expect("{\"status\":\"frozen\"", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_document_names_is_not_said),
        cmocka_unit_test(variation_f2_values_outside_a_closed_set_are_said),
        cmocka_unit_test(variation_f3_unknown_fields_are_named_by_their_path),
        cmocka_unit_test(variation_f9_names_and_values_are_sanitised_and_cut),
        cmocka_unit_test(variation_f10_a_flood_of_names_is_bounded),
        cmocka_unit_test(a_broken_row_gives_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
