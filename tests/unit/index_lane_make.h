#ifndef INDEX_LANE_MAKE_H
#define INDEX_LANE_MAKE_H
/* A read lane over a cache of its own that another handle writes to; its jobs are run here, on one thread. */

#include "run/lanes/index_lane.h"

#include "base/clock.h"
#include "query/query.h"
#include "store_make.h"
#include "store_place.h"
#include "support/proc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { WINDOW = 20 };

struct fixture {
    char *folder;
    struct cache *writer; /* another console's, or the page lane's */
    struct cache_place place;
    struct index_lane lane;
    struct lookup_result *found;
    uint64_t ticket;
    bool more, changed, unsaved;
};

static inline void take(void *owner, struct event *event) {
    struct fixture *f = owner;
    lookup_result_free(f->found);
    f->found = event_take(event, lookup_result);
    f->ticket = event->ticket;
}

static struct fixture *running;

static inline void moved(void *owner, bool more, bool changed, bool unsaved) {
    (void)owner;
    running->more = more;
    running->changed = changed;
    running->unsaved = unsaved;
}

static inline void run(struct fixture *f, struct lane_job *job) {
    running = f;
    job->run(job, &f->lane);
    job->done(job, f);
    job->free(job);
}

static inline void put_at(struct fixture *f, const char *cursor, int first, int n, const char *next, int64_t now) {
    struct page page;
    struct error error = {0};
    struct cache_put_result result;
    make_page(&page, first, n, next);
    assert_int_equal(cache_put_page(f->writer, "", cursor, &page, now, &result, &error), ERR_OK);
    cache_put_result_clear(&result);
    page_clear(&page);
}

static inline void put(struct fixture *f, const char *cursor, int first, int n, const char *next) {
    put_at(f, cursor, first, n, next, MADE_NEWEST);
}

static inline void put_made(struct fixture *f, const struct made *made, int64_t now) {
    struct page page;
    struct cache_put_result result;
    page_init(&page);
    *vec_add(&page) = make_intent(made);
    assert_int_equal(cache_put_page(f->writer, "other", "", &page, now, &result, NULL), ERR_OK);
    cache_put_result_clear(&result);
    page_clear(&page);
}

static inline void put_one(struct fixture *f, int number, const char *status, int64_t amount, int64_t now) {
    char id[32];
    (void)snprintf(id, sizeof id, "pay_%06d", number);
    put_made(f,
             &(struct made){
                 .id = id, .status = status, .created_ms = MADE_NEWEST - (int64_t)number * MADE_STEP, .amount = amount},
             now);
}

/* Rows 0 to rows - 1, a hundred a page. */
static inline int set_up_rows(void **state, int rows) {
    struct fixture *f = mem_new(sizeof *f);
    struct cache_opening opening;
    f->folder = proc_folder_new();
    f->writer = cache_open(f->folder, &BINDING, &opening);
    f->place = (struct cache_place){.folder = f->folder, .binding = BINDING};
    f->lane.cache.place = &f->place;
    *state = f;
    if (!f->writer)
        return 1;
    for (int i = 0; i < rows; i += 100) {
        char cursor[16], next[16];
        (void)snprintf(cursor, sizeof cursor, i ? "c%d" : "", i);
        (void)snprintf(next, sizeof next, "c%d", i + 100);
        put(f, cursor, i, 100, i + 100 < rows ? next : NULL);
    }
    return 0;
}

static inline int tear_down(void **state) {
    struct fixture *f = *state;
    lookup_result_free(f->found);
    index_lane_close(&f->lane);
    cache_close(f->writer);
    proc_folder_remove(f->folder);
    free(f);
    return 0;
}

static inline struct lookup *lookup_of(const char *filter) {
    struct lookup *lookup = lookup_new();
    struct query_options options = {.unit = MONEY_RAW, .console = true};
    assert_int_equal(query_parse(filter, &options, &lookup->query, NULL, NULL), ERR_OK);
    lookup->context = (struct query_context){.now = MADE_NEWEST, .last_visit = CLOCK_NONE};
    lookup->window = WINDOW;
    lookup->line = WINDOW / 2;
    lookup->totals = true;
    return lookup;
}

static inline const struct lookup_result *ask(struct fixture *f, struct lookup *lookup) {
    run(f, index_lookup_job(7, lookup, take));
    assert_int_equal(f->ticket, 7);
    return f->found;
}

static inline void fill_whole(struct fixture *f) {
    do {
        run(f, index_fill_job(moved));
    } while (f->more);
}

static inline const char *id_at(const struct lookup_result *found, size_t row) {
    return found->rows.items[row - found->rows.first].intent->id.text;
}

#endif
