#include "query/doubt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* What is said of the filter; "" where nothing is. */
static void assert_says(const char *text, const char *expected) {
    struct query *query;
    struct query_doubt doubt;
    struct str out;
    str_init(&out, 256);
    if (query_parse(text, &(struct query_options){.unit = MONEY_MINOR}, &query, NULL, NULL) != ERR_OK)
        fail_msg("%s", text);
    if (query_doubt(query, &doubt) && !doubt.is_reading)
        query_doubt_say(&doubt, 22394, &out);
    if (strcmp(out.s, expected) != 0)
        fail_msg("%s: %s, expected %s", text, out.s, expected);
    str_clear(&out);
    query_doubt_clear(&doubt);
    query_free(query);
}

static void a_word_near_a_known_one_is_doubted(void **state) {
    (void)state;
    assert_says("status:declned", "no status \"declned\" among 22,394 (declined?)");
    assert_says("amount>5 status:declined,pendin", "no status \"pendin\" among 22,394 (pending?)");
    assert_says("amount>5 (has:refund | type:primry)", "no type \"primry\" among 22,394 (primary?)");
}

static void other_words_are_not(void **state) {
    static const char *const TEXTS[] = {"",           "declned",         "status:DECLINED", "status:zzzzzz",
                                        "status:de*", "-status:declned", "status!=declned", "rail:crad"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(TEXTS); i++)
        assert_says(TEXTS[i], "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_near_a_known_one_is_doubted),
        cmocka_unit_test(other_words_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
