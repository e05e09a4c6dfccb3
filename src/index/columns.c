#include "block.h"

#include <stdlib.h>
#include <string.h>

void codes_init(struct codes *codes, size_t cap) {
    *codes = (struct codes){.width = 1};
    codes_reserve(codes, cap);
}

static void *index_columns_copy(const void *items, size_t bytes) {
    void *copy = mem_resize(NULL, bytes + 1, 1);
    memcpy(copy, items, bytes);
    return copy;
}

static void codes_own(struct codes *codes) {
    if (codes->mapped)
        codes->items = index_columns_copy(codes->items, codes->cap * codes->width);
    codes->mapped = false;
}

void codes_free(struct codes *codes) {
    if (!codes->mapped)
        free(codes->items);
    *codes = (struct codes){0};
}

void codes_reserve(struct codes *codes, size_t cap) {
    codes_own(codes);
    codes->items = mem_resize(codes->items, cap, codes->width);
    if (cap > codes->cap)
        memset((char *)codes->items + codes->cap * codes->width, 0, (cap - codes->cap) * codes->width);
    codes->cap = cap;
}

static void index_columns_put(void *items, unsigned width, size_t at, uint32_t code) {
    if (width == 1)
        ((uint8_t *)items)[at] = (uint8_t)code;
    else if (width == 2)
        ((uint16_t *)items)[at] = (uint16_t)code;
    else
        ((uint32_t *)items)[at] = code;
}

static void index_columns_widen(struct codes *codes, unsigned width) {
    struct codes wide = {.items = mem_new_array(codes->cap, width), .width = width, .cap = codes->cap};
    for (size_t i = 0; i < codes->cap; i++)
        index_columns_put(wide.items, width, i, codes_get(codes, i));
    codes_free(codes);
    *codes = wide;
}

void codes_set(struct codes *codes, size_t at, uint32_t code) {
    unsigned width = code <= UINT8_MAX ? 1 : code <= UINT16_MAX ? 2 : 4;
    if (codes->mapped && codes_get(codes, at) == code)
        return;
    codes_own(codes);
    if (width > codes->width)
        index_columns_widen(codes, width);
    index_columns_put(codes->items, codes->width, at, code);
}

void numbers_init(struct numbers *numbers, size_t cap) {
    *numbers = (struct numbers){.base = INT64_MIN, .cap = cap};
}

static void numbers_own(struct numbers *numbers) {
    if (numbers->mapped && numbers->wide)
        numbers->wide = index_columns_copy(numbers->wide, numbers->cap * sizeof *numbers->wide);
    else if (numbers->mapped)
        numbers->narrow = index_columns_copy(numbers->narrow, numbers->cap * sizeof *numbers->narrow);
    numbers->mapped = false;
}

void numbers_reserve(struct numbers *numbers, size_t cap) {
    numbers_own(numbers);
    if (numbers->wide) {
        numbers->wide = mem_resize(numbers->wide, cap, sizeof *numbers->wide);
    } else if (numbers->narrow) {
        numbers->narrow = mem_resize(numbers->narrow, cap, sizeof *numbers->narrow);
        if (cap > numbers->cap)
            memset(numbers->narrow + numbers->cap, 0, (cap - numbers->cap) * sizeof *numbers->narrow);
    }
    for (size_t i = numbers->cap; numbers->wide && i < cap; i++)
        numbers->wide[i] = INT64_MIN;
    numbers->cap = cap;
}

static void numbers_widen(struct numbers *numbers) {
    int64_t *wide = mem_new_array(numbers->cap, sizeof *wide);
    for (size_t i = 0; i < numbers->cap; i++)
        wide[i] = numbers_get(numbers, i);
    free(numbers->narrow);
    numbers->narrow = NULL;
    numbers->wide = wide;
}

/* The first number decides the base, so that it is in the middle of the range. */
static void numbers_start(struct numbers *numbers, int64_t number) {
    numbers->base = number > INT64_MIN + INT32_MAX ? number - INT32_MAX : INT64_MIN + 1;
    numbers->narrow = mem_new_array(numbers->cap, sizeof *numbers->narrow);
}

void numbers_set(struct numbers *numbers, size_t at, int64_t number) {
    int64_t distance;
    if (!numbers->narrow && !numbers->wide) {
        if (number == INT64_MIN)
            return;
        numbers_start(numbers, number);
    }
    if (numbers->mapped && numbers_get(numbers, at) == number)
        return;
    numbers_own(numbers);
    bool near = number == INT64_MIN ||
                (!__builtin_sub_overflow(number, numbers->base, &distance) && distance > 0 && distance <= UINT32_MAX);
    if (numbers->narrow && !near)
        numbers_widen(numbers);
    if (numbers->wide)
        numbers->wide[at] = number;
    else if (numbers->narrow)
        numbers->narrow[at] = number == INT64_MIN ? 0 : (uint32_t)(number - numbers->base);
}

void numbers_free(struct numbers *numbers) {
    if (!numbers->mapped) {
        free(numbers->narrow);
        free(numbers->wide);
    }
    *numbers = (struct numbers){0};
}
