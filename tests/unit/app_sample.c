/* Drawing a sample: repeatable, the same in any order, and each row with the same chance. */
#include "app/sample.h"
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 40, DRAWN = 10, SEEDS = 4000 };

static void put(struct sample *sample, int row) {
    unsigned char rank[DIGEST_LEN];
    char id[16];
    struct intent intent = {.id = {.state = VALUE_OK, .text = id}};
    (void)snprintf(id, sizeof id, "int_%d", row);
    sample_rank(sample, &intent, rank);
    sample_put(sample, rank, &row, sizeof row);
}

static int row_of(const struct sample_item *item) {
    int row;
    memcpy(&row, item->row, sizeof row);
    return row;
}

static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static void draw(uint64_t seed, bool backwards, int out[DRAWN]) {
    struct sample sample;
    sample_init(&sample, DRAWN, seed);
    for (int i = 0; i < ROWS; i++)
        put(&sample, backwards ? ROWS - 1 - i : i);
    sample_sort(&sample);
    assert_int_equal(sample.n, DRAWN);
    assert_int_equal(sample.seen, ROWS);
    for (int i = 0; i < DRAWN; i++) {
        out[i] = row_of(&sample.items[i]);
        assert_true(i == 0 || (backwards ? out[i] < out[i - 1] : out[i] > out[i - 1]));
    }
    qsort(out, DRAWN, sizeof *out, compare);
    sample_clear(&sample);
}

static void the_same_seed_draws_the_same_in_any_order(void **state) {
    int first[DRAWN], again[DRAWN], other[DRAWN];
    (void)state;
    draw(7, false, first);
    draw(7, true, again);
    draw(8, false, other);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, other, sizeof first);
}

/* 1,000 times of 4,000 expected, with a deviation of 27. */
static void each_row_has_the_same_chance(void **state) {
    enum { EXPECTED = SEEDS * DRAWN / ROWS, FIVE_DEVIATIONS = 137 };
    int times[ROWS] = {0}, drawn[DRAWN];
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        draw(seed, false, drawn);
        for (int i = 0; i < DRAWN; i++)
            times[drawn[i]]++;
    }
    for (int i = 0; i < ROWS; i++)
        assert_in_range(times[i], EXPECTED - FIVE_DEVIATIONS, EXPECTED + FIVE_DEVIATIONS);
}

static void of_fewer_rows_all_are_drawn(void **state) {
    struct sample sample;
    struct str text;
    (void)state;
    str_init(&text, 128);
    sample_init(&sample, DRAWN, 7);
    put(&sample, 1);
    sample_text(&sample, &text);
    assert_string_equal(text.s, "1 of 1 intent, drawn by seed 7");
    sample_clear(&sample);
    str_clear(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_seed_draws_the_same_in_any_order),
        cmocka_unit_test(each_row_has_the_same_chance),
        cmocka_unit_test(of_fewer_rows_all_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
