/* A table against intents: every outcome and sum is made a second time, each row held against each intent. */
#include "app/match.h"
#include "base/clock.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const EXPONENTS[] = {NULL};
static const struct match_options PLAIN = {.on = "id", .amounts = MATCH_AMOUNTS_RAW, .money = {MONEY_MINOR, EXPONENTS}};

/* ---- Intents ---- */

struct made {
    char id[16], mask[8];
    const char *currency, *status;
    int64_t amount, created;
};

static struct cells_slice slice(const char *text) {
    return (struct cells_slice){text, strlen(text)};
}

static void take(struct match *match, int64_t key, const struct made *made) {
    struct cells cells = {.created_ms = made->created,
                          .amount = made->amount,
                          .flags = CELLS_AMOUNT_OK | CELLS_CREATED_OK,
                          .version = CELLS_VERSION};
    cells.text[CELLS_ID] = slice(made->id);
    cells.text[CELLS_CURRENCY] = slice(made->currency);
    cells.text[CELLS_STATUS] = slice(made->status);
    cells.text[CELLS_CARD_MASK] = slice(made->mask);
    match_take(match, key, &cells);
}

static struct match *read_table(const struct match_options *options, const char *text) {
    struct error error = {0};
    struct match *match = match_new(options);
    if (match_read(match, text, strlen(text), &error) != ERR_OK)
        fail_msg("%s", error.text);
    return match;
}

static void join(struct match *match, const struct made *made, size_t n) {
    match_begin(match);
    for (size_t i = 0; i < n; i++)
        take(match, (int64_t)i - (int64_t)n, &made[i]);
    match_end(match);
}

/* ---- A second computation ---- */

enum { ROWS = 60, INTENTS = 80, SEEDS = 200, MINUTES = 60 * 1000, DAYS = 24 * 60 * MINUTES };

static const struct {
    const char *code;
    int exponent;
} CURRENCIES[] = {{"EUR", 2}, {"JPY", 0}, {"KWD", 3}};

struct world {
    struct made intents[INTENTS], rows[ROWS];
    bool dated[ROWS]; /* the file has the day alone */
    size_t n_intents, n_rows;
    unsigned dice;
};

static unsigned roll(struct world *world, unsigned sides) {
    world->dice = world->dice * 1664525U + 1013904223U;
    return (world->dice >> 8) % sides;
}

static void make_one(struct world *world, struct made *made) {
    (void)snprintf(made->id, sizeof made->id, "int_%u", roll(world, 70));
    (void)snprintf(made->mask, sizeof made->mask, "%04u", roll(world, 2) * 7);
    made->currency = CURRENCIES[roll(world, 3)].code;
    made->status = roll(world, 2) ? "approved" : "declined";
    made->amount = (int64_t)roll(world, 6) * 1050 - 1050;
    made->created = INT64_C(1793000000) * 1000 + (int64_t)roll(world, 6 * 24 * 60) * MINUTES;
}

static void make_world(struct world *world, unsigned seed) {
    *world = (struct world){.dice = seed};
    world->n_intents = 1 + roll(world, INTENTS);
    world->n_rows = 1 + roll(world, ROWS);
    for (size_t i = 0; i < world->n_intents; i++)
        make_one(world, &world->intents[i]);
    for (size_t i = 0; i < world->n_rows; i++) {
        world->dated[i] = roll(world, 2);
        if (roll(world, 3))
            world->rows[i] = world->intents[roll(world, (unsigned)world->n_intents)];
        else
            make_one(world, &world->rows[i]);
        if (roll(world, 4) == 0)
            world->rows[i].amount += 1;
    }
}

/* As a bank of a country with decimal commas writes it. */
static void write_amount(struct str *out, const struct made *made) {
    int exponent = 0;
    int64_t scale = 1, size = made->amount < 0 ? -made->amount : made->amount;
    for (size_t i = 0; i < COUNT_OF(CURRENCIES); i++)
        if (strcmp(CURRENCIES[i].code, made->currency) == 0)
            exponent = CURRENCIES[i].exponent;
    for (int i = 0; i < exponent; i++)
        scale *= 10;
    str_addf(out, "%s", made->amount < 0 ? "-" : "");
    if (size / scale >= 1000)
        str_addf(out, "%" PRId64 ".%03" PRId64, size / scale / 1000, size / scale % 1000);
    else
        str_addf(out, "%" PRId64, size / scale);
    if (exponent > 0)
        str_addf(out, ",%0*" PRId64, exponent, size % scale);
}

static char *write_table(const struct world *world) {
    struct str out;
    str_init(&out, 1 << 20);
    str_add(&out, "Booked;Betrag;ccy;ID;Status;Card mask\r\n");
    for (size_t i = 0; i < world->n_rows; i++) {
        const struct made *row = &world->rows[i];
        struct str time;
        str_init(&time, 64);
        clock_format_iso(&time, row->created);
        str_addf(&out, "%.*s;", world->dated[i] ? 10 : 16, time.s);
        write_amount(&out, row);
        str_addf(&out, ";%s;%s;%s;****%s\r\n", row->currency, row->id, row->status, row->mask);
        str_clear(&time);
    }
    return str_take(&out);
}

static int64_t day_of(int64_t ms) {
    return ms - ms % DAYS;
}

/* How the fields of `on` are written here: letters of id, amount, currency, mask, time. */
static bool could_be(const struct world *world, const char *on, int64_t tolerance, size_t row, size_t intent) {
    const struct made *a = &world->rows[row], *b = &world->intents[intent];
    int64_t from = world->dated[row] ? day_of(a->created) : a->created;
    int64_t to = world->dated[row] ? from + DAYS : from + MINUTES;
    return (!strchr(on, 'i') || strcmp(a->id, b->id) == 0) && (!strchr(on, 'a') || a->amount == b->amount) &&
           (!strchr(on, 'c') || strcmp(a->currency, b->currency) == 0) &&
           (!strchr(on, 'm') || strcmp(a->mask, b->mask) == 0) &&
           (!strchr(on, 't') || (b->created >= from - tolerance && b->created < to + tolerance));
}

static bool differs(const struct world *world, const char *on, size_t row, size_t intent) {
    const struct made *a = &world->rows[row], *b = &world->intents[intent];
    bool time = could_be(world, "t", 0, row, intent);
    return (!strchr(on, 'i') && strcmp(a->id, b->id) != 0) || (!strchr(on, 'a') && a->amount != b->amount) ||
           (!strchr(on, 'c') && strcmp(a->currency, b->currency) != 0) ||
           (!strchr(on, 'm') && strcmp(a->mask, b->mask) != 0) || strcmp(a->status, b->status) != 0 ||
           (!strchr(on, 't') && !time);
}

struct second {
    enum match_outcome rows[ROWS], intents[INTENTS];
};

static void compute(const struct world *world, const char *on, int64_t tolerance, struct second *out) {
    size_t of_row[ROWS] = {0}, of_intent[INTENTS] = {0}, partner[ROWS];
    for (size_t i = 0; i < world->n_rows; i++)
        for (size_t j = 0; j < world->n_intents; j++)
            if (could_be(world, on, tolerance, i, j)) {
                of_row[i]++;
                of_intent[j]++;
                partner[i] = j;
            }
    for (size_t j = 0; j < world->n_intents; j++)
        out->intents[j] = of_intent[j] ? MATCH_AMBIGUOUS : MATCH_ONLY_HERE;
    for (size_t i = 0; i < world->n_rows; i++) {
        out->rows[i] = of_row[i] ? MATCH_AMBIGUOUS : MATCH_ONLY_FILE;
        if (of_row[i] == 1 && of_intent[partner[i]] == 1)
            out->rows[i] = out->intents[partner[i]] =
                differs(world, on, i, partner[i]) ? MATCH_DIFFERING : MATCH_MATCHED;
    }
}

static int64_t sum_of(const struct made *made, const enum match_outcome *outcomes, size_t n,
                      const struct match_total *total, size_t *rows) {
    int64_t sum = 0;
    *rows = 0;
    for (size_t i = 0; i < n; i++)
        if (outcomes[i] == total->outcome && strcmp(made[i].currency, total->currency) == 0) {
            sum += made[i].amount;
            ++*rows;
        }
    return sum;
}

static void assert_sums(const struct world *world, const struct match *match, const struct second *second) {
    size_t rows, all = 0;
    for (size_t i = 0; i < match->totals.n; i++) {
        const struct match_total *total = &match->totals.items[i];
        int64_t sum = total->here ? sum_of(world->intents, second->intents, world->n_intents, total, &rows)
                                  : sum_of(world->rows, second->rows, world->n_rows, total, &rows);
        assert_int_equal(total->sum, sum);
        assert_int_equal(total->rows, rows);
        all += rows;
    }
    assert_int_equal(all, world->n_rows + world->n_intents);
}

static void assert_same(const struct world *world, const char *on, const char *letters, int64_t tolerance,
                        size_t seen[MATCH_OUTCOMES]) {
    const struct match_options options = {
        .on = on, .decimal = MATCH_DECIMAL_COMMA, .amounts = MATCH_AMOUNTS_MAJOR, .money = {MONEY_MINOR, EXPONENTS}};
    static const char MAP[] = "Betrag = amount\n";
    struct second second;
    char *table = write_table(world);
    struct match *match = match_new(&options);
    struct error error = {0};
    if (match_map(match, MAP, strlen(MAP), &error) != ERR_OK ||
        match_read(match, table, strlen(table), &error) != ERR_OK)
        fail_msg("%s\n%s", error.text, table);
    join(match, world->intents, world->n_intents);
    compute(world, letters, tolerance, &second);
    for (size_t i = 0; i < world->n_rows; i++) {
        assert_int_equal(match->rows.items[i].amount, world->rows[i].amount);
        assert_int_equal(match->rows.items[i].outcome, second.rows[i]);
        seen[second.rows[i]]++;
    }
    for (size_t i = 0; i < world->n_intents; i++) {
        assert_int_equal(match->intents.items[i].outcome, second.intents[i]);
        seen[second.intents[i]]++;
    }
    assert_sums(world, match, &second);
    match_free(match);
    free(table);
}

static void outcomes_and_sums_equal_a_second_computation(void **state) {
    (void)state;
    static const struct {
        const char *on, *letters;
        int64_t tolerance;
    } ONS[] = {{"id", "i", 0},
               {"amount,currency,created~1d,mask", "acmt", DAYS},
               {"amount,currency,created~90m", "act", 90 * (int64_t)MINUTES},
               {"currency,created,mask", "cmt", 0},
               {"amount,id", "ai", 0}};
    size_t seen[MATCH_OUTCOMES] = {0};
    struct world world;
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        make_world(&world, seed);
        for (size_t i = 0; i < COUNT_OF(ONS); i++)
            assert_same(&world, ONS[i].on, ONS[i].letters, ONS[i].tolerance, seen);
    }
    for (int i = 0; i < MATCH_OUTCOMES; i++)
        assert_true(seen[i] > 100);
}

/* ---- One by one ---- */

static const struct made TWO[] = {{"int_1", "1111", "EUR", "approved", 1200, INT64_C(1793000000000)},
                                  {"int_2", "2222", "EUR", "declined", 1200, INT64_C(1793000000000)}};

static void what_differs_is_told_with_both_values(void **state) {
    (void)state;
    struct match *match = read_table(&PLAIN, "id,amount,status\nint_1,1100,Approved\nint_2,1200,approved\n");
    struct str text;
    str_init(&text, 1000);
    join(match, TWO, 2);
    match_differences(match, 0, NULL, &text);
    assert_string_equal(text.s, "amount 1100 in the file, 1200 here");
    str_reset(&text);
    match_differences(match, 1, NULL, &text);
    assert_string_equal(text.s, "status approved in the file, declined here");
    assert_false(match_is_clean(match));
    str_clear(&text);
    match_free(match);
}

static void amounts_that_differ_are_told_in_the_unit_that_is_asked_for(void **state) {
    (void)state;
    struct match *match = read_table(&PLAIN, "id,amount,currency\nint_1,1100,EUR\nint_2,1200,JPY\n");
    struct str text;
    str_init(&text, 1000);
    join(match, TWO, 2);
    match_differences(match, 0, &PLAIN.money, &text);
    assert_string_equal(text.s, "amount 11.00 in the file, 12.00 here");
    str_clear(&text);
    match_free(match);
}

static void of_two_candidates_none_is_chosen(void **state) {
    (void)state;
    struct match_options options = PLAIN;
    options.on = "amount,currency";
    struct match *match = read_table(&options, "amount,currency\n1200,EUR\n");
    join(match, TWO, 2);
    assert_int_equal(match->rows.items[0].outcome, MATCH_AMBIGUOUS);
    assert_int_equal(match->rows.items[0].n, 2);
    assert_int_equal(match->n_intents[MATCH_AMBIGUOUS], 2);
    match_free(match);
}

static void an_id_twice_in_the_file_has_no_partner(void **state) {
    (void)state;
    struct match *match = read_table(&PLAIN, "id,amount\nint_1,1200\nint_2,1200\nint_1,1200\n");
    join(match, TWO, 2);
    assert_int_equal(match->n_rows[MATCH_AMBIGUOUS], 2);
    assert_int_equal(match->n_intents[MATCH_AMBIGUOUS], 1);
    assert_int_equal(match->n_rows[MATCH_MATCHED], 1);
    match_free(match);
}

static void a_row_without_the_value_of_on_has_no_partner(void **state) {
    (void)state;
    struct match *match = read_table(&PLAIN, "id,amount\n,1200\nint_2,1200\n");
    join(match, TWO, 2);
    assert_true(match->rows.items[0].lacks);
    assert_int_equal(match->rows.items[0].outcome, MATCH_ONLY_FILE);
    assert_int_equal(match->n_intents[MATCH_ONLY_HERE], 1);
    match_free(match);
}

static void a_sum_beyond_64_bits_says_so(void **state) {
    (void)state;
    struct match *match = read_table(&PLAIN, "id,amount,currency\na,9223372036854775807,EUR\nb,1,EUR\nc,-5,JPY\n");
    join(match, TWO, 0);
    assert_int_equal(match->totals.n, 2);
    assert_true(match->totals.items[0].overflow);
    assert_false(match->totals.items[1].overflow);
    assert_int_equal(match->totals.items[1].sum, -5);
    match_free(match);
}

static void joining_again_gives_the_same(void **state) {
    (void)state;
    struct match *match = read_table(&PLAIN, "id,amount\nint_1,1100\nint_3,5\n");
    join(match, TWO, 2);
    join(match, TWO, 1);
    assert_int_equal(match->intents.n, 1);
    assert_int_equal(match->n_rows[MATCH_DIFFERING], 1);
    assert_int_equal(match->n_rows[MATCH_ONLY_FILE], 1);
    assert_int_equal(match->n_intents[MATCH_ONLY_HERE], 0);
    match_free(match);
}

/* ---- What is refused ---- */

static void refuses_options(const struct match_options *options, const char *table, const char *part) {
    struct error error = {0};
    struct match *match = match_new(options);
    enum err err = match_read(match, table, strlen(table), &error);
    if (err == ERR_OK || !strstr(error.text, part))
        fail_msg("%s\nis not refused by: %s\nbut: %s", table, part, error.text);
    match_free(match);
}

static void refuses(const char *on, const char *table, const char *part) {
    const struct match_options options = {.on = on, .money = {MONEY_MINOR, EXPONENTS}};
    refuses_options(&options, table, part);
}

static void a_number_that_can_be_read_two_ways_is_refused_with_both(void **state) {
    (void)state;
    struct match_options decimal = PLAIN;
    decimal.amounts = MATCH_AMOUNTS_MAJOR;
    refuses_options(&decimal, "id,amount,currency\na,1.234,KWD\n",
                    "\"1.234\" can be read two ways: 1.234 as a decimal amount with a decimal point, or 1,234.000 as a "
                    "decimal amount with a decimal comma: --decimal point or comma says which");
    refuses("id", "id,amount,currency\na,12.50,EUR\na,7,EUR\na,8,EUR\n", "2 faults like it in all");
    refuses("id", "id,amount\na,1234\n", "the decimals of a row without a currency are not known");
    refuses("id", "id,amount,currency\na,12.50,XXX\n", "the decimals of XXX are not known");
    refuses("id", "id,amount,currency\na,1.2.3,EUR\n", "line 2, column 2 (amount): \"1.2.3\" is no amount");
    refuses("id", "id,amount,currency\na,12.505,EUR\n", "12,505.00 as a decimal amount");
    refuses("id", "id,amount,currency\na,92233720368547758.08,EUR\n", "is no amount");
}

static void what_can_be_read_one_way_is_read(void **state) {
    (void)state;
    static const struct {
        const char *text, *currency;
        int64_t amount;
    } CELLS[] = {{"12.50", "EUR", 1250},
                 {"\"12,50\"", "EUR", 1250},
                 {"\"1.234,50\"", "EUR", 123450},
                 {"\"1,234.50\"", "EUR", 123450},
                 {"-0.07", "EUR", -7},
                 {"500", "JPY", 500},
                 {"1 234.50", "EUR", 123450},
                 {"1\xE2\x80\x99"
                  "234.5",
                  "EUR", 123450},
                 {"0", "EUR", 0},
                 {"\xE2\x88\x92"
                  "3.00",
                  "EUR", -300}};
    const struct match_options options = {.on = "id", .money = {MONEY_MINOR, EXPONENTS}};
    for (size_t i = 0; i < COUNT_OF(CELLS); i++) {
        char table[200];
        (void)snprintf(table, sizeof table, "id,amount,currency\na,%s,%s\n", CELLS[i].text, CELLS[i].currency);
        struct match *match = read_table(&options, table);
        assert_int_equal(match->rows.items[0].amount, CELLS[i].amount);
        match_free(match);
    }
}

static void a_day_that_can_be_read_two_ways_is_refused_with_both(void **state) {
    (void)state;
    refuses("id", "id,date\na,03.11.2026\n", "can be read two ways: 2026-11-03, or 2026-03-11: --days dmy or mdy");
    refuses("id", "id,date\na,45992\n", "no day or time");
    refuses("id", "id,date\na,2026-13-01\n", "no day or time");
    struct match_options options = PLAIN;
    struct match *match = read_table(&options, "id,date\na,25.11.2026\nb,20261125\nc,2026-11-25T10:30Z\n");
    int64_t day = match->rows.items[0].from;
    assert_int_equal(match->rows.items[0].to - day, DAYS);
    assert_int_equal(match->rows.items[1].from, day);
    assert_int_equal(match->rows.items[2].from, day + (10 * 60 + 30) * (int64_t)MINUTES);
    assert_int_equal(match->rows.items[2].to - match->rows.items[2].from, MINUTES);
    match_free(match);
    options.days = MATCH_DAYS_MDY;
    match = read_table(&options, "id,date\na,11/25/2026 09:00:00\n");
    assert_int_equal(match->rows.items[0].from, day + 9 * 60 * (int64_t)MINUTES);
    match_free(match);
}

static void what_is_no_table_is_refused(void **state) {
    (void)state;
    refuses("id", "", "the file is empty");
    refuses("id", "id,amount\n", "there is a header and no row");
    refuses("id", "bank,amount,currency\nx,1.50,EUR\n", "no column is id, which --on names");
    refuses("id", "id,id\na,b\n", "columns 1 and 2 are both id");
    refuses("id", "id,amount,currency\n\"a,1.50,EUR\n", "quot");
    refuses("id", "id,status\na,#REF!\n", "is a spreadsheet's error");
    refuses("id", "id,mask\na,42\n", "has dropped leading zeros");
    refuses("id", "id,mask\na,\xE9\n", "CSV UTF-8");
    refuses("id", "\xFF\xFEi\0d", "UTF-16");
}

static void an_unusable_on_is_refused(void **state) {
    (void)state;
    refuses(NULL, "id\na\n", "--on FIELDS is needed");
    refuses("amout", "id\na\n", "did you mean amount?");
    refuses("has", "id\na\n", "cannot be matched by has");
    refuses("id,id", "id\na\n", "named twice");
    refuses("created~1d", "date\n2026-11-03\n", "a time alone makes no partners");
    refuses("amount~5", "amount\n5\n", "only created may be apart");
    refuses("id,created~5", "id,date\na,2026-11-03\n", "with s, m, h or d");
}

/* ---- Days of a zone ---- */

/* Clocks are put back from 03:00 to 02:00 on 2026-10-25. */
static int zurich(int64_t utc) {
    return utc < INT64_C(1792890000000) ? 120 : 60;
}

static bool is_same_time(int day_ahead, const char *in_file, const char *created, bool bare) {
    const struct match_options options = {.on = "id", .zone = {.offset = zurich, .day_ahead = day_ahead}};
    char table[128];
    int64_t ms = 0;
    (void)snprintf(table, sizeof table, "id,created\na,%s\n", in_file);
    struct match *match = read_table(&options, table);
    assert_true(clock_parse_served(created, strlen(created), &ms));
    struct cells cells = {.created_ms = ms,
                          .flags = bare ? CELLS_CREATED_OK | CELLS_CREATED_BARE : CELLS_CREATED_OK,
                          .version = CELLS_VERSION};
    cells.text[CELLS_ID] = slice("a");
    match_begin(match);
    match_take(match, 1, &cells);
    match_end(match);
    bool same = match->rows.items[0].outcome == MATCH_MATCHED;
    match_free(match);
    return same;
}

static void a_day_of_the_file_is_one_of_the_zone(void **state) {
    (void)state;
    assert_true(is_same_time(0, "2026-10-25", "2026-10-24T22:00:00.000Z", false));
    assert_false(is_same_time(0, "2026-10-25", "2026-10-24T21:59:59.999Z", false));
    assert_true(is_same_time(0, "25.10.2026", "2026-10-25T22:59:59.999Z", false)); /* it has 25 hours */
    assert_false(is_same_time(0, "20261025", "2026-10-25T23:00:00.000Z", false));
    assert_true(is_same_time(420, "2026-10-25", "2026-10-24T15:00:00.000Z", false)); /* it ends at 17:00 */
    assert_true(is_same_time(420, "2026-10-25", "2026-10-25T15:59:59.999Z", false));
    assert_false(is_same_time(420, "2026-10-25", "2026-10-25T16:00:00.000Z", false));
}

static void a_time_of_the_file_without_a_zone_is_of_that_zone(void **state) {
    (void)state;
    assert_true(is_same_time(0, "2026-10-24 10:30", "2026-10-24T08:30:59.000Z", false));
    assert_false(is_same_time(0, "2026-10-24 10:30", "2026-10-24T10:30:00.000Z", false));
    assert_true(is_same_time(0, "2026-10-24T10:30Z", "2026-10-24T10:30:00.000Z", false));
    assert_true(is_same_time(0, "2026-10-25 02:30", "2026-10-25T00:30:00.000Z", false)); /* clocks showed it twice */
    assert_true(is_same_time(0, "2026-10-25 02:30", "2026-10-25T01:30:00.000Z", false));
}

/* F51: a time of the service that names no zone has the day that it names, whatever the reader's zone. */
static void f51_a_bare_time_belongs_to_the_day_that_it_names(void **state) {
    (void)state;
    assert_true(is_same_time(0, "2026-10-25", "2026-10-25T00:00:00", true));
    assert_true(is_same_time(0, "2026-10-25", "2026-10-25T23:59:59", true));
    assert_true(is_same_time(420, "2026-10-25", "2026-10-25T23:59:59", true));
    assert_false(is_same_time(420, "2026-10-25", "2026-10-24T17:30:00", true));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_and_sums_equal_a_second_computation),
        cmocka_unit_test(what_differs_is_told_with_both_values),
        cmocka_unit_test(amounts_that_differ_are_told_in_the_unit_that_is_asked_for),
        cmocka_unit_test(of_two_candidates_none_is_chosen),
        cmocka_unit_test(an_id_twice_in_the_file_has_no_partner),
        cmocka_unit_test(a_row_without_the_value_of_on_has_no_partner),
        cmocka_unit_test(a_sum_beyond_64_bits_says_so),
        cmocka_unit_test(joining_again_gives_the_same),
        cmocka_unit_test(a_number_that_can_be_read_two_ways_is_refused_with_both),
        cmocka_unit_test(what_can_be_read_one_way_is_read),
        cmocka_unit_test(a_day_that_can_be_read_two_ways_is_refused_with_both),
        cmocka_unit_test(what_is_no_table_is_refused),
        cmocka_unit_test(an_unusable_on_is_refused),
        cmocka_unit_test(a_day_of_the_file_is_one_of_the_zone),
        cmocka_unit_test(a_time_of_the_file_without_a_zone_is_of_that_zone),
        cmocka_unit_test(f51_a_bare_time_belongs_to_the_day_that_it_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
