#ifndef MODEL_MONEY_H
#define MODEL_MONEY_H
/* Money is the integer and the currency as served; a formatted value is an addition. ISO 4217 exponents as in
 * design/forms.md (0, 2, 3, 4); an unknown currency or one without a minor unit (metals, XDR, XTS, XXX) has none. */

#include "base/str.h"

#include <stdint.h>

enum money_unit { MONEY_RAW, MONEY_MINOR, MONEY_MAJOR };

/* Digits after the point, or -1: no scaling for this code. Case-sensitive, three letters. */
int money_exponent(const char *currency);

/* Digits grouped by thousands with ','. */
void money_group(struct str *out, const char *digits);
void money_group_count(struct str *out, size_t n);
/* MONEY_MINOR with a known exponent: `1,234.50`; otherwise the grouped integer. Integer arithmetic only. */
void money_format(struct str *out, int64_t amount, const char *currency, enum money_unit unit);

/* Exact sums: false on overflow, *sum is then unchanged. */
bool money_add(int64_t *sum, int64_t amount);

#endif
