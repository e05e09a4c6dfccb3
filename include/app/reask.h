#ifndef APP_REASK_H
#define APP_REASK_H
/* Asks the service again for intents of open statuses, before they are counted by their age: what is in the cache may
 * have moved on since. One walk over those statuses, as far as its share of the hour's requests goes; its pages go to
 * the cache as they come, and nothing of them is kept here. Pure. */

#include "app/chain.h"
#include "app/effect.h"
#include "base/clock.h"

enum reask_state {
    REASK_IDLE,
    REASK_ASKING,
    REASK_DONE,   /* all that are open were served since `began` */
    REASK_PARTLY, /* the newest of them were: the share of requests is used up, or the service's allowance nearly is */
    REASK_FAILED,
};

struct reask {
    enum reask_state state;
    struct server_filter filter;
    struct chain chain;
    char *next;
    bool next_is_url;
    uint64_t ticket;
    size_t most; /* pages */
    size_t rows;
    int64_t began;
    int64_t retry_at;   /* the service asked to wait until then; CLOCK_NONE: it did not */
    struct error error; /* of FAILED */
};
void reask_clear(struct reask *reask);
/* Whether it may ask once more: not while it asks, before the service is ready, within a minute, nor sooner than its
 * share of the hour's requests allows after those that it sent. */
bool reask_is_due(const struct reask *reask, int64_t now);
/* Asks for no further page; what came stays. */
void reask_cancel(struct reask *reask, struct effects *effects);
/* The statuses of the query where it names open ones alone, else created and pending. False: the service cannot be
 * asked by status. */
bool reask_start(struct reask *reask, const struct profile *profile, const struct query *query, int64_t now,
                 struct effects *effects);
/* True when the event was its answer; takes what it carries. */
bool reask_update(struct reask *reask, struct event *event, struct effects *effects);
/* `312 created or pending asked again at 10:41 UTC, in 4 pages`, and what is missing of them. */
void reask_text(const struct reask *reask, enum clock_zone zone, int64_t now, struct str *out);

#endif
