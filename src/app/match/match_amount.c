#include "match_own.h"

#include "base/ascii.h"
#include "base/utf8.h"

#include <string.h>

enum { DIGITS_MAX = 64, QUOTED_MAX = 40, READINGS_MAX = 4 };

/* All that a cell may mean, and why it may mean nothing as a decimal amount. */
struct readings {
    struct match_reading items[READINGS_MAX];
    size_t n;
    bool unscaled; /* it is a decimal number, and where its point goes is not known */
};

/* Bytes of what may stand between thousands where `point` parts the decimals; 0: none. */
static size_t thousands_mark(const char *s, char point) {
    int32_t cp;
    if (*s == '\0' || *s == point)
        return 0;
    if (*s == ',' || *s == '.' || *s == '\'')
        return 1;
    size_t taken = utf8_decode(s, strlen(s), &cp);
    return utf8_is_blank(cp) || cp == 0x2019 ? taken : 0;
}

/* All digits without what stands between them; *scale of them are decimals. False: it is no such number. */
static bool take_number(const char *s, char point, struct str *digits, size_t *scale) {
    static const char MINUS[] = "\xE2\x88\x92";
    bool is_minus = strncmp(s, MINUS, sizeof MINUS - 1) == 0;
    if (*s == '-' || is_minus)
        str_add_char(digits, '-');
    s += is_minus ? sizeof MINUS - 1 : *s == '-' || *s == '+';
    size_t n = ascii_digits(s), wide = thousands_mark(s + n, point);
    const char *mark = s + n;
    if (n == 0 || (wide > 0 && n > 3))
        return false;
    str_add_n(digits, s, n);
    for (s += n; wide > 0 && strncmp(s, mark, wide) == 0; s += wide + 3) {
        if (ascii_digits(s + wide) != 3)
            return false;
        str_add_n(digits, s + wide, 3);
    }
    *scale = *s == point ? ascii_digits(s + 1) : 0;
    if (*s == point && *scale == 0)
        return false;
    s += *s == point;
    str_add_n(digits, s, *scale);
    return s[*scale] == '\0' && !digits->truncated;
}

/* Moves the point so that `exponent` digits are behind it: the rest may only be zeros. */
static bool match_scale(struct str *digits, size_t scale, int exponent) {
    for (; scale > (size_t)exponent; scale--) {
        if (digits->s[digits->len - 1] != '0')
            return false;
        str_delete(digits, digits->len - 1, 1);
    }
    str_add_repeat(digits, '0', (size_t)exponent - scale);
    return !digits->truncated;
}

/* Digits of a decimal amount that the service's integer has behind the point; negative: not known. */
static int exponent_of(const struct money_rule *rule, const char *currency) {
    if (rule->unit == MONEY_RAW)
        return -1;
    return rule->unit == MONEY_MAJOR ? 0 : money_rule_exponent(rule, currency);
}

static void match_add_reading(struct readings *readings, const struct match_reading *as, struct str *digits) {
    long long amount;
    if (!str_to_int64(digits->s, digits->len, &amount))
        return;
    for (size_t i = 0; i < readings->n; i++)
        if (readings->items[i].amount == amount)
            return;
    readings->items[readings->n] = *as;
    readings->items[readings->n++].amount = amount;
}

static void try_reading(const struct match_options *options, const char *text, const char *currency,
                        const struct match_reading *as, struct readings *readings) {
    struct str digits;
    size_t scale = 0;
    int exponent = as->amounts == MATCH_AMOUNTS_RAW ? 0 : exponent_of(&options->money, currency);
    str_init(&digits, DIGITS_MAX);
    bool is_number = take_number(text, as->decimal == MATCH_DECIMAL_POINT ? '.' : ',', &digits, &scale);
    readings->unscaled = readings->unscaled || (is_number && exponent < 0);
    /* A point in it says that it is no integer of the service. */
    bool is_raw = as->amounts == MATCH_AMOUNTS_RAW && scale == 0;
    if (is_number && (is_raw || (as->amounts == MATCH_AMOUNTS_MAJOR && exponent >= 0)) &&
        match_scale(&digits, scale, exponent))
        match_add_reading(readings, as, &digits);
    str_clear(&digits);
}

static void add_quoted(struct str *out, const char *text) {
    size_t len = strlen(text), n = len > QUOTED_MAX ? utf8_cut(text, len, QUOTED_MAX, NULL) : len;
    str_add_char(out, '"');
    utf8_sanitise(out, text, n);
    str_add(out, n < len ? "...\"" : "\"");
}

/* What one reading makes of it, in the words of the operator. */
static void say_reading(const struct match_options *options, const struct match_reading *reading, const char *currency,
                        bool with_sign, struct str *out) {
    const struct money_rule raw = {MONEY_RAW, NULL};
    bool is_raw = reading->amounts == MATCH_AMOUNTS_RAW;
    money_format(out, reading->amount, currency, is_raw ? &raw : &options->money);
    str_addf(out, " %s", is_raw ? "as the service's integer" : "as a decimal amount");
    if (with_sign)
        str_addf(out, " with a decimal %s", reading->decimal == MATCH_DECIMAL_POINT ? "point" : "comma");
}

static enum err refuse_amount(const struct match_options *options, const struct readings *readings, const char *text,
                              const char *currency, struct error *error) {
    const struct match_reading *first = &readings->items[0], *other = &readings->items[1];
    bool signs = readings->n > 1 && first->decimal != other->decimal;
    struct str line;
    str_init(&line, ERROR_TEXT_MAX);
    add_quoted(&line, text);
    if (readings->n > 1) {
        str_add(&line, " can be read two ways: ");
        say_reading(options, first, currency, signs, &line);
        str_add(&line, ", or ");
        say_reading(options, other, currency, signs, &line);
        str_addf(&line, ": %s says which",
                 match_word(options, first->amounts != other->amounts ? MATCH_WORD_AMOUNTS : MATCH_WORD_DECIMAL));
    } else if (readings->unscaled) {
        str_addf(&line, " may be a decimal amount, and the decimals of %s are not known%s",
                 currency ? currency : "a row without a currency",
                 options->money.unit == MONEY_RAW ? ", since the profile has no amount_unit" : "");
        if (readings->n > 0)
            str_addf(&line, ": %s says that it is the service's integer", match_word(options, MATCH_WORD_RAW));
        if (!currency)
            str_addf(&line, "; %s names one for every row", match_word(options, MATCH_WORD_CURRENCY_CODE));
    } else {
        str_add(&line, " is no amount");
    }
    enum err err = error_set(error, ERR_INVALID, "%s", line.s);
    str_clear(&line);
    return err;
}

enum err match_amount(const struct match_options *options, const char *text, const char *currency, int64_t *out,
                      struct error *error) {
    struct readings readings = {.n = 0};
    for (int i = 0; i < READINGS_MAX; i++) {
        const struct match_reading as = {.decimal = i % 2 == 0 ? MATCH_DECIMAL_POINT : MATCH_DECIMAL_COMMA,
                                         .amounts = i < 2 ? MATCH_AMOUNTS_RAW : MATCH_AMOUNTS_MAJOR};
        if ((options->decimal == MATCH_DECIMAL_UNSAID || options->decimal == as.decimal) &&
            (options->amounts == MATCH_AMOUNTS_UNSAID || options->amounts == as.amounts))
            try_reading(options, text, currency, &as, &readings);
    }
    if (readings.n != 1 || readings.unscaled)
        return refuse_amount(options, &readings, text, currency, error);
    *out = readings.items[0].amount;
    return ERR_OK;
}
