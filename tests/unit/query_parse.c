#include "query/query.h"
#include "unit/query_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static const struct query_options console = {.unit = MONEY_MINOR, .console = true}, raw = {.unit = MONEY_RAW};

static struct query *parse(const char *text) {
    struct query *query;
    struct error error = {.code = ERR_OK};
    if (query_parse(text, &console, &query, NULL, &error) != ERR_OK)
        fail_msg("%s: %s", text, error.text);
    return query;
}

static void assert_prints(const char *text, const char *expected) {
    struct query *query = parse(text);
    struct str out;
    str_init(&out, QUERY_TEXT_MAX);
    query_print(query, &out);
    assert_string_equal(out.s, expected);
    str_clear(&out);
    query_free(query);
}

static void canonical_text_is_printed(void **state) {
    (void)state;
    assert_prints("", "");
    assert_prints("  \t", "");
    assert_prints(" STATUS:declined  amount>=5000 ", "status:declined amount>=5000");
    assert_prints("a|b c|d", "a | b c | d");
    assert_prints("(a|b) (c)", "(a | b) c");
    assert_prints("((a b)) c", "(a b) c");
    assert_prints("-(a) -(b c) -(-d)", "-a -(b c) -(-d)");
    assert_prints("\"plain\" \"two words\" \"-x\" \"a:b\" \"say \\\"hi\\\"\"",
                  "plain \"two words\" \"-x\" \"a:b\" \"say \\\"hi\\\"\"");
    assert_prints("rail:ca* rail:\"ca*\" rail:\"a b\"* bank:a*", "rail:ca* rail:\"ca*\" rail:\"a b\"* bank:a*");
    assert_prints("amount:..5,-3..-1,7..", "amount:..5,-3..-1,7..");
    assert_prints("amount:5..5,-1.5..-1", "amount:5..5,-1.5..-1");
    assert_prints("created:-7d..today", "created:-7d..today");
    assert_prints("created:2026-11-15..2026-11,fri..mon", "created:2026-11-15..2026-11,fri..mon");
    assert_prints("created:2026-11-02T10:00Z..2026-11-02T09:00-03:00",
                  "created:2026-11-02T10:00Z..2026-11-02T09:00-03:00");
    assert_prints("created:mon..FRI,tuesday", "created:mon..FRI,tuesday");
    assert_prints("a\xC2\xA0"
                  "b\xE3\x80\x80"
                  "c",
                  "a b c");
    assert_prints("status=\"\" has:refund,dispute", "status=\"\" has:refund,dispute");
}

static void f44_what_the_screen_prints_can_be_typed(void **state) {
    (void)state;
    assert_prints("amount:8,462", "amount:8462");
    assert_prints("amount>=5,412.50", "amount>=5412.50");
    assert_prints("amount:-1,234,567..45,000", "amount:-1234567..45000");
    assert_prints("amount:..1,000", "amount:..1000");
    assert_prints("amount>=\"5 000\" tx.amount<8\xE2\x80\x99"
                  "000",
                  "amount>=5000 tx.amount<8000");
    assert_prints("amount:\"5\xE2\x80\xAF"
                  "000\"",
                  "amount:5000");
    assert_prints("amount:\xE2\x88\x92"
                  "510",
                  "amount:-510");
    assert_prints("created:\"2026-07-01 19:26:00\"", "created:2026-07-01T19:26:00");
    assert_prints("created>=\"2026-07-01 19:26 +02:00\"", "created>=2026-07-01T19:26+02:00");
}

static void f44_a_list_stays_a_list(void **state) {
    (void)state;
    assert_prints("amount:1,2,3", "amount:1,2,3");
    assert_prints("amount:5000,462", "amount:5000,462");
    assert_prints("amount:\"8\",\"462\"", "amount:\"8\",\"462\"");
    assert_prints("amount>5 \"000\"", "amount>5 \"000\"");
    assert_prints("amount>5 visa 000", "amount>5 visa 000");
}

static void f45_typographic_signs_are_the_plain_ones(void **state) {
    (void)state;
    assert_prints("bank:\xE2\x80\x9CSaltmarsh Bank\xE2\x80\x9D", "bank:\"Saltmarsh Bank\"");
    assert_prints("bank:\xE2\x80\x9ESaltmarsh Bank\xE2\x80\x9C amount\xE2\x89\xA5"
                  "5000",
                  "bank:\"Saltmarsh Bank\" amount>=5000");
    assert_prints("bank:\xC2\xABx y\xC2\xBB amount\xE2\x89\xA4"
                  "5 currency\xE2\x89\xA0USD",
                  "bank:\"x y\" amount<=5 currency!=USD");
    assert_prints("status\xEF\xBC\x9A"
                  "declined",
                  "status:declined");
    /* What stands in quotes is text, and what a service has stays to be found. */
    assert_prints("bank:\"\xC2\xABx\xC2\xBB\"", "bank:\"\xC2\xABx\xC2\xBB\"");
    assert_prints("\xE2\x80\x9C\xE2\x89\xA5\xE2\x80\x9D", "\"\xE2\x89\xA5\"");
    assert_prints("bank:O\xE2\x80\x99Wren", "bank:O\xE2\x80\x99Wren");
}

static void f46_the_end_of_an_id_is_read(void **state) {
    (void)state;
    assert_prints("id:\xE2\x80\xA6"
                  "42d0f8b",
                  "id:\xE2\x80\xA6"
                  "42d0f8b");
    assert_prints("user:...42d0f8b", "user:\xE2\x80\xA6"
                                     "42d0f8b");
    assert_prints("\xE2\x80\xA6"
                  "42d0f8b",
                  "42d0f8b");
    assert_prints("id:\"...x\"", "id:\"...x\"");
}

static void f45_single_typographic_quotes_are_quotes(void **state) {
    static const char *const PAIRS[][2] = {{"\xE2\x80\x98", "\xE2\x80\x99"},
                                           {"\xE2\x80\x9A", "\xE2\x80\x98"},
                                           {"\xE2\x80\x99", "\xE2\x80\x99"},
                                           {"\xE2\x80\xB9", "\xE2\x80\xBA"},
                                           {"\xE2\x80\xBA", "\xE2\x80\xB9"},
                                           {"'", "'"},
                                           {"`", "\xC2\xB4"},
                                           {"\xEF\xBC\x87", "\xEF\xBC\x87"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(PAIRS); i++) {
        char text[96];
        snprintf(text, sizeof text, "(status=%sdeclined%s,x | -%sa \\ \"b%s) bank:%sSaltmarsh Bank%s", PAIRS[i][0],
                 PAIRS[i][1], PAIRS[i][0], PAIRS[i][1], PAIRS[i][0], PAIRS[i][1]);
        assert_prints(text, "(status=declined,x | -\"a \\\\ \\\"b\") bank:\"Saltmarsh Bank\"");
    }
}

/* Other keyboards' quotes, and the dash that a word processor makes of a hyphen before a term. */
static void f45_corner_brackets_and_dashes_are_read(void **state) {
    (void)state;
    assert_prints("bank:「Saltmarsh Bank」 『x y』", "bank:\"Saltmarsh Bank\" \"x y\"");
    assert_prints("–bank:nord —(usd | eur) amount:–50 ‐has:refund", "-bank:nord -(usd | eur) amount:-50 -has:refund");
    assert_prints("bank:Nord–Süd Foo—Bar", "bank:Nord–Süd Foo—Bar");
    assert_prints("nord – süd", "nord \"–\" süd");
    assert_prints("bank:\"–x\" \"—y\"", "bank:\"–x\" \"—y\"");
}

static void f45_an_apostrophe_stays_one(void **state) {
    (void)state;
    assert_prints("bank:O\xE2\x80\x99Wren", "bank:O\xE2\x80\x99Wren");
    assert_prints("bank:\xE2\x80\x99t", "bank:\"\xE2\x80\x99t\"");
    assert_prints("bank:\xE2\x80\x98O\xE2\x80\x99Wren\xE2\x80\x99", "bank:O\xE2\x80\x99Wren");
    assert_prints("bank:\"\xE2\x80\x98x\xE2\x80\x99\"", "bank:\"\xE2\x80\x98x\xE2\x80\x99\"");
    assert_prints("amount>=8'000", "amount>=8000");
    assert_prints("\xE2\x80\x9C\xE2\x80\xB9x\xE2\x80\xBA\xE2\x80\x9D", "\"\xE2\x80\xB9x\xE2\x80\xBA\"");
}

static void f46_a_star_is_a_beginning_or_an_end(void **state) {
    (void)state;
    assert_prints("id:*end", "id:\xE2\x80\xA6"
                             "end");
    assert_prints("user:u12* source=a*", "user:u12* source=a*");
    assert_prints("status:*ined,*clin*", "status:*ined,*clin*");
    assert_prints("bank:*Bank account.name:Op** id!=*mid*", "bank:*Bank account.name:Op* id!=*mid*");
    assert_prints("bank:*\"of X\" bank:\"A b\"*", "bank:*\"of X\" bank:\"A b\"*");
    assert_prints("bank:*\xE2\x80\x9Cof X\xE2\x80\x9D", "bank:*\"of X\"");
    assert_prints("bank:\"*a\" id:\"a*\" bank:\"a*b\" id=\"*\"", "bank:\"*a\" id:\"a*\" bank:\"a*b\" id=\"*\"");
}

/* What is left out of a text on the screen is so in the filter as well. */
static void f46_a_text_cut_by_the_screen_is_a_beginning(void **state) {
    (void)state;
    assert_prints("bank:Saltm\xE2\x80\xA6 status:decl...", "bank:Saltm* status:decl*");
    assert_prints("user:u_12\xE2\x80\xA6", "user:u_12*");
    assert_prints("Saltm\xE2\x80\xA6", "Saltm");
}

static void f46_a_mask_is_made_of_stars(void **state) {
    (void)state;
    assert_prints("mask:****0042", "mask:0042");
    assert_prints("mask:4242* mask:4242***1111", "mask:4242* mask:\"4242***1111\"");
    assert_prints("mask:**** mask=****0042", "mask:\"****\" mask=\"****0042\"");
}

static void f48_names_of_columns_are_fields(void **state) {
    (void)state;
    assert_prints("account.id:acc", "account.id:acc");
    assert_prints("flags:refund", "has:refund");
    assert_prints("USER_ID:u created_at:2026 decline_category:x guarantee_amount>5",
                  "user:u created:2026 decline:x guarantee>5");
    assert_prints("payment_credential.card.brand:visa payment_credential.account.routing:01", "brand:visa routing:01");
}

/* K57: no term is passed over. */
static void all_words_become_terms(void **state) {
    (void)state;
    struct query *query = parse("amount:100 succeeded visa");
    assert_int_equal(query->root->kind, QUERY_ALL);
    size_t n = 0;
    for (const struct query_node *node = query->root->first; node; node = node->next)
        n++;
    assert_int_equal(n, 3);
    query_free(query);
}

static void random_filters_survive_print_and_parse(void **state) {
    (void)state;
    struct dice dice = {57};
    struct str text, printed, again;
    str_init(&text, QUERY_TEXT_MAX);
    str_init(&printed, QUERY_TEXT_MAX);
    str_init(&again, QUERY_TEXT_MAX);
    for (int i = 0; i < 10000; i++) {
        str_reset(&text);
        str_reset(&printed);
        str_reset(&again);
        add_filter(&dice, &text, 4);
        struct query *first = parse(text.s);
        query_print(first, &printed);
        struct query *second = parse(printed.s), *copy = query_dup(first);
        if (!query_equal(first, second) || !query_equal(first, copy))
            fail_msg("%s became %s", text.s, printed.s);
        query_print(second, &again);
        assert_string_equal(printed.s, again.s);
        query_free(first);
        query_free(second);
        query_free(copy);
    }
    str_clear(&text);
    str_clear(&printed);
    str_clear(&again);
}

static bool reads_as(const char *text, const char *as) {
    struct query *a = parse(text), *b = parse(as);
    bool equal = query_equal(a, b);
    query_free(a);
    query_free(b);
    return equal;
}

static void an_operator_alone_is_of_the_amount_or_the_time(void **state) {
    (void)state;
    assert_true(reads_as(":tue", "created:tue") && reads_as("a :tue b", "a created:tue b"));
    assert_true(reads_as(">=5000", "amount>=5000") && reads_as(":45..55", "amount:45..55"));
    assert_true(reads_as("-:today", "-created:today") &&
                reads_as("(:2026-11-01|>=-7d)", "created:2026-11-01|created>=-7d"));
}

static void about_an_amount_is_within_a_tenth_of_it(void **state) {
    (void)state;
    struct query *about, *range;
    assert_true(reads_as("~50", "amount:45.0..55.0") && reads_as("-~7 x", "-amount:6.3..7.7 x"));
    assert_int_equal(query_parse("~7", &raw, &about, NULL, NULL), ERR_OK); /* integers as served */
    assert_int_equal(query_parse("amount:7..7", &raw, &range, NULL, NULL), ERR_OK);
    assert_true(query_equal(about, range));
    query_free(about);
    query_free(range);
    assert_true(reads_as("~5.5", "amount:4.95..6.05") && reads_as("~1,250.00", "amount:1125.000..1375.000"));
    assert_true(reads_as("~0.5", "amount:0.45..0.55") && reads_as("~5,000", "amount:4500.0..5500.0"));
}

/* Words were so before ~50 meant something, and saved views have them: only a number behind ~ is an amount. */
static void a_word_that_begins_with_about_stays_a_word(void **state) {
    static const char *const WORDS[] = {"~5x", "~2024-inv", "~5.",     "~5,6",    "~50..60",
                                        "~x5", "~",         "\"~50\"", "\"~5.5\""};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(WORDS); i++)
        assert_prints(WORDS[i], WORDS[i]);
    assert_true(reads_as("~5x", "\"~5x\"") && !reads_as("~50", "\"~50\""));
}

static void different_filters_are_not_equal(void **state) {
    (void)state;
    static const char *const texts[] = {"",           "a",          "b",          "-a",          "a b",
                                        "a | b",      "a b c",      "status:a",   "status=a",    "status:a*",
                                        "status:a,b", "type:a",     "amount:1",   "amount:2",    "amount:1..2",
                                        "amount:1..", "amount:..1", "has:refund", "has:dispute", "amount:1..3"};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (size_t k = 0; k < COUNT_OF(texts); k++) {
            struct query *a = parse(texts[i]), *b = parse(texts[k]);
            assert_int_equal(query_equal(a, b), i == k);
            query_free(a);
            query_free(b);
        }
}

static const struct {
    const char *text;
    size_t at, end;
    const char *reason, *near;
} faults[] = {
    {"amout>5", 0, 5, "no field is called \"amout\"", "amount"},
    {"a statsu:x", 2, 8, "no field", "status"},
    {"decline_categori:x", 0, 16, "no field", "decline"},
    {"amount>=5 000", 10, 13, "a number has no blanks", NULL},
    {"amount:8 462.10", 9, 15, "a number has no blanks", NULL},
    {"amount:5,001,5,002", 7, 18, "may be one number or several", NULL},
    {"amount:8.462,00", 7, 15, "may be one number or several", NULL},
    {"amount\xE2\x89\xA5x", 9, 10, "not a number", NULL},
    {"bank:\xE2\x80\x9Cx", 5, 9, "not closed", NULL},
    {"name:x", 0, 4, "no field", "account.name"},
    {"qqqqqqqq:x", 0, 8, "no field", NULL},
    {"!status:x", 0, 1, "not is written with - before the term", NULL},
    {"a :nonsense", 2, 3, "a field name is missing before :", NULL},
    {"amount >=5000", 7, 9, "a field name is missing before >=", NULL},
    {"amount\u00A0>=5000", 8, 10, "a field name is missing before >=", NULL},
    {"amount\n\u2009 >=5000", 11, 13, "a field name is missing before >=", NULL},
    {"created\t>=2026-01-01", 8, 10, "a field name is missing before >=", NULL},
    {"a\u00A0created >=2026-01-01", 11, 13, "a field name is missing before >=", NULL},
    {"~1000000000000000", 0, 17, "as in ~50", NULL},
    {"a || b", 3, 4, "or is written with one |", NULL},
    {"a | | b", 4, 5, "missing before |", NULL},
    {"has:refnd", 4, 9, "has knows nothing", "refund"},
    {"is:cahnged", 3, 10, "is knows nothing", "changed"},
    {"is:foo", 3, 6, "is knows nothing called \"foo\": new, changed, stale, archived, marked", NULL},
    {"is:", 3, 3, "a value is missing after is:", NULL},
    {"status:", 7, 7, "a value is missing", NULL},
    {"status:a,", 9, 9, "a value is missing", NULL},
    {"status:,a", 7, 7, "a value is missing", NULL},
    {"amount>= 5", 8, 8, "a value is missing", NULL},
    {"amount:\"\"", 7, 9, "a value is missing", NULL},
    {":x", 0, 1, "a field name is missing", NULL},
    {">x", 0, 1, "a field name is missing", NULL},
    {"amount:x", 7, 8, "not a number", NULL},
    {"amount:5.", 7, 9, "not a number", NULL},
    {"amount:.5", 7, 9, "not a number", NULL},
    {"amount:1.2.3", 7, 12, "not a number", NULL},
    {"amount:--5", 7, 10, "not a number", NULL},
    {"amount:-", 7, 8, "not a number", NULL},
    {"amount:9223372036854775808", 7, 26, "beyond 64 bits", NULL},
    {"amount:0.1234567890123456789", 7, 28, "18 digits", NULL},
    {"amount:..", 7, 9, "a start or an end", NULL},
    {"amount:1..x", 7, 11, "not a number", NULL},
    {"amount>1..2", 7, 11, "a range goes with", NULL},
    {"amount>1,2", 8, 9, "takes one value", NULL},
    {"mask!=1", 4, 6, "mask takes : =", NULL},
    {"has=refund", 3, 4, "has takes :", NULL},
    {"status<x", 6, 7, "status takes", NULL},
    {"created:2026-02-30", 8, 18, "no such day", NULL},
    {"created:2026-13", 8, 15, "no such day", NULL},
    {"created:26-01-01", 8, 16, "not a time", NULL},
    {"created:2026-01-01T25:00Z", 8, 25, "no such day or time", NULL},
    {"created:2026-01-01T10", 8, 21, "not a time", NULL},
    {"created:7d", 8, 10, "not a time", "-7d"},
    {"created:tuseday", 8, 15, "not a time", "tuesday"},
    {"created:tu", 8, 10, "not a time", "tuesday"},
    {"created>=mondays", 9, 16, "not a time", "monday"},
    {"created:-7d..yestrday", 8, 21, "not a time", "yesterday"},
    {"tx.date:..fryday", 8, 16, "not a time", "friday"},
    {"created:-123456789d", 8, 19, "not a time", NULL},
    {"created:-7d", 8, 11, "write created>=-7d", NULL},
    {"created!=-24h", 9, 13, "one instant", NULL},
    {"amount:9..5", 7, 11, "runs backwards", NULL},
    {"amount=-1..-1.5", 7, 15, "runs backwards", NULL},
    {"amount!=0.000000000000000001..0", 8, 31, "runs backwards", NULL},
    {"guarantee:9223372036854775807..-9223372036854775808", 10, 51, "runs backwards", NULL},
    {"created:2026-11..2026-10-31", 8, 27, "runs backwards", NULL},
    {"created:2027..2026", 8, 18, "runs backwards", NULL},
    {"created:-1h..-1d", 8, 16, "runs backwards", NULL},
    {"tx.date:2026-11-02T10:00Z..2026-11-02T09:59Z", 8, 44, "runs backwards", NULL},
    {"finding:x", 8, 9, "finding knows nothing called \"x\": sum, currency, guarantee, source", NULL},
    {"finding:sums", 8, 12, "finding knows nothing called", "sum"},
    {"finding:", 8, 8, "a value is missing", NULL},
    {"finding:sum*", 8, 12, "finding knows nothing called", "sum"},
    {"finding>sum", 7, 8, "finding takes : = !=", NULL},
    {"a (b", 2, 3, "this parenthesis is not closed", NULL},
    {"a) b", 1, 2, "no parenthesis is open", NULL},
    {") b", 0, 1, "no parenthesis is open", NULL},
    {"()", 0, 2, "nothing between", NULL},
    {"a ( )", 2, 5, "nothing between", NULL},
    {"a |", 3, 3, "missing after |", NULL},
    {"| a", 0, 1, "missing before |", NULL},
    {"(a |)", 4, 4, "missing after |", NULL},
    {"a -", 2, 3, "missing after -", NULL},
    {"--a", 0, 1, "missing after -", NULL},
    {"a \"bc", 2, 5, "this quote is not closed", NULL},
    {"bank:\"bc", 5, 8, "this quote is not closed", NULL},
    {"ab\"c\"", 2, 3, "a blank is missing", NULL},
    {"\"a\"b", 3, 4, "a blank is missing", NULL},
    {"bank:a(b)", 6, 7, "a blank is missing", NULL},
    {"\"\"", 0, 2, "nothing to look for", NULL},
    {"bank:\"\"", 5, 7, "nothing to look for", NULL},
    {"status:*", 7, 8, "nothing to look for", NULL},
    {"status:app*roved", 7, 16, "write app* or *roved", NULL},
    {"bank:*a*b*", 5, 10, "\"*a*b*\" in quotes", NULL},
    {"user:*", 5, 6, "nothing to look for", NULL},
    {"bank:*", 5, 6, "leave the term out", NULL},
    {"id:***", 3, 6, "nothing to look for", NULL},
    {"user:\xE2\x80\xA6", 5, 8, "nothing to look for", NULL},
    {"bank:\xE2\x80\x98Salt", 5, 12, "this quote is not closed", NULL},
    {"bank:\xE2\x80\xB9Salt", 5, 12, "this quote is not closed", NULL},
    {"a\x01", 1, 2, "a control character", NULL},
    {"a \xFF", 2, 3, "not text in UTF-8", NULL},
};

static void every_fault_has_its_place_and_reason(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(faults); i++) {
        struct query *query = NULL;
        struct query_fault fault;
        struct error error = {.code = ERR_OK};
        const char *text = faults[i].text;
        if (query_parse(text, &console, &query, &fault, &error) != ERR_USAGE)
            fail_msg("%s was taken", text);
        assert_null(query);
        if (fault.at != faults[i].at || fault.end != faults[i].end || !strstr(fault.reason, faults[i].reason))
            fail_msg("%s: %zu..%zu %s", text, fault.at, fault.end, fault.reason);
        if (faults[i].near ? fault.n_near == 0 || strcmp(fault.near[0], faults[i].near) != 0 : fault.n_near > 0)
            fail_msg("%s: near %s", text, fault.n_near > 0 ? fault.near[0] : "nothing");
        assert_true(str_starts(error.text, "at "));
    }
}

static void sentence_counts_characters_and_names_near_ones(void **state) {
    (void)state;
    struct query *query;
    struct error error = {.code = ERR_OK};
    assert_int_equal(query_parse("caf\xC3\xA9 typ:5", &console, &query, NULL, &error), ERR_USAGE);
    assert_string_equal(error.text, "at 6: no field is called \"typ\" (type, tag?)");
}

/* A terminal never sees what was typed unsanitised. */
static void fault_text_is_clean(void **state) {
    (void)state;
    struct query *query;
    struct query_fault fault;
    assert_int_equal(query_parse("a\xE2\x80\xAE"
                                 "b:x",
                                 &console, &query, &fault, NULL),
                     ERR_USAGE);
    assert_non_null(strstr(fault.reason, "<202E>"));
}

static void decimal_needs_a_known_unit(void **state) {
    (void)state;
    struct query *query;
    struct query_fault fault;
    assert_int_equal(query_parse("amount>=50.10", &raw, &query, &fault, NULL), ERR_USAGE);
    assert_int_equal(fault.at, 8);
    assert_int_equal(query_parse("amount>=50", &raw, &query, &fault, NULL), ERR_OK);
    query_free(query);
}

static void marks_are_of_the_console_only(void **state) {
    (void)state;
    struct query *query;
    struct query_fault fault;
    assert_int_equal(query_parse("is:marked", &raw, &query, &fault, NULL), ERR_USAGE);
    assert_int_equal(fault.at, 3);
    query = parse("a | -(is:new,marked)");
    const struct query_node *term = query->root->first->next->first; /* under the minus */
    assert_int_equal(term->n_values, 2);
    assert_int_equal(term->values[0].flag, QUERY_IS_NEW);
    assert_int_equal(term->values[1].flag, QUERY_IS_MARKED);
    query_free(query);
}

/* The rows are events that came here: what these have nothing of is no filter that finds nothing. */
static void of_events_only_what_they_have_can_be_asked(void **state) {
    (void)state;
    static const struct query_options events = {.events = true};
    static const char *const GOOD[] = {"id:int_1",     "user:u1",    "status:approved", "type:intent.updated",
                                       "created:2026", "hour:12",    "weekday:monday",  "age<3d",
                                       "is:verified",  "has:status", "-is:verified",    "a | (b has:user)",
                                       "id:a,b,c",     "declined"};
    static const char *const BAD[] = {"amount>5", "bank:nord",   "is:new",    "has:note",
                                      "tag:x",    "finding:sum", "is:marked", "~50"};
    struct query *query;
    struct query_fault fault;
    for (size_t i = 0; i < COUNT_OF(GOOD); i++) {
        assert_int_equal(query_parse(GOOD[i], &events, &query, &fault, NULL), ERR_OK);
        query_free(query);
    }
    for (size_t i = 0; i < COUNT_OF(BAD); i++)
        assert_int_equal(query_parse(BAD[i], &events, &query, &fault, NULL), ERR_USAGE);
    assert_int_equal(query_parse("a bank:nord", &events, &query, &fault, NULL), ERR_USAGE);
    assert_int_equal(fault.at, 2);
    assert_non_null(strstr(fault.reason, "an event has no bank"));
    assert_int_equal(query_parse("is:verified", &console, &query, &fault, NULL), ERR_USAGE);
}

static enum err code_of(const struct str *text) {
    struct query *query;
    enum err err = query_parse(text->s, &console, &query, NULL, NULL);
    query_free(query);
    return err;
}

static void caps_hold_at_their_edge(void **state) {
    (void)state;
    struct str text;
    str_init(&text, QUERY_TEXT_MAX * 2);
    for (int over = 0; over < 2; over++) {
        str_reset(&text);
        str_add_repeat(&text, '(', (size_t)(QUERY_DEPTH_MAX + over));
        str_add(&text, "a");
        str_add_repeat(&text, ')', (size_t)(QUERY_DEPTH_MAX + over));
        assert_int_equal(code_of(&text), over ? ERR_USAGE : ERR_OK);
        str_reset(&text);
        for (int i = 0; i < QUERY_TERMS_MAX + over; i++)
            str_add(&text, "a ");
        assert_int_equal(code_of(&text), over ? ERR_USAGE : ERR_OK);
        str_reset(&text);
        str_add(&text, "amount:1");
        for (int i = 1; i < QUERY_VALUES_MAX + over; i++)
            str_add(&text, ",1");
        assert_int_equal(code_of(&text), over ? ERR_USAGE : ERR_OK);
        str_reset(&text);
        str_add_repeat(&text, 'x', (size_t)(QUERY_TEXT_MAX + over));
        assert_int_equal(code_of(&text), over ? ERR_LIMIT : ERR_OK);
    }
    /* Fits as typed, but not as it would be written out. */
    str_reset(&text);
    str_add_repeat(&text, 'x', QUERY_TEXT_MAX - 2);
    str_add(&text, "|y");
    assert_int_equal(code_of(&text), ERR_LIMIT);
    str_clear(&text);
}

static void assert_narrows(const char *from, enum query_field_code field, const char *value, bool exclude,
                           const char *expected) {
    struct query *query = parse(from);
    struct str out;
    str_init(&out, QUERY_TEXT_MAX);
    query_narrow(&out, query, field, value, exclude);
    assert_string_equal(out.s, expected);
    query_free(parse(out.s));
    str_clear(&out);
    query_free(query);
}

static void what_the_filter_says_already_is_not_added(void **state) {
    static const char SAME[] = "";
    (void)state;
    assert_narrows("status=declined", QUERY_STATUS_FIELD, "declined", false, SAME);
    assert_narrows("a (status:DECLINED b)", QUERY_STATUS_FIELD, "declined", false, SAME);
    assert_narrows("-status!=declined", QUERY_STATUS_FIELD, "declined", false, SAME);
    assert_narrows("-status=declined", QUERY_STATUS_FIELD, "declined", true, SAME);
    assert_narrows("a -status:pending,declined", QUERY_STATUS_FIELD, "declined", true, SAME);
    assert_narrows("status!=declined", QUERY_STATUS_FIELD, "declined", true, SAME);
    assert_narrows("bank=\"nord bank\"", QUERY_BANK_FIELD, "Nord Bank", false, SAME);
    assert_narrows("user=usr_1", QUERY_USER_FIELD, "usr_1", false, SAME);
    assert_narrows("amount:-5", QUERY_AMOUNT_FIELD, "-5", false, SAME);
    assert_narrows("-has:refund,dispute", QUERY_HAS_FIELD, "refund", true, SAME);
}

static void what_the_filter_says_in_part_is_added(void **state) {
    (void)state;
    assert_narrows("status:declined,pending", QUERY_STATUS_FIELD, "declined", false,
                   "status:declined,pending status=declined");
    assert_narrows("status:declined | a", QUERY_STATUS_FIELD, "declined", false,
                   "(status:declined | a) status=declined");
    assert_narrows("status:declined", QUERY_STATUS_FIELD, "declined", true, "status:declined -status=declined");
    assert_narrows("status:decl*", QUERY_STATUS_FIELD, "decl", false, "status:decl* status=decl");
    assert_narrows("bank:nord", QUERY_BANK_FIELD, "nord", false, "bank:nord bank=nord");
    assert_narrows("user=USR_1", QUERY_USER_FIELD, "usr_1", false, "user=USR_1 user=usr_1");
    assert_narrows("amount!=5", QUERY_AMOUNT_FIELD, "5", true, "amount!=5 -amount=5");
    assert_narrows("amount:5..9", QUERY_AMOUNT_FIELD, "5", false, "amount:5..9 amount=5");
    assert_narrows("rail:declined", QUERY_STATUS_FIELD, "declined", false, "rail:declined status=declined");
}

static void value_under_the_cursor_narrows_and_excludes(void **state) {
    (void)state;
    assert_narrows("", QUERY_STATUS_FIELD, "declined", false, "status=declined");
    assert_narrows("a | b", QUERY_RAIL_FIELD, "card", true, "(a | b) -rail=card");
    assert_narrows("a b", QUERY_BANK_FIELD, "Nord \"A\", (x)", false, "a b bank=\"Nord \\\"A\\\", (x)\"");
    assert_narrows("a", QUERY_STATUS_FIELD, "odd*", false, "a status=\"odd*\"");
    assert_narrows("a", QUERY_BANK_FIELD, "", false, "a bank=\"\"");
    assert_narrows("a", QUERY_AMOUNT_FIELD, "-5", true, "a -amount=-5");
    assert_narrows("a", QUERY_HAS_FIELD, "refund", true, "a -has:refund");
}

static void a_filter_is_of_one_user_only_where_all_its_rows_are(void **state) {
    static const struct {
        const char *text, *user;
    } CASES[] = {{"user=ann", "ann"},
                 {"user=ann status:declined", "ann"},
                 {"(status:a | status:b) user=ann", "ann"},
                 {"user:ann", NULL},
                 {"-user=ann", NULL},
                 {"user=ann,bob", NULL},
                 {"user=ann | user=b", NULL},
                 {"user!=ann", NULL},
                 {"id=ann", NULL},
                 {"", NULL}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        struct query *query = parse(CASES[i].text);
        const char *user = query_sole_id(query, QUERY_USER_FIELD);
        if (!str_equal(user, CASES[i].user))
            fail_msg("%s is of %s", CASES[i].text, user ? user : "nobody");
        query_free(query);
    }
}

static void reference_names_every_field_operator_and_flag(void **state) {
    (void)state;
    struct str text;
    str_init(&text, 1 << 16);
    query_reference(&text);
    for (unsigned i = 0; i < QUERY_FIELD_COUNT; i++) {
        assert_non_null(strstr(text.s, query_field((enum query_field_code)i)->name));
        assert_non_null(strstr(text.s, query_field((enum query_field_code)i)->help));
    }
    for (unsigned i = 0; i < QUERY_FLAG_COUNT; i++)
        assert_non_null(strstr(text.s, query_flag_info((enum query_flag)i)->help));
    assert_false(text.truncated);
    str_clear(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(canonical_text_is_printed),
        cmocka_unit_test(f44_what_the_screen_prints_can_be_typed),
        cmocka_unit_test(f44_a_list_stays_a_list),
        cmocka_unit_test(f45_typographic_signs_are_the_plain_ones),
        cmocka_unit_test(f46_the_end_of_an_id_is_read),
        cmocka_unit_test(f45_single_typographic_quotes_are_quotes),
        cmocka_unit_test(f45_corner_brackets_and_dashes_are_read),
        cmocka_unit_test(f45_an_apostrophe_stays_one),
        cmocka_unit_test(f46_a_star_is_a_beginning_or_an_end),
        cmocka_unit_test(f46_a_text_cut_by_the_screen_is_a_beginning),
        cmocka_unit_test(f46_a_mask_is_made_of_stars),
        cmocka_unit_test(f48_names_of_columns_are_fields),
        cmocka_unit_test(all_words_become_terms),
        cmocka_unit_test(random_filters_survive_print_and_parse),
        cmocka_unit_test(an_operator_alone_is_of_the_amount_or_the_time),
        cmocka_unit_test(about_an_amount_is_within_a_tenth_of_it),
        cmocka_unit_test(a_word_that_begins_with_about_stays_a_word),
        cmocka_unit_test(different_filters_are_not_equal),
        cmocka_unit_test(every_fault_has_its_place_and_reason),
        cmocka_unit_test(sentence_counts_characters_and_names_near_ones),
        cmocka_unit_test(fault_text_is_clean),
        cmocka_unit_test(decimal_needs_a_known_unit),
        cmocka_unit_test(marks_are_of_the_console_only),
        cmocka_unit_test(of_events_only_what_they_have_can_be_asked),
        cmocka_unit_test(caps_hold_at_their_edge),
        cmocka_unit_test(what_the_filter_says_already_is_not_added),
        cmocka_unit_test(what_the_filter_says_in_part_is_added),
        cmocka_unit_test(value_under_the_cursor_narrows_and_excludes),
        cmocka_unit_test(a_filter_is_of_one_user_only_where_all_its_rows_are),
        cmocka_unit_test(reference_names_every_field_operator_and_flag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
