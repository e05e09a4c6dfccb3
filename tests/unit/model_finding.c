/* The rules of findings: for each a record that has it and near misses that have not. */
#include "base/clock.h"
#include "model/finding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* 2026-11-28T10:00:00Z */
#define NOW INT64_C(1795860000000)
enum { HOUR = 3600 * 1000, DAY = 24 * HOUR };
#define TEXT(s) \
    { VALUE_OK, s, NULL }

struct record {
    struct intent intent;
    struct transaction tx[4];
};

/* Nothing is to be found in it. */
static struct record *sound(struct record *r) {
    *r = (struct record){
        .intent = {.id = TEXT("int_1"),
                   .status = TEXT("approved"),
                   .type = TEXT("primary"),
                   .direction = TEXT("cash_in"),
                   .currency = TEXT("USD"),
                   .user_id = TEXT("usr_1"),
                   .created_at = {VALUE_OK, NOW - 2 * (int64_t)DAY, "2026-11-26T10:00:00.000Z"},
                   .amount = {VALUE_OK, 10000, "10000", NULL},
                   .guarantee_amount = {VALUE_OK, 10000, "10000", NULL},
                   .transactions_state = VALUE_OK,
                   .n_transactions = 2,
                   .credential = {.state = VALUE_OK,
                                  .is_archived = {VALUE_OK, false, "false"},
                                  .expiration = TEXT("2027-01-01")}},
    };
    for (size_t i = 0; i < COUNT_OF(r->tx); i++)
        r->tx[i] = (struct transaction){.id = TEXT("tx_1"),
                                        .type = TEXT("intent"),
                                        .status = TEXT("settled"),
                                        .direction = TEXT("cash_in"),
                                        .currency = TEXT("USD"),
                                        .source_id = TEXT("int_1"),
                                        .amount = {VALUE_OK, 5000, "5000", NULL}};
    r->intent.transactions = r->tx;
    return r;
}

static const struct value_text absent = {VALUE_ABSENT, NULL, NULL}, null = {VALUE_NULL, NULL, NULL},
                               odd = {VALUE_ODD, "[1]", NULL};

static struct value_text text(const char *s) {
    return (struct value_text){VALUE_OK, s, NULL};
}

static unsigned found(const struct record *r) {
    return finding_of_intent(&r->intent, NOW);
}

/* The record as it is packed and read back has the same as the record itself. */
static void expect(const struct record *r, unsigned findings, const char *what) {
    struct str blob;
    struct cells cells;
    str_init(&blob, 1 << 16);
    cells_pack(&r->intent, &blob);
    assert_true(cells_read(blob.s, blob.len, &cells));
    if (found(r) != findings || finding_of(&cells, NOW) != findings)
        fail_msg("%s: %x and %x, not %x", what, found(r), finding_of(&cells, NOW), findings);
    str_clear(&blob);
}

static void has(const struct record *r, enum finding finding, const char *what) {
    expect(r, FINDING_BIT(finding), what);
}

static void has_not(const struct record *r, const char *what) {
    expect(r, 0, what);
}

static void a_sound_record_has_nothing(void **state) {
    struct record r;
    (void)state;
    has_not(sound(&r), "sound");
}

static void transactions_that_do_not_add_up(void **state) {
    struct record r;
    (void)state;
    sound(&r)->tx[1].amount.number = 4999;
    has(&r, FINDING_SUM, "one less");
    sound(&r)->intent.n_transactions = 1;
    has(&r, FINDING_SUM, "half of it");
    sound(&r)->intent.n_transactions = 3;
    has(&r, FINDING_SUM, "half too much");
    sound(&r);
    r.intent.direction = r.tx[0].direction = r.tx[1].direction = absent;
    r.tx[0].amount.number = 1;
    has(&r, FINDING_SUM, "no direction anywhere");
}

static void what_cannot_be_added_is_not_judged(void **state) {
    struct record r;
    (void)state;
    sound(&r)->tx[1].amount = (struct value_number){VALUE_ODD, 0, "49.99", NULL};
    has_not(&r, "an amount that is no integer");
    sound(&r)->tx[1].amount = (struct value_number){VALUE_ABSENT, 0, NULL, NULL};
    has_not(&r, "no amount");
    sound(&r)->intent.amount = (struct value_number){VALUE_ODD, 0, "99999999999999999999", NULL};
    has_not(&r, "an amount of the intent beyond int64");
    sound(&r)->tx[1].amount.number = 1;
    r.tx[1].currency = absent;
    has_not(&r, "no currency");
    r.tx[1].currency = text("usd");
    has_not(&r, "a currency in another case");
    sound(&r)->tx[1].amount.number = 1;
    r.intent.currency = null;
    has_not(&r, "no currency of the intent");
    sound(&r)->tx[1].direction = text("cash_out");
    has_not(&r, "the other direction");
    r.tx[1].direction = absent;
    has_not(&r, "no direction of one");
    sound(&r)->tx[1].amount.number = 1;
    r.tx[1].status = text("pending");
    has_not(&r, "one that is not settled yet");
    sound(&r)->tx[1].type = odd;
    has_not(&r, "one whose type is no word");
    sound(&r)->intent.n_transactions = 3;
    r.tx[2].type = text("fee");
    has_not(&r, "a fee beside them");
    sound(&r);
    r.tx[0].type = r.tx[1].type = text("fee");
    has_not(&r, "fees alone");
    sound(&r)->intent.transactions_state = VALUE_ODD;
    r.intent.n_transactions = 0;
    has_not(&r, "transactions that are no list");
}

static void sums_beyond_int64_are_exact(void **state) {
    struct record r;
    struct str text;
    const struct money_rule money = {MONEY_MINOR, NULL};
    const struct finding_telling telling = {.money = &money};
    (void)state;
    sound(&r);
    r.tx[0].amount.number = r.tx[1].amount.number = INT64_MAX;
    r.intent.amount.number = -2; /* what two of them wrap around to */
    r.intent.guarantee_amount = (struct value_number){VALUE_NULL, 0, NULL, NULL};
    has(&r, FINDING_SUM, "twice the greatest");
    str_init(&text, 1 << 16);
    finding_evidence(&r.intent, FINDING_SUM, &telling, &text);
    assert_string_equal(text.s,
                        "18,446,744,073,709,551,614 raw in 2 transactions of type intent, the amount is -0.02 USD");
    str_reset(&text);
    r.tx[0].amount.number = r.tx[1].amount.number = INT64_MIN;
    finding_evidence(&r.intent, FINDING_SUM, &telling, &text);
    assert_string_equal(text.s,
                        "-18,446,744,073,709,551,616 raw in 2 transactions of type intent, the amount is -0.02 USD");
    str_clear(&text);
    sound(&r)->tx[0].amount.number = INT64_MAX;
    r.tx[1].amount.number = INT64_MIN;
    r.intent.amount.number = -1;
    r.intent.guarantee_amount = (struct value_number){VALUE_NULL, 0, NULL, NULL};
    has_not(&r, "both ends");
}

static void another_currency(void **state) {
    struct record r;
    (void)state;
    sound(&r)->tx[1].currency = text("EUR");
    has(&r, FINDING_CURRENCY, "another");
    r.tx[1].type = text("fee");
    r.tx[0].amount.number = 10000;
    has(&r, FINDING_CURRENCY, "of a fee");
    r.tx[1].currency = text("usd");
    has_not(&r, "the same in another case");
    sound(&r)->tx[1].currency = absent;
    has_not(&r, "none");
    r.tx[1].currency = (struct value_text){VALUE_ODD, "840", NULL};
    has_not(&r, "a number that may be the same");
    sound(&r)->intent.currency = null;
    has_not(&r, "none of the intent");
}

static void more_guaranteed_than_the_amount(void **state) {
    struct record r;
    (void)state;
    sound(&r)->intent.guarantee_amount.number = 10001;
    has(&r, FINDING_GUARANTEE, "one more");
    r.intent.guarantee_amount.currency = "EUR";
    has_not(&r, "in another currency");
    sound(&r)->intent.guarantee_amount = (struct value_number){VALUE_ODD, 20000, "2e4", NULL};
    has_not(&r, "no integer");
    sound(&r)->intent.guarantee_amount.number = 0;
    has_not(&r, "none");
    sound(&r)->intent.amount.number = -10000;
    r.intent.n_transactions = 0;
    r.intent.status = text("pending");
    has_not(&r, "an amount below zero");
    sound(&r)->intent.guarantee_amount.number = 10001;
    r.intent.currency = absent;
    has_not(&r, "no currency");
}

static void declined_without_a_category(void **state) {
    struct record r;
    (void)state;
    sound(&r)->intent.status = text("declined");
    has(&r, FINDING_DECLINE, "absent");
    r.intent.decline_category = null;
    has(&r, FINDING_DECLINE, "null");
    r.intent.decline_category = text("");
    has(&r, FINDING_DECLINE, "empty");
    r.intent.decline_category = text("fraud");
    has_not(&r, "with one");
    r.intent.decline_category = odd;
    has_not(&r, "with one of another kind");
    sound(&r);
    has_not(&r, "approved");
}

static struct record *without_settled(struct record *r) {
    sound(r);
    r->tx[0].status = r->tx[1].status = text("pending");
    return r;
}

static void approved_and_not_settled_for_a_day(void **state) {
    struct record r;
    (void)state;
    has(without_settled(&r), FINDING_UNSETTLED, "pending ones");
    r.intent.n_transactions = 0;
    has(&r, FINDING_UNSETTLED, "no transaction");
    r.intent.created_at.ms = NOW - DAY - 1;
    has(&r, FINDING_UNSETTLED, "just over a day");
    r.intent.created_at.ms = NOW - DAY;
    has_not(&r, "a day");
    r.intent.created_at.ms = NOW + DAY;
    has_not(&r, "ahead of the clock");
    r.intent.created_at = (struct value_time){VALUE_ABSENT, CLOCK_NONE, NULL};
    has_not(&r, "nobody knows since when");
    r.intent.created_at = (struct value_time){VALUE_OK, NOW - DAY - 12 * HOUR, "2026-11-26T22:00:00"};
    has_not(&r, "of no zone, perhaps the westernmost");
    r.intent.created_at.ms--;
    has(&r, FINDING_UNSETTLED, "a day in each zone");
    without_settled(&r)->intent.n_transactions = 3;
    r.tx[2].type = text("fee");
    has_not(&r, "one of them settled");
    without_settled(&r)->tx[1].status = absent;
    has_not(&r, "one that may be settled");
    without_settled(&r)->intent.transactions_state = VALUE_NULL;
    r.intent.n_transactions = 0;
    has_not(&r, "no list of transactions");
    without_settled(&r)->intent.status = text("pending");
    has_not(&r, "pending");
}

static void a_credential_that_was_over(void **state) {
    struct record r;
    int64_t day;
    (void)state;
    sound(&r)->intent.credential.is_archived.on = true;
    has(&r, FINDING_CREDENTIAL, "archived");
    r.intent.credential.is_archived.state = VALUE_ODD;
    has_not(&r, "perhaps archived");
    assert_true(clock_parse("2026-11-20", 10, &day));
    sound(&r)->intent.credential.expiration = text("2026-11-20");
    has(&r, FINDING_CREDENTIAL, "expired");
    r.intent.created_at.ms = day + DAY + 12 * HOUR;
    has(&r, FINDING_CREDENTIAL, "over everywhere");
    r.intent.created_at.ms--;
    has_not(&r, "not over in the westernmost zone");
    r.intent.created_at.ms = day;
    has_not(&r, "on its last day");
    r.intent.created_at = (struct value_time){VALUE_OK, day + DAY + 26 * HOUR - 1, "2026-11-22T01:59:59.999"};
    has_not(&r, "of no zone, perhaps the easternmost");
    r.intent.created_at.ms++;
    has(&r, FINDING_CREDENTIAL, "over in each zone");
    sound(&r)->intent.credential.expiration = text("11/20");
    has_not(&r, "no date");
    r.intent.credential.expiration = text("2020-02-31");
    has_not(&r, "no day of the calendar");
    r.intent.credential.expiration = odd;
    has_not(&r, "of another kind");
}

static void values_that_are_not_known(void **state) {
    struct record r;
    (void)state;
    sound(&r)->intent.status = text("reversed");
    has(&r, FINDING_UNKNOWN, "a status");
    r.intent.status = text("Approved");
    has(&r, FINDING_UNKNOWN, "a status in another case");
    r.intent.status = odd;
    has(&r, FINDING_UNKNOWN, "a status of another kind");
    r.intent.status = null;
    has_not(&r, "no status");
    sound(&r)->intent.type = text("wallet");
    has(&r, FINDING_UNKNOWN, "a type");
    r.intent.type = absent;
    has_not(&r, "no type");
    sound(&r)->intent.unknown = 3;
    has_not(&r, "fields that are not known are flags of their own");
}

/* Across rows: the record tells only that it can have it. */
static void a_source_of_its_own_needs_no_look(void **state) {
    struct record r;
    (void)state;
    sound(&r)->tx[1].source_id = text("int_2");
    has_not(&r, "only the rows at hand tell");
    assert_int_equal(finding_flags(&r.intent), CELLS_SOURCE_OTHER);
    r.tx[1].source_id = absent;
    assert_int_equal(finding_flags(&r.intent), 0);
    r.tx[1].source_id = text("");
    assert_int_equal(finding_flags(&r.intent), 0);
    r.intent.id = null;
    assert_int_equal(finding_flags(&r.intent), 0);
}

static void a_record_without_anything_has_nothing(void **state) {
    struct record r = {.intent = {.created_at = {VALUE_ABSENT, CLOCK_NONE, NULL}}};
    (void)state;
    has_not(&r, "empty");
    r.intent.n_transactions = 2;
    r.intent.transactions = r.tx;
    r.intent.transactions_state = VALUE_OK;
    r.tx[0].id = odd; /* an element that is no object */
    has_not(&r, "transactions that are no objects");
    sound(&r)->intent.broken = "more than 10,000 transactions";
    r.tx[0].amount.number = 1;
    assert_int_equal(finding_flags(&r.intent), 0);
}

static void tells(const struct record *r, enum finding finding, const struct finding_telling *telling,
                  const char *expected) {
    struct str text;
    str_init(&text, 1 << 16);
    finding_evidence(&r->intent, finding, telling, &text);
    assert_string_equal(text.s, expected);
    str_clear(&text);
}

static void each_shows_what_it_rests_on(void **state) {
    struct record r;
    const struct money_rule money = {MONEY_MINOR, NULL}, raw = {MONEY_RAW, NULL};
    const struct finding_other others[] = {
        {FINDING_TWICE, "int_7", -1500}, {FINDING_TWICE, "int_8", 60000}, {FINDING_SOURCE, "int_2", 0}};
    struct finding_telling telling = {.money = &money, .others = others, .n_others = COUNT_OF(others)};
    (void)state;
    sound(&r)->intent.n_transactions = 1;
    tells(&r, FINDING_SUM, &telling, "50.00 in 1 transaction of type intent, the amount is 100.00 USD");
    telling.money = &raw;
    tells(&r, FINDING_SUM, &telling, "5,000 in 1 transaction of type intent, the amount is 10,000 USD");
    sound(&r)->tx[1].currency = text("EUR");
    tells(&r, FINDING_CURRENCY, &telling, "the amount is in USD, transaction tx_1 in EUR");
    tells(&r, FINDING_GUARANTEE, &telling, "10,000 guaranteed, the amount is 10,000 USD");
    r.tx[1].source_id = text("int_2");
    r.tx[0].source_id = text("int_3");
    tells(&r, FINDING_SOURCE, &telling, "transaction tx_1 has the source_id of intent int_2");
    tells(&r, FINDING_DECLINE, &telling, "decline_category is absent");
    r.intent.decline_category = text("");
    tells(&r, FINDING_DECLINE, &telling, "decline_category is empty");
    tells(without_settled(&r), FINDING_UNSETTLED, &telling,
          "created 2026-11-26T10:00:00.000Z, transactions pending, pending");
    r.intent.n_transactions = 0;
    tells(&r, FINDING_UNSETTLED, &telling, "created 2026-11-26T10:00:00.000Z, no transaction");
    r.intent.credential.is_archived.on = true;
    r.intent.credential.expiration = text("2026-01-01");
    tells(&r, FINDING_CREDENTIAL, &telling,
          "is_archived is true, the card had expired on 2026-01-01, created 2026-11-26T10:00:00.000Z");
    telling.outside = true;
    tells(&r, FINDING_CREDENTIAL, &telling,
          "is_archived is true, the card had expired, created 2026-11-26T10:00:00.000Z");
    tells(&r, FINDING_TWICE, &telling, "intent int_7, 1.500 s before, intent int_8, 60.000 s after");
    r.intent.status = text("reversed");
    r.intent.type = text("wallet");
    tells(&r, FINDING_UNKNOWN, &telling, "status reversed, type wallet");
}

/* A line stays a line, whatever is in it and however much. */
static void long_and_many_values_are_cut(void **state) {
    enum { MANY = 200, LONG = 5000 };
    struct record r;
    static struct transaction many[MANY];
    const struct money_rule money = {MONEY_RAW, NULL};
    const struct finding_telling telling = {.money = &money};
    char *long_text = calloc(LONG + 1, 1);
    struct str text_out;
    (void)state;
    memset(long_text, 'x', LONG);
    sound(&r);
    for (size_t i = 0; i < MANY; i++)
        many[i] = (struct transaction){.id = text(long_text), .currency = text(long_text), .status = text(long_text)};
    r.intent.transactions = many;
    r.intent.n_transactions = MANY;
    r.intent.status = r.intent.type = text(long_text);
    r.intent.created_at.text = long_text;
    str_init(&text_out, 1 << 20);
    for (unsigned i = 0; i < FINDING_COUNT; i++) {
        str_reset(&text_out);
        finding_evidence(&r.intent, (enum finding)i, &telling, &text_out);
        assert_in_range(text_out.len, 0, 600);
    }
    str_clear(&text_out);
    free(long_text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_record_has_nothing),
        cmocka_unit_test(transactions_that_do_not_add_up),
        cmocka_unit_test(what_cannot_be_added_is_not_judged),
        cmocka_unit_test(sums_beyond_int64_are_exact),
        cmocka_unit_test(another_currency),
        cmocka_unit_test(more_guaranteed_than_the_amount),
        cmocka_unit_test(declined_without_a_category),
        cmocka_unit_test(approved_and_not_settled_for_a_day),
        cmocka_unit_test(a_credential_that_was_over),
        cmocka_unit_test(values_that_are_not_known),
        cmocka_unit_test(a_source_of_its_own_needs_no_look),
        cmocka_unit_test(a_record_without_anything_has_nothing),
        cmocka_unit_test(each_shows_what_it_rests_on),
        cmocka_unit_test(long_and_many_values_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
