#include "app/list/left.h"
#include "app/result.h"
#include "view_own.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>

/* What the list on show is and how far it reaches: the one source for its rows, counts, export and messages. */

const struct query *view_shown_query(const struct view *view) {
    return view->previewing ? view->typed : view->query;
}

/* Whether the query's server part is within the filter of the walk. */
static bool view_list_is_within(const struct view *view, const struct query *query, int64_t now) {
    struct server_filter asked = {0};
    struct query_split split;
    if (!query || server_filter_is_empty(&view->browse->filter))
        return server_filter_is_empty(&view->browse->filter);
    view_split(view, query, now, &split);
    server_filter_of(&asked, &split);
    bool within = server_filter_within(&asked, &view->browse->filter);
    server_filter_clear(&asked);
    query_split_clear(&split);
    return within;
}

/* How many statuses the service would be asked for; 0: every one. */
static size_t statuses_of(const struct view *view, const struct query *query, int64_t now) {
    struct server_filter asked = {0};
    struct query_split split;
    if (!query)
        return 0;
    view_split(view, query, now, &split);
    server_filter_of(&asked, &split);
    size_t n = asked.n;
    server_filter_clear(&asked);
    query_split_clear(&split);
    return n;
}

/* Which rows of the walk left is known at once, also for rows without an id. */
static void view_list_tell_gone(const struct browse *browse, struct lookup *lookup) {
    lookup->left = mem_new_array(browse->gone_rows + 1, sizeof *lookup->left);
    for (size_t i = 0; i < browse->n && lookup->n_left < browse->gone_rows; i++)
        if (browse->items[i].gone)
            lookup->left[lookup->n_left++] = (struct lookup_left){.at = INT64_MAX, .key = browse->items[i].key};
}

void view_tell_left(const struct view *view, struct lookup *lookup, int64_t now) {
    const struct browse *browse = view->browse;
    if (view->source == VIEW_OF_WALK) {
        view_list_tell_gone(browse, lookup);
        return;
    }
    if (browse->left.n == 0)
        return;
    size_t statuses = statuses_of(view, lookup->query, now);
    lookup->left = mem_new_array(browse->left.n, sizeof *lookup->left);
    for (size_t i = 0; i < browse->left.n; i++) {
        const struct browse_left_row *row = &browse->left.items[i];
        if (left_hides(row, statuses))
            lookup->left[lookup->n_left++] = (struct lookup_left){mem_dup(row->id), row->ms, row->at, 0};
    }
}

size_t view_marks_left(const struct view *view) {
    size_t n = 0;
    for (size_t i = 0; i < view->browse->left.n; i++) {
        const struct browse_left_row *row = &view->browse->left.items[i];
        n += !row->elsewhere && view_is_marked(view, row->id);
    }
    return n;
}

/* Whether the walk reads at least what the service does of a query. */
static bool walk_reads(const struct view *view, const struct query *query, int64_t now) {
    return query == view->query || view_list_is_within(view, query, now);
}

/* Whether it does, and read to the end without a hole. */
static bool walk_holds(const struct view *view, const struct query *query, int64_t now) {
    const struct browse *browse = view->browse;
    return browse->end == BROWSE_END && !browse->replacing && browse->failed_pages + browse->partial_pages == 0 &&
           walk_reads(view, query, now);
}

/* The walk's rows, and below them those of the cache. Where the two join, the list reaches as far as the cache does. */
static void walk_list(const struct browse *browse, struct view_list *out) {
    *out = (struct view_list){.rows = browse->n, .left = browse->gone_rows, .waiting = browse->waiting.n};
    browse_coverage(browse, &out->coverage);
    bool joins = browse->n > browse->confirmed && browse->cache.done && !browse->gap && !browse->mismatch;
    if (joins && browse->cache.coverage.reach == COVERAGE_WHOLE) {
        out->coverage = browse->cache.coverage;
    } else if (browse->n > browse->confirmed) {
        out->coverage.reach = COVERAGE_PART;
        out->coverage.cached = true;
    }
    if (out->coverage.reach != COVERAGE_WHOLE)
        out->coverage.newer = browse->cache.coverage.newer;
}

/* Coverage of an answer over the walk's rows: that of the walk; for a list of another filter no more than "read so
 * far". */
static void walked_coverage(const struct view *view, const struct query *query, int64_t now, struct coverage *out) {
    struct view_list list;
    walk_list(view->browse, &list);
    *out = list.coverage;
    if (out->reach == COVERAGE_WHOLE && !walk_reads(view, query, now))
        out->reach = COVERAGE_PART;
}

/* Coverage of an answer over the cache and those rows of the walk that it cannot keep. */
static void cached_coverage(const struct view *view, const struct lookup_result *answer, const struct query *query,
                            int64_t now, struct coverage *out) {
    const struct browse *browse = view->browse;
    *out = answer->coverage;
    out->cached = true;
    if (walk_holds(view, query, now)) {
        out->no_id = 0;
        int64_t began = browse->pages.n > 0 ? browse->pages.items[0].at : CLOCK_NONE;
        out->as_of = out->reach != COVERAGE_WHOLE || began > out->as_of ? began : out->as_of;
        out->reach = COVERAGE_WHOLE;
    }
}

/* Rows are still on their way into the index. */
static bool is_behind(const struct view *view, const struct lookup_result *answer) {
    return !answer->whole || answer->behind || browse_has_moves(view->browse);
}

void view_coverage(const struct view *view, const struct lookup_result *answer, const struct query *query, int64_t now,
                   struct coverage *out) {
    if (view->source == VIEW_OF_WALK)
        walked_coverage(view, query, now, out);
    else
        cached_coverage(view, answer, query, now, out);
    if (is_behind(view, answer))
        out->reach = out->reach == COVERAGE_WHOLE ? COVERAGE_PART : out->reach;
}

static bool covers(const struct view *view, const struct lookup_result *answer, const struct query *query,
                   int64_t now) {
    struct coverage coverage;
    if (!answer)
        return false;
    view_coverage(view, answer, query, now, &coverage);
    return coverage_is_whole(&coverage);
}

bool view_covers(const struct view *view, const struct lookup_result *answer) {
    return covers(view, answer, view_shown_query(view), view->asked);
}

bool view_covers_text(const struct view *view, const struct lookup_result *answer, const char *text, int64_t now) {
    struct query *query;
    if (view_parse(view, text, &query, NULL, NULL) != ERR_OK)
        return false;
    bool whole = covers(view, answer, query, now);
    query_free(query);
    return whole;
}

static struct query_plan *plan_shown(const struct view *view, int64_t now) {
    struct query_context context = view_context(view, now);
    return query_plan_new(view_shown_query(view), &context);
}

bool result_awaits(const struct view *view, const char *id, int64_t now) {
    const struct browse *browse = view->browse;
    size_t row = browse_find(browse, id);
    if (result_is_as_read(view) || !is_behind(view, view->answer) || row >= browse->n || browse->items[row].gone)
        return false;
    struct query_plan *plan = plan_shown(view, now);
    struct str blob;
    str_init(&blob, VIEW_BLOB_MAX);
    bool matches = view_matches(plan, browse->items[row].intent, browse->items[row].confirmed, &blob);
    str_clear(&blob);
    query_plan_free(plan);
    return matches;
}

void view_count_waiting(struct view *view, int64_t now) {
    const struct browse *browse = view->browse;
    view->waiting = view->source == VIEW_OF_WALK ? browse->waiting.n : 0;
    if (view->waiting == 0 || !view_shown_query(view) || !view_shown_query(view)->root)
        return;
    struct query_plan *plan = plan_shown(view, now);
    struct str blob;
    str_init(&blob, VIEW_BLOB_MAX);
    view->waiting = 0;
    for (size_t i = 0; i < browse->waiting.n; i++)
        view->waiting += view_matches(plan, browse->waiting.items[i], CLOCK_NONE, &blob);
    str_clear(&blob);
    query_plan_free(plan);
}

void view_list(const struct view *view, struct view_list *out) {
    const struct lookup_result *answer = view->answer;
    if (result_is_as_read(view)) {
        walk_list(view->browse, out);
        return;
    }
    *out = (struct view_list){.rows = answer->n,
                              .left = answer->n_gone,
                              .waiting = answer->n_waiting + view->waiting,
                              .summed = answer->n_waiting};
    view_coverage(view, answer, view_shown_query(view), view->asked, &out->coverage);
}

bool view_is_whole(const struct view *view) {
    struct view_list list;
    view_list(view, &list);
    return coverage_is_whole(&list.coverage);
}
