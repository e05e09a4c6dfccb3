#ifndef BASE_REDACT_NUMBERS_H
#define BASE_REDACT_NUMBERS_H
/* People's numbers by their ends: without the country's code, with or without the 0 of their own country, and grouped
 * in whatever way. What is found begins and ends where a group of digits does. */

#include "redact_find.h"

enum { NUMBER_TAIL_MIN = 7, NUMBER_DIGITS_MAX = 24, NUMBER_KEPT = 32 };

struct number {
    char digits[NUMBER_DIGITS_MAX]; /* the last of them */
    size_t n;
};
struct numbers {
    struct number *items;
    size_t n, cap;
    struct {
        struct unit unit;
        bool begins; /* a group */
    } last[NUMBER_KEPT];
    size_t at; /* digits since something else than what groups them */
    bool within;
};

void numbers_add(struct numbers *numbers, const struct units *digits);
/* Each unit of the text, those that group too. */
void numbers_feed(struct numbers *numbers, const struct finder *finder, struct unit unit, bool groups);
void numbers_end(struct numbers *numbers, const struct finder *finder);
void numbers_clear(struct numbers *numbers);

#endif
