#ifndef APP_LOOKUP_H
#define APP_LOOKUP_H
/* A question to the column index and its answer, as they travel between app and the read lane: which cached rows match
 * a filter, in which order, and how much money they are. Both own what they hold and move with their effect or event.
 */

#include "app/coverage.h"
#include "base/payload.h"
#include "model/intent.h"
#include "model/money.h"
#include "query/axis.h"
#include "query/doubt.h"

enum { LOOKUP_SORTS = 2 };

/* field QUERY_FIELD_COUNT: none. */
struct lookup_sort {
    enum query_field_code field;
    bool descending;
};
#define LOOKUP_UNSORTED ((struct lookup_sort){QUERY_FIELD_COUNT, false})

/* An intent by id and time of creation: what its key is made of. key 0: not known. */
struct lookup_name {
    char *id;
    int64_t ms, key;
};
struct lookup_name lookup_name_of(const char *id, int64_t ms, int64_t key); /* with a copy of the id */

/* Where a page of the team's store ends: ms, -1 where the row has no time that can be read. */
struct lookup_place {
    int64_t created;
    char *id; /* heap; NULL: nowhere */
};

/* Keys from here on belong to rows of the walk, which numbered them; keys of cached rows are never above 0. */
#define LOOKUP_WALK_KEYS (INT64_C(1) << 62)
bool lookup_is_walked(int64_t key);

/* Rows of the walk for the column index: those that no cache keeps, or all of them where there is none. */
struct walked_rows {
    bool anew;  /* the index drops the rows of an earlier walk first */
    bool alone; /* there is no cache: these rows are all that can be searched */
    struct walked_row {
        int64_t key, confirmed;
        size_t from, len; /* where its packed columns are in `cells`; len 0: the row is gone */
    } * items;
    size_t n, cap;
    struct str cells;
};
struct walked_rows *walked_rows_new(void);
void walked_rows_free(struct walked_rows *rows);
PAYLOAD_TYPE(walked_rows)

struct gather;
struct match;
struct lookup {
    struct query *query;          /* NULL: every row */
    struct query_context context; /* the lane sets the marks */
    struct notes *notes;          /* its share of those of the context */
    struct lookup_sort sort[LOOKUP_SORTS];
    struct query *find; /* rows to be found without narrowing the result: their places in it are wanted; NULL: none */
    struct query_axis over;          /* counts by its places, and by the values of facet; in the context's zone */
    size_t over_limit;               /* of times: the newest so many, and those without a time; 0: all */
    enum query_field_code facet;     /* QUERY_FIELD_COUNT: none */
    size_t facet_limit;              /* 0: all */
    struct query_axis second;        /* counts by the values of this field too */
    bool sums, guarantees, unsummed; /* as in index/index.h */
    struct query_rate rate;
    int compared; /* days back to an earlier period that is counted too, up to the same time of day; 0: none */
    bool totals;
    bool left_too; /* rows too that a complete reading of the list did not find any more */
    bool steady;   /* over a cache that turned out to be damaged: of what was read of it, like the answers before */
    bool whole;    /* answer only once the whole cache is in the index */
    bool at_hand;  /* answer only where the index's file holds it, and change nothing */
    size_t limit;  /* newest first, so many keys, and what was looked at for them; 0: all */
    struct match *match;   /* a table that the result is held against (app/match.h); unsorted. NULL: none */
    struct gather *gather; /* what is made of its rows (app/gather.h); unsorted. NULL: nothing */
    bool counts;           /* how many rows there are is enough: no keys */
    bool listed;           /* says what was found of the ids in the filter's list; unsorted, in the list's order */
    bool visit;            /* an operator is looking: is:new and is:changed are relative to the visit before this one */
    struct lookup_name anchor; /* rows around this one are wanted; id NULL and key 0: around the first */
    size_t window, line;       /* how many rows are wanted decoded, and how many of them before the anchor */
    struct lookup_name *marks;
    size_t n_marks;
    struct lookup_left {
        char *id;
        int64_t ms, at; /* when it was created, and when it was found to have left */
        int64_t key;    /* 0: computed from id and ms */
    } * left; /* rows that left the filter's list: not part of the result until the service sends them again */
    size_t n_left;
    struct lookup_place after; /* asked of the team's store: behind this row; id NULL: from the newest on */
    bool keep;                 /* likewise: its rows are kept in the cache too */
    int64_t *shown; /* rows on show, which keep their places: rows that match now only count as waiting. NULL: the
                       result is made anew */
    size_t n_shown;
};
struct lookup *lookup_new(void);
void lookup_free(struct lookup *lookup);
PAYLOAD_TYPE(lookup)
PAYLOAD_TYPE(lookup_name)

/* Rows of a result that are wanted decoded. */
struct lookup_keys {
    int64_t *keys;
    size_t n, first; /* first: place of the first in the result */
};
PAYLOAD_TYPE(lookup_keys)

/* Rows of a result, decoded. intent NULL: not held any more. */
struct lookup_row {
    int64_t key, confirmed;
    struct intent *intent;
    uint64_t changed;   /* bits of model/change.h: changes that were observed since the visit before this one */
    int64_t changed_at; /* when the last of them was */
};
struct lookup_rows {
    size_t first; /* place of the first in the result */
    struct lookup_row *items;
    size_t n, cap;
};
void lookup_rows_clear(struct lookup_rows *rows);

/* As in index/index.h. */
struct lookup_total {
    const char *currency; /* NULL: rows without one */
    int64_t sum;
    bool overflow;
    size_t rows, without, guaranteed;
};
struct lookup_total lookup_total_of_cell(const struct query_cell *cell); /* of what is there now */
/* An exact sum as a total: one that is beyond 64 bits says so. */
struct lookup_total lookup_total_of(const char *currency, __int128 sum, size_t rows, size_t without);
/* `1,234.50`, `sum beyond 64 bits`; behind it how many of the intents have no amount. */
void lookup_sum_text(const struct lookup_total *total, const struct money_rule *rule, struct str *out);
/* Where an order compares amounts of several currencies: appends `by raw integer over 4 currencies`, or in brief `raw
 * over 4 currencies`; else nothing. An order that sorts by currency before the amount compares only equal currencies.
 */
void lookup_order_note(const struct lookup_sort sort[LOOKUP_SORTS], const struct lookup_total *totals, size_t n_totals,
                       bool brief, struct str *out);

struct lookup_result {
    struct arena arena;
    int64_t *keys;
    size_t n;
    bool *gone; /* by place: the row no longer matches; NULL: all do */
    size_t n_gone;
    struct lookup_fate {
        const char *status;
        size_t rows;
    } * fates; /* what those became that no longer match by what is held of them */
    size_t n_fates;
    size_t n_waiting;         /* rows that match and are not among those on show */
    size_t rows_scanned;      /* rows that were compared with the filter */
    bool whole;               /* the whole cache was searched */
    bool absent;              /* of a question at hand: the file does not hold it, there is no answer */
    struct coverage coverage; /* of the rows that the filter may match */
    size_t damaged;           /* damaged rows that were met and dropped since the last answer */
    bool behind; /* only pages that were just read are missing, which are still being stored: another answer follows */
    struct lookup_total *totals;
    size_t n_totals;
    struct query_place *values; /* of facet; percent is set by lookup_share */
    size_t n_values, n_distinct;
    struct query_place *overs;
    size_t n_overs;
    struct query_place *seconds;
    size_t n_seconds;
    size_t n_earlier, n_undated; /* as in index/index.h */
    struct query_cell *cells;
    size_t n_cells;
    size_t n_small;         /* set by lookup_share: values of less than half a percent each, whether listed or not */
    unsigned small_percent; /* what those are together */
    size_t *hits;
    size_t n_hits;
    unsigned char *listed; /* by the place of an id in the filter's list: it was found; NULL: not asked */
    size_t n_listed;
    struct lookup_place last; /* of the rows, where the team's store was asked */
    bool more;                /* it has more of them */
    bool kept;                /* some of them are new in the cache */
    size_t at;                /* place of the anchor; n where it is not in the result */
    bool placed;              /* the cursor has gone there: from then on it goes its own way */
    struct lookup_rows rows;
    struct match *match;   /* of the question, joined; NULL: none */
    struct gather *gather; /* of the question, made of all its rows; NULL: none */
    const char *doubt; /* a sentence where nothing matches and a word of the filter looks like a typing mistake; NULL */
    struct error error; /* code ERR_OK where there is an answer */
};
struct lookup_result *lookup_result_new(void);
void lookup_result_free(struct lookup_result *found);
PAYLOAD_TYPE(lookup_result)
/* Damage that was met while rows of an answer were read belongs to the coverage of that answer. */
void lookup_damage(struct coverage *coverage, size_t *damaged, const struct lookup_result *rows);
/* Whole percents of the values, which add up to 100 with those of the small ones together (largest remainder): a point
 * that rounding leaves over goes where least is made of it, and never makes one of a share below half a percent. */
void lookup_share(struct lookup_result *found);
/* Whole percents of n counts, which add up to 100 (largest remainder, the first of equal ones); all 0 where none is. */
void lookup_percents(const size_t *counts, size_t n, unsigned *out);
void lookup_doubt(struct lookup_result *found,
                  const struct query_doubt *doubt); /* sets doubt, over rows_scanned rows */

#endif
