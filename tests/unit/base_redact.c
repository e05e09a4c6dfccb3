#include "base/redact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void check(const char *value, const char *exempt, const char *written, const char *expected) {
    struct str text;
    str_init(&text, 4096);
    str_add(&text, written);
    redact(&text, &value, 1, &(struct redact_ids){.made = exempt});
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

static void f18_what_is_left_of_a_value_behind_its_middle_is_taken_out(void **state) {
    (void)state;
    check("whsec_0123456789abcdef", NULL, "whsec_01...89abcdef!", "[...]...[...]!");
    check("whsec_0123456789abcdef", NULL,
          "secret whsec\xE2\x80\xA6"
          "cdef refused",
          "secret [...]\xE2\x80\xA6[...] refused");
    check("whsec_0123456789abcdef", NULL, "******def0, ****cdef", "******def0, ****[...]");
    check("whsec_0123456789abcdef", NULL,
          "\xE2\x80\xA2\xE2\x80\xA2 bcdef, \xE2\x80\xA2"
          "bcdef",
          "\xE2\x80\xA2\xE2\x80\xA2 bcdef, \xE2\x80\xA2[...]");
    check("whsec_0123456789abcdef", NULL, "bcdef alone. cdef", "bcdef alone. cdef");
    check("jonathan.mill@mail.example", NULL, "j***@mail.example is taken", "j***[...] is taken");
}

/* The end of a write's sentence is this program's own, and has to be read whatever the person is called. */
static void f18_words_of_the_outcome_stay_whoever_is_meant(void **state) {
    (void)state;
    check("One", NULL, "409: One exists. Outcome: not known whether it was done",
          "409: [...] exists. Outcome: not known whether it was done");
    check("Not", NULL, "422: Not is no name. Outcome: not done", "422: [...] is no name. Outcome: not done");
    check("sent", NULL, "It says: sent. Outcome: nothing was sent", "It says: [...]. Outcome: nothing was sent");
    /* a service that quotes our words quotes what it was sent with them */
    check("tok_live_01", NULL, "Outcome: nothing was sentok_live_01 x", "Outcome: nothing was sen[...] x");
    check("Abel Outcome", NULL, "by Abel Outcome: not done", "by [...]: not done");
    check("done@x.example", NULL, "Outcome: not done@x.example", "Outcome: not [...]");
}

static void f9_an_id_of_the_service_stays_as_it_is(void **state) {
    (void)state;
    check("1234", "usr-1234c0ffee01", "id usr-1234c0ffee01, last4 1234", "id usr-1234c0ffee01, last4 [...]");
}

static void check_request(const char *value, const char *id, const char *written, const char *expected) {
    struct str text;
    str_init(&text, 4096);
    str_add(&text, written);
    redact(&text, &value, 1, &(struct redact_ids){.request = id});
    assert_string_equal(text.s, expected);
    str_clear(&text);
}

static void f9_the_id_of_a_request_stays_as_it_is(void **state) {
    (void)state;
    check_request("1234", "req-1234-90210", "req-1234-90210", "req-1234-90210");
    check_request("1234", "req-1234-90210", "bad 1234; request id req-1234-90210. Outcome: not done",
                  "bad [...]; request id req-1234-90210. Outcome: not done");
    check_request("req-1234", "req-1234:7_x", "\"req-1234:7_x\"", "\"req-1234:7_x\"");
    /* it was quoted: as a whole, in a text, or with more of the value than the id has */
    check_request("1234", "1234", "id 1234", "id [...]");
    check_request("R-1234", "r-1234", "id r-1234", "id [...]");
    check_request("Anna", "for Anna", "id for Anna", "id for [...]");
    check_request("a@b.example", "a@b.example-1", "id a@b.example-1", "id [...]-1");
    check_request("anna bell", "r-anna", "r-anna bell", "r-[...]");
    check_request("anna", "a", "anna a", "[...] a");
}

/* The last four of a document's number. */
static void f18_a_short_value_in_base64_is_taken_out_too(void **state) {
    (void)state;
    check("M4RK", NULL, "the value TTRSSw== is bad", "the value [...]== is bad");
    check("M4RK", NULL, "the value TTRSSw is bad", "the value [...] is bad");
    check("12>?", NULL, "the value MTI-Pw is bad", "the value [...] is bad");
}

static void f18_a_number_that_was_cut_before_dots_is_taken_out(void **state) {
    (void)state;
    check("+420 601 234 567", NULL, "phone (420) 601... is taken", "phone ([...]... is taken");
    check("+420 601 234 567", NULL, "phone (420-601\xE2\x80\xA6 is taken", "phone ([...]\xE2\x80\xA6 is taken");
}

/* What begins within itself is found at each of its beginnings. */
static void f18_a_value_that_overlaps_itself_is_taken_out_whole(void **state) {
    (void)state;
    check("abcabcabd", NULL, "x abcabcabcabd y", "x abc[...] y");
    check("ababab", NULL, "x abababab y", "x [...] y");
    check("a a b", NULL, "a a a b", "a [...]");
    check("420 601 601 602", NULL, "420 601-601 601 602", "420 601-[...]"); /* its last nine digits */
    check("420 601 601 602", NULL, "4206016016016025", "4206016016016025");
    check("11 11 12", NULL, "1 1 1-1 1 1 2", "1 [...]");
    check("aaaaaaaa", "aa", "aaaaaaaa aa", "[...] aa");
}

/* An id of a letter or two would lift every value that has them. */
static void f9_a_short_id_keeps_no_value_that_it_occurs_in(void **state) {
    (void)state;
    check("Henriette", "e", "Henriette is e", "[...] is e");
    check("anna@mail.example", "a", "anna@mail.example has a", "[...] has a");
    check("1234", "usr-1234-7", "usr-1234-7 and 1234", "usr-1234-7 and [...]");
}

/* Services write a number as people of the country do. */
static void f18_the_last_digits_of_a_number_are_taken_out(void **state) {
    (void)state;
    check("+34612345987", NULL, "phone 612345987 is taken", "phone [...] is taken");
    check("+34612345987", NULL, "phone 612 34 59 87 is taken", "phone [...] is taken");
    check("+34612345987", NULL, "{\"phone\":\"(612) 345.987\"}", "{\"phone\":\"([...]\"}");
    check("+4915123456789", NULL, "15123456789", "[...]");
    check("+4915123456789", NULL, "0151 23456789 or 0151/234 567-89.", "[...] or [...].");
    check("+4915123456789", NULL, "0151&nbsp;234%2056789", "[...]");
    check("+4915123456789", NULL, "+49 (0) 151 23456789", "+49 (0) [...]");
    check("+4915123456789", NULL, "in 2026 0151 23456789 3 times", "in 2026 [...] 3 times");
    check("+15550001234", NULL, "555-000-1234 and 000 1234", "[...] and [...]");
    /* too few, others, and no group of their own */
    check("+15550001234", NULL, "001234, 00-1234 and 5551234", "001234, 00-1234 and 5551234");
    check("+15550001234", NULL, "99900012345 and 95550001234", "99900012345 and 95550001234");
    check("M15550001234", NULL, "5550001234", "5550001234");
}

static void f18_a_number_and_its_end_are_taken_out_as_one(void **state) {
    struct str text;
    (void)state;
    str_init(&text, 4096);
    str_add(&text, "phone 5550001234, card 1234");
    redact(&text, (const char *const[]){"1234", "+15550001234", "00 1234"}, 3, NULL);
    assert_string_equal(text.s, "phone [...], card [...]");
    str_clear(&text);
}

static void f18_what_was_escaped_in_other_ways_is_taken_out(void **state) {
    (void)state;
    static const char *const forms[][2] = {
        {"O'Brien-Núñez", "O&#39;Brien-N&uacute;&ntilde;ez"},
        {"O'Brien-Núñez", "O&amp;#39;Brien&hyphen;N&amp;uacute;&amp;amp;ntilde;ez"},
        {"O'Brien-Núñez", "O\\'Brien-N\\u00fa\\u00f1ez"},
        {"O'Brien-Núñez", "O\\\\'Brien-N\\\\u00fa\\\\u00f1ez"},
        {"O'Brien-Núñez", "O''Brien-N\xFA\xF1"
                          "ez"},
        {"O'Brien-Núñez", "O\\x27Brien-N\\xc3\\xba\\xF1"
                          "ez"},
        {"O'Brien-Núñez", "O=27Brien-N=C3=BA=\r\n=F1ez"},
        {"O'Brien-Núñez", "O\xE2\x80\x99"
                          "Brien\xE2\x80\x93Núñez"},
        {"O'Brien-Núñez", "O%27Brien-N%FA%F1ez"},
        {"Müller", "M&uuml;ller"},
        {"Müller", "M&Uuml;ller"},
        {"Müller", "M\\\\u00fcller"},
        {"José", "Jos\xe9"},
        {"Łukasz Sørensen", "&Lstrok;ukasz S&oslash;rensen"},
        {"Weiß & Čapek", "Wei&szlig; &amp;amp; &Ccaron;apek"},
        {"anna+x@a.example", "anna&plus;x&commat;a&period;example"},
        {"anna+x@a.example", "anna\\\\u002bx\\\\u0040a.example"},
        {"anna+x@a.example", "anna\\x2bx\\x40a.example"},
        {"anna+x@a.example", "anna=2Bx=40a.example"},
        {"17 Larch Mews", "17  Larch \t Mews"},
        {"17 Larch Mews", "17\xC2\xA0Larch&nbsp;&#160;Mews"},
        {"17  Larch Mews", "17 Larch\r\n  Mews"},
        {"say \"hi\" & go", "say \"\"hi\"\" & go"},
        {"say \"hi\" & go", "say \\\\\\\"hi\\\\\\\" & go"},
        {"a\xF0\x9F\x98\x80z", "a\\\\ud83d\\\\ude00z"},
    };
    for (size_t i = 0; i < COUNT(forms); i++) {
        char written[256];
        (void)snprintf(written, sizeof written, "value {%s} is bad", forms[i][1]);
        check(forms[i][0], NULL, written, "value {[...]} is bad");
    }
}

/* What looks like an escape may be none: each text is read as it stands too. */
static void f18_what_looks_escaped_hides_no_value(void **state) {
    (void)state;
    check("20ab-key-7", NULL, "at=20ab-key-7", "at=[...]");
    check("ab key 7", NULL, "at=ab%20key%207", "at=[...]");
    check("amp;lify", NULL, "&amp;lify", "&[...]");
    check("x41 road", NULL, "by \\x41 road", "by \\[...]");
    check("C:\\temp\\", NULL, "\"C:\\\\temp\\\\\"", "\"[...]\"");
    check("'tis", NULL, "''tis", "[...]");
    check("+420 601 234 567", NULL, "phone:  +420 601 234 567", "phone:  [...]");
}

static void f18_short_values_are_in_no_loose_form(void **state) {
    (void)state;
    check("Jo", NULL, "J&#111; J\\x6f J=6F Jo", "J&#111; J\\x6f J=6F Jo");
    check("''a", NULL, "a 'a ''a", "a 'a [...]");
    check("A  B", NULL, "a b", "[...]");
    check("ü", NULL, "&uuml; \xFC =FC", "&uuml; \xFC =FC");
}

/* The time must not grow with the text times the value: an answer of 8 MB held the console for seconds. */
static void f18_a_long_text_is_read_once(void **state) {
    enum { TEXT = 1 << 20, VALUE = 4096, VALUES = 40 };
    struct str text, values[VALUES];
    const char *items[VALUES];
    struct timespec began, ended;
    (void)state;
    str_init(&text, 2 * TEXT);
    str_add_repeat(&text, 'a', TEXT);
    for (size_t i = 0; i < VALUES; i++) {
        str_init(&values[i], 2 * VALUE);
        str_add_repeat(&values[i], 'a', VALUE - 1);
        str_add_char(&values[i], (char)('b' + i % 20));
        items[i] = values[i].s;
    }
    assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &began), 0);
    redact(&text, items, VALUES, NULL);
    assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ended), 0);
    assert_string_equal(text.s, "[...]"); /* the first part of a long value is one */
    /* Text times value would be a hundred times as long. */
    assert_in_range(ended.tv_sec - began.tv_sec, 0, 10);
    for (size_t i = 0; i < VALUES; i++)
        str_clear(&values[i]);
    str_clear(&text);
}

/* Escapes without end, and groups that each end as a number does. */
static void f18_long_escapes_are_read_once(void **state) {
    static const char *const PARTS[] = {"\\",        "&amp;", "&aaaaaaa", "=",     "%25",
                                        "\\ud83d\\", "1 ",    "0001234 ", "\\x41", "''"};
    enum { TEXT = 1 << 20, VALUES = 20 };
    const char *items[VALUES];
    (void)state;
    for (size_t i = 0; i < VALUES; i++)
        items[i] = i % 2 ? "11111111111111111" : "+15550001234";
    for (size_t i = 0; i < COUNT(PARTS); i++) {
        struct str text;
        struct timespec began, ended;
        str_init(&text, 2 * TEXT);
        while (text.len < TEXT)
            str_add(&text, PARTS[i]);
        assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &began), 0);
        redact(&text, items, VALUES, NULL);
        assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ended), 0);
        assert_in_range(ended.tv_sec - began.tv_sec, 0, 10);
        str_clear(&text);
    }
}

/* A service writes a date in the form of its country. */
static void f18_a_date_is_taken_out_however_it_is_written(void **state) {
    (void)state;
    static const char *const FORMS[] = {"03.07.1984",  "3.7.1984",      "7/3/1984",       "1984/7/3",
                                        "3-7-1984",    "3 July 1984",   "03 July 1984",   "3-Jul-1984",
                                        "JUL 3, 1984", "July 03, 1984", "july 3 1984",    "3 jul 1984",
                                        "19840703",    "1984-07-03",    "03%2F07%2F1984", "July 3,1984"};
    for (size_t i = 0; i < COUNT(FORMS); i++) {
        char written[64];
        (void)snprintf(written, sizeof written, "born %s.", FORMS[i]);
        check("1984-07-03", NULL, written, "born [...].");
    }
    check("1984-07-03", NULL, "3 June 1984, 4.7.1984, July 1984 are others",
          "3 June 1984, 4.7.1984, July 1984 are others");
    check("1984-02-31", NULL, "31.2.1984 is none", "31.2.1984 is none");
}

/* A name of a few cells: East Asian names are two characters as a rule. */
static void f18_a_name_of_two_wide_characters_is_taken_out(void **state) {
    (void)state;
    check("田中", NULL, "user 田中太郎", "user [...]太郎");
    check("田中", NULL, "\\u7530\\u4e2d %E7%94%B0%E4%B8%AD &#30000;&#20013;", "[...] [...] [...]");
    check("はな", NULL, "はな", "[...]");
    check("민준", NULL, "민준 exists", "[...] exists");
    check("中", NULL, "中国", "中国");
    check("Ｎｇ", NULL, "Ng", "Ng");
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
        cmocka_unit_test(f18_what_is_left_of_a_value_behind_its_middle_is_taken_out),
        cmocka_unit_test(f18_words_of_the_outcome_stay_whoever_is_meant),
        cmocka_unit_test(f9_an_id_of_the_service_stays_as_it_is),
        cmocka_unit_test(f9_the_id_of_a_request_stays_as_it_is),
        cmocka_unit_test(f18_a_short_value_in_base64_is_taken_out_too),
        cmocka_unit_test(f18_a_number_that_was_cut_before_dots_is_taken_out),
        cmocka_unit_test(f18_a_value_that_overlaps_itself_is_taken_out_whole),
        cmocka_unit_test(f9_a_short_id_keeps_no_value_that_it_occurs_in),
        cmocka_unit_test(f18_the_last_digits_of_a_number_are_taken_out),
        cmocka_unit_test(f18_a_number_and_its_end_are_taken_out_as_one),
        cmocka_unit_test(f18_what_was_escaped_in_other_ways_is_taken_out),
        cmocka_unit_test(f18_what_looks_escaped_hides_no_value),
        cmocka_unit_test(f18_a_date_is_taken_out_however_it_is_written),
        cmocka_unit_test(f18_a_name_of_two_wide_characters_is_taken_out),
        cmocka_unit_test(f18_short_values_are_in_no_loose_form),
        cmocka_unit_test(f18_a_long_text_is_read_once),
        cmocka_unit_test(f18_long_escapes_are_read_once),
        cmocka_unit_test(short_values_and_other_text_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
