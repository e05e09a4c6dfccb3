#ifndef MODEL_MONEY_H
#define MODEL_MONEY_H
/* Money is the integer and the currency as served; a formatted value is shown in addition. ISO 4217 exponents (0, 2, 3,
 * 4); an unknown currency or one without a minor unit (metals, XDR, XTS, XXX) has none. */

#include "base/str.h"

#include <stdint.h>

enum money_unit { MONEY_RAW, MONEY_MINOR, MONEY_MAJOR };
enum { MONEY_EXPONENT_MAX = 18, MONEY_CODE_MAX = 24 /* bytes of a code in a profile */ };

/* What a profile says of the service's integers. exponents: "USDC=6" each and NULL at the end, asked before ISO 4217;
 * NULL: none. Borrowed. */
struct money_rule {
    enum money_unit unit;
    const char *const *exponents;
};
/* Digits after the point, or -1: no scaling for this code. */
int money_rule_exponent(const struct money_rule *rule, const char *currency);
/* "USDC=6" into its code's length and its digits; false where it is none. */
bool money_parse_exponent(const char *text, size_t *code_len, int *exponent);
/* True for an integer that cannot be scaled although the unit scales. It is never shown beside scaled ones without a
 * mark. */
bool money_stays_raw(const struct money_rule *rule, const char *currency);

/* Digits after the point, or -1: no scaling for this code. Case-sensitive, three letters. */
int money_exponent(const char *currency);

/* Digits grouped by thousands with ','. */
void money_group(struct str *out, const char *digits);
void money_group_count(struct str *out, size_t n);
/* MONEY_MINOR with a known exponent: `1,234.50`, without one `123,450 raw`; under any other unit the grouped integer.
 * Integer arithmetic only. */
void money_format(struct str *out, int64_t amount, const char *currency, const struct money_rule *rule);
/* For a cell of a file: `1234.50`, nothing where it stays raw. */
void money_plain(struct str *out, int64_t amount, const char *currency, const struct money_rule *rule);

/* Exact sums: false on overflow, *sum is then unchanged. */
bool money_add(int64_t *sum, int64_t amount);

#endif
