#include "coverage_of.h"
#include "mirror_lane.h"

#include "app/mirror.h"

#include "base/clock.h"

#include <stdlib.h>

static void take_best(struct cache *cache, const struct server_filter *wide, struct coverage *out) {
    struct list_query query = server_filter_query(wide, NULL, false);
    struct cache_whole whole;
    struct str text;
    str_init(&text, 64 << 10);
    api_query_text(&query, &text);
    struct coverage found = {.reach = COVERAGE_WHOLE};
    bool answered = cache_whole(cache, text.s, &whole, NULL) == ERR_OK;
    found.damaged = answered && whole.damaged > 0 ? (size_t)whole.damaged : 0;
    found.removed = answered && whole.removed > 0 ? (size_t)whole.removed : 0;
    if (out->reach == COVERAGE_NOTHING) {
        out->damaged = found.damaged;
        out->removed = found.removed;
    }
    if (answered && whole.known) {
        found.as_of = found.walked = whole.began;
        found.no_id = (size_t)whole.loose;
        bool better = out->reach != COVERAGE_WHOLE || (coverage_is_whole(&found) && !coverage_is_whole(out)) ||
                      (coverage_is_whole(&found) == coverage_is_whole(out) && found.as_of > out->as_of);
        if (better)
            *out = found;
    }
    str_clear(&text);
}

/* A mirror that caught up read what is new, not the rest again: all rows are there as of then, but which ones have a
 * status is known as of the walk that read them all. */
static void take_caught(struct cache *cache, const struct server_filter *filter, struct coverage *out) {
    char *text = NULL;
    int64_t as_of, ground;
    bool asks = out->reach == COVERAGE_WHOLE && filter->n == 0;
    if (asks && cache_note(cache, MIRROR_WHOLE_NOTE, &text, NULL) == ERR_OK && mirror_note_read(text, &as_of, &ground))
        out->as_of = as_of > out->as_of ? as_of : out->as_of;
    free(text);
}

/* A walk under a part of the filter reads at least all that the filter lets through. */
void coverage_of(struct cache *cache, const struct server_filter *filter, bool broke_off, struct coverage *out) {
    bool read = false;
    *out = (struct coverage){.reach = COVERAGE_NOTHING, .as_of = CLOCK_NONE, .walked = CLOCK_NONE};
    struct server_filter all = {0}, type = {.type = filter->type};
    struct server_filter statuses = {.statuses = filter->statuses, .n = filter->n};
    struct server_filter words = {.type = filter->type, .statuses = filter->statuses, .n = filter->n};
    const struct server_filter *wider[] = {filter, &words, &statuses, &type, &all};
    if (cache_was_read(cache, &read, NULL) != ERR_OK)
        broke_off = true;
    for (size_t i = 0; i < sizeof wider / sizeof *wider; i++)
        take_best(cache, wider[i], out);
    take_caught(cache, filter, out);
    if (out->reach == COVERAGE_NOTHING && (read || broke_off))
        out->reach = COVERAGE_PART;
    out->cached = true;
    out->every = filter->n == 0 && !filter->type;
    out->set_aside = out->reach != COVERAGE_WHOLE && cache_follows_damage(cache);
    out->broke_off = broke_off;
}

void coverage_of_query(struct cache *cache, const struct query *query, const struct query_context *context,
                       bool broke_off, struct coverage *out) {
    struct server_filter filter = {0};
    struct query_split split;
    struct query_service words = {0};
    if (query) {
        query_split(query, &words, context, &split);
        server_filter_of(&filter, &split);
        query_split_clear(&split);
    }
    coverage_of(cache, &filter, broke_off, out);
    server_filter_clear(&filter);
}

int64_t coverage_left_before(const struct coverage *coverage) {
    /* Of the list of all rows one walk proves too little: a row that moved meanwhile, or that list_extra kept out, is
     * still listed. */
    bool known = coverage->reach == COVERAGE_WHOLE && coverage->walked != CLOCK_NONE && !coverage->every;
    return known ? coverage->walked : INT64_MIN;
}
