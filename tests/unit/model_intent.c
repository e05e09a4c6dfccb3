#include "model/intent.h"
#include "model/page.h"
#include "model/transition.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void variation_f2_known_statuses_have_names_and_letters(void **state) {
    (void)state;
    static const char *const names[] = {"created", "approved", "declined", "pending", "canceled"};
    for (size_t i = 0; i < INTENT_STATUS_COUNT; i++) {
        assert_int_equal(intent_status_of(names[i]), i);
        assert_string_equal(intent_status_name((enum intent_status)i), names[i]);
    }
    assert_int_equal(intent_status_letter(INTENT_CANCELED), 'X');
}

static void variation_f2_unknown_statuses_are_not_taken_for_known_ones(void **state) {
    (void)state;
    static const char *const names[] = {"Approved", "approve", "", "settled", "approved "};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_int_equal(intent_status_of(names[i]), INTENT_STATUS_UNKNOWN);
    assert_int_equal(intent_status_of(NULL), INTENT_STATUS_UNKNOWN);
    assert_int_equal(intent_status_letter(INTENT_STATUS_UNKNOWN), '?');
}

static void a_change_of_status_is_named_by_what_was_before_and_after(void **state) {
    char name[64];
    (void)state;
    for (unsigned i = 0; i < TRANSITION_COUNT; i++) {
        const char *before = transition_state_name(transition_before(i));
        const char *after = transition_state_name(transition_after(i));
        snprintf(name, sizeof name, "%s-%s", before, after);
        assert_string_equal(transition_name(i), name);
        assert_int_equal(
            transition_of(strcmp(before, "none") == 0 ? NULL : before, strcmp(after, "none") == 0 ? NULL : after), i);
    }
    assert_string_equal(transition_name(transition_of("on_hold", NULL)), "other-none");
}

static void flow_types_end_with_null(void **state) {
    (void)state;
    assert_string_equal(intent_type_name(0), "primary");
    assert_string_equal(intent_type_name(1), "card_only");
    assert_null(intent_type_name(2));
}

static void a_field_is_found_by_path_or_by_a_last_name_that_is_unique(void **state) {
    (void)state;
    assert_int_equal(intent_field_find("payment_credential.card.brand"), INTENT_FIELD_BRAND);
    assert_int_equal(intent_field_find("brand"), INTENT_FIELD_BRAND);
    assert_int_equal(intent_field_find("id"), INTENT_FIELD_ID);
    assert_int_equal(intent_field_find("created_at"), INTENT_FIELD_CREATED_AT);
    assert_int_equal(intent_field_find("account.id"), INTENT_FIELD_ACCOUNT_ID);
    assert_int_equal(intent_field_find("card"), -1);
    assert_int_equal(intent_field_find(""), -1);
}

static void every_field_gives_the_text_of_its_own_member(void **state) {
    (void)state;
    struct intent *intent = intent_new();
    const char *text = NULL;
    intent->status = (struct value_text){.state = VALUE_OK, .text = "approved"};
    intent->amount = (struct value_number){.state = VALUE_OK, .number = 12, .text = "12"};
    intent->created_at = (struct value_time){VALUE_ODD, 0, "soon"};
    intent->credential.is_archived = (struct value_flag){VALUE_OK, false, "false"};
    assert_int_equal(intent_field_text(intent, INTENT_FIELD_STATUS, &text), VALUE_OK);
    assert_string_equal(text, "approved");
    assert_int_equal(intent_field_text(intent, INTENT_FIELD_AMOUNT, &text), VALUE_OK);
    assert_string_equal(text, "12");
    assert_int_equal(intent_field_text(intent, INTENT_FIELD_CREATED_AT, &text), VALUE_ODD);
    assert_string_equal(text, "soon");
    assert_int_equal(intent_field_text(intent, INTENT_FIELD_IS_ARCHIVED, &text), VALUE_OK);
    assert_string_equal(text, "false");
    assert_int_equal(intent_field_text(intent, INTENT_FIELD_RAIL, &text), VALUE_ABSENT);
    assert_null(text);
    assert_true(intent_field_is_number(INTENT_FIELD_GUARANTEE_AMOUNT));
    assert_false(intent_field_is_number(INTENT_FIELD_ROUTING));
    intent_free(intent);
    intent_free(NULL);
}

static void a_transaction_gives_its_fields_too(void **state) {
    (void)state;
    struct transaction transaction = {.source_id = {VALUE_OK, "source"}, .amount = {VALUE_ODD, 0, "1.5"}};
    const char *text = NULL;
    assert_int_equal(transaction_field_text(&transaction, TRANSACTION_FIELD_SOURCE_ID, &text), VALUE_OK);
    assert_string_equal(text, "source");
    assert_int_equal(transaction_field_text(&transaction, TRANSACTION_FIELD_AMOUNT, &text), VALUE_ODD);
    assert_string_equal(text, "1.5");
    assert_string_equal(transaction_field_path(TRANSACTION_FIELD_DATE), "date");
    assert_string_equal(intent_field_path(INTENT_FIELD_EXPIRATION), "payment_credential.card.expiration");
}

static void a_row_taken_from_a_page_is_the_takers(void **state) {
    (void)state;
    struct page page;
    page_init(&page);
    struct intent *row = intent_new();
    *vec_add(&page) = row;
    *vec_add(&page) = intent_new();
    assert_ptr_equal(page_take_row(&page, 0), row);
    assert_null(page.items[0]);
    page_clear(&page);
    assert_int_equal(page.n, 0);
    intent_free(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variation_f2_known_statuses_have_names_and_letters),
        cmocka_unit_test(variation_f2_unknown_statuses_are_not_taken_for_known_ones),
        cmocka_unit_test(a_change_of_status_is_named_by_what_was_before_and_after),
        cmocka_unit_test(flow_types_end_with_null),
        cmocka_unit_test(a_field_is_found_by_path_or_by_a_last_name_that_is_unique),
        cmocka_unit_test(every_field_gives_the_text_of_its_own_member),
        cmocka_unit_test(a_transaction_gives_its_fields_too),
        cmocka_unit_test(a_row_taken_from_a_page_is_the_takers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
