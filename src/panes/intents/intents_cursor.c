#include "panes/intents/intents.h"

#include "base/mem.h"

#include <stdlib.h>

/* The record under the cursor: where it is after the rows changed, and what is said where it is not. */

/* Notes the record under the cursor, to return to it: the one before a filter was typed, or before nothing was found.
 */
void intents_keep_cursor(struct shell *shell) {
    struct intents *intents = intents_of(shell);
    struct result_row row;
    bool there = intents_at(shell, intents->table.cursor, &row);
    const char *id = there && row.intent->id.state == VALUE_OK ? row.intent->id.text : NULL;
    if (shell_shows(shell, OVERLAY_PROMPT) || intents_count(shell) == 0)
        return;
    if (there && !str_equal(id, intents->cursor_id)) {
        intents_see(shell);
        free(intents->cursor_id);
        intents->cursor_id = mem_dup(id);
    }
    intents->cursor_question = intents->view.question;
    if (!intents->browse.replacing) /* else rows of the earlier filter are still on show */
        intents->cursor_filters = intents->browse.filters;
    if (there)
        view_anchor(&intents->view, id, row.intent->created_at.ms, row.key);
    else
        view_anchor(&intents->view, NULL, CLOCK_NONE, view_key(&intents->view, intents->table.cursor));
}

static bool is_newer(const struct browse *browse, size_t row, size_t than) {
    const struct value_time *a = &browse->items[row].intent->created_at, *b = &browse->items[than].intent->created_at;
    return a->state == VALUE_OK && b->state == VALUE_OK && a->ms > b->ms;
}

/* At the start the cursor stays at the newest row of the last visit; newer rows are above it. Said only where the list
 * is newest first and somebody looked before. */
static void say_place(struct shell *shell, size_t row) {
    const struct browse *browse = intents_browse(shell);
    bool since = row > 0 && row < browse->n && browse->newest_first && is_newer(browse, 0, row);
    if (since && !browse->first_visit && !shell_has_message(shell)) {
        shell_message(shell, ROLE_INFO, "this was the newest row at your last visit; %s goes to what came since",
                      shell_key_of(shell, ACTION_FIRST));
    }
}

/* The pages that were read by themselves did not reach the cached rows. */
void intents_ask_before_more(struct shell *shell) {
    struct intents *intents = intents_of(shell);
    const struct browse *browse = &intents->browse;
    struct str rows;
    if (intents->asked_before_more || !browse_asks_before_more(browse) || shell_has_overlay(shell))
        return;
    intents->asked_before_more = true;
    str_init(&rows, 32);
    money_group_count(&rows, browse->confirmed);
    shell_message(shell, ROLE_WARN,
                  "the newest %s rows were read; between them and the cached ones below are more: %s reads all, %s at "
                  "the last row read the next ones",
                  rows.s, shell_key_of(shell, ACTION_CRAWL), shell_key_of(shell, ACTION_PAGE_DOWN));
    str_clear(&rows);
}

/* The row that the cursor goes to when the service first answers. With live updates on, an operator who has not moved
 * yet stays at the top, to see what comes; else the cursor stays on its row. */
static size_t start_row(struct shell *shell, size_t row) {
    struct intents *intents = intents_of(shell);
    bool first = !intents->answered && intents->browse.last_answer != CLOCK_NONE;
    intents->answered = intents->answered || first;
    if (!first || intents->table.cursor > 0)
        return row;
    if (intents->live.mode == LIVE_ON)
        return 0;
    say_place(shell, row);
    return row;
}

/* Everything was read again, and the record under the cursor was not in it. */
static void say_lost(struct shell *shell, size_t rows) {
    const struct intents *intents = intents_of(shell);
    bool free = shell_message_may_go(shell);
    if (rows > 0 && intents->cursor_filters == intents->browse.filters && free)
        shell_message(shell, ROLE_WARN, "the record under the cursor is no longer listed; another is in its place");
}

/* Keeps the record under the cursor on its screen line, wherever it went; where the record is gone the cursor stays at
 * its row number. */
void intents_place_cursor(struct shell *shell) {
    struct intents *intents = intents_of(shell);
    struct view *view = &intents->view;
    size_t rows = intents_count(shell);
    size_t row = intents->table.cursor;
    bool later = false, placed = intents->answered || intents->table.cursor > 0;
    if (result_is_as_read(view)) {
        size_t held = browse_find(&intents->browse, intents->cursor_id);
        row = held < rows ? held : intents->seeking ? intents->seek_row : row;
        row = start_row(shell, row < rows ? row : rows - (rows > 0));
        intents->seeking = intents->seeking && held >= rows && intents->browse.end == BROWSE_OPEN;
        if (placed && intents->cursor_id && held >= rows && !intents->seeking)
            say_lost(shell, rows);
    } else if (view->answer->at < rows) {
        row = view->answer->at;
    } else {
        later = result_awaits(view, intents->cursor_id, shell_now(shell));
        if (view->fresh)
            row = intents->table.top = intents->table.cursor = 0;
        else if (!view->answer->placed && intents->cursor_question == view->question && intents->cursor_id && !later)
            say_lost(shell, rows);
    }
    table_place(&intents->table, rows, row);
    intents_into_sight(shell);
    if (!intents->seeking && !later)
        intents_keep_cursor(shell);
}
