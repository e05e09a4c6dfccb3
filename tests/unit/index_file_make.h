#ifndef TESTS_INDEX_FILE_MAKE_H
#define TESTS_INDEX_FILE_MAKE_H
/* An index of many rows and the file that it is written to, in a folder of the test's own; answers as text. */

#include "index/file.h"
#include "support/proc.h"
#include "unit/index_make.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const struct index_stamp STAMP = {"0123456789abcdef", 17, 0x1234};

struct fixture {
    char *folder;
    char path[512], temporary[520];
};

static inline int set_up(void **state) {
    struct fixture *f = mem_new(sizeof *f);
    f->folder = proc_folder_new();
    (void)snprintf(f->path, sizeof f->path, "%s/live.db-index", f->folder);
    (void)snprintf(f->temporary, sizeof f->temporary, "%s.new", f->path);
    *state = f;
    return 0;
}

static inline int tear_down(void **state) {
    struct fixture *f = *state;
    proc_folder_remove(f->folder);
    free(f);
    return 0;
}

static inline bool save(struct index *index, const char *path, int64_t high) {
    struct index_save *save = index_save_new(index, path, high, &STAMP);
    enum index_saving saving = save ? INDEX_SAVING : INDEX_NOT_SAVED;
    while (saving == INDEX_SAVING)
        saving = index_save_step(save);
    index_save_free(save);
    return saving == INDEX_SAVED;
}

static inline struct index *opened(const char *path) {
    struct index_stamp stamp;
    struct index *index = index_open(path, STAMP.identity, &stamp);
    if (index)
        assert_int_equal(stamp.change, STAMP.change);
    return index;
}

/* In no order, some replaced, some removed: every kind of block. */
static inline struct rows mixed_rows(size_t n, uint64_t seed) {
    struct dice dice = {seed};
    struct rows rows = {.index = index_new()};
    for (size_t i = 0; i < n; i++)
        rows_put(&rows, &dice, (int64_t)(i * 7919 % 100003) - 60000, false);
    rows_replace_thirds(&rows, &dice);
    for (size_t i = 0; i < rows.n; i += 7) {
        assert_true(index_remove(rows.index, rows.items[i].key));
        rows_drop(&rows.items[i]);
        rows.items[i] = rows.items[--rows.n];
    }
    return rows;
}

/* Answers as text, so that two can be compared whole. */
static inline bool add_answer(struct index *index, const struct index_query *query, struct str *out) {
    struct index_result result;
    if (index_run(index, query, &result, NULL) != ERR_OK)
        return false;
    str_addf(out, "%zu of %zu:", result.n, result.rows_scanned);
    uint64_t sum = file_sum(result.keys, result.n * sizeof *result.keys, 1);
    str_addf(out, "%llx", (unsigned long long)sum);
    for (size_t i = 0; i < result.n_totals; i++) {
        const struct index_total *total = &result.totals[i];
        str_addf(out, " %s=%lld/%zu/%zu/%zu", total->currency ? total->currency : "-", (long long)total->sum,
                 total->rows, total->without, total->guaranteed);
    }
    for (size_t i = 0; i < result.n_values; i++)
        str_addf(out, " %s:%zu", result.values[i].value ? result.values[i].value : "-", result.values[i].rows);
    str_addf(out, " %zu\n", result.n_distinct);
    index_result_clear(&result);
    return true;
}

static const struct index_sort *sort_of(size_t round, struct index_sort sorts[INDEX_SORT_KEYS]) {
    static const enum query_field_code FIELDS[] = {QUERY_FIELD_COUNT,   QUERY_ID_FIELD,     QUERY_AMOUNT_FIELD,
                                                   QUERY_FIELD_COUNT,   QUERY_USER_FIELD,   QUERY_BANK_FIELD,
                                                   QUERY_CREATED_FIELD, QUERY_EXPIRES_FIELD};
    sorts[0] = (struct index_sort){FIELDS[round % COUNT_OF(FIELDS)], round % 2 == 0};
    sorts[1] = (struct index_sort){FIELDS[round / 2 % COUNT_OF(FIELDS)], round % 3 == 0};
    return sorts;
}

static inline enum query_field_code facet_of(size_t round) {
    for (unsigned i = 0; i < QUERY_FIELD_COUNT; i++) {
        enum query_field_code field = (enum query_field_code)((round + i) % QUERY_FIELD_COUNT);
        if (index_can_count(field))
            return field;
    }
    return QUERY_FIELD_COUNT;
}

/* False: it could not answer. */
static inline bool ask(struct index *index, const char *filter, size_t round, struct str *out) {
    struct query_plan *plan = *filter ? must_plan(filter) : NULL;
    struct index_query query = everything();
    query.plan = plan;
    (void)sort_of(round, query.sort);
    query.totals = round % 2 == 1;
    query.facet = facet_of(round);
    query.facet_limit = round % 4;
    bool answered = add_answer(index, &query, out);
    query_plan_free(plan);
    return answered;
}

#endif
