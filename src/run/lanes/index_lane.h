#ifndef RUN_INDEX_LANE_H
#define RUN_INDEX_LANE_H
/* The column index on the read lane: filled from the cache in slices, so that questions in between are answered over
 * what it holds; kept up to date from the change log when this or another console wrote; and given those rows of the
 * walk that the cache cannot keep. */

#include "app/lookup.h"
#include "cache_lane.h"

#include "store/cache.h"

struct index;
struct index_save;
struct idset;

/* Of the file that the index is kept in (index_keep.h). */
struct index_keep {
    struct index_save *save; /* NULL: none is being written */
    bool taken;              /* the index is that of the file, and of what came since */
    bool refused;            /* it is not taken: it was no good */
    bool gone;               /* rows of it were removed since */
    bool uncounted;          /* whether it has all rows is not known yet */
    size_t stale;            /* changes since */
    struct {
        uint32_t *items; /* where ids put since stand among the keys */
        size_t n, cap;
    } tails;
};

/* State of the read lane; the cache comes first, so that the cache's own jobs run here too. */
struct index_lane {
    struct cache_lane cache;
    struct index *index;
    const struct cache *of; /* the handle that it was filled from */
    int64_t from;           /* where filling goes on */
    int64_t change;         /* last entry of the change log that was read */
    struct idset *ids;      /* which key a row of this id has */
    struct idset *newer; /* by key: 1 for a row that a later version of the program wrote, which is not in the index */
    size_t n_newer;      /* of these */
    struct {
        struct duplicates {
            int64_t a, b;
        } * items;
        size_t n, cap;
    } duplicates; /* keys of rows with the same id, to be made one */
    struct cache_changes changes;
    size_t n_taken;  /* of the changes read: those that are in it */
    int64_t version; /* of the data, when last looked at */
    int64_t visit;   /* when an operator last looked, before now; CLOCK_NONE: never */
    int64_t since;   /* changes observed later are marked */
    bool whole, visited;
    bool alone;      /* rows of the walk are all there is to ask: there is no cache */
    bool broke_off;  /* the cache failed while it was read: rows are missing */
    bool twins_stay; /* rows with the same id are not made one: the question that is answered only reads */
    bool saves_at_end;
    struct index_keep keep;
};
/* The cache, with the index begun to be filled from it; NULL: none is to be had, or asked. */
struct cache *index_lane_ready(struct index_lane *lane);
void index_lane_close(struct index_lane *lane);
void index_lane_forget_ids(struct index_lane *lane); /* the index has another place for them */

/* The next slice; *more (main thread, by done) tells that there is another, and where there is none, whether the index
 * is worth writing to its file. */
typedef void index_more_fn(void *owner, bool more, bool changed, bool unsaved);
struct lane_job *index_fill_job(index_more_fn *more);
/* Rows just put into the cache by another lane: keys are taken. */
struct lane_job *index_put_job(int64_t *keys, size_t n, index_more_fn *more);
/* The next slice of writing the index to its file, where that is worth it. */
typedef void index_saved_fn(void *owner, bool more);
struct lane_job *index_save_job(index_saved_fn *more);
/* Rows of the walk, which are taken; EVENT_INDEX when they are in it. */
struct lane_job *index_walked_job(struct walked_rows *rows, event_fn *tell);
/* Answers with EVENT_LOOKUP; takes lookup. */
struct lane_job *index_lookup_job(uint64_t ticket, struct lookup *lookup, event_fn *tell);
/* Answers with EVENT_LOOKUP_ROWS; takes keys. */
struct lane_job *index_rows_job(uint64_t ticket, struct lookup_keys *keys, event_fn *tell);
/* For lane_drop: whether the job answers this ticket. */
bool index_is_of(const struct lane_job *job, void *ticket);

#endif
