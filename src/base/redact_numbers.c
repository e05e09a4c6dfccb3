#include "redact_numbers.h"

#include "base/mem.h"
#include "base/secret.h"

#include <stdlib.h>

void numbers_add(struct numbers *numbers, const struct units *digits) {
    if (digits->n < NUMBER_TAIL_MIN)
        return;
    size_t n = digits->n < NUMBER_DIGITS_MAX ? digits->n : NUMBER_DIGITS_MAX;
    struct number *number = vec_add(numbers);
    *number = (struct number){.n = n};
    for (size_t i = 0; i < n; i++)
        number->digits[i] = (char)digits->items[digits->n - n + i].cp;
}

/* The n-th digit from the end of those that were read. */
static size_t place_back(const struct numbers *numbers, size_t n) {
    return (numbers->at - n) % NUMBER_KEPT;
}

static size_t common_tail(const struct numbers *numbers, size_t number) {
    size_t n = numbers->items[number].n, met = 0;
    while (met < n && met < numbers->at &&
           numbers->last[place_back(numbers, met + 1)].unit.cp == numbers->items[number].digits[n - met - 1])
        met++;
    return met;
}

/* Of so many digits the most that begin a group, the zeros of a country's own way of writing before them: 0. */
static size_t whole_groups(const struct numbers *numbers, size_t met) {
    enum { ZEROS_MAX = 2 };
    for (; met >= NUMBER_TAIL_MIN; met--)
        for (size_t zeros = 0; zeros <= ZEROS_MAX && met + zeros <= numbers->at; zeros++) {
            size_t place = place_back(numbers, met + zeros);
            if (zeros > 0 && numbers->last[place].unit.cp != '0')
                break;
            if (numbers->last[place].begins)
                return met + zeros;
        }
    return 0;
}

static void end_digits(struct numbers *numbers, const struct finder *finder) {
    for (size_t i = 0; numbers->within && i < numbers->n; i++) {
        size_t n = whole_groups(numbers, common_tail(numbers, i));
        if (n > 0)
            (void)finder->found(finder->context, numbers->last[place_back(numbers, n)].unit.start,
                                numbers->last[place_back(numbers, 1)].unit.end);
    }
    numbers->within = false;
}

void numbers_feed(struct numbers *numbers, const struct finder *finder, struct unit unit, bool groups) {
    if (unit.cp >= '0' && unit.cp <= '9') {
        numbers->last[numbers->at % NUMBER_KEPT].unit = unit;
        numbers->last[numbers->at++ % NUMBER_KEPT].begins = !numbers->within;
        numbers->within = true;
        return;
    }
    end_digits(numbers, finder);
    if (!groups)
        numbers->at = 0;
}

void numbers_end(struct numbers *numbers, const struct finder *finder) {
    end_digits(numbers, finder);
    numbers->at = 0;
}

void numbers_clear(struct numbers *numbers) {
    if (numbers->items)
        secret_wipe(numbers->items, numbers->n * sizeof *numbers->items);
    free(numbers->items);
    secret_wipe(numbers->last, sizeof numbers->last);
    *numbers = (struct numbers){0};
}
