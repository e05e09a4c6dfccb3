#include "base/mem.h"
#include "base/secret.h"
#include "wire/errors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_line_of(const char *body, const char *type, const char *const *extra, const char *expected) {
    struct service_error error;
    struct str line;
    str_init(&line, 4096);
    wire_service_error(body, strlen(body), type, extra, &error);
    service_error_line(&error, &line);
    assert_string_equal(line.s, expected);
    str_clear(&line);
    service_error_clear(&error);
}

static void expect_line(const char *body, const char *expected) {
    expect_line_of(body, "application/json", NULL, expected);
}

static void c1_text_is_found_in_every_place_and_under_every_name(void **state) {
    (void)state;
    static const char *const names[] = {"message",     "error_message", "detail",          "error_description",
                                        "description", "title",         "display_message", "reason"};
    static const char *const places[] = {"{\"%s\":\"T\"}",
                                         "{\"error\":{\"%s\":\"T\"}}",
                                         "{\"errors\":{\"%s\":\"T\"}}",
                                         "{\"errors\":[{\"%s\":\"T\"}]}",
                                         "{\"_embedded\":{\"errors\":[{\"%s\":\"T\"}]}}",
                                         "{\"details\":[{\"%s\":\"T\"}]}",
                                         "{\"invalidFields\":[{\"%s\":\"T\"}]}"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            const char *mark = strstr(places[k], "%s");
            struct str body;
            str_init(&body, 200);
            str_add_n(&body, places[k], (size_t)(mark - places[k]));
            str_add(&body, names[i]);
            str_add(&body, mark + 2);
            expect_line(body.s, "T");
            str_clear(&body);
        }
}

static void c1_error_and_detail_can_be_the_text_themselves(void **state) {
    (void)state;
    expect_line("{\"error\":\"T\"}", "T");
    expect_line("{\"detail\":\"T\"}", "T");
    expect_line("{\"errors\":[\"T\"]}", "T");
    expect_line("{\"errors\":\"T\"}", "T");
    expect_line("\"T\"", "T");
    expect_line("{\"error\":\"invalid_request\",\"error_description\":\"T\"}", "T (invalid_request)");
}

static void c1_the_text_within_a_fault_is_found(void **state) {
    (void)state;
    expect_line("{\"fault\":{\"faultstring\":\"T\",\"detail\":{\"errorcode\":\"C\"}}}", "T (C)");
    expect_line("{\"Fault\":{\"faultcode\":\"Server\",\"faultstring\":\"T\"}}", "T (Server)");
    expect_line("{\"exception\":{\"message\":\"T\"}}", "T");
    expect_line("{\"failure\":{\"err\":{\"reason\":\"T\"}}}", "T");
}

static void c1_the_profiles_own_places_come_first(void **state) {
    (void)state;
    static const char *const extra[] = {"fault.string", "status.why", NULL};
    expect_line_of("{\"message\":\"usual\",\"status\":{\"why\":\"own\"}}", NULL, extra, "own");
    expect_line_of("{\"message\":\"usual\",\"status\":{\"why\":7}}", NULL, extra, "usual");
}

static void c2_lists_show_the_first_entries_with_their_place(void **state) {
    (void)state;
    static const char *const names[] = {"field", "parameter", "param", "path", "pointer", "name"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct str body;
        str_init(&body, 200);
        str_addf(&body, "{\"message\":\"M\",\"errors\":[{\"%s\":\"email\",\"message\":\"T\"}]}", names[i]);
        expect_line(body.s, "M at email: T");
        str_clear(&body);
    }
    expect_line("{\"detail\":[{\"loc\":[\"body\",\"name\",0],\"msg\":\"T\",\"type\":\"x\"}]}", "at body.name.0: T");
    expect_line("{\"errors\":[{\"source\":{\"pointer\":\"/data/x\"},\"title\":\"T\"}]}", "at /data/x: T");
    expect_line("{\"errors\":{\"email\":[\"is taken\"],\"name\":\"is missing\"}}",
                "at email: is taken; at name: is missing");
}

static void c2_the_rest_of_a_list_is_counted(void **state) {
    (void)state;
    struct str body;
    struct service_error error;
    str_init(&body, 10000);
    str_add(&body, "{\"errors\":[{\"field\":\"f\",\"message\":\"T\"}");
    for (int i = 0; i < 20; i++)
        str_add(&body, ",{\"field\":\"g\",\"message\":\"U\"}");
    str_add(&body, "]}");
    wire_service_error(body.s, body.len, NULL, NULL, &error);
    assert_int_equal(error.n, SERVICE_ERROR_PLACES_MAX);
    assert_int_equal(error.more, 21 - SERVICE_ERROR_PLACES_MAX);
    service_error_clear(&error);
    str_clear(&body);
}

static void f29_the_place_is_kept_in_every_shape(void **state) {
    (void)state;
    expect_line("{\"error\":{\"message\":\"M\",\"field\":\"email\"}}", "M at email");
    expect_line("{\"errors\":{\"parameter\":\"email\",\"message\":\"M\"}}", "M at email");
    expect_line("{\"message\":\"M\",\"pointer\":\"/name/first\"}", "M at /name/first");
    expect_line("{\"message\":\"M\",\"source\":{\"parameter\":\"email\"}}", "M at email");
    expect_line("{\"errors\":{\"name\":{\"first\":[\"M\"]}}}", "at name.first: M");
    expect_line("{\"email\":[\"M\"]}", "at email: M");
    expect_line("{\"error\":{\"email\":[\"M\"]}}", "at email: M");
    expect_line("{\"error\":{\"errors\":[{\"location\":\"email\",\"message\":\"M\"}]}}", "at email: M");
    expect_line("{\"error\":{\"target\":\"email\",\"message\":\"M\"}}", "M at email");
    expect_line("{\"errors\":[{\"property\":\"email\",\"message\":\"M\"}]}", "at email: M");
    expect_line("{\"errors\":[{\"data_path\":\".email\",\"message\":\"M\"}]}", "at .email: M");
    expect_line("{\"errors\":[{\"key\":\"email\",\"message\":\"M\"}]}", "at email: M");
    expect_line("{\"error\":{\"details\":[{\"field\":\"email\",\"issue\":\"M\"}]}}", "at email: M");
}

static void f29_a_path_or_key_beside_a_text_is_the_place_where_it_reads_as_a_field(void **state) {
    (void)state;
    static const char *const FIELDS[] = {"address.city", "email", "items[0].tag", "$.name.first", ".email", "line_2"};
    static const char *const OTHERS[] = {
        "/users",      "users/7", "https://x.example/users", "users?page=2", "sk_live_abc",
        "7f3a99c0d1e", "a b",     "MARK0123456789abcdef",    "api-key-one",  "[0]",
        "..",          "404"};
    static const char *const NAMES[] = {"path", "key"};
    for (size_t i = 0; i < 4; i++) {
        struct str body, line;
        str_init(&body, 200);
        str_init(&line, 200);
        for (size_t j = 0; j < COUNT_OF(FIELDS); j++) {
            str_reset(&body);
            str_reset(&line);
            str_addf(&body, "%s{\"message\":\"is required\",\"%s\":\"%s\"}%s", i < 2 ? "{\"error\":" : "", NAMES[i % 2],
                     FIELDS[j], i < 2 ? "}" : "");
            str_addf(&line, "is required at %s", FIELDS[j]);
            expect_line(body.s, line.s);
        }
        for (size_t j = 0; j < COUNT_OF(OTHERS); j++) {
            str_reset(&body);
            str_addf(&body, "%s{\"message\":\"is required\",\"%s\":\"%s\"}%s", i < 2 ? "{\"error\":" : "", NAMES[i % 2],
                     OTHERS[j], i < 2 ? "}" : "");
            expect_line(body.s, "is required");
        }
        str_clear(&body);
        str_clear(&line);
    }
    expect_line("{\"error\":{\"message\":\"M\",\"path\":[\"address\",\"city\"]}}", "M at address.city");
    expect_line("{\"error\":{\"message\":\"M\",\"path\":\"/users\",\"key\":\"email\"}}", "M at email");
    expect_line("{\"message\":\"this key is not valid\",\"key\":\"acme-live\"}", "this key is not valid");
}

/* Frameworks nest what was wrong below the field, under the rule's name, or in a list of words. */
static void f29_rules_and_words_below_a_field_are_read(void **state) {
    (void)state;
    static const char *const MAPS[] = {"constraints", "modelState",         "ModelState",
                                       "model_state", "validationMessages", "validation_errors"};
    static const char *const VALUES[] = {"\"M\"",
                                         "[\"M\"]",
                                         "{\"isEmail\":\"M\"}",
                                         "{\"min_length\":[\"M\"]}",
                                         "{\"errors\":[{\"errorMessage\":\"M\"}],\"attemptedValue\":\"x\"}",
                                         "{\"_errors\":[\"M\"]}",
                                         "{\"errors\":[\"M\"]}"};
    for (size_t i = 0; i < COUNT_OF(MAPS); i++)
        for (size_t k = 0; k < COUNT_OF(VALUES); k++) {
            char body[200], expected[200];
            (void)snprintf(body, sizeof body, "{\"%s\":{\"email\":%s}}", MAPS[i], VALUES[k]);
            expect_line(body, "at email: M");
            (void)snprintf(body, sizeof body, "{\"message\":\"T\",\"%s\":{\"user.email\":%s}}", MAPS[i], VALUES[k]);
            (void)snprintf(expected, sizeof expected, "T at user.email: M");
            expect_line(body, expected);
        }
    expect_line("{\"constraints\":[\"M\"]}", "M");
    expect_line("{\"constraints\":{\"isEmail\":\"M\"}}", "M");
    expect_line("{\"modelState\":{\"\":[\"M\"]}}", "M");
    expect_line("{\"errors\":{\"children\":{\"email\":{\"errors\":[\"M\"]}}}}", "at email: M");
    expect_line("{\"errors\":{\"properties\":{\"name\":{\"properties\":{\"first\":{\"errors\":[\"M\"]}}}}}}",
                "at name.first: M");
}

static void f29_rules_of_an_entry_are_its_text(void **state) {
    (void)state;
    expect_line(
        "{\"statusCode\":400,\"error\":\"Bad Request\",\"message\":[{\"target\":{\"email\":\"x\"},\"value\":\"x\","
        "\"property\":\"email\",\"children\":[],\"constraints\":{\"isEmail\":\"M\",\"maxLength\":\"N\"}}]}",
        "Bad Request at email: M, N");
    expect_line("{\"errors\":[{\"property\":\"address\",\"children\":[{\"property\":\"zip\",\"constraints\":{\"min\":"
                "\"M\"}}]}]}",
                "at address.zip: M");
    expect_line("{\"property\":\"email\",\"constraints\":{\"isEmail\":\"M\"}}", "M at email");
    expect_line("{\"message\":[\"M\",\"N\"]}", "M; N");
    expect_line("{\"errors\":[{\"field\":\"email\",\"defaultMessage\":\"M\"}]}", "at email: M");
    expect_line("{\"errors\":[{\"propertyName\":\"email\",\"errorMessage\":\"M\"}]}", "at email: M");
    expect_line("{\"subErrors\":[{\"field\":\"email\",\"message\":\"M\"}]}", "at email: M");
}

/* An entry that says nothing itself is the envelope of those in its own list. */
static void f29_a_list_within_an_entry_is_read(void **state) {
    (void)state;
    expect_line("{\"error\":{\"details\":[{\"fieldViolations\":[{\"field\":\"email\",\"description\":\"M\"}]}]}}",
                "at email: M");
    expect_line("{\"error\":{\"code\":400,\"message\":\"T\",\"status\":\"INVALID_ARGUMENT\",\"details\":[{\"@type\":"
                "\"x/BadRequest\",\"field_violations\":[{\"field\":\"a\",\"description\":\"M\"},{\"field\":\"b\","
                "\"description\":\"N\"}]}]}}",
                "T (400) at a: M; at b: N");
    expect_line("{\"errors\":[{\"index\":0,\"errors\":[{\"field\":\"email\",\"message\":\"M\"}]}]}", "at email: M");
    expect_line("{\"details\":[{\"field\":\"address\",\"issues\":[{\"path\":\"zip\",\"message\":\"M\"}]}]}",
                "at address.zip: M");
    expect_line("{\"fieldViolations\":[{\"field\":\"email\",\"description\":\"M\"}]}", "at email: M");
}

static void c3_codes_alone_are_shown(void **state) {
    (void)state;
    expect_line("{\"code\":\"bad\"}", "bad");
    expect_line("{\"error\":{\"error_code\":\"bad\"}}", "bad");
    expect_line("{\"errorCode\":1042}", "1042");
    expect_line("{\"error_codes\":[\"bad\",\"worse\"]}", "bad, worse");
    expect_line("{\"error_type\":\"request\",\"error_codes\":[\"bad\",null,7,\"worst\"]}", "bad, 7");
    expect_line("{\"error_type\":\"request\",\"error_codes\":[]}", "request");
    expect_line("{\"errors\":[{\"code\":\"bad\",\"field\":\"x\"}]}", "at x: bad");
    expect_line("{\"type\":\"about:blank\",\"title\":\"T\"}", "T");
    expect_line("{\"message\":\"T\",\"code\":\"bad\"}", "T (bad)");
}

static void c4_html_text_and_broken_json_give_a_short_extract(void **state) {
    (void)state;
    expect_line_of("<html><head><TITLE>502 Bad\n Gateway</TITLE></head><body>long</body></html>", "text/html", NULL,
                   "502 Bad Gateway");
    expect_line_of("<p>Sign <b>in</b>\x1B[2J</p>", NULL, NULL, "Sign in <1B>[2J");
    expect_line_of("upstream   timed\nout\n", "text/plain", NULL, "upstream timed out");
    expect_line_of("{\"message\":\"cut", "application/json", NULL, "{\"message\":\"cut");
    expect_line_of("\xEF\xBB\xBF{\"message\":\"T\"}", "text/plain", NULL, "T");
    expect_line_of("", NULL, NULL, "");
    expect_line_of("<title>never closed", "text/html", NULL, "never closed");
    expect_line_of("<", "text/html", NULL, "");
    expect_line_of("{\"other\":[1]}", NULL, NULL, "{\"other\":[1]}");
}

static void c4_an_extract_is_short_and_one_line(void **state) {
    (void)state;
    struct str body;
    struct service_error error;
    str_init(&body, 1 << 20);
    for (int i = 0; i < 10000; i++)
        str_add(&body, "noise\n");
    wire_service_error(body.s, body.len, "text/plain", NULL, &error);
    assert_true(strlen(error.text) < 220);
    assert_null(strchr(error.text, '\n'));
    service_error_clear(&error);
    str_clear(&body);
}

static void c5_error_text_inside_an_accepted_object_is_seen(void **state) {
    (void)state;
    static const char *const with[] = {"{\"error\":{\"message\":\"x\"}}",
                                       "{\"errors\":[{\"code\":\"x\"}]}",
                                       "{\"error\":\"x\"}",
                                       "{\"message\":\"x\"}",
                                       "{\"error_code\":\"x\"}",
                                       "{\"type\":\"a\",\"error\":{\"code\":\"b\"}}"};
    static const char *const without[] = {
        "{}",      "{\"error\":null}", "{\"errors\":[]}", "{\"type\":\"list\"}", "{\"message\":\"\"}",
        "[\"x\"]", "<html>",           "{\"error\":",     "{\"error\":{}}"};
    for (size_t i = 0; i < sizeof with / sizeof *with; i++)
        if (!wire_has_error_text(with[i], strlen(with[i])))
            fail_msg("not seen: %s", with[i]);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        if (wire_has_error_text(without[i], strlen(without[i])))
            fail_msg("seen: %s", without[i]);
}

static void c6_null_and_other_types_are_stepped_over(void **state) {
    (void)state;
    expect_line("{\"message\":null,\"detail\":7,\"description\":\" \",\"reason\":\"T\"}", "T");
    expect_line("{\"message\":{\"deep\":\"x\"},\"error\":{\"message\":\"T\"}}", "T");
}

static void c6_a_long_text_is_cut_with_a_mark(void **state) {
    (void)state;
    struct str body;
    struct service_error error;
    str_init(&body, 100000);
    str_add(&body, "{\"message\":\"");
    for (int i = 0; i < 1000; i++)
        str_add(&body, "é");
    str_add(&body, "\"}");
    wire_service_error(body.s, body.len, NULL, NULL, &error);
    assert_int_equal(strlen(error.text), SERVICE_ERROR_TEXT_MAX + strlen("…"));
    service_error_clear(&error);
    str_clear(&body);
}

static void c7_the_request_id_comes_out_of_the_body(void **state) {
    (void)state;
    expect_line("{\"message\":\"T\",\"request_id\":\"r\"}", "T; request id r");
    expect_line("{\"message\":\"T\",\"requestId\":\"r\"}", "T; request id r");
    expect_line("{\"message\":\"T\",\"meta\":{\"supportId\":\"r\"}}", "T; request id r");
    expect_line("{\"error\":{\"message\":\"T\",\"request_id\":12}}", "T; request id 12");
}

static void c9_secrets_that_the_service_echoes_are_redacted(void **state) {
    (void)state;
    struct secret *secret = secret_new("tok_sentinel_0123456789", 23);
    expect_line("{\"message\":\"bad token tok_sentinel_0123456789!\"}", "bad token [redacted]!");
    expect_line("{\"message\":\"bad token tok_sent\\u0069nel_0123456789\"}", "bad token [redacted]");
    expect_line("{\"errors\":[{\"field\":\"tok_sentinel_0123456789\",\"message\":\"x\"}]}", "at [redacted]: x");
    expect_line_of("no: tok_sentinel_0123456789", "text/plain", NULL, "no: [redacted]");
    expect_line("{\"code\":\"tok_sentinel_0123456789\",\"request_id\":\"tok_sentinel_0123456789\"}",
                "[redacted]; request id [redacted]");
    secret_free(secret);
}

static void c9_a_secret_at_the_cut_or_repeated_without_end_is_redacted(void **state) {
    (void)state;
    struct secret *secret = secret_new("tok_sentinel_0123456789", 23);
    struct str body;
    str_init(&body, 1 << 21);
    for (size_t before = SERVICE_ERROR_TEXT_MAX - 30; before <= SERVICE_ERROR_TEXT_MAX; before += 5) {
        struct service_error error;
        str_reset(&body);
        str_add(&body, "{\"message\":\"");
        str_add_repeat(&body, 'x', before);
        for (int i = 0; i < 20000; i++)
            str_add(&body, "tok_sentinel_0123456789");
        str_add(&body, "\"}");
        wire_service_error(body.s, body.len, NULL, NULL, &error);
        assert_null(strstr(error.text, "tok"));
        assert_true(strlen(error.text) <= SERVICE_ERROR_TEXT_MAX + strlen("…"));
        service_error_clear(&error);
    }
    str_clear(&body);
    secret_free(secret);
}

static void k3_text_for_people_is_sanitised(void **state) {
    (void)state;
    expect_line("{\"error\":\"\\u001b]52;c;QUJD\\u0007\\u001b]0;x\\u0007\"}", "<1B>]52;c;QUJD<07><1B>]0;x<07>");
    expect_line("{\"errors\":{\"a\\u001bb\":\"x\\ny\"}}", "at a<1B>b: x<0A>y");
}

static void a_member_is_text_where_it_stands_once(void **state) {
    (void)state;
    static const struct {
        const char *body, *text;
    } cases[] = {
        {"{\"id\":\"u_1\"}", "u_1"},
        {"{\"id\":42}", "42"},
        {"{\"id\":\"a\\u001b\"}", "a<1B>"},
        {"{\"x\":{\"id\":\"u\"}}", NULL},
        {"{\"id\":null}", NULL},
        {"{\"id\":\"a\",\"id\":\"b\"}", NULL},
        {"{\"id\":[\"a\"]}", NULL},
        {"", NULL},
        {"[\"id\"]", NULL},
        {"{\"id\":true}", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = wire_member_text(cases[i].body, strlen(cases[i].body), "id");
        assert_true(str_equal(text, cases[i].text));
        free(text);
    }
}

static void a_body_is_told_by_its_kind(void **state) {
    (void)state;
    static const struct {
        const char *body;
        enum wire_kind kind;
    } cases[] = {
        {"", WIRE_NOTHING},     {" \r\n\t", WIRE_NOTHING}, {"\xEF\xBB\xBF", WIRE_NOTHING},
        {"{}", WIRE_OBJECT},    {"[1e400]", WIRE_ARRAY},   {"17", WIRE_SCALAR},
        {"null", WIRE_SCALAR},  {"{", WIRE_NOT_JSON},      {"<html>", WIRE_NOT_JSON},
        {"{}x", WIRE_NOT_JSON}, {"nul", WIRE_NOT_JSON},    {" {\"a\":1} ", WIRE_OBJECT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(wire_kind_of(cases[i].body, strlen(cases[i].body)), cases[i].kind);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c1_text_is_found_in_every_place_and_under_every_name),
        cmocka_unit_test(c1_error_and_detail_can_be_the_text_themselves),
        cmocka_unit_test(c1_the_text_within_a_fault_is_found),
        cmocka_unit_test(c1_the_profiles_own_places_come_first),
        cmocka_unit_test(c2_lists_show_the_first_entries_with_their_place),
        cmocka_unit_test(c2_the_rest_of_a_list_is_counted),
        cmocka_unit_test(f29_the_place_is_kept_in_every_shape),
        cmocka_unit_test(f29_a_path_or_key_beside_a_text_is_the_place_where_it_reads_as_a_field),
        cmocka_unit_test(f29_rules_and_words_below_a_field_are_read),
        cmocka_unit_test(f29_rules_of_an_entry_are_its_text),
        cmocka_unit_test(f29_a_list_within_an_entry_is_read),
        cmocka_unit_test(c3_codes_alone_are_shown),
        cmocka_unit_test(c4_html_text_and_broken_json_give_a_short_extract),
        cmocka_unit_test(c4_an_extract_is_short_and_one_line),
        cmocka_unit_test(c5_error_text_inside_an_accepted_object_is_seen),
        cmocka_unit_test(c6_null_and_other_types_are_stepped_over),
        cmocka_unit_test(c6_a_long_text_is_cut_with_a_mark),
        cmocka_unit_test(c7_the_request_id_comes_out_of_the_body),
        cmocka_unit_test(c9_secrets_that_the_service_echoes_are_redacted),
        cmocka_unit_test(c9_a_secret_at_the_cut_or_repeated_without_end_is_redacted),
        cmocka_unit_test(k3_text_for_people_is_sanitised),
        cmocka_unit_test(a_member_is_text_where_it_stands_once),
        cmocka_unit_test(a_body_is_told_by_its_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
