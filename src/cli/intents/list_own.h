#ifndef CLI_INTENTS_LIST_H
#define CLI_INTENTS_LIST_H
/* `intents list`: what its walk and its --cached have in common. */

#include "cached_list.h"
#include "cli/output.h"
#include "doubted.h"
#include "held.h"

#include "app/browse.h"
#include "app/idset.h"
#include "index/index.h"

/* `intents list`: the same walk as the console's, printed while it reads. */
struct list {
    struct cli *cli;
    struct browse browse;
    struct output *output;
    struct held held;  /* rows that match, until the walk ends; those of the index are not here */
    bool reloaded;     /* the token was read again for the page that is being asked for */
    size_t next;       /* first row not looked at yet */
    size_t printed;    /* rows that matched */
    size_t mismatched; /* rows that do not match the filter, which the service should not have sent */
    size_t wanted;     /* 0: no number was named */
    bool finished;
    uint64_t ticket;   /* of the cached rows asked for */
    int64_t seen, now; /* when the latest of them was served; the last event's time */
    bool cached_more, cached_off, cached_asked;
    struct coverage reach;   /* of the cached rows */
    size_t damaged;          /* of them: rows that were met and dropped */
    struct idset *met;       /* ids of cached rows that were printed */
    struct query *rest;      /* what the service cannot filter by; NULL: no FILTER */
    struct query_plan *plan; /* of it */
    struct doubted *doubted; /* what may be wrong with FILTER; NULL: a row matched */
    struct index *index;     /* rows by their place in the walk, until it ends: for --sort those that match, */
    bool across;             /* and all of them where FILTER asks for what single rows do not say. NULL: none */
    struct query *observed;  /* FILTER, where it asks for what only the cache knows of a row; NULL: it does not */
    size_t count_at;         /* rows of it, from which on they are counted again */
    struct lookup_sort sort[LOOKUP_SORTS];
    struct query_context context; /* one for both parts, so that times mean the same instants in both */
    struct str blob;              /* of the row looked at */
    struct error error;
};

/* --cached: the same rows, out of the cache alone. The update of a client whose self is the list; and what is said at
 * the end. */
void list_cached_update(void *self, struct event *event, struct effects *effects);
void list_cached_say(const struct list *list);

/* Whether a row that the service sent matches what it cannot filter by. */
bool list_rest_matches(struct list *list, const struct intent *intent, int64_t confirmed);

/* Rows of a walk that is over: those of the index that FILTER does not find in the cache, which knows what was observed
 * of them before, are removed from it. Without a cache nothing was observed, which is said. */
void list_judge_observed(struct list *list);

#endif
