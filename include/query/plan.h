#ifndef QUERY_PLAN_H
#define QUERY_PLAN_H
/* A query tree prepared for evaluation: periods and decimals turned into integer ranges, texts folded. Evaluates one
 * row here, blocks of rows in index; both by the same tests. Immutable; borrows only the marks, the notes and the
 * exponents. */

#include "model/notes.h"
#include "query/query.h"

/* How far a confirmation may be from now, in either direction, before the row counts as stale: a time so far in the
 * future is another clock's. Not less: a slow walk confirms rows after the `now` of the question. */
enum { QUERY_STALE_MS = 24 * 60 * 60 * 1000 };

/* Whose days are meant. A time that names no zone has the day that it names, wherever the reader is. */
struct query_zone {
    int (*offset)(int64_t utc_ms); /* minutes east of UTC at that instant; NULL: UTC */
    int day_ahead; /* minutes by which a day begins before its midnight: 420 where it ends at 17:00, -120 where it ends
                      at 02:00 of the next morning */
};

struct query_context {
    int64_t now; /* ms */
    struct query_zone zone;
    enum money_unit unit;
    const char *const *exponents; /* as in struct money_rule; borrowed for the life of the plan */
    int back;           /* days: every time of creation is meant so many days earlier, for a comparison with then */
    int64_t last_visit; /* ms; CLOCK_NONE: nothing is new or changed */
    bool (*is_marked)(const void *marks, int64_t key);
    const void *marks;         /* NULL with is_marked NULL: none */
    const struct notes *notes; /* of operators here; NULL: none */
};

struct query_row {
    int64_t key;
    const struct cells *cells;
    int64_t first_seen, confirmed, changed; /* ms, CLOCK_NONE: never */
    unsigned across;      /* FINDING_BIT of the rules across rows that hold of it, by whoever has the other rows */
    uint64_t transitions; /* TRANSITION_BIT of those observed */
    bool verified;        /* of an event that was received here */
};

/* Exponents as in model/money.h, and no known exponent. */
enum { QUERY_CLASS_NONE = MONEY_EXPONENT_MAX + 1, QUERY_CLASS_COUNT };

/* Classes of times: an instant; and a time without a zone, whose day is the one that it names, wherever the reader is.
 */
enum { QUERY_TIME_ZONED, QUERY_TIME_BARE };

/* Both ends included; empty where low > high. Classes are exponents, or those of times. */
struct query_range {
    int64_t low[QUERY_CLASS_COUNT], high[QUERY_CLASS_COUNT];
};

struct query_needle {
    const char *text; /* folded, but for ids */
    size_t len;
    enum query_sense sense;
};

struct query_test {
    enum query_field_code field; /* QUERY_ANY_FIELD: in any text, by its one needle */
    struct query_needle *needles;
    size_t n_needles;
    bool sorted; /* the needles are many whole ids, in the order of their bytes */
    struct query_range *ranges;
    size_t n_ranges;
    uint64_t flags; /* QUERY_FLAG_BIT, any of them */
    bool other;     /* != of a number: the row has a number, and it is in none of the ranges */
};

struct query_step {
    enum query_kind kind; /* TERM and SEARCH are tests */
    struct query_step *first, *next;
    struct query_test test;
};

struct query_plan {
    struct arena arena;
    struct query_context context;
    struct query_step *root; /* NULL: every row */
    size_t depth;            /* of the tree */
};

struct query_plan *query_plan_new(const struct query *query, const struct query_context *context);
void query_plan_free(struct query_plan *plan);

/* Whether a row is in the result. `!=` is a negation, so a row without the value matches it; only a number that is
 * absent, or not an int64, matches no term at all. */
bool query_match(const struct query_plan *plan, const struct query_row *row);

/* Whether the answer for a row depends on other rows (FINDINGS_ACROSS): query_match alone does not know those. */
bool query_asks_across(const struct query *query);
bool query_asks_notes(const struct query *query);       /* or on the notes and tags of the operators */
bool query_asks_transitions(const struct query *query); /* or on what was observed of it before */
bool query_plan_asks_across(const struct query_plan *plan);

/* The tests by themselves, for whoever keeps the columns apart. text NULL: no value, false. */
bool query_test_text(const struct query_test *test, const char *text, size_t len);
bool query_test_sorted(const struct query_test *test, const char *id, size_t len); /* one of the sorted needles */
bool query_test_number(const struct query_test *test, int64_t number, int exponent_class);
bool query_test_date(const struct query_test *test, const char *text, size_t len);
bool query_test_flag(const struct query_plan *plan, enum query_flag flag, const struct query_row *row);
/* Whether an operator put a note on an intent or user, or for a test of tags such a tag. id NULL: none. */
bool query_test_noted(const struct query_plan *plan, const struct query_test *test, enum note_about about,
                      const char *id, size_t len);
extern const struct query_test QUERY_TEST_HANDED; /* handed over to anybody */
int query_exponent_class(const struct query_context *context, const char *currency, size_t len);
/* Whether a bare word is searched for in this column. */
bool query_searches(enum cells_text column);

#endif
