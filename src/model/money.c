#include "model/money.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ISO 4217 minor units by exponent; codes without one (metals, XDR, XTS, XXX) are left out and so never scaled. */
static const struct {
    int exponent;
    const char *codes; /* three letters and a blank each */
} units[] = {
    {0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF "},
    {2, "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE "
        "CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD "
        "HNL HRK HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP "
        "MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR "
        "SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED "
        "VES WST XCD XCG YER ZAR ZMW ZWG ZWL "},
    {3, "BHD IQD JOD KWD LYD OMR TND "},
    {4, "CLF UYW "},
};

static bool is_code(const char *text) {
    for (size_t i = 0; i < 3; i++)
        if (text[i] < 'A' || text[i] > 'Z')
            return false;
    return text[3] == '\0';
}

int money_exponent(const char *currency) {
    if (!currency || !is_code(currency))
        return -1;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strstr(units[i].codes, currency))
            return units[i].exponent;
    return -1;
}

static bool money_is_number(const char *text, size_t *whole) {
    size_t start = text[0] == '-';
    *whole = start + strspn(text + start, "0123456789");
    if (*whole == start)
        return false;
    const char *rest = text + *whole;
    return *rest == '\0' || (*rest == '.' && rest[1] != '\0' && rest[1 + strspn(rest + 1, "0123456789")] == '\0');
}

void money_group(struct str *out, const char *digits) {
    size_t whole;
    if (!money_is_number(digits, &whole)) {
        str_add(out, digits);
        return;
    }
    for (size_t i = 0; i < whole; i++) {
        bool inside = i > 0 && digits[i - 1] != '-';
        if (inside && (whole - i) % 3 == 0)
            str_add_char(out, ',');
        str_add_char(out, digits[i]);
    }
    str_add(out, digits + whole);
}

void money_group_count(struct str *out, size_t n) {
    char digits[32];
    snprintf(digits, sizeof digits, "%zu", n);
    money_group(out, digits);
}

bool money_parse_exponent(const char *text, size_t *code_len, int *exponent) {
    const char *equals = strrchr(text, '=');
    long long digits;
    if (!equals || !str_to_int64(equals + 1, strlen(equals + 1), &digits) || digits < 0 || digits > MONEY_EXPONENT_MAX)
        return false;
    *code_len = (size_t)(equals - text);
    *exponent = (int)digits;
    return *code_len > 0 && *code_len <= MONEY_CODE_MAX;
}

int money_rule_exponent(const struct money_rule *rule, const char *currency) {
    size_t len = currency ? strlen(currency) : 0, code_len;
    int exponent;
    for (const char *const *at = rule->exponents; at && *at && len > 0; at++)
        if (money_parse_exponent(*at, &code_len, &exponent) && code_len == len && memcmp(*at, currency, len) == 0)
            return exponent;
    return money_exponent(currency);
}

bool money_stays_raw(const struct money_rule *rule, const char *currency) {
    return rule->unit == MONEY_MINOR && money_rule_exponent(rule, currency) < 0;
}

/* The digits with the point where the exponent has it, in whole thousands or not. */
static void add_scaled(struct str *out, int64_t amount, int exponent, bool grouped) {
    /* The magnitude of INT64_MIN has no int64. */
    uint64_t size = amount < 0 ? 0 - (uint64_t)amount : (uint64_t)amount, scale = 1;
    char whole[32];
    for (int i = 0; i < exponent; i++)
        scale *= 10;
    snprintf(whole, sizeof whole, "%s%" PRIu64, amount < 0 ? "-" : "", size / scale);
    if (grouped)
        money_group(out, whole);
    else
        str_add(out, whole);
    if (exponent > 0)
        str_addf(out, ".%0*" PRIu64, exponent, size % scale);
}

void money_format(struct str *out, int64_t amount, const char *currency, const struct money_rule *rule) {
    int exponent = rule->unit == MONEY_MINOR ? money_rule_exponent(rule, currency) : 0;
    add_scaled(out, amount, exponent, true);
    if (exponent < 0)
        str_add(out, " raw");
}

void money_plain(struct str *out, int64_t amount, const char *currency, const struct money_rule *rule) {
    int exponent = rule->unit == MONEY_MINOR ? money_rule_exponent(rule, currency) : 0;
    if (exponent >= 0)
        add_scaled(out, amount, exponent, false);
}

bool money_add(int64_t *sum, int64_t amount) {
    int64_t total;
    if (__builtin_add_overflow(*sum, amount, &total))
        return false;
    *sum = total;
    return true;
}
