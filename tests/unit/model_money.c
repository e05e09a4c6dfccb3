#include "model/money.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void expect(int64_t amount, const char *currency, enum money_unit unit, const char *expected) {
    struct str text;
    str_init(&text, 100);
    money_format(&text, amount, currency, &(struct money_rule){unit, NULL});
    assert_string_equal(text.s, expected);
    str_clear(&text);
}

static void variation_f5_minor_units_follow_the_currency(void **state) {
    (void)state;
    expect(123450, "USD", MONEY_MINOR, "1,234.50");
    expect(5, "EUR", MONEY_MINOR, "0.05");
    expect(-5, "EUR", MONEY_MINOR, "-0.05");
    expect(-123450, "EUR", MONEY_MINOR, "-1,234.50");
    expect(1234567, "KWD", MONEY_MINOR, "1,234.567");
    expect(12345678, "CLF", MONEY_MINOR, "1,234.5678");
    expect(0, "USD", MONEY_MINOR, "0.00");
}

static void k37_k60_yen_is_not_shown_hundredfold(void **state) {
    (void)state;
    expect(10000, "JPY", MONEY_MINOR, "10,000");
    expect(10000, "USD", MONEY_MINOR, "100.00");
    expect(1000, "KRW", MONEY_MINOR, "1,000");
}

static void f32_an_integer_that_cannot_be_scaled_is_marked_raw(void **state) {
    (void)state;
    static const char *const codes[] = {"ZZZ", "usd", "USDX", "US", "", NULL, "XAU", "USDC"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        expect(12345, codes[i], MONEY_MINOR, "12,345 raw");
    expect(-5, "XAU", MONEY_MINOR, "-5 raw");
    expect(12345, "XAU", MONEY_MAJOR, "12,345");
    expect(12345, "XAU", MONEY_RAW, "12,345");
}

static void f32_exponents_of_the_profile_come_first(void **state) {
    (void)state;
    static const char *const exponents[] = {"USDC=6", "usd=2", "JPY=2", "ETH=18", "XAU=0", NULL};
    static const struct {
        int64_t amount;
        const char *currency, *shown, *plain;
    } rows[] = {
        {1234567, "USDC", "1.234567", "1.234567"},
        {123456, "usd", "1,234.56", "1234.56"},
        {10000, "JPY", "100.00", "100.00"},
        {INT64_MAX, "ETH", "9.223372036854775807", "9.223372036854775807"},
        {5, "XAU", "5", "5"},
        {10000, "EUR", "100.00", "100.00"},
        {10000, "USD", "100.00", "100.00"},
        {10000, "USDT", "10,000 raw", ""},
        {10000, "usdc", "10,000 raw", ""},
    };
    const struct money_rule rule = {MONEY_MINOR, exponents};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str text;
        str_init(&text, 100);
        money_format(&text, rows[i].amount, rows[i].currency, &rule);
        assert_string_equal(text.s, rows[i].shown);
        str_reset(&text);
        money_plain(&text, rows[i].amount, rows[i].currency, &rule);
        assert_string_equal(text.s, rows[i].plain);
        str_clear(&text);
    }
}

static void raw_and_major_units_stay_integers(void **state) {
    (void)state;
    expect(123450, "USD", MONEY_RAW, "123,450");
    expect(123450, "USD", MONEY_MAJOR, "123,450");
    expect(999, "USD", MONEY_RAW, "999");
}

static void k36_the_ends_of_int64_are_exact(void **state) {
    (void)state;
    expect(INT64_MIN, "USD", MONEY_MINOR, "-92,233,720,368,547,758.08");
    expect(INT64_MAX, "JPY", MONEY_MINOR, "9,223,372,036,854,775,807");
    expect(9007199254740993, "USD", MONEY_RAW, "9,007,199,254,740,993");
}

static void exponents_are_those_of_iso_4217(void **state) {
    (void)state;
    static const struct {
        const char *codes[20];
        int exponent;
    } table[] = {
        {{"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF",
          "XOF", "XPF"},
         0},
        {{"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"}, 3},
        {{"CLF", "UYW"}, 4},
        {{"USD", "EUR", "GBP", "MGA", "HUF", "IDR", "AFN", "IRR"}, 2},
        {{"XAU", "XAG", "XPT", "XPD", "XDR", "XTS", "XXX"}, -1},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (size_t k = 0; k < 20 && table[i].codes[k]; k++)
            assert_int_equal(money_exponent(table[i].codes[k]), table[i].exponent);
    assert_int_equal(money_exponent("SD "), -1);
    assert_int_equal(money_exponent("D E"), -1);
}

static void digits_are_grouped_and_nothing_else_is(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"1", "1"},       {"123", "123"},          {"1234", "1,234"},  {"-1234", "-1,234"},
        {"-123", "-123"}, {"5000.10", "5,000.10"}, {"1e400", "1e400"}, {"", ""},
        {"-", "-"},       {"12345.", "12345."},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct str text;
        str_init(&text, 100);
        money_group(&text, pairs[i][0]);
        assert_string_equal(text.s, pairs[i][1]);
        str_clear(&text);
    }
}

static void a_sum_that_overflows_is_refused(void **state) {
    (void)state;
    int64_t sum = INT64_MAX - 1;
    assert_true(money_add(&sum, 1));
    assert_false(money_add(&sum, 1));
    assert_true(sum == INT64_MAX);
    assert_true(money_add(&sum, -INT64_MAX));
    assert_true(sum == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variation_f5_minor_units_follow_the_currency),
        cmocka_unit_test(k37_k60_yen_is_not_shown_hundredfold),
        cmocka_unit_test(f32_an_integer_that_cannot_be_scaled_is_marked_raw),
        cmocka_unit_test(f32_exponents_of_the_profile_come_first),
        cmocka_unit_test(raw_and_major_units_stay_integers),
        cmocka_unit_test(k36_the_ends_of_int64_are_exact),
        cmocka_unit_test(exponents_are_those_of_iso_4217),
        cmocka_unit_test(digits_are_grouped_and_nothing_else_is),
        cmocka_unit_test(a_sum_that_overflows_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
