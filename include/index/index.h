#ifndef INDEX_INDEX_H
#define INDEX_INDEX_H
/* The column index: the packed cells of many intents as blocks of columns, in the order of their keys (newest first),
 * over which filters, search, sort, facets and totals are evaluated. Owned by one thread at a time (the read lane);
 * results own what they hold and may be moved. Rows are copied in; they come in any order, the latest of a key wins. */

#include "query/axis.h"

#include <stdatomic.h>

struct index;

struct index *index_new(void);
void index_free(struct index *index);
void index_clear(struct index *index); /* as new */

/* Adds or replaces the row of row->key. */
void index_put(struct index *index, const struct query_row *row);
/* The row was served again unchanged; false where there is no such row. now: a stored time in the future was written
 * under another clock, and is replaced. */
bool index_confirm(struct index *index, int64_t key, int64_t confirmed, int64_t now);
bool index_remove(struct index *index, int64_t key);
/* All rows whose keys are in [low, high]. */
void index_remove_range(struct index *index, int64_t low, int64_t high);
bool index_has(const struct index *index, int64_t key);
/* As it was put; CLOCK_NONE too where there is no such row. */
int64_t index_changed(struct index *index, int64_t key);
size_t index_count(const struct index *index);
size_t index_count_upto(const struct index *index, int64_t key); /* rows of keys that are not above it */
size_t index_bytes(const struct index *index);                   /* memory of this process alone, spare room included */

/* Each other row that a finding of this row rests on (FINDINGS_ACROSS); none where its id is another. */
typedef void index_each_other(void *context, const struct finding_other *other);
void index_others(struct index *index, int64_t key, const char *id, index_each_other *each, void *context);

/* ---- As a file ---- */

/* Which state of which cache an index holds. */
enum { INDEX_IDENTITY_MAX = 40 };
struct index_stamp {
    char identity[INDEX_IDENTITY_MAX]; /* the cache's own, at random; "" is none */
    int64_t change;                    /* the last entry of its change log that is in the index, */
    uint64_t mark;                     /* and the digest of that entry */
};

/* Maps what index_save_step wrote. NULL where there is no file that is private, whole, of this program's fields and of
 * this cache. Parts are checked when they are first touched: see index_is_damaged. */
struct index *index_open(const char *path, const char *identity, struct index_stamp *out);
/* The file is not as it was written: every question fails from here on, and the index is to be made anew. */
bool index_is_damaged(const struct index *index);
size_t index_mapped(const struct index *index); /* bytes of the file; 0: none */
/* The rows of these keys, put into another index. */
void index_copy_range(struct index *index, int64_t low, int64_t high, struct index *to);
/* Each row whose key, negated, ends in 20 bits that are set in `wanted` (2^20 of them): where the same id can be. */
typedef void index_each_id(void *context, int64_t key, const char *id, size_t len);
void index_like(struct index *index, const uint64_t *wanted, index_each_id *each, void *context);

/* Writes the rows whose keys are at most `high` in steps, under another name until it is whole. NULL: another program
 * is writing it, or nothing can be written there. The index must not be freed meanwhile; where it changes, saving
 * fails. */
struct index_save;
struct index_save *index_save_new(struct index *index, const char *path, int64_t high, const struct index_stamp *stamp);
enum index_saving { INDEX_SAVING, INDEX_SAVED, INDEX_NOT_SAVED };
enum index_saving index_save_step(struct index_save *save); /* a ms or so */
void index_save_free(struct index_save *save);              /* what is not whole is removed */

struct index_sort {
    enum query_field_code field; /* QUERY_FIELD_COUNT: none */
    bool descending;
};
#define INDEX_UNSORTED ((struct index_sort){QUERY_FIELD_COUNT, false})
bool index_can_sort(enum query_field_code field);
bool index_can_count(enum query_field_code field);

enum { INDEX_SORT_KEYS = 2 };

/* One of the places of a facet that is no column: rows to which its plan applies. */
struct index_condition {
    const char *name;
    const struct query_plan *plan;
};
enum { INDEX_CONDITIONS_MAX = 64 };

struct index_query {
    const struct query_plan *plan; /* NULL: every row */
    /* By the first key, equal rows by the second, then newest first. Rows without the value come last in either
     * direction. tx.* cannot be sorted by, since a row has several. */
    struct index_sort sort[INDEX_SORT_KEYS];
    bool totals;
    /* Counts and sums by the places of `over` and the values of `facet`, in the days and hours of `zone`. The
     * second can be a field of transactions, of which a row has several, only where there is no first. */
    struct query_axis over;
    size_t over_limit;                        /* of times: the newest reported; 0: all */
    enum query_field_code facet;              /* QUERY_FIELD_COUNT: none */
    const struct index_condition *conditions; /* of a facet that has, is, or tag is: its places, so many at most */
    size_t n_conditions;
    size_t facet_limit;       /* most frequent values reported; 0: all */
    struct query_axis second; /* of facet: by the values of this field too */
    bool sums;                /* counts and sums without any place too */
    bool unsummed;            /* the values of a facet that is a word, alone: rows are counted and no more, fast */
    bool guarantees;          /* sums are of the guaranteed amounts */
    struct query_rate rate;
    const struct index_earlier *earlier; /* NULL: nothing is compared */
    struct query_zone zone;
    int64_t now;                   /* ms, where findings are counted: the plan has its own */
    size_t limit;                  /* unsorted, without totals and facet: enough keys; 0: all */
    bool counts;                   /* unsorted: how many keys there are is enough, none are given */
    const atomic_bool *cancel;     /* NULL: runs to its end; looked at before each block */
    const struct index_left *left; /* NULL: none */
};

/* An earlier period to compare with: what matches its plan (NULL: every row) and was created before `until`, or `bare`
 * for a time without a zone, is counted at the places of so many days later. Rows without a time of creation are not
 * compared, and not counted then. */
struct index_earlier {
    const struct query_plan *plan;
    int days;
    int64_t until, bare;
};

/* Rows that do not match whatever is still known of them: those last confirmed before a time, and single rows confirmed
 * before theirs. They left the list that the filter asks for, and the service has not sent them again. */
struct index_left {
    int64_t before; /* INT64_MIN: none */
    bool all;       /* the list is of every row: those confirmed before are in none, and do not count as compared */
    struct index_left_row {
        int64_t key, at;
    } * items;
    size_t n;
};

/* Exact sums of the amounts of one currency; a sum beyond int64 says so and is 0. */
struct index_total {
    const char *currency; /* as served; NULL: rows without one */
    int64_t sum;
    bool overflow;
    size_t rows, without; /* rows with this currency; how many of them have no integer amount */
    size_t guaranteed;    /* how many have a guaranteed amount in it */
};

struct index_result {
    struct arena arena;
    int64_t *keys; /* in order */
    size_t n;
    size_t n_left;               /* rows that match but were last confirmed before left->before */
    size_t n_earlier, n_undated; /* rows of the period that is compared; those that are not compared */
    size_t rows_scanned;         /* rows that were compared with the plan */
    bool by_key;                 /* keys ascend */
    struct index_total *totals;  /* by currency code, without one last */
    size_t n_totals;
    /* Of facet: most frequent first, then by value; those with an order of their own in that order. Of tx.* the rows
     * are those with such a transaction. Values that a filter takes for the same are one. */
    struct query_place *values;
    size_t n_values, n_distinct; /* reported; there are */
    struct query_place *overs;
    size_t n_overs;
    struct query_place *seconds; /* in the order of values */
    size_t n_seconds;
    struct query_cell *cells; /* by their places and then by currency, of what is reported */
    size_t n_cells;
};

/* ERR_CANCELLED, or ERR_USAGE for a field that cannot be sorted by or counted; the result is then empty. */
enum err index_run(struct index *index, const struct index_query *query, struct index_result *out,
                   struct error *error) MUST_CHECK;
void index_result_clear(struct index_result *result);
bool index_result_find(const struct index_result *result, int64_t key, size_t *at);

/* The rows of a result whose keys ascend, one by one: cells without their transactions. What they point to is good
 * until the index changes. */
typedef void index_each_row(void *context, int64_t key, const struct cells *cells);
enum err index_each(struct index *index, const struct index_result *rows, const atomic_bool *cancel,
                    index_each_row *each, void *context, struct error *error) MUST_CHECK;

/* Where in a result the rows are that match another plan: ascending places, for finding without narrowing. */
struct index_places {
    size_t *items;
    size_t n, cap;
};
enum err index_locate(struct index *index, const struct query_plan *plan, const struct index_result *in,
                      const atomic_bool *cancel, struct index_places *out, struct error *error) MUST_CHECK;
void index_places_clear(struct index_places *places);

/* For rows that stay on show: which of them no longer match, and how many other rows match. */
struct index_followed {
    bool *gone; /* by place; the caller frees */
    size_t n_gone, n_more;
};
void index_follow(const struct index *index, const struct index_result *hits, const int64_t *shown, size_t n,
                  struct index_followed *out);

/* What such rows became: by status, those of the first few hundred that no longer match by what the index holds of
 * them. Texts last as long as the index does not change. Gives how many statuses. */
struct index_fate {
    const char *status;
    size_t rows;
};
size_t index_fates(struct index *index, const struct query_plan *plan, const int64_t *shown, const bool *gone, size_t n,
                   struct index_fate *out, size_t most);

/* Rows one at a time, for the command line: nothing is kept but counts. */
struct index_stream {
    const struct query_plan *plan; /* NULL: every row */
    size_t limit;                  /* 0: none */
    size_t rows_scanned, matched;
};
/* True where the row belongs to the answer; never beyond the limit. */
bool index_stream_feed(struct index_stream *stream, const struct query_row *row);
bool index_stream_done(const struct index_stream *stream);

#endif
