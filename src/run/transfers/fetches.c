#include "fetches.h"
#include "run/indexing.h"
#include "run/lanes/job.h"
#include "run/lanes/mirror_lane.h"
#include "run/teaming.h"

#include "base/clock.h"
#include "base/mem.h"
#include "wire/page.h"

#include <stdlib.h>

struct page_work {
    const struct profile *profile;
    struct list_ask *ask;
    struct reply reply;
    struct list_result *result; /* of the answer */
    struct cache_batch *batch;
    struct unknown_fields *unknown_fields;
    int64_t now;
};
PAYLOAD_TYPE(page_work)

static void page_work_free(struct page_work *work) {
    list_ask_free(work->ask);
    reply_clear(&work->reply);
    cache_batch_free(work->batch);
    unknown_fields_free(work->unknown_fields);
    free(work);
}
PAYLOAD_OWNED(page_work, page_work_free);

/* Made before the page is passed on, since it is stored after it is shown. */
static struct cache_batch *make_batch(const struct page_work *work, const struct list_query *query) {
    struct str filter;
    str_init(&filter, 64 << 10);
    api_query_text(query, &filter);
    struct cache_batch *batch = cache_batch_new(filter.s, query->cursor, &work->result->page, work->now);
    str_clear(&filter);
    if (work->ask->mirror)
        cache_batch_mirror(batch);
    if (work->ask->spent)
        cache_batch_note(batch, MIRROR_SPENT_NOTE, work->ask->spent);
    return batch;
}

static struct list_result *fetches_answer_of(struct job *job) {
    struct list_result *result = list_result_new();
    job_answer(job, EVENT_LIST, payload_of(list_result, result));
    return result;
}

static void page_run(struct job *job, void *lane_state) {
    struct page_work *work = job_work(job, page_work);
    (void)lane_state;
    struct list_query query = server_filter_query(&work->ask->filter, work->ask->cursor, work->ask->cursor_is_url);
    work->result = fetches_answer_of(job);
    work->result->status = work->reply.status;
    work->result->bytes = work->reply.body_len;
    api_list_answer(work->profile, &query, &work->reply, work->now, &work->result->answer, &work->result->page);
    api_list_count(&work->ask->walk, &query, &work->result->page);
    /* Rows beside an error may not be the whole page, so they are not stored as one: a mirror refuses them. */
    bool is_whole = !work->result->page.failed && !work->result->page.partial;
    if (work->result->answer.code == ERR_OK && (is_whole || !work->ask->mirror)) {
        work->batch = make_batch(work, &query);
        if (!is_whole)
            cache_batch_rows_only(work->batch);
        work->unknown_fields = unknown_fields_new(&work->result->page);
    }
}

static void page_done(struct job *job, void *owner) {
    struct page_work *work = job_work(job, page_work);
    work->result->stored = work->batch != NULL;
    if (work->result->stored) {
        struct performer *performer = owner;
        lane_push(performer->pages, cache_put_job(work->batch, work->unknown_fields, indexing_put, performer->tell));
        indexing_expect(performer->indexing);
        work->batch = NULL;
        work->unknown_fields = NULL;
    }
    job_tell(job, owner);
}

static void answer_at_once(struct performer *performer, uint64_t ticket, const struct error *error) {
    struct list_result *result = list_result_new();
    result->answer.code = error->code;
    result->answer.line = mem_dup(error->text);
    result->answer.retry_at = CLOCK_NONE;
    result->answer.quota_left = -1;
    struct event event = {.kind = EVENT_LIST, .ticket = ticket, .payload = payload_of(list_result, result)};
    performer->tell(performer, &event);
}

/* Takes a page of the walk from the cache, if it is there whole and follows the same cursor. */
static bool fetches_take_held(struct job *job, struct cache *cache, const struct list_query *query) {
    struct page_work *work = job_work(job, page_work);
    struct cache_page held;
    struct str filter;
    str_init(&filter, 64 << 10);
    api_query_text(query, &filter);
    cache_page_init(&held);
    bool there = cache_page(cache, filter.s, work->ask->page, &held, NULL) == ERR_OK && held.there &&
                 str_equal(held.cursor ? held.cursor : "", work->ask->cursor ? work->ask->cursor : "");
    for (size_t i = 0; i < held.rows.n && there; i++)
        there = !held.rows.items[i].missing;
    if (there) {
        work->result = fetches_answer_of(job);
        work->result->fetched = held.fetched;
        work->result->answer = (struct api_answer){.retry_at = CLOCK_NONE, .quota_left = -1};
        work->result->page.next = held.next;
        work->result->page.next_is_url = held.next && wire_is_link(held.next);
        held.next = NULL;
        for (size_t i = 0; i < held.rows.n; i++) {
            struct intent **slot = vec_add(&work->result->page);
            *slot = wire_intent(held.rows.items[i].raw, held.rows.items[i].raw_len);
        }
    }
    cache_page_clear(&held);
    str_clear(&filter);
    return there;
}

static void held_run(struct job *job, void *lane_state) {
    struct page_work *work = job_work(job, page_work);
    struct cache *cache = cache_lane_usable(lane_state);
    struct list_query query = server_filter_query(&work->ask->filter, work->ask->cursor, work->ask->cursor_is_url);
    work->ask->resumes = cache && fetches_take_held(job, cache, &query);
}

static void fetches_start(struct performer *performer, uint64_t ticket, struct list_ask *ask);

static void fetches_forget(struct fetches *fetches, struct fetching *fetching) {
    list_ask_free(fetching->ask);
    free(fetching->path);
    fetches->running.n--;
    *fetching = fetches->running.items[fetches->running.n];
    fetches->running.items[fetches->running.n] = (struct fetching){0};
}

static struct fetching *fetches_find(struct fetches *fetches, uint64_t ticket) {
    for (size_t i = 0; i < fetches->running.n; i++)
        if (fetches->running.items[i].ticket == ticket)
            return &fetches->running.items[i];
    return NULL;
}

/* A fetch that was cancelled meanwhile is not known any more: nothing is answered, and no request is sent. */
static void held_done(struct job *job, void *owner) {
    struct page_work *work = job_work(job, page_work);
    struct fetches *fetches = ((struct performer *)owner)->fetches;
    struct fetching *fetching = fetches_find(fetches, job->answer.ticket);
    if (!fetching)
        return;
    fetches_forget(fetches, fetching);
    if (work->result) {
        job_tell(job, owner);
    } else {
        struct list_ask *ask = work->ask;
        work->ask = NULL;
        fetches_start(owner, job->answer.ticket, ask);
    }
}

static struct lane_job *fetches_job(struct performer *performer, uint64_t ticket, const struct page_work *page,
                                    job_fn *run, job_fn *done) {
    struct page_work *work = mem_new(sizeof *work);
    *work = *page;
    work->profile = performer->options->profile;
    struct job *job = job_new(run, ticket, payload_of(page_work, work), performer->tell);
    job->done = done;
    return &job->lane;
}

/* Pages are decoded while those before them are stored. Where storing falls behind, they wait their turn behind it: the
 * pages in between would take more and more memory. */
static struct lane *decoding_lane(struct performer *performer) {
    enum { BEHIND = 16 };
    struct fetches *fetches = performer->fetches;
    if (performer->indexing->putting > BEHIND)
        return performer->pages;
    if (!fetches->decoding)
        fetches->decoding = lane_new("decoding", NULL, performer->wake, performer);
    return fetches->decoding;
}

/* Takes ask. */
static void fetches_start(struct performer *performer, uint64_t ticket, struct list_ask *ask) {
    const struct profile *profile = performer->options->profile;
    if (ask->resumes) {
        *vec_add(&performer->fetches->running) = (struct fetching){.ticket = ticket};
        lane_push(performer->pages,
                  fetches_job(performer, ticket, &(struct page_work){.ask = ask}, held_run, held_done));
        return;
    }
    struct request request;
    struct error error = {0};
    struct list_query query = server_filter_query(&ask->filter, ask->cursor, ask->cursor_is_url);
    request_init(&request);
    if (api_list_request(profile, performer->token, &query, &request, &error) != ERR_OK) {
        answer_at_once(performer, ticket, &error);
        request_clear(&request);
        list_ask_free(ask);
        return;
    }
    struct fetching *fetching = vec_add(&performer->fetches->running);
    fetching->ticket = ticket;
    fetching->ask = ask;
    struct str shown;
    str_init(&shown, 64 << 10);
    api_list_shown(profile, &request, &shown);
    fetching->path = str_take(&shown);
    fetching->net_ticket = net_send(performer->net, &request);
    teaming_count(performer->teaming);
}

void perform_fetch(struct performer *performer, struct effect *effect) {
    fetches_start(performer, effect->ticket, effect_take(effect, list_ask));
}

bool fetches_cancel(struct performer *performer, uint64_t ticket) {
    struct fetching *fetching = fetches_find(performer->fetches, ticket);
    if (!fetching)
        return false;
    if (fetching->net_ticket) {
        net_cancel(performer->net, fetching->net_ticket);
        request_note_cancelled(performer->noter, "GET", fetching->path);
    }
    fetches_forget(performer->fetches, fetching);
    return true;
}

bool fetches_reply(struct performer *performer, uint64_t net_ticket, struct reply *reply) {
    struct fetches *fetches = performer->fetches;
    for (size_t i = 0; i < fetches->running.n; i++) {
        struct fetching *fetching = &fetches->running.items[i];
        if (fetching->net_ticket == net_ticket) {
            request_note(performer->noter, "GET", fetching->path, reply);
            struct page_work page = {.ask = fetching->ask, .reply = *reply, .now = clock_now()};
            lane_push(decoding_lane(performer), fetches_job(performer, fetching->ticket, &page, page_run, page_done));
            fetching->ask = NULL;
            fetches_forget(fetches, fetching);
            return true;
        }
    }
    return false;
}

void fetches_close(struct fetches *fetches) {
    lane_free(fetches->decoding, false);
    fetches->decoding = NULL;
}

void fetches_clear(struct fetches *fetches) {
    for (size_t i = 0; i < fetches->running.n; i++) {
        list_ask_free(fetches->running.items[i].ask);
        free(fetches->running.items[i].path);
    }
    free(fetches->running.items);
}
