#include "app/browse.h"
#include "app/team_walk.h"
#include "left.h"
#include "rows.h"
#include "waiting.h"

#include "base/clock.h"

/* Rows that a colleague's console read come into the list as a refresh of this one would bring them: known ones change
 * in their place, new ones wait, and those that do not match the filter any more have left it. Nothing that they do not
 * say is concluded from them: they are no page. */

/* Below the last row that the walk read, it will bring it itself. */
static bool is_of_the_walk(const struct browse *browse, const struct intent *intent) {
    if (browse->replacing || browse->pages.n == 0 || !browse->newest_first)
        return false;
    if (browse->end == BROWSE_END)
        return true;
    const struct intent *last = browse->confirmed ? browse->items[browse->confirmed - 1].intent : NULL;
    return last && last->created_at.state == VALUE_OK && intent->created_at.state == VALUE_OK &&
           intent->created_at.ms >= last->created_at.ms;
}

/* now: a time that is still to come is of a clock that was wrong then. */
static bool was_served_later(int64_t held, int64_t confirmed, int64_t now) {
    return held != CLOCK_NONE && held > confirmed && held <= now;
}

/* True where it was taken. */
static bool take_in_place(struct browse *browse, struct intent *intent, int64_t confirmed, int64_t now) {
    size_t row = browse_find(browse, intent_id(intent));
    bool matches = server_filter_matches(&browse->filter, intent);
    if (row >= browse->n || was_served_later(browse->items[row].confirmed, confirmed, now))
        return false;
    if (row >= browse->confirmed)
        return matches && rows_renew_cached(browse, row, intent, confirmed);
    if (!matches && !browse->mismatch)
        return left_at_once(browse, row, intent, confirmed);
    left_remove(browse, intent_id(intent));
    return rows_replace(browse, intent, confirmed);
}

static void take_row_in(struct browse *browse, struct page *page, size_t i, int64_t confirmed, int64_t now) {
    struct intent *intent = page->items[i];
    if (!intent || intent->broken || !intent_id(intent))
        return;
    bool listed = browse_find(browse, intent_id(intent)) < browse->n;
    if (!listed && was_served_later(waiting_time(browse, intent), confirmed, now))
        return;
    if (listed ? take_in_place(browse, intent, confirmed, now) : waiting_replace(browse, intent, confirmed)) {
        (void)page_take_row(page, i);
    } else if (!listed && is_of_the_walk(browse, intent) && browse_row_matches(browse, intent) &&
               server_filter_matches(&browse->filter, intent)) {
        left_remove(browse, intent_id(intent));
        waiting_add(browse, page_take_row(page, i), confirmed);
    }
}

bool browse_take_in(struct browse *browse, struct team_rows_taken *taken, int64_t now) {
    unsigned before = browse->generation;
    if (browse->replacing && browse->n == 0)
        return false;
    for (size_t i = 0; i < taken->page.n; i++)
        take_row_in(browse, &taken->page, i, taken->confirmed[i], now);
    for (size_t i = 0; i < taken->page.n; i++)
        browse->generation += !taken->page.items[i];
    return browse->generation != before;
}
