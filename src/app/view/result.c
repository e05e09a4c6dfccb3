#include "app/result.h"
#include "view_own.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>

/* The one place that decides where the rows on show come from. */
static bool result_is_answered(const struct view *view) {
    return view->answer && view_wants(view);
}

bool result_is_as_read(const struct view *view) {
    return !result_is_answered(view);
}

bool result_is_settled(const struct view *view) {
    return view->ticket == 0 || !result_is_answered(view);
}

size_t result_rows(const struct view *view) {
    return result_is_answered(view) ? view_rows(view) : view->browse->n;
}

static bool walk_row(const struct browse *browse, size_t row, struct result_row *out) {
    if (row >= browse->n)
        return false;
    const struct browse_row *from = &browse->items[row];
    *out = (struct result_row){.intent = from->intent,
                               .key = from->key,
                               .confirmed = from->confirmed,
                               .cached = from->cached,
                               .is_new = from->is_new,
                               .gone = from->gone,
                               .changed = from->changed,
                               .page = from->cached ? SIZE_MAX : from->page};
    return true;
}

/* A row of the cache, with what the walk knows about it. */
static bool cached_row(const struct view *view, size_t row, struct result_row *out) {
    const struct browse *browse = view->browse;
    const struct lookup_row *from = view_row(view, row);
    if (!from)
        return false;
    *out = (struct result_row){.intent = from->intent,
                               .key = from->key,
                               .confirmed = from->confirmed,
                               .changed = view_changed(view, from),
                               .page = SIZE_MAX};
    size_t walked = browse_find(browse, from->intent->id.text);
    if (walked < browse->n) {
        const struct browse_row *same = &browse->items[walked];
        bool later = same->cached || from->changed_at > same->confirmed; /* another console saw it change */
        out->is_new = same->is_new;
        out->gone = same->gone;
        out->changed = later ? out->changed : same->changed;
    }
    return true;
}

bool result_row(const struct view *view, size_t row, struct result_row *out) {
    if (!result_is_answered(view))
        return walk_row(view->browse, row, out);
    int64_t key = view_key(view, row);
    bool walked = lookup_is_walked(key);
    bool there = walked ? walk_row(view->browse, browse_find_key(view->browse, key), out) : cached_row(view, row, out);
    if (there) {
        out->page = SIZE_MAX;
        out->gone = out->gone || view_is_gone(view, row);
    }
    return there;
}

void result_need(struct view *view, size_t row, size_t line, size_t page, struct effects *effects) {
    if (result_is_answered(view)) {
        view->window = page;
        view->line = line;
        view_need(view, row, page, effects);
    } else {
        browse_need(view->browse, row, page * 2, effects);
    }
}

size_t result_looked_at(const struct view *view) {
    return result_is_answered(view) ? view->answer->rows_scanned : view->browse->n;
}

const char *result_doubt(const struct view *view) {
    return result_is_answered(view) ? view->answer->doubt : NULL;
}

const struct lookup_total *result_totals(const struct view *view, size_t *n) {
    *n = result_is_answered(view) ? view->answer->n_totals : 0;
    return result_is_answered(view) ? view->answer->totals : NULL;
}

size_t result_find(const struct view *view, const struct lookup_name *name) {
    if (!result_is_answered(view))
        return browse_find(view->browse, name->id);
    int64_t key = view_key_of(view, name->id, name->key);
    struct result_row at;
    for (size_t i = 0; i < view_rows(view); i++) {
        bool is =
            key ? view->answer->keys[i] == key : result_row(view, i, &at) && str_equal(at.intent->id.text, name->id);
        if (is)
            return i;
    }
    return view_rows(view);
}

bool view_matches(const struct query_plan *plan, const struct intent *intent, int64_t confirmed, struct str *blob) {
    struct cells cells;
    str_reset(blob);
    cells_pack(intent, blob);
    struct query_row at = {.cells = &cells, .first_seen = CLOCK_NONE, .confirmed = confirmed, .changed = CLOCK_NONE};
    return cells_read(blob->s, blob->len, &cells) && query_match(plan, &at);
}

size_t result_next_read(const struct view *view, const struct query *query, size_t from, int direction, int64_t now) {
    const struct browse *browse = view->browse;
    struct query_context context = view_context(view, now);
    struct query_plan *plan = query_plan_new(query, &context);
    size_t row = from;
    struct str blob;
    str_init(&blob, VIEW_BLOB_MAX);
    do {
        row = direction < 0 && row == 0 ? browse->n : row + (size_t)direction;
    } while (row < browse->n && !view_matches(plan, browse->items[row].intent, browse->items[row].confirmed, &blob));
    str_clear(&blob);
    query_plan_free(plan);
    return row;
}

size_t result_next_found(const struct view *view, size_t from, int direction, int64_t now) {
    const struct lookup_result *answer = view->answer;
    if (!result_is_answered(view))
        return result_next_read(view, view->find, from, direction, now);
    for (size_t i = 0; i < answer->n_hits; i++) {
        size_t hit = answer->hits[direction > 0 ? i : answer->n_hits - 1 - i];
        if (direction > 0 ? hit > from : hit < from)
            return hit;
    }
    return answer->n;
}

bool result_found(const struct view *view, size_t row, size_t *before, size_t *n) {
    *before = *n = 0;
    if (!view->find || !result_is_answered(view))
        return false;
    *n = view->answer->n_hits;
    while (*before < *n && view->answer->hits[*before] <= row)
        ++*before;
    return true;
}

void result_mark_rows(struct view *view, size_t from, size_t end, struct effects *effects) {
    struct result_row at;
    bool there = true;
    for (size_t i = from; i < end && there; i++)
        there = result_row(view, i, &at);
    if (!there) {
        view_mark_rows(view, from, end, effects);
        return;
    }
    for (size_t i = from; i < end && result_row(view, i, &at); i++) {
        if (at.intent->id.state == VALUE_OK) {
            struct lookup_name name = {(char *)at.intent->id.text, at.intent->created_at.ms, at.key};
            view_mark(view, &name, true);
        }
    }
}

void result_see(struct view *view, const char *id, int64_t now) {
    browse_see(view->browse, browse_find(view->browse, id));
    if (result_is_answered(view) && view->anchor.key)
        view_see(view, view->anchor.key, now);
}

int64_t *result_keys(const struct view *view, size_t *n) {
    size_t rows = result_rows(view);
    int64_t *keys = mem_new_array(rows + 1, sizeof *keys);
    bool answered = result_is_answered(view);
    *n = 0;
    for (size_t i = 0; i < rows; i++) {
        bool gone = answered ? view_is_gone(view, i) : view->browse->items[i].gone;
        if (!gone)
            keys[(*n)++] = answered ? view->answer->keys[i] : view->browse->items[i].key;
    }
    return keys;
}
