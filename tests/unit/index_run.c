#include "unit/index_make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static struct index_result run(struct index *index, const struct index_query *query) {
    struct index_result result;
    struct error error = {.code = ERR_OK};
    if (index_run(index, query, &result, &error) != ERR_OK)
        fail_msg("%s", error.text);
    return result;
}

/* A small index of its own for every few filters, so that rows differ as much as filters do. */
static void random_filters_agree_with_a_second_evaluation(void **state) {
    (void)state;
    struct dice dice = {4};
    struct rows rows = {0};
    struct query_context context = rows_context();
    struct str text;
    str_init(&text, QUERY_TEXT_MAX);
    for (int round = 0; round < 10000; round++) {
        if (round % 50 == 0) {
            rows_clear(&rows);
            rows.index = index_new();
            for (int i = 0; i < 40; i++)
                rows_put(&rows, &dice, (int64_t)below(&dice, 60) - 20, true);
            rows_sort(&rows);
            rows_relate(&rows);
        }
        str_reset(&text);
        add_filter(&dice, &text, 3);
        struct query *query = must_parse(text.s);
        struct query_plan *plan = query_plan_new(query, &context);
        struct index_query all = everything();
        all.plan = plan;
        struct index_result result = run(rows.index, &all);
        size_t at = 0;
        for (size_t i = 0; i < rows.n; i++) {
            struct kept *row = &rows.items[i];
            struct slow slow = {&context, 0, row->intent, row->seen, third_is_marked(NULL, row->key), row->across};
            bool expected = slow_match(&slow, query->root);
            bool there = at < result.n && result.keys[at] == row->key;
            if (expected != there)
                fail_msg("%s: row %zu, expected %d", text.s, i, expected);
            at += there ? 1 : 0;
        }
        assert_int_equal(at, result.n);
        assert_int_equal(result.rows_scanned, rows.n);
        index_result_clear(&result);
        query_plan_free(plan);
        query_free(query);
    }
    str_clear(&text);
    rows_clear(&rows);
}

/* Enough rows for several blocks, in no order, with rows replaced and removed. */
static struct rows many_rows(size_t n, uint64_t seed) {
    struct dice dice = {seed};
    struct rows rows = {.index = index_new()};
    for (size_t i = 0; i < n; i++)
        rows_put(&rows, &dice, (int64_t)(i * 7919 % 20011) - 10000, false);
    rows_replace_thirds(&rows, &dice);
    for (size_t i = 0; i < rows.n; i += 5) {
        assert_true(index_remove(rows.index, rows.items[i].key));
        assert_false(index_remove(rows.index, rows.items[i].key));
        rows_drop(&rows.items[i]);
        rows.items[i] = rows.items[--rows.n];
    }
    rows_sort(&rows);
    rows_relate(&rows);
    return rows;
}

static void many_blocks_give_every_row_once_in_key_order(void **state) {
    (void)state;
    struct rows rows = many_rows(20000, 11);
    struct index_query all = everything();
    struct index_result result = run(rows.index, &all);
    assert_int_equal(result.n, rows.n);
    assert_int_equal(index_count(rows.index), rows.n);
    assert_true(result.by_key);
    for (size_t i = 0; i < rows.n; i++)
        assert_int_equal(result.keys[i], rows.items[i].key);
    index_result_clear(&result);
    rows_clear(&rows);
}

static void many_blocks_agree_with_the_row_evaluator(void **state) {
    (void)state;
    struct rows rows = many_rows(20000, 12);
    struct dice dice = {13};
    struct str text;
    str_init(&text, QUERY_TEXT_MAX);
    for (int round = 0; round < 60; round++) {
        str_reset(&text);
        add_filter(&dice, &text, 2);
        struct query_plan *plan = must_plan(text.s);
        struct index_query query = everything();
        query.plan = plan;
        struct index_result result = run(rows.index, &query);
        size_t at = 0;
        for (size_t i = 0; i < rows.n; i++) {
            struct query_row view = rows_view(&rows.items[i]);
            bool there = at < result.n && result.keys[at] == view.key;
            if (query_match(plan, &view) != there)
                fail_msg("%s: key %lld", text.s, (long long)view.key);
            at += there ? 1 : 0;
        }
        assert_int_equal(at, result.n);
        index_result_clear(&result);
        query_plan_free(plan);
    }
    str_clear(&text);
    rows_clear(&rows);
}

static const struct value_text *text_of(const struct intent *intent, enum query_field_code field) {
    switch (field) {
    case QUERY_STATUS_FIELD:
        return &intent->status;
    case QUERY_CURRENCY_FIELD:
        return &intent->currency;
    case QUERY_BANK_FIELD:
        return &intent->credential.bank_name;
    case QUERY_USER_FIELD:
        return &intent->user_id;
    case QUERY_EXPIRES_FIELD:
        return &intent->credential.expiration;
    default:
        return &intent->id;
    }
}

/* Order of two rows by one field: absent ones last whatever the direction. */
static int order_of(const struct kept *a, const struct kept *b, struct index_sort sort) {
    bool here = false, there = false;
    int order = 0;
    if (sort.field == QUERY_AMOUNT_FIELD || sort.field == QUERY_CREATED_FIELD) {
        bool amount = sort.field == QUERY_AMOUNT_FIELD;
        int64_t x = amount ? a->intent->amount.number : a->intent->created_at.ms;
        int64_t y = amount ? b->intent->amount.number : b->intent->created_at.ms;
        here = (amount ? a->intent->amount.state : a->intent->created_at.state) == VALUE_OK;
        there = (amount ? b->intent->amount.state : b->intent->created_at.state) == VALUE_OK;
        order = (x > y) - (x < y);
    } else {
        const struct value_text *x = text_of(a->intent, sort.field), *y = text_of(b->intent, sort.field);
        here = has_text(x);
        there = has_text(y);
        if (sort.field == QUERY_EXPIRES_FIELD) {
            int64_t ms;
            here = here && clock_parse(x->text, strlen(x->text), &ms);
            there = there && clock_parse(y->text, strlen(y->text), &ms);
        }
        if (here && there && (query_field(sort.field)->type == QUERY_ID || sort.field == QUERY_EXPIRES_FIELD)) {
            order = strcmp(x->text, y->text);
        } else if (here && there) {
            struct str p, q;
            str_init(&p, 1024);
            str_init(&q, 1024);
            utf8_fold(&p, x->text, strlen(x->text));
            utf8_fold(&q, y->text, strlen(y->text));
            order = strcmp(p.s, q.s);
            order = order != 0 ? order : strcmp(x->text, y->text);
            str_clear(&p);
            str_clear(&q);
        }
    }
    if (here != there)
        return here ? -1 : 1;
    return !here ? 0 : sort.descending ? -order : order;
}

static void check_sorts(struct rows *rows) {
    static const enum query_field_code fields[] = {QUERY_AMOUNT_FIELD, QUERY_CREATED_FIELD, QUERY_STATUS_FIELD,
                                                   QUERY_BANK_FIELD,   QUERY_USER_FIELD,    QUERY_ID_FIELD,
                                                   QUERY_EXPIRES_FIELD};
    for (size_t f = 0; f < COUNT_OF(fields) * 2; f++) {
        struct index_query query = everything();
        query.sort[0] = (struct index_sort){fields[f / 2], f % 2 == 1};
        query.sort[1] = (struct index_sort){fields[(f / 2 + 3) % COUNT_OF(fields)], f % 3 == 0};
        struct index_result result = run(rows->index, &query);
        assert_int_equal(result.n, rows->n);
        const struct kept *before = NULL;
        for (size_t i = 0; i < result.n; i++) {
            struct kept key = {.key = result.keys[i]};
            const struct kept *row = bsearch(&key, rows->items, rows->n, sizeof *rows->items, rows_by_key);
            assert_non_null(row);
            if (before) {
                int first = order_of(before, row, query.sort[0]), second = order_of(before, row, query.sort[1]);
                bool good = first < 0 || (first == 0 && (second < 0 || (second == 0 && before->key < row->key)));
                if (!good)
                    fail_msg("%s: place %zu", query_field(query.sort[0].field)->name, i);
            }
            before = row;
        }
        index_result_clear(&result);
    }
}

static void sorted_result_is_ordered_and_stable(void **state) {
    (void)state;
    struct rows rows = many_rows(10000, 14);
    struct dice dice = {15};
    check_sorts(&rows);
    for (int i = 0; i < 300; i++) /* values that no sort has seen yet find their place among those that were sorted */
        rows_put(&rows, &dice, 1000000 + i, false);
    rows_sort(&rows);
    check_sorts(&rows);
    rows_clear(&rows);
}

/* The sum in decimal, digit by digit, as on paper. */
static void paper_add(char *digits, size_t n, uint64_t number) {
    unsigned carry = 0;
    for (size_t i = 0; i < n; i++, number /= 10) {
        unsigned digit = (unsigned)digits[i] + (unsigned)(number % 10) + carry;
        digits[i] = (char)(digit % 10);
        carry = digit / 10;
    }
}

static void totals_agree_with_sums_on_paper(void **state) {
    (void)state;
    enum { DIGITS = 30 };
    struct rows rows = many_rows(5000, 15);
    struct query_plan *plan = must_plan("status:declined,approved amount<1000000 amount>-1000000");
    struct index_query query = everything();
    query.plan = plan;
    query.totals = true;
    struct index_result result = run(rows.index, &query);
    assert_true(result.n_totals > 3);
    size_t counted = 0;
    for (size_t t = 0; t < result.n_totals; t++) {
        const struct index_total *total = &result.totals[t];
        char plus[DIGITS] = {0}, minus[DIGITS] = {0};
        size_t n = 0;
        for (size_t i = 0; i < rows.n; i++) {
            const struct intent *intent = rows.items[i].intent;
            struct query_row view = rows_view(&rows.items[i]);
            const char *currency = has_text(&intent->currency) ? intent->currency.text : NULL;
            if (!query_match(plan, &view) || !str_equal(currency, total->currency))
                continue;
            n++;
            int64_t amount = intent->amount.number;
            paper_add(amount < 0 ? minus : plus, DIGITS, (uint64_t)(amount < 0 ? -amount : amount));
        }
        paper_add(total->sum < 0 ? plus : minus, DIGITS, (uint64_t)(total->sum < 0 ? -total->sum : total->sum));
        assert_memory_equal(plus, minus, DIGITS);
        assert_int_equal(total->rows, n);
        assert_false(total->overflow);
        counted += n;
    }
    assert_int_equal(counted, result.n);
    index_result_clear(&result);
    query_plan_free(plan);
    rows_clear(&rows);
}

static struct kept money(int64_t key, int64_t amount, struct value_text currency) {
    struct kept row = {.key = key, .seen = {0, 0, CLOCK_NONE, 0}};
    row.intent = intent_new();
    row.intent->id = (struct value_text){.state = VALUE_OK, .text = "int_1"};
    row.intent->status = (struct value_text){.state = VALUE_OK, .text = "approved"};
    row.intent->amount = (struct value_number){.state = VALUE_OK, .number = amount, .text = NULL};
    row.intent->currency = currency;
    str_init(&row.blob, 4096);
    cells_pack(row.intent, &row.blob);
    assert_true(cells_read(row.blob.s, row.blob.len, &row.cells));
    return row;
}

static struct kept plain(int64_t key, int64_t amount, const char *currency) {
    return money(key, amount, (struct value_text){.state = VALUE_OK, .text = currency});
}

static void put_money(struct index *index, int64_t key, int64_t amount, struct value_text currency) {
    struct kept row = money(key, amount, currency);
    struct query_row view = rows_view(&row);
    index_put(index, &view);
    rows_drop(&row);
}

static void put_plain(struct index *index, int64_t key, int64_t amount, const char *currency) {
    put_money(index, key, amount, (struct value_text){.state = VALUE_OK, .text = currency});
}

static void sum_beyond_64_bits_is_said_and_one_at_the_edge_is_exact(void **state) {
    (void)state;
    struct index *index = index_new();
    put_plain(index, 1, INT64_MAX, "EUR");
    put_plain(index, 2, 1, "EUR");
    put_plain(index, 3, INT64_MAX, "JPY");
    put_plain(index, 4, 1, "JPY");
    put_plain(index, 5, -1, "JPY");
    put_plain(index, 6, INT64_MIN, "KWD");
    struct index_query query = everything();
    query.totals = true;
    struct index_result result = run(index, &query);
    assert_int_equal(result.n_totals, 3);
    assert_true(result.totals[0].overflow);
    assert_false(result.totals[1].overflow);
    assert_true(result.totals[1].sum == INT64_MAX);
    assert_true(result.totals[2].sum == INT64_MIN);
    index_result_clear(&result);
    index_free(index);
}

/* Codes of another kind, as of ISO 4217's numbers: each is a currency of its own. */
static void f31_no_sum_crosses_currencies_that_are_no_text(void **state) {
    (void)state;
    static const char *const odd[] = {"840", "978", "{\"code\": \"EUR\"}"};
    struct index *index = index_new();
    for (size_t i = 0; i < 2 * COUNT_OF(odd); i++)
        put_money(index, (int64_t)i + 1, 100 << i,
                  (struct value_text){.state = VALUE_ODD, .text = odd[i % COUNT_OF(odd)]});
    put_money(index, 10, 1, (struct value_text){.state = VALUE_NULL, .text = NULL});
    struct index_query query = everything();
    query.totals = true;
    struct index_result result = run(index, &query);
    assert_int_equal(result.n_totals, 4);
    for (size_t i = 0; i < COUNT_OF(odd); i++) {
        assert_string_equal(result.totals[i].currency, odd[i]);
        assert_true(result.totals[i].sum == (100 << i) + (100 << (i + 3)));
    }
    assert_null(result.totals[3].currency);
    assert_true(result.totals[3].sum == 1);
    index_result_clear(&result);
    index_free(index);
}

static void the_least_amount_is_found_and_sorted_as_a_number(void **state) {
    (void)state;
    struct index *index = index_new();
    put_plain(index, 1, 5, "EUR");
    put_plain(index, 2, INT64_MIN, "EUR");
    put_plain(index, 3, INT64_MAX, "EUR");
    struct query_plan *plan = must_plan("amount<=5");
    struct index_query query = everything();
    query.plan = plan;
    query.sort[0] = (struct index_sort){QUERY_AMOUNT_FIELD, false};
    struct index_result result = run(index, &query);
    assert_int_equal(result.n, 2);
    assert_int_equal(result.keys[0], 2);
    assert_int_equal(result.keys[1], 1);
    index_result_clear(&result);
    query_plan_free(plan);
    index_free(index);
}

/* As filters see them. */
static bool is_same_value(const char *a, const char *b, enum query_field_code field) {
    struct str x, y;
    if (!a || !b || query_field(field)->type == QUERY_ID)
        return str_equal(a, b);
    str_init(&x, 1024);
    str_init(&y, 1024);
    utf8_fold(&x, a, strlen(a));
    utf8_fold(&y, b, strlen(b));
    bool same = strcmp(x.s, y.s) == 0;
    str_clear(&x);
    str_clear(&y);
    return same;
}

static void values_are_counted_most_frequent_first(void **state) {
    (void)state;
    static const enum query_field_code fields[] = {QUERY_STATUS_FIELD, QUERY_BANK_FIELD, QUERY_TX_STATUS_FIELD};
    struct rows rows = many_rows(5000, 16);
    struct query_plan *plan = must_plan("has:dispute");
    for (size_t f = 0; f < COUNT_OF(fields); f++) {
        struct index_query query = everything();
        query.plan = plan;
        query.facet = fields[f];
        struct index_result result = run(rows.index, &query);
        assert_true(result.n_values > 3);
        for (size_t v = 0; v < result.n_values; v++) {
            size_t n = 0;
            for (size_t i = 0; i < rows.n; i++) {
                const struct intent *intent = rows.items[i].intent;
                struct value_text none = {.state = VALUE_NULL, .text = NULL};
                bool tx = fields[f] == QUERY_TX_STATUS_FIELD,
                     found = tx && intent->n_transactions == 0 && !result.values[v].value;
                for (size_t t = 0; t < (tx ? intent->n_transactions : 1); t++) {
                    const struct value_text *text = tx ? &intent->transactions[t].status : text_of(intent, fields[f]);
                    text = has_text(text) ? text : &none;
                    found = found || is_same_value(text->text, result.values[v].value, fields[f]);
                }
                n += found && (intent->dispute == VALUE_OK || intent->dispute == VALUE_ODD) ? 1 : 0;
            }
            assert_int_equal(result.values[v].rows, n);
            assert_true(v == 0 || result.values[v - 1].rows >= n);
        }
        index_result_clear(&result);
    }
    query_plan_free(plan);
    rows_clear(&rows);
}

/* Of every finding, and of rows that have none: a row counts once for each that it has. */
static void findings_are_counted(void **state) {
    (void)state;
    struct rows rows = many_rows(5000, 18);
    struct query_context context = rows_context();
    struct index_query query = everything();
    query.facet = QUERY_FINDING_FIELD;
    query.now = ROWS_NOW;
    struct index_result result = run(rows.index, &query);
    assert_int_equal(result.n_values, FINDING_COUNT + 1);
    for (size_t v = 0; v < result.n_values; v++) {
        size_t n = 0;
        for (size_t i = 0; i < rows.n; i++) {
            struct kept *row = &rows.items[i];
            struct slow slow = {&context, 0, row->intent, row->seen, false, row->across};
            const char *name = result.values[v].value;
            n += name ? slow_finding(&slow, name) : !slow_any_finding(&slow);
        }
        assert_int_equal(result.values[v].rows, n);
        assert_true(n > 10);
    }
    index_result_clear(&result);
    rows_clear(&rows);
}

/* A row that comes, changes or goes makes and unmakes findings of others. */
static void findings_across_rows_follow_every_change(void **state) {
    (void)state;
    struct rows rows = many_rows(600, 19);
    struct dice dice = {20};
    struct query_plan *twice = must_plan("finding:twice"), *source = must_plan("finding:source");
    size_t met = 0;
    for (int round = 0; round < 200; round++) {
        size_t at = below(&dice, rows.n);
        if (one_in(&dice, 3)) {
            assert_true(index_remove(rows.index, rows.items[at].key));
            rows_drop(&rows.items[at]);
            rows.items[at] = rows.items[--rows.n];
        } else {
            rows_put(&rows, &dice, one_in(&dice, 2) ? rows.items[at].key : 500000 + round, true);
        }
        rows_relate(&rows);
        for (int which = 0; which < 2; which++) {
            struct index_query query = everything();
            query.plan = which ? source : twice;
            struct index_result result = run(rows.index, &query);
            size_t expected = 0;
            for (size_t i = 0; i < rows.n; i++)
                expected += (rows.items[i].across & FINDING_BIT(which ? FINDING_SOURCE : FINDING_TWICE)) != 0;
            assert_int_equal(result.n, expected);
            met += expected;
            index_result_clear(&result);
        }
    }
    assert_true(met > 1000);
    query_plan_free(twice);
    query_plan_free(source);
    rows_clear(&rows);
}

struct told {
    size_t twice, source;
    const struct kept *of;
    struct rows *rows;
};

static void tell_other(void *context, const struct finding_other *other) {
    struct told *told = context;
    bool found = false;
    for (size_t i = 0; i < told->rows->n && !found; i++) {
        const struct intent *intent = told->rows->items[i].intent;
        found = str_equal(intent->id.text, other->id) &&
                (other->finding == FINDING_SOURCE ||
                 intent->created_at.ms - told->of->intent->created_at.ms == other->later_ms);
    }
    assert_true(found);
    *(other->finding == FINDING_SOURCE ? &told->source : &told->twice) += 1;
}

/* Which others they are, for the evidence; none for a key that another row has. */
static void others_are_told_of_each_row_that_rests_on_them(void **state) {
    (void)state;
    struct rows rows = many_rows(3000, 21);
    size_t met = 0;
    for (size_t i = 0; i < rows.n; i++) {
        struct kept *row = &rows.items[i];
        struct told told = {.of = row, .rows = &rows};
        index_others(rows.index, row->key, row->intent->id.state == VALUE_OK ? row->intent->id.text : "?", tell_other,
                     &told);
        size_t twice = 0;
        for (size_t k = 0; k < rows.n; k++)
            twice += k != i && rows_are_twice(row->intent, rows.items[k].intent);
        assert_int_equal(told.twice, twice);
        assert_int_equal(told.source > 0, (row->across & FINDING_BIT(FINDING_SOURCE)) != 0);
        met += told.twice > 0 || told.source > 0 ? 1 : 0;
        index_others(rows.index, row->key, "another", tell_other, &(struct told){.of = NULL});
    }
    assert_true(met > 100);
    rows_clear(&rows);
}

static void places_of_hits_follow_the_result(void **state) {
    (void)state;
    struct rows rows = many_rows(3000, 17);
    struct query_plan *plan = must_plan("status:declined"), *hits = must_plan("nord");
    struct index_query query = everything();
    query.plan = plan;
    query.sort[0] = (struct index_sort){QUERY_AMOUNT_FIELD, true};
    struct index_result result = run(rows.index, &query);
    struct index_places places;
    assert_int_equal(index_locate(rows.index, hits, &result, NULL, &places, NULL), ERR_OK);
    assert_true(places.n > 20);
    size_t at = 0;
    for (size_t i = 0; i < result.n; i++) {
        struct query_row view = rows_view(rows_find(&rows, result.keys[i]));
        bool there = at < places.n && places.items[at] == i;
        assert_int_equal(query_match(hits, &view), there);
        at += there ? 1 : 0;
        size_t found;
        assert_true(index_result_find(&result, result.keys[i], &found));
        assert_int_equal(found, i);
    }
    size_t found;
    assert_false(index_result_find(&result, 999999, &found));
    index_places_clear(&places);
    index_result_clear(&result);
    query_plan_free(plan);
    query_plan_free(hits);
    rows_clear(&rows);
}

static void put_created(struct index *index, int64_t key, const char *created) {
    struct intent *intent = intent_new();
    struct cells cells;
    struct str blob;
    str_init(&blob, 1 << 16);
    intent->created_at = (struct value_time){VALUE_OK, 0, created};
    assert_true(clock_parse_served(created, strlen(created), &intent->created_at.ms));
    cells_pack(intent, &blob);
    assert_true(cells_read(blob.s, blob.len, &cells));
    index_put(index, &(struct query_row){.key = key, .cells = &cells, .changed = CLOCK_NONE});
    str_clear(&blob);
    intent_free(intent);
}

static int east_of_utc(int64_t utc) {
    (void)utc;
    return 120;
}

/* An instant is of the viewer's day, a time that names no zone of the day that it names. */
static void f51_a_day_that_is_typed_is_the_one_that_is_shown(void **state) {
    static const char *const OF_DAY[] = {"2026-03-28T22:30:00Z", "2026-03-29T21:59:59Z", "2026-03-29T00:30:00",
                                         "2026-03-29 23:30:00", "2026-03-29"};
    static const char *const OF_OTHERS[] = {"2026-03-29T22:00:00Z", "2026-03-28T21:59:59Z", "2026-03-28T22:30:00",
                                            "2026-03-30T00:10:00", "2026-03-30"};
    struct query_context context = {.now = ROWS_NOW, .zone.offset = east_of_utc, .last_visit = CLOCK_NONE};
    struct index *index = index_new();
    struct index_query query = everything();
    struct query *parsed;
    struct index_result result;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(OF_DAY); i++) {
        put_created(index, (int64_t)i + 1, OF_DAY[i]);
        put_created(index, (int64_t)i + 100, OF_OTHERS[i]);
    }
    assert_int_equal(query_parse("created:2026-03-29", &(struct query_options){0}, &parsed, NULL, NULL), ERR_OK);
    struct query_plan *plan = query_plan_new(parsed, &context);
    query.plan = plan;
    assert_int_equal(index_run(index, &query, &result, NULL), ERR_OK);
    assert_int_equal(result.n, COUNT_OF(OF_DAY));
    for (size_t i = 0; i < result.n; i++)
        assert_in_range(result.keys[i], 1, COUNT_OF(OF_DAY));
    index_result_clear(&result);
    query_plan_free(plan);
    query_free(parsed);
    index_free(index);
}

/* A row that left the list is no hit until it is confirmed again; totals go without it. */
static void f81_rows_that_left_are_no_hits(void **state) {
    static const int64_t KEYS[] = {1, 2};
    struct index *index = index_new();
    struct index_query query = everything();
    struct index_left_row row = {.key = 2, .at = 100};
    struct index_left left = {.before = INT64_MIN, .items = &row, .n = 1};
    struct index_result result;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        put_plain(index, KEYS[i], 5, "EUR");
        assert_true(index_confirm(index, KEYS[i], 50, 50));
    }
    query.left = &left;
    query.totals = true;
    assert_int_equal(index_run(index, &query, &result, NULL), ERR_OK);
    assert_int_equal(result.n, 1);
    assert_int_equal(result.totals[0].sum, 5);
    index_result_clear(&result);
    assert_true(index_confirm(index, 2, 100, 100));
    assert_int_equal(index_run(index, &query, &result, NULL), ERR_OK);
    assert_int_equal(result.n, 2);
    index_result_clear(&result);
    left.before = 60; /* a walk that began then came to its end: what it did not meet left */
    assert_int_equal(index_run(index, &query, &result, NULL), ERR_OK);
    assert_int_equal(result.n, 1);
    assert_int_equal(result.keys[0], 2);
    index_result_clear(&result);
    index_free(index);
}

static void cancelled_run_gives_nothing(void **state) {
    (void)state;
    struct rows rows = many_rows(100, 18);
    atomic_bool cancel = true;
    struct index_query query = everything();
    query.cancel = &cancel;
    struct index_result result;
    assert_int_equal(index_run(rows.index, &query, &result, NULL), ERR_CANCELLED);
    assert_int_equal(result.n, 0);
    assert_null(result.keys);
    rows_clear(&rows);
}

static void what_cannot_be_sorted_by_or_counted_is_refused_by_name(void **state) {
    (void)state;
    struct index *index = index_new();
    struct index_query query = everything();
    struct index_result result;
    struct error error = {.code = ERR_OK};
    query.sort[1] = (struct index_sort){QUERY_TX_AMOUNT_FIELD, false};
    assert_int_equal(index_run(index, &query, &result, &error), ERR_USAGE);
    assert_non_null(strstr(error.text, "tx.amount"));
    error_clear(&error);
    query = everything();
    query.facet = QUERY_CREATED_FIELD;
    assert_int_equal(index_run(index, &query, &result, &error), ERR_USAGE);
    assert_non_null(strstr(error.text, "created"));
    error_clear(&error);
    query.facet = QUERY_TX_STATUS_FIELD;
    query.over.kind = QUERY_AXIS_DAY;
    assert_int_equal(index_run(index, &query, &result, &error), ERR_USAGE);
    assert_non_null(strstr(error.text, "several tx.status"));
    error_clear(&error);
    query = everything();
    query.over = (struct query_axis){QUERY_AXIS_FIELD, QUERY_TX_TYPE_FIELD};
    assert_int_equal(index_run(index, &query, &result, &error), ERR_USAGE);
    assert_non_null(strstr(error.text, "tx.type"));
    index_free(index);
}

/* With keys and totals, as each key of a filter being typed asks for them. */
static void values_without_sums_are_those_with_sums(void **state) {
    (void)state;
    struct rows rows = many_rows(5000, 16);
    struct query_plan *plan = must_plan("amount>=10 | has:dispute");
    struct index_query query = everything();
    query.plan = plan;
    query.totals = true;
    query.facet = QUERY_STATUS_FIELD;
    struct index_result summed = run(rows.index, &query);
    query.unsummed = true;
    struct index_result plain = run(rows.index, &query);
    assert_true(plain.n_values > 3);
    assert_int_equal(plain.n_values, summed.n_values);
    assert_int_equal(plain.n, summed.n);
    assert_int_equal(plain.n_totals, summed.n_totals);
    for (size_t v = 0; v < plain.n_values; v++) {
        assert_int_equal(plain.values[v].rows, summed.values[v].rows);
        assert_true(str_equal(plain.values[v].value, summed.values[v].value));
    }
    index_result_clear(&summed);
    index_result_clear(&plain);
    query_plan_free(plan);
    rows_clear(&rows);
}

/* Not of rows that only the service lists no more, nor of those that are not held. */
static void rows_that_match_no_longer_are_told_by_status(void **state) {
    (void)state;
    struct rows rows = many_rows(2000, 17);
    struct query_plan *plan = must_plan("status:pending");
    struct index_query query = everything();
    query.plan = plan;
    struct index_result pending = run(rows.index, &query);
    struct index_result all =
        run(rows.index, &(struct index_query){.sort = {INDEX_UNSORTED, INDEX_UNSORTED}, .facet = QUERY_STATUS_FIELD});
    bool *gone = mem_new_array(all.n + 1, sizeof *gone);
    struct index_fate fates[16];
    for (size_t i = 0; i < 400; i++)
        gone[i] = true;
    size_t n = index_fates(rows.index, plan, all.keys, gone, all.n, fates, COUNT_OF(fates)), told = 0, kept = 0;
    for (size_t i = 0; i < n; i++) {
        assert_true(strcmp(fates[i].status, "pending") != 0);
        told += fates[i].rows;
    }
    for (size_t i = 0; i < pending.n; i++)
        kept += pending.keys[i] <= all.keys[399];
    assert_true(n > 1 && told > 0 && told + kept <= 400);
    assert_int_equal(index_fates(rows.index, plan, (int64_t[]){INT64_MAX}, (bool[]){true}, 1, fates, 1), 0);
    free(gone);
    index_result_clear(&all);
    index_result_clear(&pending);
    query_plan_free(plan);
    rows_clear(&rows);
}

static void empty_index_answers_with_nothing(void **state) {
    (void)state;
    struct index *index = index_new();
    struct index_query query = everything();
    struct query_plan *plan = must_plan("nord status:declined");
    query.plan = plan;
    query.totals = true;
    query.facet = QUERY_STATUS_FIELD;
    query.sort[0] = (struct index_sort){QUERY_ID_FIELD, false};
    struct index_result result = run(index, &query);
    assert_int_equal(result.n + result.n_totals + result.n_values + result.rows_scanned, 0);
    index_result_clear(&result);
    query_plan_free(plan);
    index_free(index);
}

static void stream_stops_at_its_limit(void **state) {
    (void)state;
    struct query_plan *plan = must_plan("amount>=10");
    struct index_stream stream = {.plan = plan, .limit = 2};
    size_t given = 0, fed = 0;
    for (int64_t key = 1; key < 20 && !index_stream_done(&stream); key++) {
        struct kept row = plain(key, key * 3, "EUR");
        struct query_row view = rows_view(&row);
        given += index_stream_feed(&stream, &view) ? 1 : 0;
        fed++;
        rows_drop(&row);
    }
    assert_int_equal(given, 2);
    assert_int_equal(fed, 5);
    assert_int_equal(stream.rows_scanned, 5);
    struct kept row = plain(99, 1000, "EUR");
    struct query_row view = rows_view(&row);
    assert_false(index_stream_feed(&stream, &view));
    rows_drop(&row);
    query_plan_free(plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_filters_agree_with_a_second_evaluation),
        cmocka_unit_test(many_blocks_give_every_row_once_in_key_order),
        cmocka_unit_test(many_blocks_agree_with_the_row_evaluator),
        cmocka_unit_test(sorted_result_is_ordered_and_stable),
        cmocka_unit_test(totals_agree_with_sums_on_paper),
        cmocka_unit_test(sum_beyond_64_bits_is_said_and_one_at_the_edge_is_exact),
        cmocka_unit_test(f31_no_sum_crosses_currencies_that_are_no_text),
        cmocka_unit_test(the_least_amount_is_found_and_sorted_as_a_number),
        cmocka_unit_test(values_are_counted_most_frequent_first),
        cmocka_unit_test(findings_are_counted),
        cmocka_unit_test(findings_across_rows_follow_every_change),
        cmocka_unit_test(others_are_told_of_each_row_that_rests_on_them),
        cmocka_unit_test(places_of_hits_follow_the_result),
        cmocka_unit_test(f51_a_day_that_is_typed_is_the_one_that_is_shown),
        cmocka_unit_test(f81_rows_that_left_are_no_hits),
        cmocka_unit_test(cancelled_run_gives_nothing),
        cmocka_unit_test(what_cannot_be_sorted_by_or_counted_is_refused_by_name),
        cmocka_unit_test(values_without_sums_are_those_with_sums),
        cmocka_unit_test(rows_that_match_no_longer_are_told_by_status),
        cmocka_unit_test(empty_index_answers_with_nothing),
        cmocka_unit_test(stream_stops_at_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
