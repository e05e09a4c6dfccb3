/* How the list is split into parts that are walked at once, and why no row falls between them.
 *
 * By time, where the profile names both parameters: an intent's time of creation never changes, so the parts stay what
 * they are while the walk runs. (By status they would not: a row that moves from a part not yet read into one that was
 * read would be missed.) How far back the list goes nobody says: a few pages before earlier and earlier times find it.
 * By type only where the service says how many rows there are: a row of a third type is in no part, so that without
 * such a number the whole list had to be read a second time.
 *
 * The list itself, without a filter, is walked last, for rows that no part returned. That walk ends early where
 * nothing is left to find: either it has as many rows as the service counts; or the parts are by time, which together
 * are all of time, every row of the walk had a time, stood newest first and had been returned by a part, down to a
 * page without any news. A row without a time, against the interface document, could then still be unseen; one that
 * was met makes this walk go on to the end, and so does a row that its part should have returned. */
#include "mirror_own.h"

#include "app/idset.h"
#include "base/mem.h"

#include <stdlib.h>

enum {
    PARTS_A_WALK = 4, /* so that walks end together although the list is not spread evenly over time */
    PAGES_A_PART = 4, /* fewer are not worth the requests that a part costs */
    PROBES_MAX = 16,
    STEP = 8,  /* each probe looks so much further back */
    FINE = 16, /* the end of the list is known to this share of its length */
};

static const char *const TYPES[] = {"primary", "card_only"};

static bool has_word(const char *word) {
    return word && *word;
}

static bool splits_by_time(const struct api_settings *api) {
    return has_word(api->filter_after) && has_word(api->filter_before);
}

bool mirror_can_split(const struct profile *profile, long long total) {
    return splits_by_time(&profile->api) || (has_word(profile->api.filter_type) && total > 0);
}

bool mirror_split_begins(const struct mirror *mirror) {
    const struct mirror_part *list = &mirror->parts.items[0];
    return mirror->walks > 1 && mirror->parts.n == 1 && !mirror->declined && !list->partly &&
           mirror_can_split(mirror->profile, list->chain.walk.total);
}

static void split_probe(struct mirror *mirror, int64_t before, int64_t now, struct effects *effects) {
    struct mirror_split *split = &mirror->split;
    struct server_filter filter = {.before = mirror_time(before > 0 ? before : 0)};
    split->before = before > 0 ? before : 0;
    split->probes++;
    mirror_budget_spend(&mirror->budget, now);
    split->ticket = effects_fetch(effects, list_ask_new(&filter, NULL, false));
    server_filter_clear(&filter);
}

static void ask_plan(struct mirror *mirror, struct effects *effects) {
    mirror->split.stage = SPLIT_OVER;
    if (mirror->parts.n == 1)
        return;
    mirror->state = MIRROR_LOOKING;
    mirror_ask_cache(mirror, mirror_ask_new(mirror, MIRROR_PLAN), effects);
}

static void split_by_type(struct mirror *mirror, struct effects *effects) {
    for (size_t i = 0; i < COUNT_OF(TYPES); i++)
        (void)mirror_part_add(mirror, CLOCK_NONE, CLOCK_NONE, TYPES[i]);
    ask_plan(mirror, effects);
}

/* Parts of the same length. The first is open to what is new, the last to what is older than was found. */
static void split_by_time(struct mirror *mirror, int64_t oldest, struct effects *effects) {
    struct mirror_split *split = &mirror->split;
    int64_t length = split->newest - oldest, pages = length / split->span;
    int64_t n = (int64_t)(mirror->walks * PARTS_A_WALK);
    n = n < pages / PAGES_A_PART ? n : pages / PAGES_A_PART;
    for (int64_t i = 0; i < n && n > 1; i++) {
        int64_t before = split->newest - length / n * i, after = split->newest - length / n * (i + 1);
        (void)mirror_part_add(mirror, i + 1 < n ? after : CLOCK_NONE, i > 0 ? before : CLOCK_NONE, NULL);
    }
    ask_plan(mirror, effects);
}

void mirror_split_first(struct mirror *mirror, int64_t now, struct effects *effects) {
    struct mirror_split *split = &mirror->split;
    const struct mirror_part *list = &mirror->parts.items[0];
    split->stage = SPLIT_OVER;
    if (list->end != BROWSE_OPEN || !mirror_split_begins(mirror) || mirror_budget_left(&mirror->budget, now) == 0)
        return;
    if (!splits_by_time(&mirror->profile->api)) {
        split_by_type(mirror, effects);
    } else if (list->newest_first && list->newest != CLOCK_NONE) {
        split->stage = SPLIT_BACK;
        split->newest = split->held = list->newest;
        split->span = list->newest > list->oldest ? list->newest - list->oldest : 1;
        split->reach = split->span * STEP;
        split->empty = CLOCK_NONE;
        split_probe(mirror, split->newest - split->reach, now, effects);
    }
}

static int64_t oldest_of(const struct page *page) {
    int64_t oldest = INT64_MAX;
    for (size_t i = 0; i < page->n; i++)
        if (page->items[i] && page->items[i]->created_at.state == VALUE_OK)
            oldest = page->items[i]->created_at.ms < oldest ? page->items[i]->created_at.ms : oldest;
    return oldest;
}

static void probe_on(struct mirror *mirror, int64_t now, struct effects *effects) {
    struct mirror_split *split = &mirror->split;
    bool found = split->empty != CLOCK_NONE;
    bool fine = found && split->held - split->empty <= (split->newest - split->empty) / FINE;
    if (fine || split->probes >= PROBES_MAX || split->before == 0 || mirror_budget_left(&mirror->budget, now) == 0) {
        split_by_time(mirror, found ? split->empty : split->held, effects);
    } else if (found) {
        split_probe(mirror, split->empty + (split->held - split->empty) / 2, now, effects);
    } else {
        split->reach = split->reach < INT64_MAX / STEP ? split->reach * STEP : INT64_MAX / STEP;
        split_probe(mirror, split->newest - split->reach, now, effects);
    }
}

void mirror_split_take(struct mirror *mirror, struct list_result *result, int64_t now, struct effects *effects) {
    struct mirror_split *split = &mirror->split;
    struct page *page = &result->page;
    struct server_filter filter = {.before = mirror_time(split->before)};
    struct list_query query = server_filter_query(&filter, NULL, false);
    size_t row;
    split->ticket = 0;
    mirror->pages++;
    if (result->answer.code != ERR_OK) {
        split->stage = SPLIT_OVER; /* one walk meets the same failure, and says so */
    } else if (!api_page_matches(&query, page, &row)) {
        split->stage = SPLIT_OVER;
        mirror->declined = true;
    } else {
        int64_t oldest = oldest_of(page);
        split->held = oldest < split->held ? oldest : split->held;
        if (page->n == 0 || !page->next)
            split->empty = page->n == 0 ? split->before : split->held - 1;
        probe_on(mirror, now, effects);
    }
    server_filter_clear(&filter);
}

bool mirror_split_declined(const struct mirror_part *part, const struct page *page) {
    struct list_query query = server_filter_query(&part->filter, NULL, false);
    size_t row;
    return !api_page_matches(&query, page, &row);
}

bool mirror_split_knows(const struct mirror *mirror, const struct intent *intent, size_t before) {
    if (before != SIZE_MAX && before % MIRROR_PARTS_MAX != 0)
        return true;
    for (size_t i = 1; i < mirror->parts.n; i++) /* an earlier run read rows of it, whose ids are not known here */
        if (mirror->parts.items[i].partly && server_filter_matches(&mirror->parts.items[i].filter, intent))
            return true;
    return false;
}

/* Whether nothing is left that the walk over the whole list could find. */
bool mirror_split_is_done(const struct mirror *mirror, const struct mirror_news *news) {
    const struct mirror_part *list = &mirror->parts.items[0];
    bool by_time = mirror->parts.n > 1 && !mirror->parts.items[1].filter.type;
    bool counted = list->chain.walk.total > 0 && !mirror->resumed && mirror->no_id + mirror->broken == 0 &&
                   mirror->distinct >= (size_t)list->chain.walk.total;
    return counted || (by_time && !mirror->thorough && list->newest_first && news->rows > 0 && news->unknown == 0);
}
