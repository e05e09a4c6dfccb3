#include "base/redact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void check(const char *value, const char *exempt, const char *written, const char *expected) {
    struct str text;
    str_init(&text, 4096);
    str_add(&text, written);
    redact(&text, &value, 1, exempt);
    assert_string_equal(text.s, expected);
    str_clear(&text);
}

static void f18_a_value_is_taken_out_in_every_written_form(void **state) {
    (void)state;
    static const char *const forms[][2] = {
        {"Zoë O'Ríordan/4", "Zoë O'Ríordan/4"},
        {"Zoë O'Ríordan/4", "Zo\\u00eb O'R\\u00EDordan\\/4"},
        {"Zoë O'Ríordan/4", "Zo%C3%AB%20O%27R%c3%adordan%2F4"},
        {"Zoë O'Ríordan/4", "Zo&#235; O&#x27;R&#xed;ordan&#47;4"},
        {"Zoë O'Ríordan/4", "Zoe\xCC\x88 O'Ri\xCC\x81ordan/4"},
        {"Zoë O'Ríordan/4", "ZOË O'RÍORDAN/4"},
        {"Zoë O'Ríordan/4", "zoe o'riordan/4"},
        {"Zoë O'Ríordan/4", "Zo\xE2\x80\x8Cë O'Rí<200C>ordan/4"},
        {"Zoë O'Ríordan/4", "Wm/DqyBPJ1LDrW9yZGFuLzQ="},
        {"say \"hi\" & go", "say \\\"hi\\\" \\u0026 go"},
        {"say \"hi\" & go", "say &quot;hi&quot; &amp; go"},
        {"+420 601 234 567", "+420601234567"},
        {"+420 601 234 567", "(420) 601-234.567"},
        {"1980-01-02", "1980/01/02"},
        {"Aurelio@Example.org", "aurelio@example.org"},
        {"Aurelio@Example.org", "aurelio%40example.org"},
        {"Aurelio@Example.org", "aurelio%2540example%252Eorg"},
        {"Zoë O'Ríordan/4", "Zo%25C3%25AB%2BO%2527R%25C3%25ADordan%25252F4"},
        {"17 Larch Mews", "17+Larch+Mews"},
        {"SW1A-9ZZ", "SW1A\xE2\x80\x91"
                     "9ZZ"},
        {"SW1A-9ZZ", "ＳＷ１Ａ－９ＺＺ"},
        {"17 Larch Mews", "3137204c61726368204d657773"},
        {"17 Larch Mews", "3137204C61726368204D657773"},
        {"1980-01-02", "02.01.1980"},
        {"1980-01-02", "01/02/1980"},
        {"whsec_+/++MDEyMzQ1Njc4OTAxMjM0", "+/++MDEyMzQ1Njc4OTAxMjM0"},
        {"whsec_+/++MDEyMzQ1Njc4OTAxMjM0", "whsec_-_--MDEyMzQ1Njc4OTAxMjM0"},
        {"whsec_+/++MDEyMzQ1Njc4OTAxMj==", "whsec_+/++MDEyMzQ1Njc4OTAxMj"},
        {"whsec_+/++MDEyMzQ1Njc4OTAxMjM0", "whsec_+/++MDEy"},
    };
    for (size_t i = 0; i < COUNT(forms); i++) {
        char written[256];
        (void)snprintf(written, sizeof written, "the value {%s} is bad", forms[i][1]);
        struct str text;
        str_init(&text, 4096);
        str_add(&text, written);
        redact(&text, (const char *const[]){forms[i][0]}, 1, NULL);
        assert_null(strstr(text.s, forms[i][1]));
        assert_non_null(strstr(text.s, "[...]"));
        assert_true(text.len < strlen("the value {} is bad") + sizeof "+()[...]=");
        str_clear(&text);
    }
}

static void f18_what_stands_before_it_hides_no_part_of_a_value(void **state) {
    (void)state;
    check("tok_live_01", NULL, "zX\\(%\\tok_live_01/\\!", "zX\\(%\\[...]/\\!");
    check("nora.bell", NULL, "users\\nora.bell", "users\\[...]");
    check("20ab-key-7", NULL, "at=%20ab-key-7", "at=%[...]");
    check("1B> mill", NULL, "<1B> mill", "<[...]");
    check("Zo\\ndra", NULL, "Zo\\ndra", "[...]");
}

static void f18_what_a_cut_left_of_a_value_is_taken_out(void **state) {
    (void)state;
    check("whsec_0123456789", NULL, "secret whsec_01234", "secret [...]");
    check("whsec_0123456789", NULL, "secret \"whsec_01234\xE2\x80\xA6\" refused",
          "secret \"[...]\xE2\x80\xA6\" refused");
    check("whsec_0123456789", NULL, "secret whsec_01... refused", "secret [...]... refused");
    check("whsec_0123456789", NULL, "secret whsec_99", "secret whsec_99");
}

/* The end of a write's sentence is this program's own, and has to be read whatever the person is called. */
static void f18_words_of_the_outcome_stay_whoever_is_meant(void **state) {
    (void)state;
    check("One", NULL, "409: One exists. Outcome: not known whether it was done",
          "409: [...] exists. Outcome: not known whether it was done");
    check("Not", NULL, "422: Not is no name. Outcome: not done", "422: [...] is no name. Outcome: not done");
    check("sent", NULL, "It says: sent. Outcome: nothing was sent", "It says: [...]. Outcome: nothing was sent");
}

static void f9_an_id_of_the_service_stays_as_it_is(void **state) {
    (void)state;
    check("1234", "usr-1234c0ffee01", "id usr-1234c0ffee01, last4 1234", "id usr-1234c0ffee01, last4 [...]");
}

/* The last four of a document's number. */
static void f18_a_short_value_in_base64_is_taken_out_too(void **state) {
    (void)state;
    check("M4RK", NULL, "the value TTRSSw== is bad", "the value [...]== is bad");
    check("M4RK", NULL, "the value TTRSSw is bad", "the value [...] is bad");
    check("12>?", NULL, "the value MTI-Pw is bad", "the value [...] is bad");
}

static void short_values_and_other_text_stay(void **state) {
    (void)state;
    check("DE", NULL, "DE is not a code", "DE is not a code");
    check("Ada", NULL, "field name: Adb", "field name: Adb");
    check("", NULL, "nothing", "nothing");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f18_a_value_is_taken_out_in_every_written_form),
        cmocka_unit_test(f18_what_stands_before_it_hides_no_part_of_a_value),
        cmocka_unit_test(f18_what_a_cut_left_of_a_value_is_taken_out),
        cmocka_unit_test(f18_words_of_the_outcome_stay_whoever_is_meant),
        cmocka_unit_test(f9_an_id_of_the_service_stays_as_it_is),
        cmocka_unit_test(f18_a_short_value_in_base64_is_taken_out_too),
        cmocka_unit_test(short_values_and_other_text_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
