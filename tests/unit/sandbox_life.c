#include "sandbox/life.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { LIVES = 3000, STEPS = 200, NOW = 1000000 };

/* Which status may follow which. */
static bool may_follow(enum gen_status from, enum gen_status to) {
    if (from == to)
        return true;
    return from == GEN_created ? to != GEN_created : from == GEN_pending && to != GEN_created && to != GEN_pending;
}

static void walk(uint64_t seed, void (*check)(const struct gen_life *before, const struct gen_life *after)) {
    struct gen_life life = {.created_at = 5, .status = GEN_created};
    for (uint64_t i = 0; i < STEPS; i++) {
        struct gen_life before = life;
        bool moved = life_step(&life, gen_mix(seed, i), NOW + (int64_t)i);
        assert_int_equal(moved, memcmp(&before, &life, sizeof life) != 0);
        check(&before, &life);
    }
}

static void check_statuses(const struct gen_life *before, const struct gen_life *after) {
    assert_true(may_follow(before->status, after->status));
}

static void an_outcome_is_never_taken_back(void **state) {
    (void)state;
    for (uint64_t i = 0; i < LIVES; i++)
        walk(i, check_statuses);
}

static void check_money(const struct gen_life *before, const struct gen_life *after) {
    bool back = after->refund != GEN_REFUND_NONE || after->dispute != GEN_DISPUTE_NONE;
    assert_true(!back || (after->status == GEN_approved && after->payment == GEN_PAYMENT_SETTLED));
    assert_true(before->refund_at == 0 || before->refund_at == after->refund_at);
    assert_true(before->dispute_at == 0 || before->dispute_at == after->dispute_at);
    assert_int_equal(before->created_at, after->created_at);
}

static void only_settled_money_comes_back_and_keeps_its_date(void **state) {
    (void)state;
    for (uint64_t i = 0; i < LIVES; i++)
        walk(i, check_money);
}

static unsigned seen;

static void note(const struct gen_life *before, const struct gen_life *after) {
    (void)before;
    seen |= 1u << after->status;
    seen |= 1u << (8 + after->refund);
    seen |= 1u << (16 + after->dispute);
}

static void every_status_refund_and_dispute_comes_about(void **state) {
    (void)state;
    seen = 0;
    for (uint64_t i = 0; i < LIVES; i++)
        walk(i, note);
    assert_int_equal(seen, 0x1E | 0xF << 8 | 0x1F << 16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_outcome_is_never_taken_back),
        cmocka_unit_test(only_settled_money_comes_back_and_keeps_its_date),
        cmocka_unit_test(every_status_refund_and_dispute_comes_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
