#include "model/cells.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct transaction two[] = {
    {.id = {VALUE_OK, "t1"},
     .source_id = {VALUE_OK, "s1"},
     .status = {VALUE_OK, "settled"},
     .type = {VALUE_OK, "intent"},
     .date = {VALUE_OK, "2026-01-02"},
     .amount = {VALUE_OK, -7, "-7"}},
    {.id = {VALUE_NULL, NULL}, .amount = {VALUE_ODD, 0, "1.5"}},
};

static struct intent sample(void) {
    return (struct intent){
        .id = {VALUE_OK, "one"},
        .status = {VALUE_OK, "approved"},
        .direction = {VALUE_ODD, "7"},
        .rail = {VALUE_OK, ""},
        .created_at = {VALUE_OK, 1735689600123, "t"},
        .amount = {VALUE_OK, INT64_MIN, "m"},
        .guarantee_amount = {VALUE_OK, INT64_MAX, "m"},
        .transactions_state = VALUE_OK,
        .transactions = two,
        .n_transactions = 2,
        .dispute = VALUE_OK,
        .refund = VALUE_NULL,
        .credential = {.state = VALUE_OK,
                       .bank_name = {VALUE_OK, "North Bank"},
                       .is_archived = {VALUE_OK, true, "true"},
                       .expiration = {VALUE_OK, "2027-01-01"}},
        .account = {.state = VALUE_OK, .id = {VALUE_OK, "acc"}},
        .unknown = 3,
    };
}

static void expect_text(const struct cells *cells, enum cells_text text, const char *expected) {
    assert_non_null(cells->text[text].s);
    assert_int_equal(cells->text[text].len, strlen(expected));
    assert_memory_equal(cells->text[text].s, expected, strlen(expected));
}

static void packed(struct str *blob) {
    struct intent intent = sample();
    str_init(blob, 10000);
    cells_pack(&intent, blob);
}

static void what_is_packed_is_read_back(void **state) {
    (void)state;
    struct str blob;
    struct cells cells;
    packed(&blob);
    assert_true(cells_read(blob.s, blob.len, &cells));
    assert_true(cells.created_ms == 1735689600123 && cells.amount == INT64_MIN && cells.guarantee == INT64_MAX);
    assert_int_equal(cells.flags, CELLS_HAS_DISPUTE | CELLS_HAS_CREDENTIAL | CELLS_HAS_UNKNOWN | CELLS_ARCHIVED |
                                      CELLS_AMOUNT_OK | CELLS_GUARANTEE_OK | CELLS_CREATED_OK | CELLS_SOURCE_OTHER |
                                      CELLS_CREDENTIAL_PAST | CELLS_JUDGED);
    expect_text(&cells, CELLS_ID, "one");
    expect_text(&cells, CELLS_STATUS, "approved");
    expect_text(&cells, CELLS_BANK, "North Bank");
    expect_text(&cells, CELLS_EXPIRES, "2027-01-01");
    expect_text(&cells, CELLS_ACCOUNT_ID, "acc");
    str_clear(&blob);
}

static void variation_f1_absent_differs_from_empty_and_odd_stands_as_served(void **state) {
    (void)state;
    struct str blob;
    struct cells cells;
    packed(&blob);
    assert_true(cells_read(blob.s, blob.len, &cells));
    expect_text(&cells, CELLS_DIRECTION, "7");
    assert_null(cells.text[CELLS_CURRENCY].s);
    expect_text(&cells, CELLS_RAIL, "");
    str_clear(&blob);
}

static void an_odd_id_tells_no_rows_apart(void **state) {
    (void)state;
    struct str blob;
    struct cells cells;
    struct intent intent = sample();
    intent.id = (struct value_text){.state = VALUE_ODD, .text = "[1]"};
    str_init(&blob, 10000);
    cells_pack(&intent, &blob);
    assert_true(cells_read(blob.s, blob.len, &cells));
    assert_null(cells.text[CELLS_ID].s);
    str_clear(&blob);
}

static void transactions_are_walked_in_order(void **state) {
    (void)state;
    struct str blob;
    struct cells cells;
    struct cells_transaction one;
    packed(&blob);
    assert_true(cells_read(blob.s, blob.len, &cells));
    assert_int_equal(cells.n_transactions, 2);
    const unsigned char *at = cells.transactions;
    assert_true(cells_transaction_next(&cells, &at, &one));
    assert_true(one.amount_ok && one.amount == -7 && one.date.len == 10 && memcmp(one.source.s, "s1", 2) == 0);
    assert_true(cells_transaction_next(&cells, &at, &one));
    assert_false(one.amount_ok);
    assert_null(one.id.s);
    assert_false(cells_transaction_next(&cells, &at, &one));
    str_clear(&blob);
}

static void a_blob_cut_anywhere_is_refused_or_ends_early(void **state) {
    (void)state;
    struct str blob;
    packed(&blob);
    for (size_t len = 0; len < blob.len; len++) {
        char *part = mem_dup_n(blob.s, len); /* its own block, so that reading past the end is seen */
        struct cells cells;
        struct cells_transaction one;
        size_t n = 0;
        if (cells_read(part, len, &cells)) {
            const unsigned char *at = cells.transactions;
            while (cells_transaction_next(&cells, &at, &one))
                n++;
            assert_true(n < 2);
        }
        free(part);
    }
    str_clear(&blob);
}

static void another_version_and_nonsense_are_refused(void **state) {
    (void)state;
    struct str blob;
    struct cells cells;
    packed(&blob);
    blob.s[0] = CELLS_VERSION + 1;
    assert_false(cells_read(blob.s, blob.len, &cells));
    char ones[40];
    memset(ones, 0xFF, sizeof ones);
    ones[0] = CELLS_VERSION;
    assert_false(cells_read(ones, sizeof ones, &cells));
    str_clear(&blob);
}

/* The texts of version 2 in the order of every cache that was ever written: behind the version, no flags, no times and
 * numbers, a letter each, and no transaction. */
static const char VERSION_2[] = {2,   0, 0,   0, 0,   2, 'a', 2, 'b', 2, 'c', 2, 'd', 2, 'e', 2, 'f', 2, 'g', 2, 'h', 2,
                                 'i', 2, 'j', 2, 'k', 2, 'l', 2, 'm', 2, 'n', 2, 'o', 2, 'p', 2, 'q', 2, 'r', 0};

static void cells_on_disk_keep_their_places(void **state) {
    (void)state;
    static const enum cells_text places[] = {
        CELLS_ID,           CELLS_STATUS,    CELLS_TYPE,         CELLS_DIRECTION, CELLS_RAIL,       CELLS_CURRENCY,
        CELLS_DECLINE,      CELLS_BRAND,     CELLS_ACCOUNT_TYPE, CELLS_USER,      CELLS_CREDENTIAL, CELLS_BANK,
        CELLS_ACCOUNT_NAME, CELLS_CARD_MASK, CELLS_ACCOUNT_MASK, CELLS_ROUTING,   CELLS_EXPIRES,    CELLS_ACCOUNT_ID};
    struct cells cells;
    assert_true(cells_read(VERSION_2, sizeof VERSION_2, &cells));
    for (size_t i = 0; i < COUNT_OF(places); i++)
        expect_text(&cells, places[i], (const char[]){(char)('a' + i), '\0'});
    assert_int_equal(cells.n_transactions, 0);
}

/* What came later stands behind those texts. */
static void a_program_of_before_finds_texts_where_they_were(void **state) {
    (void)state;
    struct intent intent = {
        .id = {VALUE_OK, "a"},
        .status = {VALUE_OK, "b"},
        .type = {VALUE_OK, "c"},
        .direction = {VALUE_OK, "d"},
        .rail = {VALUE_OK, "e"},
        .currency = {VALUE_OK, "f"},
        .decline_category = {VALUE_OK, "g"},
        .user_id = {VALUE_OK, "j"},
        .credential = {.id = {VALUE_OK, "k"},
                       .bank_name = {VALUE_OK, "l"},
                       .brand = {VALUE_OK, "h"},
                       .pan_mask = {VALUE_OK, "n"},
                       .number_mask = {VALUE_OK, "o"},
                       .routing = {VALUE_OK, "p"},
                       .expiration = {VALUE_OK, "q"}},
        .account = {.id = {VALUE_OK, "r"}, .type = {VALUE_OK, "i"}, .name = {VALUE_OK, "m"}},
    };
    struct str blob;
    str_init(&blob, 1000);
    cells_pack(&intent, &blob);
    assert_int_equal(blob.s[0], CELLS_VERSION);
    assert_true(blob.len >= sizeof VERSION_2);
    size_t flags = 1; /* a number in bytes of which the last has no upper bit; in VERSION_2 it is one byte */
    while (blob.s[flags] & 0x80)
        flags++;
    assert_memory_equal(blob.s + flags + 1, VERSION_2 + 2, sizeof VERSION_2 - 3);
    str_clear(&blob);
}

/* Its transactions have no currency: five empty texts, a mark and an amount. */
static void the_version_before_is_read_too(void **state) {
    (void)state;
    static const char texts[18] = {0}, tx[] = {0, 0, 0, 0, 0, 1, 10};
    struct str blob;
    struct cells cells;
    struct cells_transaction one;
    str_init(&blob, 1000);
    str_add_n(&blob, (const char[]){1, 0, 0, 0, 0}, 5);
    str_add_n(&blob, texts, sizeof texts);
    str_add_char(&blob, 1);
    str_add_n(&blob, tx, sizeof tx);
    assert_true(cells_read(blob.s, blob.len, &cells));
    const unsigned char *at = cells.transactions;
    assert_true(cells_transaction_next(&cells, &at, &one));
    assert_true(one.amount == 5 && one.amount_ok && !one.currency.s);
    assert_false(cells_transaction_next(&cells, &at, &one));
    str_clear(&blob);
}

static void an_empty_intent_packs_small(void **state) {
    (void)state;
    struct intent intent = {0};
    struct str blob;
    struct cells cells;
    str_init(&blob, 1000);
    cells_pack(&intent, &blob);
    assert_true(blob.len < 32);
    assert_true(cells_read(blob.s, blob.len, &cells));
    assert_true(cells.flags == CELLS_JUDGED && cells.created_ms == 0 && cells.n_transactions == 0);
    str_clear(&blob);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_packed_is_read_back),
        cmocka_unit_test(variation_f1_absent_differs_from_empty_and_odd_stands_as_served),
        cmocka_unit_test(an_odd_id_tells_no_rows_apart),
        cmocka_unit_test(transactions_are_walked_in_order),
        cmocka_unit_test(a_blob_cut_anywhere_is_refused_or_ends_early),
        cmocka_unit_test(another_version_and_nonsense_are_refused),
        cmocka_unit_test(cells_on_disk_keep_their_places),
        cmocka_unit_test(a_program_of_before_finds_texts_where_they_were),
        cmocka_unit_test(the_version_before_is_read_too),
        cmocka_unit_test(an_empty_intent_packs_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
