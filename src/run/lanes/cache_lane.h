#ifndef RUN_CACHE_LANE_H
#define RUN_CACHE_LANE_H
/* The cache as lanes use it: one handle for each lane, opened by its first job. A cache that cannot be used costs
 * nothing but itself; why is told once. Jobs are made on the main thread and run on the lane whose state they get. */

#include "app/effect.h"
#include "page_keep.h"
#include "run/perform.h"
#include "store/cache.h"
#include "unknown_fields.h"
#include "work/lane.h"

#include <stdatomic.h>

/* What a handle needs to be opened; borrowed for the lanes' life. */
struct cache_place {
    const char *folder; /* NULL: the operator's */
    struct cache_binding binding;
    int retention_days, limit_mb;
    atomic_bool accepted; /* the operator said that another token belongs to the same account */
};

/* State of a lane. */
struct cache_lane {
    const struct cache_place *place;
    struct cache *cache;
    bool tried, had;
    bool hopeless;         /* opening it again would not succeed */
    int64_t again_at;      /* monotonic ms: it is not tried again earlier */
    unsigned files;        /* counts files that were opened */
    char *said;            /* what opening the cache again had to tell, until a job takes it; NULL */
    struct page_keep keep; /* of the lane that stores */
    unsigned kept_in;      /* the file, counted by `files`, that keep.stored belongs to */
    bool failing;          /* the last page could not be stored */
    bool let_go;           /* rows were removed that the index's file may hold: it is removed at the end */
};
void cache_lane_close(struct cache_lane *lane);
void cache_lane_end(struct cache_lane *lane); /* at the end: also drops the pages that were kept to be stored again */
/* The handle, opened (again) where needed; NULL: there is no usable cache. */
struct cache *cache_lane_usable(struct cache_lane *lane);
/* Opens a sound handle anew, so that what is read next comes from the file and not out of memory. */
void cache_lane_anew(struct cache_lane *lane);
/* The handle, after pages that were kept for a file that had to be begun again were stored in it; NULL: there is none.
 */
struct cache *cache_lane_store_kept(struct cache_lane *lane);
/* Another lane stored something: a read-only handle is opened again to see it. */
void cache_lane_written(struct cache_lane *lane);

/* Opens, applies retention, and says the state as EVENT_CACHE_STATE. */
struct lane_job *cache_open_job(event_fn *tell);
/* After `accepted` was set: binds the cache to the new token for good. */
struct lane_job *cache_accept_job(event_fn *tell);
/* From here on the lane's cache is the one of this place, borrowed. */
struct lane_job *cache_move_job(const struct cache_place *place);
/* Takes ask. Answers with EVENT_CACHE_ROWS. */
struct lane_job *cache_rows_job(uint64_t ticket, struct list_ask *ask, event_fn *tell);
/* Takes batch and unknown_fields (may be NULL). `put` gets the keys of all pages that were stored, and takes them;
 * NULL: the page could not be stored, and is kept to be stored with the next one. Changes of the cache's state go to
 * tell (NULL: to nobody) as EVENT_CACHE_STATE, once for each change. */
typedef void cache_put_fn(void *owner, int64_t *keys, size_t n);
struct lane_job *cache_put_job(struct cache_batch *batch, struct unknown_fields *unknown_fields, cache_put_fn *put,
                               event_fn *tell);

/* A sentence where the cache cannot be used, or NULL. */
void cache_outcome_text(const struct cache_opening *opening, struct str *out);

#endif
