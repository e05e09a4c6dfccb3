#ifndef QUERY_SPLIT_H
#define QUERY_SPLIT_H
/* The part of a filter that the service applies, and the rest. Together they are exactly the whole filter. */

#include "query/plan.h"

struct query_service {
    bool created_after, created_before; /* the profile names parameters for them */
};

enum { QUERY_STATUSES_MAX = INTENT_STATUS_COUNT };

/* statuses and type are static texts of the document. after and before are wider than asked by 1 ms, because the
 * document does not say whether the ends are included; their terms therefore stay in the rest as well. */
struct query_split {
    const char *statuses[QUERY_STATUSES_MAX];
    size_t n_statuses;
    const char *type;      /* NULL: none */
    int64_t after, before; /* CLOCK_NONE: none */
    struct query *server;  /* the terms sent, for display */
    struct query *rest;    /* to be evaluated here */
};

void query_split(const struct query *query, const struct query_service *service, const struct query_context *context,
                 struct query_split *out);
void query_split_clear(struct query_split *split);

#endif
