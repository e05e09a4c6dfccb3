#include "sandbox/gen.h"

#include "wire/body.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 20000 };
static const int64_t noon = INT64_C(1781524800000); /* 2026-06-15T12:00:00Z */

static struct gen sample(bool plain) {
    return (struct gen){.seed = 42, .count = MANY, .epoch = noon, .plain = plain};
}

static char *rendered(const struct gen *gen, int64_t place) {
    struct gen_life life;
    struct str out;
    str_init(&out, 1 << 20);
    gen_life(gen, place, &life);
    gen_render(gen, place, &life, &out);
    return str_take(&out);
}

static struct body *parsed(const struct gen *gen, int64_t place) {
    char *text = rendered(gen, place);
    struct body *body = NULL;
    assert_int_equal(body_read(text, strlen(text), &body, NULL), ERR_OK);
    free(text);
    return body;
}

static void same_seed_same_bytes(void **state) {
    (void)state;
    struct gen gen = sample(false);
    for (int64_t place = 0; place > -50; place--) {
        char *a = rendered(&gen, place);
        char *b = rendered(&gen, place);
        assert_string_equal(a, b);
        free(a);
        free(b);
    }
}

static void another_seed_other_intents(void **state) {
    (void)state;
    struct gen gen = sample(false);
    struct gen other = gen;
    other.seed++;
    char *a = rendered(&gen, -3);
    char *b = rendered(&other, -3);
    assert_string_not_equal(a, b);
    free(a);
    free(b);
}

static void times_fall_with_the_place_over_a_year(void **state) {
    (void)state;
    struct gen gen = sample(false);
    int64_t last = gen_time(&gen, 0);
    assert_int_equal(last, noon);
    for (int64_t place = -1; place > -MANY; place--) {
        int64_t at = gen_time(&gen, place);
        assert_true(at <= last);
        last = at;
    }
    assert_in_range(noon - last, INT64_C(364) * 86400000, INT64_C(366) * 86400000);
}

static void days_are_busier_than_nights(void **state) {
    (void)state;
    struct gen gen = sample(false);
    int day = 0;
    int night = 0;
    for (int64_t place = 0; place > -MANY; place--) {
        int64_t hour = gen_time(&gen, place) / 3600000 % 24;
        day += hour >= 9 && hour < 17;
        night += hour < 8;
    }
    assert_true(day > 4 * night);
    assert_true(night > 0);
}

static void every_status_and_type_has_its_share(void **state) {
    (void)state;
    static const int percent[] = {4, 70, 15, 7, 4};
    struct gen gen = sample(false);
    int counts[GEN_STATUS_COUNT] = {0};
    int cards = 0;
    for (int64_t place = 0; place > -MANY; place--) {
        counts[gen_status(&gen, place)]++;
        cards += gen_type(&gen, place) == GEN_card_only;
    }
    for (int i = 0; i < GEN_STATUS_COUNT; i++)
        assert_in_range(counts[i], MANY / 100 * percent[i] * 8 / 10, MANY / 100 * percent[i] * 12 / 10);
    assert_in_range(cards, MANY / 5, MANY / 4);
}

static void what_is_shown_is_what_filters_see(void **state) {
    (void)state;
    struct gen gen = sample(false);
    for (int64_t place = 0; place > -300; place--) {
        struct body *body = parsed(&gen, place);
        const struct body_value *root = body_root(body);
        assert_string_equal(body_string(body_member(root, "status"), NULL), gen_status_name(gen_status(&gen, place)));
        assert_string_equal(body_string(body_member(root, "type"), NULL), gen_type_name(gen_type(&gen, place)));
        body_free(body);
    }
}

static void only_a_declined_intent_has_a_decline_category(void **state) {
    (void)state;
    struct gen gen = sample(false);
    for (int64_t place = 0; place > -300; place--) {
        struct body *body = parsed(&gen, place);
        bool has = body_kind(body_member(body_root(body), "decline_category")) == BODY_STRING;
        assert_int_equal(has, gen_status(&gen, place) == GEN_declined);
        body_free(body);
    }
}

struct sums {
    int negative, beyond, no_decimals, three_decimals, refunds, disputes, archived, transactions[4];
};

static void add_up(const struct body_value *root, struct sums *sums) {
    long long amount = body_integer(body_member(root, "amount"));
    const char *currency = body_string(body_member(root, "currency"), NULL);
    const struct body_value *credential = body_member(root, "payment_credential");
    sums->negative += amount < 0;
    sums->beyond += llabs(amount) > (INT64_C(1) << 53);
    sums->no_decimals += strcmp(currency, "JPY") == 0 || strcmp(currency, "KRW") == 0;
    sums->three_decimals += strcmp(currency, "KWD") == 0 || strcmp(currency, "TND") == 0;
    sums->refunds += body_kind(body_member(root, "refund")) == BODY_OBJECT;
    sums->disputes += body_kind(body_member(root, "dispute")) == BODY_OBJECT;
    sums->archived += body_bool(body_member(credential, "is_archived"));
    sums->transactions[body_count(body_member(root, "transactions"))]++;
}

static struct sums sums_of(bool plain) {
    struct gen gen = sample(plain);
    struct sums sums = {0};
    for (int64_t place = 0; place > -4000; place--) {
        struct body *body = parsed(&gen, place);
        add_up(body_root(body), &sums);
        body_free(body);
    }
    return sums;
}

static void the_unusual_occurs(void **state) {
    (void)state;
    struct sums sums = sums_of(false);
    assert_true(sums.negative > 0);
    assert_true(sums.beyond > 0);
    assert_true(sums.no_decimals > 0);
    assert_true(sums.three_decimals > 0);
    assert_true(sums.refunds > 0);
    assert_true(sums.disputes > 0);
    assert_true(sums.archived > 0);
    for (int i = 0; i < 4; i++)
        assert_true(sums.transactions[i] > 0);
}

static void plain_keeps_below_two_to_the_53(void **state) {
    (void)state;
    assert_int_equal(sums_of(true).beyond, 0);
}

static void users_pay_more_than_once(void **state) {
    (void)state;
    struct gen gen = sample(false);
    struct body *first = parsed(&gen, 0);
    int same = 0;
    for (int64_t place = -1; place > -MANY && same == 0; place--) {
        struct body *body = parsed(&gen, place);
        same += strcmp(body_string(body_member(body_root(body), "user_id"), NULL),
                       body_string(body_member(body_root(first), "user_id"), NULL)) == 0;
        body_free(body);
    }
    body_free(first);
    assert_int_equal(same, 1);
}

static void nothing_but_later_arrivals_lies_after_the_start(void **state) {
    (void)state;
    struct gen gen = sample(false);
    for (int64_t place = 0; place > -500; place--) {
        struct body *body = parsed(&gen, place);
        const char *refund = body_string(body_member(body_member(body_root(body), "refund"), "created_at"), NULL);
        assert_true(!refund || strcmp(refund, "2026-06-15T12:00:01.000Z") <= 0);
        body_free(body);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_seed_same_bytes),
        cmocka_unit_test(another_seed_other_intents),
        cmocka_unit_test(times_fall_with_the_place_over_a_year),
        cmocka_unit_test(days_are_busier_than_nights),
        cmocka_unit_test(every_status_and_type_has_its_share),
        cmocka_unit_test(what_is_shown_is_what_filters_see),
        cmocka_unit_test(only_a_declined_intent_has_a_decline_category),
        cmocka_unit_test(the_unusual_occurs),
        cmocka_unit_test(plain_keeps_below_two_to_the_53),
        cmocka_unit_test(users_pay_more_than_once),
        cmocka_unit_test(nothing_but_later_arrivals_lies_after_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
