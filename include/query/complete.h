#ifndef QUERY_COMPLETE_H
#define QUERY_COMPLETE_H
/* What can be typed at the cursor of an unfinished filter: fields, operators, values, names of saved views. Works on
 * any text, with faults or without. */

#include "query/query.h"

enum { QUERY_ITEMS_MAX = 64 };

enum query_item_kind { QUERY_ITEM_FIELD, QUERY_ITEM_OP, QUERY_ITEM_VALUE, QUERY_ITEM_TERM, QUERY_ITEM_VIEW };

struct query_item {
    enum query_item_kind kind;
    char *text;    /* what replaces the bytes at..end, quoted where needed */
    char *help;    /* of a view: its filter; may be NULL */
    int64_t count; /* rows that have the value; -1: not known */
};

struct query_completion {
    size_t at, end; /* bytes of the text that an item replaces */
    struct query_item *items;
    size_t n, cap;
    char common[256]; /* what all items begin with; empty where one of them has the typed text further inside */
};

/* Values that rows have: found() is called for each value of the field; only matching ones are used. */
struct query_seen {
    void *context;
    bool events; /* the rows are events: what these have is offered */
    void (*each)(void *context, enum query_field_code field, void (*found)(void *to, const char *value, int64_t count),
                 void *to);
};

/* seen and views may be NULL. Values that begin with what is typed, or contain it where the term would search inside;
 * most frequent ones first, then known values that no row has. */
void query_complete(const char *text, size_t at, const struct query_seen *seen, const struct query_views *views,
                    struct query_completion *out);
void query_completion_clear(struct query_completion *completion);

#endif
