/* The fuzz target over a list of seeds and of everything that lies one edit beside them. */

#include "fuzz/query.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const char *const seeds[] = {
    "status:declined,pending type:card_only amount>=5000 bank:\"Nord \\\"A\\\"\"",
    "(rail:card* | -rail:\"ca*\") -(has:refund,dispute is:new)",
    "(id:*end,'a b' | -bank:\xE2\x80\x98Salt's\xE2\x80\x99) mask:**42* bank:*\"a b\"* \xE2\x80\xB9x\xE2\x80\xBA "
    "Salt\xE2\x80\xA6",
    "created:2026-11-01..2026-11-07 created>=-7d expires<2027 tx.date:today,yesterday",
    "amount:50.10,..-5,100.. guarantee!=0 tx.amount>=-9223372036854775808",
    "id:int_ user=usr_1 credential:c source:s tx.id!=t mask:34 routing:01 account.name:x",
    "created:2026-11-01T10:30Z created:2026-11-01T10:30:05.123+02:00 caf\xC3\xA9 \xC2\xA0 a|b",
    "-(-(-(a b) | c) d)",
    "created:tuesday,mon..fri,..Sun tx.date>=thurs expires:wed..today -created<sat",
};

static void seeds_are_taken(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(seeds); i++) {
        struct query *query = NULL;
        struct error error = {.code = ERR_OK};
        if (query_parse(seeds[i], &(struct query_options){.unit = MONEY_MINOR, .console = true}, &query, NULL,
                        &error) != ERR_OK)
            fail_msg("%s: %s", seeds[i], error.text);
        query_free(query);
    }
}

static void one_edit_beside_a_seed_is_safe(void **state) {
    (void)state;
    static const char edits[] = "\"()|-,:=<>!*.'`\\ \x80\xC3T0a";
    for (size_t i = 0; i < COUNT_OF(seeds); i++) {
        size_t len = strlen(seeds[i]);
        char *text = mem_new(len + 2);
        for (size_t at = 0; at <= len; at++) {
            LLVMFuzzerTestOneInput((const uint8_t *)seeds[i], at);
            for (size_t e = 0; e < sizeof edits - 1; e++) {
                memcpy(text, seeds[i], at);
                text[at] = edits[e];
                memcpy(text + at + 1, seeds[i] + at, len - at);
                LLVMFuzzerTestOneInput((const uint8_t *)text, len + 1);
                memcpy(text, seeds[i], len);
                text[at] = edits[e];
                LLVMFuzzerTestOneInput((const uint8_t *)text, len);
            }
        }
        free(text);
    }
}

/* Every value of up to seven of these: runs of signs meet, overlap and stand alone. */
static void every_run_of_stars_and_dots_is_safe(void **state) {
    (void)state;
    static const char *const TERMS[] = {"status!=", "mask:", "", "bank:a,"}, *const PIECES[] = {".", "*",
                                                                                                "\xE2\x80\xA6", "a"};
    enum { LONGEST = 7 };
    for (size_t t = 0; t < COUNT_OF(TERMS); t++)
        for (size_t pieces = 1; pieces <= LONGEST; pieces++)
            for (size_t n = 0; n < (size_t)1 << (2 * pieces); n++) {
                char text[64] = "";
                strcpy(text, TERMS[t]);
                for (size_t i = 0; i < pieces; i++)
                    strcat(text, PIECES[n >> (2 * i) & 3]);
                LLVMFuzzerTestOneInput((const uint8_t *)text, strlen(text));
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeds_are_taken),
        cmocka_unit_test(one_edit_beside_a_seed_is_safe),
        cmocka_unit_test(every_run_of_stars_and_dots_is_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
