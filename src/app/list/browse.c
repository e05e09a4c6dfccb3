#include "app/browse.h"
#include "app/idset.h"
#include "left.h"
#include "rows.h"
#include "waiting.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Which page is asked for next, and when the walk is over, is decided here. The service is not trusted to come to an
 * end: a cursor that comes again, or pages without a new row, stop the walk, and the rows stay. Pages that nobody asked
 * for are bounded, since other tools share the quota. A walk that stopped early must never count as complete. */

enum {
    HEAD_PAGES_MAX = 5,  /* a refresh that meets no known row in so many pages begins the list anew */
    UNASKED_PAGES = 5,   /* read without being asked, to reach the cached rows; the operator can ask for more */
    UNASKED_SHARE = 100, /* and at most this share of the requests that are allowed in an hour */
};

void browse_init(struct browse *browse, const struct profile *profile) {
    *browse = (struct browse){
        .profile = profile,
        .ids = idset_new(),
        .newest_first = true,
        .oldest_first = true,
        .last_answer = CLOCK_NONE,
        .retry_at = CLOCK_NONE,
        .quota_left = -1,
    };
    chain_init(&browse->chain);
}

static void drop_head(struct browse *browse) {
    for (size_t i = 0; i < browse->head.n; i++)
        intent_free(browse->head.items[i]);
    browse->head.n = 0;
    browse->head.pages = 0;
    browse->head.end = 0;
}

static void drop_walk(struct browse *browse) {
    rows_drop(browse);
    waiting_drop(browse);
    chain_restart(&browse->chain);
    free(browse->next);
    browse->next = NULL;
    browse->next_is_url = false;
    browse->end = BROWSE_OPEN;
    browse->mismatch = false;
    browse->gap = false;
}

void browse_clear(struct browse *browse) {
    drop_head(browse);
    drop_walk(browse);
    left_drop(browse);
    rows_drop_replaced(browse);
    free(browse->left.items);
    free(browse->head.items);
    free(browse->waiting.items);
    free(browse->waiting.times.items);
    free(browse->items);
    free(browse->replaced.items);
    free(browse->moved.items);
    free(browse->pages.items);
    free(browse->line);
    idset_free(browse->ids);
    chain_clear(&browse->chain);
    server_filter_clear(&browse->filter);
    *browse = (struct browse){0};
}

bool browse_is_busy(const struct browse *browse) {
    return browse->task != BROWSE_IDLE;
}

bool browse_retries(const struct browse *browse) {
    return browse->retry_at != CLOCK_NONE && browse->retry_task != BROWSE_IDLE;
}

static void browse_ask(struct browse *browse, enum browse_task task, const char *cursor, struct effects *effects) {
    bool is_url = cursor && cursor == browse->next && browse->next_is_url;
    browse->task = task;
    struct list_ask *page = list_ask_new(&browse->filter, cursor, is_url);
    page->resumes = browse->resumes && task != BROWSE_HEAD;
    page->page = browse->replacing ? 0 : browse->chain.pages;
    const struct api_walk anew = {.counts = true};
    page->walk = browse->replacing ? anew : browse->chain.walk;
    page->walk.counts = task != BROWSE_HEAD;
    browse->ticket = effects_fetch(effects, page);
    browse->retry_at = CLOCK_NONE;
    browse->generation++;
}

void browse_cancel(struct browse *browse, struct effects *effects) {
    if (browse->task != BROWSE_IDLE && browse->task != BROWSE_CACHE)
        effects_cancel(effects, browse->ticket);
    if (browse->retry_at != CLOCK_NONE)
        effects_timer(effects, TIMER_RETRY, CLOCK_NONE);
    browse->task = BROWSE_IDLE;
    browse->ticket = 0;
    browse->cache.ticket = 0;
    browse->retry_at = CLOCK_NONE;
    browse->crawl = false;
    browse->quiet = false;
    browse->head_wanted = false;
    browse->generation++;
    drop_head(browse);
}

void browse_use_cache(struct browse *browse, bool use) {
    browse->use_cache = use;
}

static void browse_ask_cache(struct browse *browse, struct effects *effects) {
    struct list_ask *ask = list_ask_new(&browse->filter, NULL, false);
    ask->visit = browse->visit;
    browse->visit = false;
    browse->cache.ticket = effects_cached(effects, ask, browse->cache.from);
}

void browse_start(struct browse *browse, struct effects *effects) {
    browse_cancel(browse, effects);
    browse->replacing = true;
    if (browse->use_cache) {
        browse->cache.from = CACHED_FROM_NEWEST;
        browse->cache.done = false;
        browse->task = BROWSE_CACHE;
        browse->generation++;
        browse_ask_cache(browse, effects);
    } else {
        browse_ask(browse, BROWSE_FIRST, NULL, effects);
    }
}

void browse_set_filter(struct browse *browse, const struct server_filter *filter, struct effects *effects) {
    server_filter_copy(&browse->filter, filter);
    browse->filters++;
    browse->cache.coverage = (struct coverage){.as_of = CLOCK_NONE};
    left_leave(browse);
    browse_asked(browse);
    browse_start(browse, effects);
}

bool browse_more(struct browse *browse, struct effects *effects) {
    bool asks = browse->task == BROWSE_IDLE && browse->next && browse->retry_at == CLOCK_NONE && !browse->replacing &&
                (browse->end == BROWSE_OPEN || browse->end == BROWSE_NO_PROGRESS);
    if (asks) {
        /* Asks for more empty pages only where the walk had stopped for them. */
        chain_go_on(&browse->chain, &browse->end);
        browse_ask(browse, BROWSE_MORE, browse->next, effects);
    }
    return asks;
}

static bool browse_can_ask(const struct browse *browse) {
    return browse->end == BROWSE_OPEN && browse->link <= BROWSE_ONLINE && browse->next;
}

void browse_asked(struct browse *browse) {
    browse->unasked = 0;
}

static size_t unasked_max(const struct browse *browse) {
    size_t most = UNASKED_PAGES;
    int hourly = browse->profile->requests_per_hour;
    if (hourly > 0 && (size_t)hourly / UNASKED_SHARE < most)
        most = (size_t)hourly / UNASKED_SHARE;
    if (browse->quota_left >= 0 && (size_t)browse->quota_left / UNASKED_PAGES < most)
        most = (size_t)browse->quota_left / UNASKED_PAGES;
    return most > 0 ? most : 1;
}

bool browse_asks_before_more(const struct browse *browse) {
    return browse->task == BROWSE_IDLE && browse->gap && browse->next && browse->unasked >= unasked_max(browse);
}

/* Whether the walk has to read on. Near the end of the rows that were read it does. Cached rows lie below all that is
 * new since then, perhaps many pages away: the cursor moving there is no request to read all of them. */
static bool needs_page(struct browse *browse, size_t row, size_t ahead) {
    bool far = browse->n > browse->confirmed && (row >= browse->confirmed || (browse->gap && browse->catch_up));
    if (!far)
        return row + ahead >= browse->confirmed;
    return browse->unasked < unasked_max(browse);
}

void browse_need(struct browse *browse, size_t row, size_t ahead, struct effects *effects) {
    if (browse_can_ask(browse)) {
        bool far = browse->n > browse->confirmed;
        if (needs_page(browse, row, ahead) && browse_more(browse, effects))
            browse->unasked += far;
    } else if (browse->use_cache && browse->cache.ticket == 0 && !browse->cache.done && browse->end == BROWSE_OPEN &&
               row + ahead >= browse->n) {
        browse_ask_cache(browse, effects);
    }
}

static void list_browse_refresh(struct browse *browse, struct effects *effects) {
    if (browse->n == 0 || (browse->replacing && browse->confirmed == 0)) {
        browse_start(browse, effects);
    } else if (browse->confirmed == 0) {
        browse_cancel(browse, effects);
        browse_ask(browse, BROWSE_FIRST, NULL, effects);
    } else {
        browse_cancel(browse, effects);
        browse_ask(browse, BROWSE_HEAD, NULL, effects);
    }
}

/* Whether the request under way is for the first page, or becomes one as soon as the service allows it. */
static bool brings_head(const struct browse *browse) {
    bool first = browse->task == BROWSE_CACHE || browse->task == BROWSE_FIRST || browse->task == BROWSE_HEAD ||
                 browse->task == BROWSE_FATE;
    bool reads_all = browse->crawl && browse->task == BROWSE_MORE;
    return first || reads_all || browse_retries(browse);
}

void browse_refresh(struct browse *browse, struct effects *effects) {
    bool anew = browse->waiting.gap;
    browse_asked(browse);
    if (browse->waiting.n > 0)
        browse_bring(browse, effects);
    if (anew)
        return;
    if (brings_head(browse))
        browse->quiet = false; /* the request under way is now one that the operator asked for */
    else if (browse->task == BROWSE_MORE)
        browse->head_wanted = true;
    else
        list_browse_refresh(browse, effects);
}

bool browse_crawl(struct browse *browse, struct effects *effects) {
    browse_asked(browse);
    if (browse->crawl && (browse_is_busy(browse) || browse_retries(browse)))
        return false;
    browse_start(browse, effects);
    browse->crawl = true;
    return true;
}

void browse_poll(struct browse *browse, struct effects *effects) {
    if (browse->task == BROWSE_IDLE && !browse_retries(browse)) {
        list_browse_refresh(browse, effects);
        browse->quiet = true;
    }
}

bool browse_row_matches(const struct browse *browse, const struct intent *intent) {
    return !browse->mismatch || server_filter_matches(&browse->filter, intent);
}

static enum coverage_stop stop_of(const struct browse *browse) {
    if (browse->end == BROWSE_LOOP || browse->end == BROWSE_NO_PROGRESS)
        return browse->end == BROWSE_LOOP ? COVERAGE_LOOP : COVERAGE_NO_PROGRESS;
    return browse->code != ERR_OK ? COVERAGE_FAILED : COVERAGE_NOT_STOPPED;
}

void browse_coverage(const struct browse *browse, struct coverage *out) {
    bool walked = browse->pages.n > 0 && !browse->replacing;
    *out = (struct coverage){.as_of = walked ? browse->pages.items[0].at : CLOCK_NONE,
                             .stop = stop_of(browse),
                             .declined = browse->mismatch,
                             .broken = browse->broken_rows,
                             .failed = browse->failed_pages,
                             .partial = browse->partial_pages};
    memcpy(out->said, browse->said, sizeof out->said);
    out->reach = !walked ? COVERAGE_NOTHING : browse->end == BROWSE_END ? COVERAGE_WHOLE : COVERAGE_PART;
}

size_t browse_find(const struct browse *browse, const char *id) {
    size_t row = id ? idset_find(browse->ids, id, strlen(id)) : SIZE_MAX;
    bool there = row >= browse->forgotten && row - browse->forgotten < browse->n;
    return there ? row - browse->forgotten : browse->n;
}

void browse_forget(struct browse *browse, size_t place) {
    size_t rows = place < browse->forgotten ? 0 : place - browse->forgotten, last = browse->n ? browse->n - 1 : 0;
    rows = rows < last ? rows : last;
    if (rows == 0)
        return;
    for (size_t i = 0; i < rows; i++)
        intent_free(browse->items[i].intent);
    memmove(browse->items, browse->items + rows, (browse->n - rows) * sizeof *browse->items);
    browse->forgotten += rows;
    browse->n -= rows;
    browse->confirmed -= rows;
}

const struct browse_row *browse_row_at(const struct browse *browse, size_t place) {
    return &browse->items[place - browse->forgotten];
}

size_t browse_read_rows(const struct browse *browse) {
    return browse->forgotten + browse->n;
}

/* Where the walk stands after a page. */
static void take_cursor(struct browse *browse, struct page *page, size_t fresh) {
    free(browse->next);
    rows_note_said(browse, page);
    browse->next_is_url = page->next_is_url;
    browse->end = chain_take_page(&browse->chain, page, fresh, &browse->next);
    if (browse->end == BROWSE_END)
        rows_drop_cached(browse);
}

static void take_walk_page(struct browse *browse, struct list_result *result, int64_t now) {
    if (browse->replacing) {
        drop_walk(browse);
        browse->replacing = false;
    }
    struct list_query query = server_filter_query(&browse->filter, NULL, false);
    size_t row;
    now = result->fetched ? result->fetched : now;
    browse->resumes = browse->resumes && result->fetched;
    browse->resumed_pages += browse->resumes;
    rows_drop_replaced(browse);
    browse->mismatch = browse->mismatch || !api_page_matches(&query, &result->page, &row);
    size_t fresh = rows_append(browse, &result->page, now);
    take_cursor(browse, &result->page, fresh);
}

/* Begins the list anew where a refresh met no known row in HEAD_PAGES_MAX pages. */
static void restart_from_head(struct browse *browse, struct page *last, int64_t now) {
    struct page page = {.items = browse->head.items, .n = browse->head.n, .cap = browse->head.cap};
    browse->head.items = NULL;
    browse->head.n = browse->head.cap = 0;
    drop_walk(browse);
    size_t fresh = rows_append(browse, &page, now);
    page.next = last->next;
    page.next_is_url = last->next_is_url;
    page.has_more_false = last->has_more_false;
    last->next = NULL;
    take_cursor(browse, &page, fresh);
    page_clear(&page);
}

/* True where the row is known: it is replaced in its place. */
static bool meet(struct browse *browse, struct intent *intent, int64_t now) {
    size_t row = browse_find(browse, intent_id(intent));
    left_remove(browse, intent_id(intent));
    if (rows_replace(browse, intent, now)) {
        browse->head.end = row + 1 > browse->head.end ? row + 1 : browse->head.end;
        return true;
    }
    if (rows_knows(browse, intent)) {
        intent_free(intent);
        return true;
    }
    return waiting_replace(browse, intent, now);
}

static bool take_head_rows(struct browse *browse, struct page *page, int64_t now) {
    bool met = false;
    for (size_t i = 0; i < page->n; i++) {
        struct intent *intent = page_take_row(page, i);
        if (meet(browse, intent, now)) {
            met = true;
        } else {
            struct intent **slot = vec_add(&browse->head);
            *slot = intent;
        }
    }
    return met;
}

/* The refresh met a known row: known rows above it that it did not find are gone; new ones are put in, or wait. */
static void end_head(struct browse *browse, bool ends, int64_t now) {
    if (browse->newest_first)
        rows_note_gone(browse, ends ? browse->confirmed : browse->head.end, browse->head.since);
    if (browse->quiet) {
        waiting_take_head(browse, false, now);
    } else {
        rows_place(browse, browse->head.items, browse->head.n, now);
        browse->head.n = 0;
    }
}

static void take_head_page(struct browse *browse, struct list_result *result, int64_t now, struct effects *effects) {
    struct page *page = &result->page;
    bool ends = !page->next || page->has_more_false;
    browse->head.since = browse->head.pages == 0 ? now : browse->head.since;
    bool met = take_head_rows(browse, page, now);
    browse->head.pages++;
    if (met || page->n == 0) {
        end_head(browse, ends, now);
    } else if (browse->quiet && (ends || browse->head.pages >= HEAD_PAGES_MAX)) {
        waiting_take_head(browse, true, now);
    } else if (ends || browse->head.pages >= HEAD_PAGES_MAX) {
        restart_from_head(browse, page, now);
    } else {
        browse->task = BROWSE_HEAD;
        browse->ticket = effects_fetch(effects, list_ask_new(&browse->filter, page->next, page->next_is_url));
        return;
    }
    drop_head(browse);
    if (left_wants_fate(browse)) {
        browse->task = BROWSE_FATE;
        browse->ticket = effects_fetch(effects, left_ask(browse, NULL, false));
        return;
    }
    browse->quiet = false;
}

/* Finds out what became of rows that left the filter, in a few pages of the list without the filter's statuses. */
static void take_fate_page(struct browse *browse, struct list_result *result, int64_t now, struct effects *effects) {
    struct page *page = &result->page;
    if (left_take_page(browse, page, now) && page->next && !page->has_more_false) {
        browse->task = BROWSE_FATE;
        browse->ticket = effects_fetch(effects, left_ask(browse, page->next, page->next_is_url));
        return;
    }
    browse->quiet = false;
}

static enum browse_link link_of(enum err err) {
    switch (err) {
    case ERR_OK:
        return BROWSE_ONLINE;
    case ERR_UNAUTHORISED:
    case ERR_FORBIDDEN:
        return BROWSE_DENIED;
    case ERR_THROTTLED:
        return BROWSE_THROTTLED;
    case ERR_RESOLVE:
    case ERR_CONNECT:
    case ERR_TLS:
    case ERR_NETWORK:
    case ERR_TIMEOUT:
        return BROWSE_OFFLINE;
    default:
        return BROWSE_FAULT;
    }
}

/* After 429 every request is repeated when the time has come; after other failures that may pass only where somebody
 * waits for the whole list. */
static bool asks_again(struct browse *browse, const struct api_answer *answer, int64_t now) {
    bool begun = browse->pages.n > 0 && !browse->replacing;
    return chain_asks_again(&browse->chain, answer, begun, browse->patient || browse->crawl, now, &browse->retry_at);
}

static void take_failure(struct browse *browse, const struct api_answer *answer, enum browse_task task, int64_t now,
                         struct effects *effects) {
    browse->cursor_refused = answer->cursor_refused;
    browse->head_wanted = false;
    drop_head(browse);
    bool again = asks_again(browse, answer, now);
    browse->crawl = browse->crawl && again; /* crawling goes on after the failure */
    browse->retry_task = !again ? BROWSE_IDLE : task == BROWSE_FATE ? BROWSE_HEAD : task;
    if (again)
        effects_timer(effects, TIMER_RETRY, browse->retry_at);
    browse->quiet = browse->quiet && browse_retries(browse);
}

static void take_state(struct browse *browse, struct api_answer *answer, int64_t now) {
    free(browse->line);
    browse->line = answer->line;
    answer->line = NULL;
    browse->code = answer->code;
    browse->link = link_of(answer->code);
    browse->cursor_refused = false;
    if (browse->link != BROWSE_OFFLINE)
        browse->last_answer = now;
    if (answer->quota_left >= 0)
        browse->quota_left = answer->quota_left;
}

static void browse_take_result(struct browse *browse, struct event *event, struct effects *effects) {
    struct list_result *result = event_get(event, list_result);
    enum browse_task task = browse->task;
    bool crawl = browse->crawl;
    browse->task = BROWSE_IDLE;
    browse->ticket = 0;
    browse->generation++;
    take_state(browse, &result->answer, event->now);
    browse->status = result->status;
    if (browse->code != ERR_OK) {
        take_failure(browse, &result->answer, task, event->now, effects);
        return;
    }
    browse->chain.attempt = 0;
    browse->requested_pages += !browse->quiet;
    if (task == BROWSE_HEAD) {
        take_head_page(browse, result, event->now, effects);
    } else if (task == BROWSE_FATE) {
        take_fate_page(browse, result, event->now, effects);
    } else {
        browse->quiet = false;
        take_walk_page(browse, result, event->now);
    }
    if (browse->head_wanted) {
        browse->head_wanted = false;
        list_browse_refresh(browse, effects);
    } else if (crawl && browse->task == BROWSE_IDLE && browse->end == BROWSE_OPEN) {
        (void)browse_more(browse, effects);
    }
}

static void retry(struct browse *browse, struct effects *effects) {
    enum browse_task task = browse->retry_task;
    if (browse->retry_at == CLOCK_NONE || task == BROWSE_IDLE || browse->task != BROWSE_IDLE)
        return;
    browse_ask(browse, task, task == BROWSE_MORE ? browse->next : NULL, effects);
}

/* Cached rows are shown at once; then the service is asked. */
static void take_cached(struct browse *browse, struct event *event, struct effects *effects) {
    struct cached_rows *cached = event_get(event, cached_rows);
    browse->cache.ticket = 0;
    browse->first_visit = browse->first_visit || cached->first_visit;
    browse->cache.from = cached->next;
    cached->coverage.newer += browse->cache.coverage.newer;
    cached->coverage.unlisted += browse->cache.coverage.unlisted;
    browse->cache.coverage = cached->coverage;
    browse->cache.done = cached->done;
    if (browse->replacing && cached->page.n > 0) {
        drop_walk(browse);
        browse->replacing = false;
    }
    if (!browse->replacing)
        rows_add_cached(browse, cached);
    browse->generation++;
    if (cached->page.n == 0 && !cached->done)
        browse_ask_cache(browse, effects);
    if (browse->task == BROWSE_CACHE)
        browse_ask(browse, BROWSE_FIRST, NULL, effects);
}

bool browse_update(struct browse *browse, struct event *event, struct effects *effects) {
    if (event->kind == EVENT_CLOCK_SET) {
        waiting_clock_set(browse, event_get(event, clock_shifted)->shift);
        return false;
    }
    if (event_is_timer(event, TIMER_RETRY)) {
        retry(browse, effects);
        return true;
    }
    if (event->kind == EVENT_CACHE_ROWS && event->ticket == browse->cache.ticket && event->ticket != 0) {
        take_cached(browse, event, effects);
        payload_clear(&event->payload);
        return true;
    }
    if (event->kind != EVENT_LIST || event->ticket != browse->ticket || browse->ticket == 0)
        return false;
    browse_take_result(browse, event, effects);
    payload_clear(&event->payload);
    return true;
}
