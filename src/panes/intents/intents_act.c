#include "panes/intents/intents.h"
#include "panes/shell/ask.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void sort(struct shell *shell, int key, struct effects *effects) {
    struct intents *intents = intents_of(shell);
    enum query_field_code field = intents_column_field(intents->table.column);
    if (field == QUERY_FIELD_COUNT) {
        shell_message(shell, ROLE_WARN, "rows cannot be sorted by this column; %s and %s choose another",
                      shell_key_of(shell, ACTION_LEFT), shell_key_of(shell, ACTION_RIGHT));
    } else {
        view_sort(&intents->view, field, key, shell_now(shell), effects);
        intents_viewed(shell, effects);
    }
}

/* After excluding a value, the next row that stays takes the cursor's line. */
static void anchor_beyond(struct shell *shell, int column, const char *value) {
    enum query_field_code field;
    struct str text;
    struct result_row at;
    bool stays = false;
    str_init(&text, QUERY_TEXT_MAX);
    for (size_t row = intents_of(shell)->table.cursor + 1; !stays && intents_at(shell, row, &at); row++) {
        str_reset(&text);
        stays = !intents_column_value(shell, at.intent, column, &field, &text) || !str_equal(text.s, value);
    }
    if (stays) {
        const struct intent *intent = at.intent;
        view_anchor(intents_view(shell), intent->id.state == VALUE_OK ? intent->id.text : NULL, intent->created_at.ms,
                    at.key);
    }
    str_clear(&text);
}

static void intents_act_narrow(struct shell *shell, bool exclude, struct effects *effects) {
    struct intents *intents = intents_of(shell);
    const struct intent *intent = intents_current(shell);
    int column = intents->table.column;
    enum query_field_code field = QUERY_FIELD_COUNT;
    struct str value, text, term;
    str_init(&value, QUERY_TEXT_MAX);
    str_init(&text, QUERY_TEXT_MAX);
    str_init(&term, QUERY_TEXT_MAX);
    if (!intent || !intents_column_value(shell, intent, column, &field, &value)) {
        bool other = column != COLUMN_FLAGS && intents_column_field(column) == QUERY_FIELD_COUNT;
        shell_message(shell, ROLE_WARN, "%s%s; %s and %s choose a column", other ? column_info(column)->name : "",
                      other ? " is no field of the filter" : "there is no value under the cursor",
                      shell_key_of(shell, ACTION_LEFT), shell_key_of(shell, ACTION_RIGHT));
    } else {
        query_narrow(&text, intents->view.query, field, value.s, exclude);
        query_narrow(&term, NULL, field, value.s, exclude);
        if (exclude)
            anchor_beyond(shell, column, value.s);
        intents_narrow(shell, text.s, term.s, effects);
    }
    str_clear(&value);
    str_clear(&text);
    str_clear(&term);
}

static void intents_act_note(struct shell *shell, bool tags, struct effects *effects) {
    const struct intent *intent = intents_current(shell);
    bool named = intent && (intent->id.state == VALUE_OK || intent->user_id.state == VALUE_OK);
    if (!named)
        shell_message(shell, ROLE_WARN, "there is no row under the cursor that a note could be put on");
    else
        (void)shell_open(shell, OVERLAY_NOTES, &(struct notes_line){intent, tags}, effects);
}

/* The marked rows, else the one under the cursor. */
static void intents_act_hand_over(struct shell *shell, struct effects *effects) {
    const struct intent *intent = intents_current(shell);
    const struct view *view = intents_view(shell);
    struct {
        const char **items;
        size_t n, cap;
    } ids = {0};
    for (size_t i = 0; i < view->marks.n; i++)
        *vec_add(&ids) = view->marks.items[i].id;
    if (ids.n == 0 && intent && intent->id.state == VALUE_OK)
        *vec_add(&ids) = intent->id.text;
    if (ids.n == 0)
        shell_message(shell, ROLE_WARN, "there is no row under the cursor that could be handed over");
    else
        (void)shell_open(shell, OVERLAY_HANDOVER,
                         &(struct handover_ids){ids.items, ids.n, view->marks.n > 0 ? intents_marks_left(shell) : 0},
                         effects);
    free(ids.items);
}

/* All intents of the user, and what they say of it above them; where those are on show already, the whole of it. */
static void of_user(struct shell *shell, struct effects *effects) {
    const struct intent *intent = intents_current(shell);
    struct str text;
    if (!intent && customer_open(shell))
        return;
    if (!intent || intent->user_id.state != VALUE_OK) {
        shell_message(shell, ROLE_WARN, intent ? "this intent names no user" : "there is no intent here");
        return;
    }
    str_init(&text, QUERY_TEXT_MAX);
    query_add_equal(&text, QUERY_USER_FIELD, intent->user_id.text);
    if (text.truncated)
        shell_message(shell, ROLE_WARN, "the user's id is too long for a filter");
    else if (!str_equal(intents_filter(shell), text.s) || !customer_open(shell))
        intents_apply(shell, text.s, effects);
    str_clear(&text);
}

static bool intents_act_name_of(const struct shell *shell, size_t row, struct lookup_name *out) {
    struct result_row at;
    if (!intents_at(shell, row, &at) || at.intent->id.state != VALUE_OK)
        return false;
    *out = (struct lookup_name){(char *)at.intent->id.text, at.intent->created_at.ms, at.key};
    return true;
}

static void intents_act_mark(struct shell *shell, struct effects *effects) {
    struct intents *intents = intents_of(shell);
    struct view *view = &intents->view;
    struct lookup_name name;
    if (!intents_act_name_of(shell, intents->table.cursor, &name)) {
        struct result_row row;
        bool there = intents_at(shell, intents->table.cursor, &row);
        shell_message(shell, ROLE_WARN, "%s",
                      intents_count(shell) == 0 ? "there is no row to mark"
                      : there                   ? "a row without an id cannot be marked"
                                                : "this row is being read");
        return;
    }
    view_keep(view);
    view_mark(view, &name, !view_is_marked(view, name.id));
    table_move(&intents->table, intents_count(shell), 1);
    intents_moved(shell, effects);
}

/* The place of the row that was marked last, where it is in the list. */
static size_t mark_last(const struct shell *shell) {
    const struct intents *intents = intents_of(shell);
    size_t n = intents->view.marks.n;
    if (n == 0)
        return SIZE_MAX;
    return result_find(&intents->view, &intents->view.marks.items[n - 1]);
}

static void mark_range(struct shell *shell, struct effects *effects) {
    struct view *view = intents_view(shell);
    size_t other = mark_last(shell), cursor = intents_of(shell)->table.cursor;
    if (other >= intents_count(shell)) {
        shell_message(shell, ROLE_WARN, "mark the other end first: %s", shell_key_of(shell, ACTION_MARK));
        return;
    }
    size_t from = other < cursor ? other : cursor, end = other < cursor ? cursor + 1 : other + 1;
    if (end - from > VIEW_RANGE_MAX) {
        shell_message(shell, ROLE_WARN, "more than %d rows are not marked at once: narrow the filter first",
                      VIEW_RANGE_MAX);
        return;
    }
    view_keep(view);
    result_mark_rows(view, from, end, effects);
}

enum { MARKS_LIST, MARKS_DROP };

static void marks_answered(struct shell *shell, int button, struct effects *effects) {
    struct view *view = intents_view(shell);
    if (button == MARKS_LIST) {
        intents_apply(shell, "is:marked", effects);
    } else if (button == MARKS_DROP) {
        view_keep(view);
        view_marks_drop(view);
        view_ask(view, shell_now(shell), effects);
    }
}

static void marks(struct shell *shell) {
    static const char *const BUTTONS[] = {"list them", "unmark them"};
    struct intents *intents = intents_of(shell);
    if (intents_view(shell)->marks.n == 0) {
        shell_message(shell, ROLE_INFO, "no row is marked; %s marks", shell_key_of(shell, ACTION_MARK));
        return;
    }
    (void)snprintf(intents->marks_question, sizeof intents->marks_question,
                   "List the marked rows, or unmark all of them?\n%s marks them again.",
                   shell_key_of(shell, ACTION_UNDO));
    struct ask ask = {
        .confirm = {.title = "Marked rows",
                    .text = intents->marks_question,
                    .buttons = BUTTONS,
                    .n_buttons = (int)COUNT_OF(BUTTONS),
                    .selected = MARKS_LIST,
                    .role = ROLE_TITLE},
        .answered = marks_answered,
    };
    ask_open(shell, &ask);
}

static void stepped(struct shell *shell, bool done, const char *otherwise, const struct error *error,
                    struct effects *effects) {
    if (done)
        intents_viewed(shell, effects);
    else if (error->code != ERR_OK)
        shell_message(shell, ROLE_ERROR, "%s", error->text);
    else
        shell_message(shell, ROLE_INFO, "%s", otherwise);
}

bool intents_find(struct shell *shell, int direction) {
    struct intents *intents = intents_of(shell);
    size_t rows = intents_count(shell), cursor = intents->table.cursor;
    if (!intents->view.find) {
        shell_message(shell, ROLE_INFO, "no search is set; %s searches", shell_key_of(shell, ACTION_FIND));
        return false;
    }
    size_t row = result_next_found(&intents->view, cursor, direction, shell_now(shell)), before, n;
    if (row >= rows) {
        bool none = result_found(&intents->view, cursor, &before, &n) && n == 0;
        shell_message(shell, ROLE_INFO, "%s",
                      none            ? "the search finds nothing in the rows at hand"
                      : direction > 0 ? "the search finds nothing more below in the rows at hand"
                                      : "the search finds nothing more above in the rows at hand");
        return false;
    }
    intents->table.cursor = row;
    return true;
}

static void find_from(struct shell *shell, int direction, struct effects *effects) {
    if (intents_find(shell, direction))
        intents_moved(shell, effects);
}

/* To another view, or to what stood here before. */
static bool act_step(struct shell *shell, int action, struct effects *effects) {
    static const char NONE_BEFORE[] = "there is no view before this one";
    struct view *view = intents_view(shell);
    struct error error = {0};
    bool done;
    switch (action) {
    case ACTION_UNDO:
        undo_step(shell, false, effects);
        return true;
    case ACTION_REDO:
        undo_step(shell, true, effects);
        return true;
    case ACTION_VIEWS:
        (void)shell_open(shell, OVERLAY_VIEWS, NULL, effects);
        return true;
    case ACTION_VIEW_LAST:
        done = view_last(view, shell_now(shell), effects, &error);
        stepped(shell, done, NONE_BEFORE, &error, effects);
        return true;
    case ACTION_VIEW_BACK:
        done = view_go(view, -1, shell_now(shell), effects, &error);
        stepped(shell, done, NONE_BEFORE, &error, effects);
        return true;
    case ACTION_VIEW_FORWARD:
        done = view_go(view, 1, shell_now(shell), effects, &error);
        stepped(shell, done, "there is no view after this one", &error, effects);
        return true;
    default:
        return false;
    }
}

bool intents_act_view(struct shell *shell, int action, struct effects *effects) {
    struct view *view = intents_view(shell);
    switch (action) {
    case ACTION_FILTER:
        (void)shell_open(shell, OVERLAY_PROMPT, &(struct prompt_line){PROMPT_FILTER, view->text}, effects);
        return true;
    case ACTION_FIND:
        (void)shell_open(shell, OVERLAY_PROMPT, &(struct prompt_line){PROMPT_FIND, ""}, effects);
        return true;
    case ACTION_JUMP:
        (void)shell_open(shell, OVERLAY_PROMPT, &(struct prompt_line){PROMPT_JUMP, ""}, effects);
        return true;
    case ACTION_FIND_NEXT:
    case ACTION_FIND_PREVIOUS:
        find_from(shell, action == ACTION_FIND_NEXT ? 1 : -1, effects);
        return true;
    case ACTION_SORT:
    case ACTION_SORT_SECOND:
        sort(shell, action == ACTION_SORT ? 0 : 1, effects);
        return true;
    case ACTION_NARROW:
    case ACTION_EXCLUDE:
        intents_act_narrow(shell, action == ACTION_EXCLUDE, effects);
        return true;
    case ACTION_USER_INTENTS:
        of_user(shell, effects);
        return true;
    case ACTION_ADD_NOTE:
    case ACTION_SET_TAGS:
        intents_act_note(shell, action == ACTION_SET_TAGS, effects);
        return true;
    case ACTION_HAND_OVER:
        intents_act_hand_over(shell, effects);
        return true;
    case ACTION_OWN_ACTIONS:
        own_run_open(shell);
        return true;
    case ACTION_MARK:
        intents_act_mark(shell, effects);
        return true;
    case ACTION_MARK_RANGE:
        mark_range(shell, effects);
        return true;
    case ACTION_MARKS:
        marks(shell);
        return true;
    case ACTION_COPY:
        copy_under(shell, effects);
        return true;
    case ACTION_COPY_AS:
        copy_open(shell);
        return true;
    case ACTION_COLUMNS:
    case ACTION_WIDE:
    case ACTION_FIT:
        return columns_act(shell, action, effects);
    case ACTION_MATCH:
        (void)shell_stand_in(shell, PANE_INTENTS, PANE_MATCH, effects);
        return true;
    case ACTION_EXPORT:
        (void)shell_open(shell, OVERLAY_EXPORT, NULL, effects);
        return true;
    default:
        return act_step(shell, action, effects);
    }
}
