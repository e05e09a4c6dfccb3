#include "app/reask.h"

#include "app/mirror.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

enum { QUOTA_KEPT = 10 /* requests that the service still allows are left to others */ };
enum { AGAIN_MS = 60 * 1000, HOUR_MS = 60 * AGAIN_MS };

void reask_clear(struct reask *reask) {
    server_filter_clear(&reask->filter);
    chain_clear(&reask->chain);
    free(reask->next);
    *reask = (struct reask){.state = REASK_IDLE, .retry_at = CLOCK_NONE};
}

bool reask_is_due(const struct reask *reask, int64_t now) {
    if (reask->state == REASK_IDLE)
        return true;
    bool early = reask->retry_at != CLOCK_NONE && now < reask->retry_at;
    int64_t share = reask->most > 0 ? HOUR_MS * (int64_t)reask->chain.pages / (int64_t)reask->most : 0;
    return reask->state != REASK_ASKING && !early &&
           !clock_within(reask->began, now, share > AGAIN_MS ? share : AGAIN_MS);
}

void reask_cancel(struct reask *reask, struct effects *effects) {
    if (reask->ticket)
        effects_cancel(effects, reask->ticket);
    reask->ticket = 0;
    reask->state = reask->state == REASK_ASKING ? REASK_PARTLY : reask->state;
}

/* What the query asks of the service, if that is of open statuses alone: the walk over just these tells then which have
 * left. */
static void reask_filter(const struct query *query, struct server_filter *out) {
    struct query_context context = {.now = 0, .last_visit = CLOCK_NONE};
    struct query_service service = {.created_after = false};
    struct query_split split;
    query_split(query, &service, &context, &split);
    server_filter_of(out, &split);
    query_split_clear(&split);
    bool open = out->n > 0;
    for (size_t i = 0; i < out->n; i++)
        open = open && mirror_is_open_status(out->statuses[i], strlen(out->statuses[i]));
    if (open)
        return;
    server_filter_clear(out);
    server_filter_add_status(out, intent_status_name(INTENT_CREATED));
    server_filter_add_status(out, intent_status_name(INTENT_PENDING));
}

static void reask_page(struct reask *reask, struct effects *effects) {
    struct list_ask *ask = list_ask_new(&reask->filter, reask->next, reask->next_is_url);
    ask->walk = reask->chain.walk;
    reask->ticket = effects_fetch(effects, ask);
}

bool reask_start(struct reask *reask, const struct profile *profile, const struct query *query, int64_t now,
                 struct effects *effects) {
    const char *status = profile->api.filter_status;
    reask_clear(reask);
    if (!status || !*status)
        return false;
    reask_filter(query, &reask->filter);
    chain_init(&reask->chain);
    reask->state = REASK_ASKING;
    reask->most = chain_budget(profile);
    reask->began = now;
    reask_page(reask, effects);
    return true;
}

static void reask_fail(struct reask *reask, enum err err, const char *why) {
    reask->state = REASK_FAILED;
    (void)error_set(&reask->error, err, "%s", why ? why : err_sentence(err));
}

/* Rows of other statuses show that the service did not look at the one that was asked for. */
static bool is_declined(const struct reask *reask, const struct page *page) {
    for (size_t i = 0; i < page->n; i++)
        if (!page->items[i]->broken && !server_filter_matches(&reask->filter, page->items[i]))
            return true;
    return false;
}

static void reask_take(struct reask *reask, struct list_result *result, struct effects *effects) {
    const struct api_answer *answer = &result->answer;
    struct page *page = &result->page;
    reask->ticket = 0;
    if (answer->code != ERR_OK) {
        reask->retry_at = answer->retry_at;
        reask_fail(reask, answer->code == ERR_THROTTLED ? ERR_SERVER : answer->code, answer->line);
        return;
    }
    if (page->failed || page->partial || is_declined(reask, page)) {
        reask_fail(reask, ERR_UNEXPECTED,
                   page->failed || page->partial ? "the service says that its answer is not whole"
                                                 : "the service did not apply the filter");
        return;
    }
    free(reask->next);
    reask->rows += page->n;
    reask->next_is_url = page->next_is_url;
    enum browse_end end = chain_take_page(&reask->chain, page, page->n, &reask->next);
    bool spent = reask->chain.pages >= reask->most || (answer->quota_left >= 0 && answer->quota_left < QUOTA_KEPT);
    if (end == BROWSE_END)
        reask->state = REASK_DONE;
    else if (end != BROWSE_OPEN || spent)
        reask->state = REASK_PARTLY;
    else
        reask_page(reask, effects);
}

bool reask_update(struct reask *reask, struct event *event, struct effects *effects) {
    if (event->kind != EVENT_LIST || reask->ticket == 0 || event->ticket != reask->ticket)
        return false;
    reask_take(reask, event_get(event, list_result), effects);
    payload_clear(&event->payload);
    return true;
}

void reask_text(const struct reask *reask, enum clock_zone zone, int64_t now, struct str *out) {
    money_group_count(out, reask->rows);
    for (size_t i = 0; i < reask->filter.n; i++)
        str_addf(out, "%s%s", i > 0 ? " or " : " ", reask->filter.statuses[i]);
    str_add(out, reask->state == REASK_ASKING ? " asked again since " : " asked again at ");
    clock_format(out, reask->began, zone, now);
    str_addf(out, " %s, in %zu page%s", clock_zone_name(zone), reask->chain.pages, plural_s(reask->chain.pages));
    if (reask->state == REASK_PARTLY)
        str_add(out, "; older ones are as they were read before: the requests that may be sent for this are used up");
}
