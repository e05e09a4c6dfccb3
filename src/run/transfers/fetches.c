#include "fetches.h"

#include "base/clock.h"
#include "base/mem.h"
#include "wire/page.h"

#include <stdlib.h>

struct page_job {
    struct lane_job job;
    struct fetches *fetches;
    struct list_ask *ask;
    struct reply reply;
    struct list_result *result;
    struct cache_batch *batch;
    struct watch *watch;
    uint64_t ticket;
    int64_t now;
};

/* Made before the page is handed on: storing comes after showing. */
static struct cache_batch *make_batch(const struct page_job *own, const struct list_query *query) {
    struct str filter;
    str_init(&filter, 64 << 10);
    api_query_text(query, &filter);
    struct cache_batch *batch = cache_batch_new(filter.s, query->cursor, &own->result->page, own->now);
    str_clear(&filter);
    return batch;
}

static void page_run(struct lane_job *job, void *lane_state) {
    struct page_job *own = (struct page_job *)job;
    (void)lane_state;
    struct list_query query = server_filter_query(&own->ask->filter, own->ask->cursor, own->ask->cursor_is_url);
    own->result = list_result_new();
    own->result->status = own->reply.status;
    own->result->bytes = own->reply.body_len;
    api_list_answer(own->fetches->profile, &query, &own->reply, own->now, &own->result->answer, &own->result->page);
    api_list_count(&own->ask->walk, &query, &own->result->page);
    /* Rows beside an error are not known to be the whole page: kept, they would count as one. */
    if (own->result->answer.code == ERR_OK && !own->result->page.failed && !own->result->page.partial) {
        own->batch = make_batch(own, &query);
        own->watch = watch_new(&own->result->page);
    }
}

static void page_done(struct lane_job *job, void *owner) {
    struct page_job *own = (struct page_job *)job;
    struct list_result *result = own->result;
    bool is_stored = own->batch != NULL;
    if (is_stored) {
        lane_push(own->fetches->lane, cache_put_job(own->batch, own->watch, own->fetches->put, own->fetches->told));
        own->batch = NULL;
        own->watch = NULL;
    }
    own->result = NULL;
    own->fetches->ended(owner, own->ticket, result, is_stored);
}

static void page_free(struct lane_job *job) {
    struct page_job *own = (struct page_job *)job;
    list_ask_free(own->ask);
    reply_clear(&own->reply);
    list_result_free(own->result);
    cache_batch_free(own->batch);
    watch_free(own->watch);
    free(own);
}

static void answer_at_once(struct fetches *fetches, uint64_t ticket, const struct error *error) {
    struct list_result *result = list_result_new();
    result->answer.code = error->code;
    result->answer.line = mem_dup(error->text);
    result->answer.retry_at = CLOCK_NONE;
    result->answer.quota_left = -1;
    fetches->ended(fetches->owner, ticket, result, false);
}

/* A page of the walk that the cache holds, whole and where it was: with the cursor that led to it. */
static bool take_held(struct page_job *own, struct cache *cache, const struct list_query *query) {
    struct cache_page held;
    struct str filter;
    str_init(&filter, 64 << 10);
    api_query_text(query, &filter);
    cache_page_init(&held);
    bool there = cache_page(cache, filter.s, own->ask->page, &held, NULL) == ERR_OK && held.there &&
                 str_equal(held.cursor ? held.cursor : "", own->ask->cursor ? own->ask->cursor : "");
    for (size_t i = 0; i < held.rows.n && there; i++) {
        there = !held.rows.items[i].missing;
    }
    if (there) {
        own->result = list_result_new();
        own->result->fetched = held.fetched;
        own->result->answer = (struct api_answer){.retry_at = CLOCK_NONE, .quota_left = -1};
        own->result->page.next = held.next;
        own->result->page.next_is_url = held.next && wire_is_link(held.next);
        held.next = NULL;
        for (size_t i = 0; i < held.rows.n; i++) {
            struct intent **slot = vec_add(&own->result->page);
            *slot = wire_intent(held.rows.items[i].raw, held.rows.items[i].raw_len);
        }
    }
    cache_page_clear(&held);
    str_clear(&filter);
    return there;
}

static void held_run(struct lane_job *job, void *lane_state) {
    struct page_job *own = (struct page_job *)job;
    struct cache *cache = cache_lane_usable(lane_state);
    struct list_query query = server_filter_query(&own->ask->filter, own->ask->cursor, own->ask->cursor_is_url);
    own->ask->resumes = cache && take_held(own, cache, &query);
}

static void held_done(struct lane_job *job, void *owner) {
    struct page_job *own = (struct page_job *)job;
    struct list_result *result = own->result;
    struct list_ask *ask = own->ask;
    own->result = NULL;
    if (result) {
        own->fetches->ended(owner, own->ticket, result, false);
    } else {
        own->ask = NULL;
        fetches_start(own->fetches, own->ticket, ask);
    }
}

static void ask_held(struct fetches *fetches, uint64_t ticket, struct list_ask *ask) {
    struct page_job *job = mem_new(sizeof *job);
    *job = (struct page_job){.job = {.run = held_run, .done = held_done, .free = page_free},
                             .fetches = fetches,
                             .ask = ask,
                             .ticket = ticket};
    lane_push(fetches->lane, &job->job);
}

void fetches_start(struct fetches *fetches, uint64_t ticket, struct list_ask *ask) {
    if (ask->resumes) {
        ask_held(fetches, ticket, ask);
        return;
    }
    struct request request;
    struct error error = {0};
    struct list_query query = server_filter_query(&ask->filter, ask->cursor, ask->cursor_is_url);
    request_init(&request);
    if (api_list_request(fetches->profile, fetches->token, &query, &request, &error) != ERR_OK) {
        answer_at_once(fetches, ticket, &error);
        request_clear(&request);
        list_ask_free(ask);
        return;
    }
    struct fetching *fetching = vec_add(&fetches->running);
    fetching->ticket = ticket;
    fetching->ask = ask;
    struct str shown;
    str_init(&shown, 64 << 10);
    api_list_shown(fetches->profile, &request, &shown);
    fetching->path = str_take(&shown);
    fetching->net_ticket = net_send(fetches->net, &request);
}

static void forget(struct fetches *fetches, struct fetching *fetching) {
    list_ask_free(fetching->ask);
    free(fetching->path);
    fetches->running.n--;
    *fetching = fetches->running.items[fetches->running.n];
    fetches->running.items[fetches->running.n] = (struct fetching){0};
}

bool fetches_cancel(struct fetches *fetches, uint64_t ticket) {
    for (size_t i = 0; i < fetches->running.n; i++) {
        if (fetches->running.items[i].ticket == ticket) {
            net_cancel(fetches->net, fetches->running.items[i].net_ticket);
            request_note_cancelled(&fetches->noter, "GET", fetches->running.items[i].path);
            forget(fetches, &fetches->running.items[i]);
            return true;
        }
    }
    return false;
}

static void decode(struct fetches *fetches, struct fetching *fetching, struct reply *reply) {
    struct page_job *job = mem_new(sizeof *job);
    *job = (struct page_job){.job = {.run = page_run, .done = page_done, .free = page_free},
                             .fetches = fetches,
                             .ask = fetching->ask,
                             .reply = *reply,
                             .ticket = fetching->ticket,
                             .now = clock_now()};
    fetching->ask = NULL;
    lane_push(fetches->lane, &job->job);
}

bool fetches_reply(struct fetches *fetches, uint64_t net_ticket, struct reply *reply) {
    for (size_t i = 0; i < fetches->running.n; i++) {
        struct fetching *fetching = &fetches->running.items[i];
        if (fetching->net_ticket == net_ticket) {
            request_note(&fetches->noter, "GET", fetching->path, reply);
            decode(fetches, fetching, reply);
            forget(fetches, fetching);
            return true;
        }
    }
    return false;
}

void fetches_clear(struct fetches *fetches) {
    for (size_t i = 0; i < fetches->running.n; i++) {
        list_ask_free(fetches->running.items[i].ask);
        free(fetches->running.items[i].path);
    }
    free(fetches->running.items);
}
