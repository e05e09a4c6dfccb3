/* Times of the column index over generated rows in the shape of the interface document, against the goals of the
 * project for substring, filters, sort, totals and memory. Each figure is over ROUNDS runs in one process.
 * Usage: index [ROWS]; default a million. */

#include "index/index.h"
#include "base/clock.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 15, UUID = 36 };

static uint64_t mix(uint64_t x) {
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static void uuid(uint64_t seed, char out[UUID + 1]) {
    uint64_t a = mix(seed), b = mix(seed ^ 1);
    snprintf(out, UUID + 1, "%08x-%04x-%04x-%04x-%012llx", (unsigned)(a >> 32), (unsigned)(a >> 16 & 0xFFFF),
             (unsigned)(a & 0xFFFF), (unsigned)(b >> 48), (unsigned long long)(b & 0xFFFFFFFFFFFF));
}

struct sample {
    char id[UUID + 1], user[UUID + 1], credential[UUID + 1], account[UUID + 1], tx[3][UUID + 1];
    char bank[64], name[32], mask[2][5], routing[10], date[11], day[11];
    struct transaction transactions[3];
    struct intent intent;
};

static struct value_text there(const char *text) {
    return (struct value_text){.state = VALUE_OK, .text = text};
}

static void make_transactions(struct sample *s, uint64_t dice) {
    static const size_t counts[] = {0, 0, 1, 1, 1, 1, 1, 1, 2, 3};
    s->intent.transactions = s->transactions;
    s->intent.transactions_state = VALUE_OK;
    s->intent.n_transactions = counts[dice % 10];
    for (size_t i = 0; i < s->intent.n_transactions; i++) {
        uuid(dice + i + 77, s->tx[i]);
        s->transactions[i] = (struct transaction){.id = there(s->tx[i]),
                                                  .source_id = there(s->id),
                                                  .status = there(dice % 7 ? "settled" : "pending"),
                                                  .type = there("intent"),
                                                  .date = there(s->day),
                                                  .amount = {.state = VALUE_OK, .number = s->intent.amount.number}};
    }
}

static void make(struct sample *s, size_t row, size_t rows, int64_t now) {
    static const char *const status[] = {"approved", "approved", "approved", "approved", "approved",
                                         "approved", "approved", "declined", "pending",  "created"};
    static const char *const currency[] = {"EUR", "USD", "GBP", "JPY", "KWD"};
    static const char *const rail[] = {"card", "ach", "sepa", "pix"};
    uint64_t dice = mix(row), user = mix(dice) % (rows / 6 + 1), credential = user * 3 + dice % 2;
    *s = (struct sample){.intent = {.type = there(dice % 5 ? "primary" : "card_only")}};
    uuid(row * 11 + 5, s->id);
    uuid(user + 1000000007, s->user);
    uuid(credential + 3000000019, s->credential);
    uuid(user + 5000000029, s->account);
    snprintf(s->bank, sizeof s->bank, "%s Bank %03u",
             dice % 4 ? "Harbourline"
                      : "Kr\xC3\xA9"
                        "dit",
             (unsigned)(user % 300));
    snprintf(s->name, sizeof s->name, "Settlement %s %04u", currency[user % 5], (unsigned)(user % 10000));
    snprintf(s->mask[0], 5, "%04u", (unsigned)(mix(credential) % 10000));
    snprintf(s->mask[1], 5, "%04u", (unsigned)(mix(credential + 1) % 10000));
    snprintf(s->routing, 10, "%09u", (unsigned)(mix(credential + 2) % 5000 * 19));
    snprintf(s->date, 11, "20%02u-%02u-01", (unsigned)(26 + credential % 6), (unsigned)(1 + credential % 12));
    snprintf(s->day, 11, "2026-%02u-%02u", (unsigned)(1 + row * 11 / rows), (unsigned)(1 + row % 28));
    struct intent *intent = &s->intent;
    intent->id = there(s->id);
    intent->status = there(status[dice / 16 % 10]);
    intent->direction = there("cash_in");
    intent->currency = there(currency[user % 5]);
    intent->rail = there(rail[dice / 256 % 4]);
    intent->user_id = there(s->user);
    if (dice / 16 % 10 == 7)
        intent->decline_category = there("insufficient_funds");
    intent->created_at = (struct value_time){VALUE_OK, now - (int64_t)(row * 31536000000 / rows), NULL};
    intent->amount = (struct value_number){.state = VALUE_OK, .number = (int64_t)(mix(dice) % 10000000), .text = NULL};
    intent->guarantee_amount = intent->amount;
    intent->credential = (struct credential){.state = VALUE_OK,
                                             .id = there(s->credential),
                                             .bank_name = there(s->bank),
                                             .number_mask = there(s->mask[0]),
                                             .pan_mask = there(s->mask[1]),
                                             .routing = there(s->routing),
                                             .expiration = there(s->date),
                                             .brand = there(dice % 3 ? "visa" : "amex")};
    intent->account.type = there("settlement");
    intent->account.id = there(s->account);
    intent->account.name = there(s->name);
    make_transactions(s, dice);
}

static double now_ms(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1000 + (double)t.tv_nsec / 1e6;
}

static struct index *fill(size_t rows, int64_t now) {
    struct index *index = index_new();
    struct sample *sample = calloc(1, sizeof *sample);
    struct str blob;
    str_init(&blob, 1 << 16);
    double spent = 0;
    for (size_t i = 0; i < rows && sample; i++) {
        struct cells cells;
        make(sample, i, rows, now);
        str_reset(&blob);
        cells_pack(&sample->intent, &blob);
        double start = now_ms(CLOCK_THREAD_CPUTIME_ID);
        if (cells_read(blob.s, blob.len, &cells))
            index_put(index,
                      &(struct query_row){(int64_t)i, &cells, now - 5000, now - (int64_t)i, CLOCK_NONE, 0, 0, false});
        spent += now_ms(CLOCK_THREAD_CPUTIME_ID) - start;
    }
    printf("%zu rows, %.0f bytes a row, put in %.2f s\n", index_count(index),
           (double)index_bytes(index) / (double)index_count(index), spent / 1000);
    str_clear(&blob);
    free(sample);
    return index;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct task {
    const char *name, *filter;
    enum query_field_code sort, facet;
    bool totals;
    double goal; /* ms at a million rows */
};

static void measure(struct index *index, const struct task *task, int64_t now) {
    struct query_context context = {.now = now, .unit = MONEY_MINOR, .last_visit = CLOCK_NONE};
    struct query_options options = {.unit = MONEY_MINOR, .console = true};
    double times[ROUNDS], work[ROUNDS];
    size_t n = 0;
    for (int i = 0; i < ROUNDS; i++) {
        struct query *query = NULL;
        struct index_result result;
        double start = now_ms(CLOCK_MONOTONIC), work_start = now_ms(CLOCK_THREAD_CPUTIME_ID);
        if (query_parse(task->filter, &options, &query, NULL, NULL) != ERR_OK)
            return;
        struct query_plan *plan = query_plan_new(query, &context);
        struct index_query ask = {.plan = plan,
                                  .sort = {{task->sort, true}, INDEX_UNSORTED},
                                  .totals = task->totals,
                                  .facet = task->facet,
                                  .unsummed = task->totals};
        if (index_run(index, &ask, &result, NULL) == ERR_OK)
            n = result.n;
        times[i] = now_ms(CLOCK_MONOTONIC) - start;
        work[i] = now_ms(CLOCK_THREAD_CPUTIME_ID) - work_start;
        index_result_clear(&result);
        query_plan_free(plan);
        query_free(query);
    }
    qsort(times, ROUNDS, sizeof *times, by_value);
    qsort(work, ROUNDS, sizeof *work, by_value);
    /* On a machine with other work the processor's time tells more than the clock. */
    double goal = task->goal * (double)index_count(index) / 1e6, cpu = work[ROUNDS / 2];
    printf("%-26s %8zu hits  clock: median %7.2f worst %7.2f  processor: median %7.2f worst %7.2f ms  goal %5.2f %s\n",
           task->name, n, times[ROUNDS / 2], times[ROUNDS - 1], cpu, work[ROUNDS - 1], goal,
           cpu > goal ? "BEHIND" : "reached");
}

int main(int argc, char **argv) {
    const enum query_field_code none = QUERY_FIELD_COUNT;
    mem_keep();
    const struct task tasks[] = {
        {"status", "status:declined", none, none, false, 16.7},
        {"status and amount", "status:declined amount>=5000000", none, none, false, 16.7},
        {"seven fields", "status:approved type:primary rail:card amount<9000000 created>=2026-06 bank:harbour mask:1",
         none, none, false, 16.7},
        {"id prefix", "id:0a", none, none, false, 16.7},
        {"tx.amount", "tx.amount>=5000000", none, none, false, 16.7},
        {"tx.id prefix", "tx.id:0a", none, none, false, 16.7},
        {"user prefix", "user:0a", none, none, false, 16.7},
        {"finding of the record", "finding:sum", none, none, false, 16.7},
        {"finding by age", "finding:unsettled", none, none, false, 16.7},
        {"finding across rows", "finding:twice,source", none, none, false, 16.7}, /* worst: found for the first time */
        {"count per finding", "", none, QUERY_FINDING_FIELD, false, 16.7},
        {"everything", "", none, none, false, 16.7},
        {"count per status", "", none, QUERY_STATUS_FIELD, false, 16.7},
        {"count per user", "", none, QUERY_USER_FIELD, false, 16.7},
        {"totals of all", "", none, none, true, 20},
        {"totals of a status", "status:declined", none, none, true, 20},
        {"typed, all of a rail", "rail:card", none, QUERY_STATUS_FIELD, true, 16.7}, /* as each key asks */
        {"typed, one character", "a", none, QUERY_STATUS_FIELD, true, 20},
        {"typed, few", "abcde", none, QUERY_STATUS_FIELD, true, 16.7},
        {"substring, none", "zzzz", none, none, false, 16.7},
        {"substring, 7 hex digits", "0a1b2c3", none, none, false, 16.7},
        {"substring, few", "abcde", none, none, false, 16.7},
        {"substring, many", "abc", none, none, false, 16.7},
        {"substring, two characters", "ab", none, none, false, 16.7},
        {"substring, one character", "a", none, none, false, 16.7},
        {"substring with a dash", "\"-4a\"", none, none, false, 16.7},
        {"substring of a bank", "kredit", none, none, false, 16.7},
        {"substring in declined", "status:declined abcd", none, none, false, 16.7},
        {"sort by amount", "", QUERY_AMOUNT_FIELD, none, false, 33},
        {"sort by created", "", QUERY_CREATED_FIELD, none, false, 33},
        {"sort by status", "", QUERY_STATUS_FIELD, none, false, 33},
        {"sort by bank", "", QUERY_BANK_FIELD, none, false, 33},
        {"sort by expires", "", QUERY_EXPIRES_FIELD, none, false, 33},
        {"sort by user", "", QUERY_USER_FIELD, none, false, 33},
        {"sort by id", "", QUERY_ID_FIELD, none, false, 33},
    };
    size_t rows = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
    int64_t now = INT64_C(1795860000000);
    struct index *index = fill(rows, now);
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
        measure(index, &tasks[i], now);
    printf("%.0f bytes a row after all of it\n", (double)index_bytes(index) / (double)index_count(index));
    index_free(index);
    return 0;
}
