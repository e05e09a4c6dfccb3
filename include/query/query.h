#ifndef QUERY_QUERY_H
#define QUERY_QUERY_H
/* The filter language (`bursar help filter` has its grammar): text to tree, tree to text, and which part of a filter
 * the service can apply. A tree is immutable and owns its memory; it may be moved between threads. A filter is never
 * parsed in part: there is a whole tree, or a fault with its place. */

#include "base/mem.h"
#include "model/money.h"
#include "query/field.h"

enum {
    QUERY_TEXT_MAX = 4096, /* bytes, as typed and as printed */
    QUERY_DEPTH_MAX = 32,  /* nested parentheses */
    QUERY_TERMS_MAX = 256,
    QUERY_VALUES_MAX = 256,  /* in one term */
    QUERY_LIST_MAX = 100000, /* in a list that stands in a file */
};

enum query_kind { QUERY_ALL, QUERY_ANY, QUERY_NOT, QUERY_TERM, QUERY_SEARCH };

/* The unit of a time in a filter: a whole period, or an instant counted back from now. */
enum query_span {
    QUERY_YEAR,
    QUERY_MONTH,
    QUERY_DAY,
    QUERY_MINUTE,
    QUERY_SECOND,
    QUERY_MS,
    QUERY_TODAY,
    QUERY_YESTERDAY,
    QUERY_WEEKDAY, /* the last such day before today */
    QUERY_DAYS_AGO,
    QUERY_HOURS_AGO,
    QUERY_MINUTES_AGO /* of an age alone */
};

enum { QUERY_ZONE_VIEWER = INT32_MAX };

/* One number or time. */
struct query_scalar {
    const char *text; /* as typed; NULL: this end of a range is open */
    int64_t number;   /* digits without the point; the count of *_AGO; 0 Monday; ms since 1970 of the wall time */
    int scale;        /* digits after the point; 0: the raw integer */
    enum query_span span;
    int zone_minutes; /* east of UTC, or QUERY_ZONE_VIEWER where none is written */
};

struct query_value {
    const char *text; /* words, ids, texts: unquoted; NULL otherwise */
    bool prefix;      /* a word with a trailing * */
    bool quoted;      /* a bare word, which so is no operator of another language */
    bool suffix;      /* an id behind an ellipsis: its end, as the screen shows it */
    enum query_flag flag;
    bool is_range;
    struct query_scalar low, high; /* a single number or time is in low */
    const char *typed;             /* a number whose groups were parted by commas, as it was typed; NULL: none */
};

struct query_node {
    enum query_kind kind;
    struct query_node *first, *next; /* children of ALL, ANY and NOT; the next sibling */
    size_t at, end;                  /* its bytes in the text it was parsed from */
    enum query_field_code field;     /* TERM */
    enum query_op op;
    const char *list;           /* TERM of whole ids out of a file: what was written, `@file`; NULL: they were typed */
    struct query_value *values; /* TERM; SEARCH has one */
    size_t n_values;
};

struct query {
    struct arena arena;
    struct query_node *root; /* NULL: every row */
};

/* Filters saved by name, for `@name`. at: the name of the i-th, NULL past the last, and its filter, NULL where it
 * cannot be used; NULL: there are none. Those of others are called OWNER/NAME. */
struct query_views {
    const char *(*at)(const void *of, size_t i, const char **filter);
    const void *of;
};

/* Ids by the name of a list, for `id:@file`: the i-th, NULL past the last. open: false, with the reason, where it
 * cannot be read. NULL: there are none. */
struct query_lists {
    const char *(*at)(const void *list, size_t i);
    const void *(*open)(void *of, const char *name, struct error *error);
    void *of;
};

struct query_options {
    enum money_unit unit; /* MONEY_RAW: a number with a point is an error */
    bool console;         /* is:marked is allowed */
    bool events;          /* the rows are events received here: only what these have is allowed */
    struct query_views views;
    struct query_lists lists;
};

enum { QUERY_VIEWS_MAX = 200, QUERY_VIEWS_DEPTH_MAX = 8 /* of saved filters that name each other */ };

/* What is wrong and where. near: texts of tables, or names of the options' views. */
struct query_fault {
    size_t at, end; /* bytes; at == end: something is missing there */
    char reason[256];
    const char *near[QUERY_NEAR_MAX];
    size_t n_near;
};

/* On failure *out is NULL, the fault (may be NULL) tells the place, and error says it as one sentence:
 * `at 8: no field is called "typ" (type?)`, counting characters from 1. ERR_USAGE, or ERR_LIMIT. */
enum err query_parse(const char *text, const struct query_options *options, struct query **out,
                     struct query_fault *fault, struct error *error) MUST_CHECK;
void query_free(struct query *query);
struct query *query_dup(const struct query *query);

/* The canonical text: parses to an equal tree. NULL prints nothing. */
void query_print(const struct query *query, struct str *out);
/* Its terms of one field alone, at the top level. */
void query_print_terms(const struct query *query, enum query_field_code field, struct str *out);
bool query_equal(const struct query *a, const struct query *b); /* positions aside */
/* The first term that is a list of ids, and does not leave them out; NULL: there is none. alone (may be NULL): it is
 * all of the filter. */
const struct query_node *query_list_term(const struct query *query, bool *alone);
/* The one whole id that every row of the filter has in this field; NULL: the filter does not say that. Borrowed. */
const char *query_sole_id(const struct query *query, enum query_field_code field);
/* Appends a value in a form that is read back as itself after `field:`, quoted where needed. */
void query_quote(struct str *out, const char *text);
/* Appends the term that only rows with just this value have: `user=VALUE`. */
void query_add_equal(struct str *out, enum query_field_code field, const char *value);
/* Every term is of one of these fields: rows that are equal in them are in its result all or none. NULL: so it is. */
bool query_is_of(const struct query *query, const enum query_field_code *fields, size_t n);
/* Whether a term names a person or an account (a user, a credential, a mask), or might: a bare word can be anything. */
bool query_is_personal(const struct query *query);

/* A filter with one more term, for narrowing to a value or excluding it. Empty where the filter has that term already.
 */
void query_narrow(struct str *out, const struct query *query, enum query_field_code field, const char *value,
                  bool exclude);

/* A filter with these terms beside it, or without the rows that they let through. */
void query_narrow_by(struct str *out, const struct query *query, const char *terms, bool exclude);

#endif
