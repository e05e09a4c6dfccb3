#include "app/mirror.h"

#include "app/idset.h"
#include "base/mem.h"
#include "mirror_own.h"

#include <stdlib.h>
#include <string.h>

/* Which walk asks for its next page, and when; what a failure means; when all is read. One request in flight for each
 * walk. Nothing counts as read because it was asked for: at the end the cache is asked whether it holds every page of
 * every part, and what damage took meanwhile is read again. */

enum {
    ROUNDS_MAX = 4,   /* in which the cache may have lost something */
    UNKEPT_MAX = 16,  /* pages read while the cache keeps none: it may only be locked for a moment */
    RESERVE = 16,     /* requests that may be sent before an earlier one's page is on disk: so many pages wait, */
    RESERVE_WALK = 2, /* and these of each walk */
};

void mirror_init(struct mirror *mirror, const struct profile *profile) {
    *mirror = (struct mirror){.profile = profile,
                              .ids = idset_new(),
                              .pause_until = CLOCK_NONE,
                              .quota_left = -1,
                              .started = CLOCK_NONE,
                              .wake = CLOCK_NONE,
                              .last_answer = CLOCK_NONE};
}

void mirror_clear(struct mirror *mirror) {
    mirror_parts_clear(mirror);
    free(mirror->parts.items);
    free(mirror->trouble);
    free(mirror->team_spent);
    idset_free(mirror->ids);
    *mirror = (struct mirror){0};
}

bool mirror_is_busy(const struct mirror *mirror) {
    return mirror->state == MIRROR_LOOKING || mirror->state == MIRROR_READING || mirror->state == MIRROR_JOINING;
}

static void ask(struct mirror *mirror, enum mirror_task task, struct effects *effects) {
    struct mirror_ask *question = mirror_ask_new(mirror, task);
    mirror->state = task == MIRROR_JOIN || task == MIRROR_CAUGHT ? MIRROR_JOINING : MIRROR_LOOKING;
    /* The list by itself is all of it; where its walk ended early, its parts are. */
    question->first = mirror->spared;
    question->joined = mirror->spared ? mirror->parts.n - 1 : 1;
    mirror_ask_cache(mirror, question, effects);
}

void mirror_start(struct mirror *mirror, size_t walks, bool anew, struct effects *effects) {
    const struct profile *profile = mirror->profile;
    unsigned generation = mirror->generation;
    char *team_spent = mirror->team_spent;
    mirror->team_spent = NULL;
    mirror_cancel(mirror, effects);
    mirror_clear(mirror);
    mirror_init(mirror, profile);
    mirror->generation = generation + 1;
    mirror->team_spent = team_spent;
    mirror->walks = walks > 0 ? walks : (size_t)profile->mirror_walks;
    mirror->walks = mirror->walks < MIRROR_WALKS_MAX ? mirror->walks : MIRROR_WALKS_MAX;
    mirror->limit = mirror->walks;
    mirror->anew = anew;
    mirror->budget.hourly = profile->requests_per_hour;
    ask(mirror, MIRROR_LOOK, effects);
}

/* ---- Stopping ---- */

static void take_requests_back(struct mirror *mirror, struct effects *effects) {
    for (size_t i = 0; i < mirror->parts.n; i++) {
        struct mirror_part *part = &mirror->parts.items[i];
        if (part->ticket)
            effects_cancel(effects, part->ticket);
        part->ticket = 0;
    }
    mirror->wake = CLOCK_NONE;
    if (mirror->split.ticket)
        effects_cancel(effects, mirror->split.ticket);
    mirror->split.ticket = 0;
    mirror->split.stage = mirror->split.stage == SPLIT_BACK ? SPLIT_OVER : mirror->split.stage;
    effects_timer(effects, TIMER_MIRROR, CLOCK_NONE);
}

void mirror_cancel(struct mirror *mirror, struct effects *effects) {
    if (!mirror_is_busy(mirror))
        return;
    take_requests_back(mirror, effects);
    mirror->state = MIRROR_STOPPED;
    mirror->ticket = 0;
    mirror->generation++;
}

static void stop(struct mirror *mirror, enum err err, const char *why, struct effects *effects) {
    mirror_cancel(mirror, effects);
    error_clear(&mirror->error);
    (void)error_set(&mirror->error, err, "%s", why ? why : err_sentence(err));
}

/* ---- Asking for pages ---- */

static void ask_page(struct mirror *mirror, struct mirror_part *part, int64_t now, struct effects *effects) {
    struct list_ask *page = list_ask_new(&part->filter, part->next, part->next_is_url);
    struct str spent;
    str_init(&spent, 4096);
    str_addf(&spent, "%lld ", (long long)mirror->ground);
    mirror_budget_spend(&mirror->budget, now);
    mirror_budget_text(&mirror->budget, RESERVE + (long long)mirror->walks * RESERVE_WALK, &spent);
    page->mirror = true;
    page->spent = str_take(&spent);
    page->walk = part->chain.walk;
    part->retry_at = CLOCK_NONE;
    part->ticket = effects_fetch(effects, page);
}

static size_t in_flight(const struct mirror *mirror) {
    size_t n = 0;
    for (size_t i = 0; i < mirror->parts.n; i++)
        n += mirror->parts.items[i].ticket != 0;
    return n;
}

/* As many walks as the operator and the service allow: one at least, whose answer says when to go on. */
static size_t walks_allowed(const struct mirror *mirror) {
    size_t most = mirror->limit;
    if (mirror->quota_left >= 0 && (size_t)mirror->quota_left < most)
        most = (size_t)mirror->quota_left;
    return most > 0 ? most : 1;
}

static void later(int64_t *at, int64_t candidate) {
    *at = candidate > *at ? candidate : *at;
}

/* Before then nothing may be asked at all. */
static int64_t earliest(struct mirror *mirror, int64_t now) {
    int64_t at = now;
    later(&at, mirror->pause_until);
    if (mirror_budget_left(&mirror->budget, now) == 0)
        later(&at, mirror_budget_next(&mirror->budget));
    return at;
}

/* The whole list comes last, behind its parts. */
static bool may_ask(const struct mirror *mirror, const struct mirror_part *part) {
    bool parts = part == mirror->parts.items && mirror->parts.n > 1;
    for (size_t i = 1; i < mirror->parts.n && parts; i++)
        if (mirror_part_is_open(&mirror->parts.items[i]))
            return false;
    return !part->ticket && mirror_part_is_open(part);
}

static void ask_pages(struct mirror *mirror, int64_t now, struct effects *effects) {
    size_t asked = in_flight(mirror), most = walks_allowed(mirror);
    int64_t wake = INT64_MAX;
    for (size_t i = 0; i < mirror->parts.n && asked < most; i++) {
        struct mirror_part *part = &mirror->parts.items[i];
        if (!may_ask(mirror, part))
            continue;
        int64_t at = earliest(mirror, now);
        later(&at, part->retry_at);
        if (at <= now) {
            ask_page(mirror, part, now, effects);
            asked++;
        }
        wake = at > now && at < wake ? at : wake;
    }
    mirror->wake = asked > 0 || wake == INT64_MAX ? CLOCK_NONE : wake;
    effects_timer(effects, TIMER_MIRROR, wake == INT64_MAX ? CLOCK_NONE : wake);
}

static bool is_read_out(const struct mirror *mirror) {
    for (size_t i = 0; i < mirror->parts.n; i++)
        if (mirror_part_is_open(&mirror->parts.items[i]))
            return false;
    return true;
}

static enum browse_end worst_end(const struct mirror *mirror) {
    enum browse_end worst = BROWSE_END;
    for (size_t i = 0; i < mirror->parts.n; i++)
        worst = mirror->parts.items[i].end > worst ? mirror->parts.items[i].end : worst;
    return worst;
}

static void go_on(struct mirror *mirror, int64_t now, struct effects *effects) {
    if (mirror->state != MIRROR_READING || mirror->paused || mirror->split.ticket)
        return;
    if (mirror->catching && !mirror->looked && !mirror_part_is_open(&mirror->parts.items[1]))
        ask(mirror, MIRROR_LEFT, effects);
    else if (!is_read_out(mirror))
        ask_pages(mirror, now, effects);
    else if (worst_end(mirror) == BROWSE_LOOP)
        stop(mirror, ERR_INCOMPLETE, "the service repeats a cursor", effects);
    else if (worst_end(mirror) == BROWSE_NO_PROGRESS)
        stop(mirror, ERR_INCOMPLETE, "pages bring nothing new", effects);
    else
        ask(mirror, mirror->catching && mirror->spared ? MIRROR_CAUGHT : MIRROR_JOIN, effects);
}

void mirror_go_on(struct mirror *mirror, int64_t now, struct effects *effects) {
    if (mirror->state != MIRROR_STOPPED || mirror->parts.n == 0)
        return;
    mirror->state = MIRROR_READING;
    mirror->token_refused = false;
    for (size_t i = 0; i < mirror->parts.n; i++) {
        mirror->parts.items[i].chain.attempt = 0;
        if (mirror->parts.items[i].end == BROWSE_NO_PROGRESS)
            chain_go_on(&mirror->parts.items[i].chain, &mirror->parts.items[i].end);
    }
    error_clear(&mirror->error);
    go_on(mirror, now, effects);
}

void mirror_pause(struct mirror *mirror, bool pause, int64_t now, struct effects *effects) {
    mirror->paused = pause;
    mirror->generation++;
    if (pause)
        effects_timer(effects, TIMER_MIRROR, CLOCK_NONE);
    else
        go_on(mirror, now, effects);
}

/* ---- Answers of the service ---- */

/* Its rows are not of the part that was asked for: the list is read from its start, without a filter. */
static void read_in_one(struct mirror *mirror, struct effects *effects) {
    take_requests_back(mirror, effects);
    mirror_parts_clear(mirror);
    mirror->declined = true;
    mirror->spared = mirror->thorough = mirror->catching = false;
    (void)mirror_part_add(mirror, CLOCK_NONE, CLOCK_NONE, NULL);
    ask(mirror, MIRROR_PLAN, effects);
}

static struct mirror_part *part_that_asked(struct mirror *mirror, uint64_t ticket) {
    for (size_t i = 0; ticket && i < mirror->parts.n; i++)
        if (mirror->parts.items[i].ticket == ticket)
            return &mirror->parts.items[i];
    return NULL;
}

/* The service bears fewer walks at once than were tried. */
static void hold_back(struct mirror *mirror, int64_t until) {
    mirror->limit = mirror->limit > 1 ? mirror->limit / 2 : 1;
    mirror->pause_until = until;
}

static void take_page_failure(struct mirror *mirror, struct mirror_part *part, const struct api_answer *answer,
                              int64_t now, struct effects *effects) {
    if (answer->cursor_refused && part->next && !part->restarted) {
        mirror_part_restart(mirror, part);
        part->restarted = true;
        mirror->restarted++;
        return;
    }
    free(mirror->trouble);
    mirror->trouble = mem_dup(answer->line ? answer->line : err_sentence(answer->code));
    bool again = chain_asks_again(&part->chain, answer, true, true, now, &part->retry_at);
    if (again && answer->code == ERR_THROTTLED)
        hold_back(mirror, part->retry_at);
    if (again)
        return;
    mirror->attempts = part->chain.attempt;
    mirror->token_refused = answer->code == ERR_UNAUTHORISED;
    /* Nobody waits any longer: a list that cannot be read is a failure of the service. */
    stop(mirror, answer->code == ERR_THROTTLED ? ERR_SERVER : answer->code, answer->line, effects);
}

/* A page with an error beside its rows is no page: what it left out would be a hole that nobody sees. */
static void refuse_page(struct api_answer *answer, const struct page *page) {
    struct str line;
    str_init(&line, ERROR_TEXT_MAX);
    str_add(&line, page->failed ? "the service reported an error beside the rows"
                                : "the service says that its answer is not whole");
    str_addf(&line, page->beside ? ": %s" : "%s", page->beside ? page->beside : "");
    answer->code = ERR_SERVER;
    free(answer->line);
    answer->line = str_take(&line);
}

static void take_page_answer(struct mirror *mirror, struct mirror_part *part, struct list_result *result, int64_t now,
                             struct effects *effects) {
    struct api_answer *answer = &result->answer;
    part->ticket = 0;
    mirror->generation++;
    mirror->last_answer = now;
    mirror->quota_left = answer->quota_left;
    if (answer->code == ERR_OK && (result->page.failed || result->page.partial))
        refuse_page(answer, &result->page);
    if (answer->code != ERR_OK) {
        take_page_failure(mirror, part, answer, now, effects);
    } else {
        part->chain.attempt = 0;
        free(mirror->trouble);
        mirror->trouble = NULL;
        if (mirror_split_declined(part, &result->page)) {
            read_in_one(mirror, effects);
            return;
        }
        mirror_take_page(mirror, part, &result->page);
        if (mirror->split.stage == SPLIT_NONE)
            mirror_split_first(mirror, now, effects);
        if (mirror->failing && ++mirror->unkept > UNKEPT_MAX)
            stop(mirror, ERR_STORE, "the cache does not keep what is read", effects);
    }
    go_on(mirror, now, effects);
}

void mirror_team_spent(struct mirror *mirror, const char *text, size_t more, int64_t now) {
    free(mirror->team_spent);
    mirror->team_spent = mem_dup(text);
    mirror_budget_read(&mirror->budget, text, now);
    for (size_t i = 0; i < more; i++)
        mirror_budget_spend(&mirror->budget, now);
}

/* ---- Answers of the cache ---- */

static void mirror_take_places(struct mirror *mirror, struct mirror_held *held, bool first) {
    mirror->spared = false;
    for (size_t i = 0; i < mirror->parts.n && i < held->n; i++) {
        struct mirror_part *part = &mirror->parts.items[i];
        struct mirror_place *place = &held->items[i];
        mirror_part_restart(mirror, part);
        part->partly = place->pages > 0;
        part->next = place->next;
        part->next_is_url = place->next_is_url;
        place->next = NULL;
        part->end = place->whole ? BROWSE_END : BROWSE_OPEN;
        part->chain.walk.given = (size_t)place->rows;
        mirror->earlier_pages += first ? (size_t)place->pages : 0;
        mirror->earlier_rows += first ? (size_t)place->rows : 0;
    }
}

static void take_notes(struct mirror *mirror, struct mirror_held *held, int64_t now, struct effects *effects) {
    int64_t as_of, ground;
    const char *spent = held->spent ? strchr(held->spent, ' ') : NULL;
    mirror_budget_read(&mirror->budget, mirror->team_spent ? mirror->team_spent : spent ? spent + 1 : NULL, now);
    mirror->resumed = !mirror->anew && mirror_plan_read(mirror, held->plan);
    mirror->ground = mirror->resumed && spent ? strtoll(held->spent, NULL, 10) : 0;
    bool catches = !mirror->resumed && mirror_catch_can(mirror, held, &as_of, &ground);
    if (catches)
        mirror_catch_begin(mirror, as_of, ground);
    else if (!mirror->resumed)
        (void)mirror_part_add(mirror, CLOCK_NONE, CLOCK_NONE, NULL);
    ask(mirror, mirror->resumed ? MIRROR_PLACES : MIRROR_PLAN, effects);
}

/* What is missing although it was read was lost in the cache: it is read again. */
static void take_joined(struct mirror *mirror, const struct mirror_held *held, struct effects *effects) {
    if (held->joined) {
        mirror->state = MIRROR_DONE;
        mirror->held = held->rows;
        mirror->coverage = held->coverage;
        effects_timer(effects, TIMER_MIRROR, CLOCK_NONE);
    } else if (mirror->catching) {
        mirror->catching = mirror->spared = false;
        mirror->full = true;
        mirror_parts_clear(mirror);
        (void)mirror_part_add(mirror, CLOCK_NONE, CLOCK_NONE, NULL);
        ask(mirror, MIRROR_PLAN, effects);
    } else if (++mirror->rounds >= ROUNDS_MAX) {
        stop(mirror, ERR_STORE, "the cache lost again and again what was stored in it", effects);
    } else {
        ask(mirror, MIRROR_PLACES, effects);
    }
}

static void take_held(struct mirror *mirror, struct mirror_held *held, int64_t now, struct effects *effects) {
    bool begins = mirror->started == CLOCK_NONE;
    mirror->ticket = 0;
    mirror->generation++;
    if (!held->usable || !held->writable) {
        stop(mirror, ERR_STORE,
             held->usable ? "the cache cannot be written, so nothing that is read would stay"
                          : "there is no cache that could keep what is read",
             effects);
    } else if (held->error.code != ERR_OK && ++mirror->rounds >= ROUNDS_MAX) {
        stop(mirror, ERR_STORE, held->error.text, effects);
    } else if (mirror->state == MIRROR_JOINING) {
        take_joined(mirror, held, effects);
    } else if (held->looked) {
        mirror->looked = true;
        mirror->left = held->left;
        mirror->state = MIRROR_READING;
        go_on(mirror, now, effects);
    } else if (mirror->parts.n == 0) {
        take_notes(mirror, held, now, effects);
    } else {
        mirror_take_places(mirror, held, begins);
        mirror->started = begins ? now : mirror->started;
        mirror->state = MIRROR_READING;
        go_on(mirror, now, effects);
    }
}

/* The cache told that it keeps nothing, or something again. */
static void take_cache_told(struct mirror *mirror, const struct cache_told *told) {
    mirror->failing = told->state != CACHE_STATE_READY;
    mirror->unkept = 0;
}

bool mirror_update(struct mirror *mirror, struct event *event, struct effects *effects) {
    if (event->kind == EVENT_CACHE_STATE) {
        take_cache_told(mirror, event_get(event, cache_told));
        return false;
    }
    if (event_is_timer(event, TIMER_MIRROR)) {
        go_on(mirror, event->now, effects);
        return true;
    }
    struct mirror_part *part = event->kind == EVENT_LIST ? part_that_asked(mirror, event->ticket) : NULL;
    if (event->kind == EVENT_LIST && mirror->split.ticket && event->ticket == mirror->split.ticket) {
        mirror->generation++;
        mirror_split_take(mirror, event_get(event, list_result), event->now, effects);
        go_on(mirror, event->now, effects);
    } else if (part)
        take_page_answer(mirror, part, event_get(event, list_result), event->now, effects);
    else if (event->kind == EVENT_MIRROR && event->ticket == mirror->ticket && mirror->ticket)
        take_held(mirror, event_get(event, mirror_held), event->now, effects);
    else
        return false;
    payload_clear(&event->payload);
    return true;
}
