#include "panes/intents/intents.h"

#include "base/ascii.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Going to a row by its id, or by the time when it was created, without changing the list. */

static const char TIME_LETTERS[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:.+-";

void jump_clear(struct jump *jump) {
    query_free(jump->query);
    free(jump->text);
    *jump = (struct jump){0};
}

static struct query *jump_parse(const struct view *view, struct str *text) {
    struct query *query = NULL;
    enum err err = view_parse(view, text->s, &query, NULL, NULL);
    str_clear(text);
    return err == ERR_OK ? query : NULL;
}

/* Whether the service lists the oldest first, as far as pages were read. */
static bool serves_oldest_first(const struct view *view) {
    return view->browse->oldest_first && !view->browse->newest_first;
}

static bool shows_oldest_first(const struct view *view) {
    bool sorted = view->sort[0].field == QUERY_CREATED_FIELD && !view->sort[0].descending;
    return result_is_as_read(view) ? serves_oldest_first(view) : sorted;
}

/* Whether rows that were not read may be above the first one: then a time that is found there may have earlier matches.
 */
static bool is_unread_above(const struct view *view) {
    return shows_oldest_first(view) != serves_oldest_first(view);
}

static struct query *query_of_time(const struct view *view, const char *typed) {
    struct str text;
    str_init(&text, 8 * QUERY_TEXT_MAX);
    str_addf(&text, "%s%s", shows_oldest_first(view) ? "created>=" : "created<=", typed);
    return jump_parse(view, &text);
}

/* By its beginning, or by its end, which is what a narrow column shows of it; few letters would end other ids too. */
static void add_id_terms(struct str *out, const char *id) {
    enum { END_LETTERS = 5 };
    str_addf(out, "%sid:", out->len > 0 ? " | " : "");
    query_quote(out, id);
    if (strlen(id) >= END_LETTERS) {
        str_add(out, " | id:*");
        query_quote(out, id);
    }
}

/* As it was typed, and in small letters or capitals alone: another program may write an id so. */
static struct query *query_of_id(const struct view *view, const char *typed) {
    static const char CUT[] = "\xE2\x80\xA6"; /* with which the screen begins what it cut */
    struct str text, other;
    typed += str_starts(typed, CUT) && typed[strlen(CUT)] ? strlen(CUT) : 0;
    str_init(&text, 32 * QUERY_TEXT_MAX);
    str_init(&other, QUERY_TEXT_MAX);
    add_id_terms(&text, typed);
    for (int capitals = 0; capitals < 2; capitals++) {
        str_reset(&other);
        for (const char *c = typed; *c; c++)
            str_add_char(&other, capitals ? ascii_upper(*c) : ascii_lower(*c));
        if (!str_equal(other.s, typed))
            add_id_terms(&text, other.s);
    }
    str_clear(&other);
    return jump_parse(view, &text);
}

/* The query for what was typed. In a list that is newest first: the first row that is not newer than the end of the
 * named time; in one that is oldest first the other way round. What is no time is a part of an id. */
static struct query *query_of(const struct view *view, const char *text, enum jump_kind *kind) {
    struct query *query = text[strspn(text, TIME_LETTERS)] == '\0' ? query_of_time(view, text) : NULL;
    bool digits = text[strcspn(text, "0123456789")] != '\0';
    *kind = query ? JUMP_BY_TIME : digits ? JUMP_BY_ID : JUMP_BY_WORD;
    return query ? query : query_of_id(view, text);
}

/* Whether rows that were not read, between the walk's last row and the cached ones below, may be nearer to the time. */
static bool is_behind_gap(const struct shell *shell, const struct query *query) {
    const struct browse *browse = intents_browse(shell);
    return browse->gap && !shows_oldest_first(intents_view(shell)) && browse->confirmed < browse->n &&
           result_next_read(intents_view(shell), query, SIZE_MAX, 1, shell_now(shell)) == browse->confirmed;
}

/* Whether the rows on show are in the order in which the service sent them. */
static bool in_walk(struct shell *shell, const struct query *query) {
    struct intents *intents = intents_of(shell);
    size_t row = result_next_read(intents_view(shell), query, SIZE_MAX, 1, shell_now(shell));
    if (row >= intents->browse.n)
        return false;
    intents->table.cursor = row;
    return true;
}

/* Where no row of the filter is found, looks for one that the filter hides. */
static void look_beyond(struct shell *shell, struct effects *effects) {
    struct jump *jump = &intents_of(shell)->jump;
    struct str text;
    str_init(&text, 8 * QUERY_TEXT_MAX);
    query_print(jump->query, &text);
    struct lookup *lookup = view_lookup_text(intents_view(shell), text.s, shell_now(shell));
    str_clear(&text);
    if (lookup) {
        jump->beyond = true;
        jump->ticket = effects_lookup(effects, lookup);
    }
}

static void say_beyond(struct shell *shell, const struct lookup_result *found) {
    if (found->n > 0) {
        shell_message(shell, ROLE_WARN, "the filter hides it; %s and an empty filter show it",
                      shell_key_of(shell, ACTION_FILTER));
    } else {
        shell_message(shell, ROLE_WARN, "no %s has this id, with this filter or without",
                      intents_view(shell)->source == VIEW_OF_CACHE ? "cached intent" : "intent read so far");
    }
}

/* Whether further pages may have it: an id always, a day where the service lists by time. */
static bool reads_back(struct shell *shell, const struct query *query, const char *text, enum jump_kind kind,
                       struct effects *effects) {
    const struct browse *browse = intents_browse(shell);
    bool sought = kind == JUMP_BY_ID || (kind == JUMP_BY_TIME && (browse->newest_first || browse->oldest_first));
    return sought && browse->end == BROWSE_OPEN && read_back_jump(shell, query, text, effects);
}

static void say_missing(struct shell *shell, bool whole, enum jump_kind kind) {
    bool recent = shows_oldest_first(intents_view(shell));
    const char *what = kind != JUMP_BY_TIME ? "no intent has this id"
                       : recent             ? "no intent is that recent"
                                            : "no intent is that old";
    struct str more;
    str_init(&more, 64);
    str_addf(&more, "%s reads all", shell_key_of(shell, ACTION_CRAWL));
    if (kind == JUMP_BY_WORD) {
        shell_message(shell, ROLE_WARN, "a time is written 2026-11-01, today, -7d; no id matches%s%s",
                      whole ? "" : " yet; ", whole ? "" : more.s);
    } else if (whole) {
        shell_message(shell, ROLE_WARN, "%s under this filter", what);
    } else {
        shell_message(shell, ROLE_WARN, "%s among the rows at hand so far; %s", what, more.s);
    }
    str_clear(&more);
}

static void jump_look(struct shell *shell, struct query *query, const char *text, enum jump_kind kind,
                      struct effects *effects) {
    struct jump *jump = &intents_of(shell)->jump;
    jump_clear(jump);
    jump->query = query;
    jump->text = mem_dup(text);
    jump->kind = kind;
    jump->ticket = view_locate(intents_view(shell), query, shell_now(shell), effects);
}

void intents_jump(struct shell *shell, const char *text, struct effects *effects) {
    struct view *view = intents_view(shell);
    enum jump_kind kind = JUMP_BY_ID;
    bool other_order = view_is_sorted(view) && view->sort[0].field != QUERY_CREATED_FIELD;
    struct query *query = *text ? query_of(view, text, &kind) : NULL;
    if (!query)
        return;
    bool as_read = result_is_as_read(view);
    bool oldest_first = kind == JUMP_BY_TIME && serves_oldest_first(view);
    bool walk_alone = as_read && (view->source != VIEW_OF_CACHE || oldest_first); /* the cache has the opposite order */
    if (kind == JUMP_BY_TIME && other_order) {
        shell_message(shell, ROLE_WARN, "sorted by %s, rows are in no order of time; %s undoes the sort",
                      query_field(view->sort[0].field)->name, shell_key_of(shell, ACTION_UNDO));
    } else if (kind == JUMP_BY_TIME && is_behind_gap(shell, query) && reads_back(shell, query, text, kind, effects)) {
        shell_redraw(shell);
    } else if (as_read && in_walk(shell, query)) {
        intents_moved(shell, effects);
    } else if (walk_alone && reads_back(shell, query, text, kind, effects)) {
        shell_redraw(shell);
    } else if (walk_alone) {
        say_missing(shell, intents_browse(shell)->end == BROWSE_END, kind);
    } else {
        jump_look(shell, query, text, kind, effects);
        query = NULL;
    }
    query_free(query);
}

void intents_go_to(struct shell *shell, const struct lookup_name *name, struct effects *effects) {
    struct view *view = intents_view(shell);
    size_t row = result_find(view, name);
    struct str text;
    str_init(&text, 8 * QUERY_TEXT_MAX);
    query_add_equal(&text, QUERY_ID_FIELD, name->id);
    struct query *query = row < result_rows(view) ? NULL : jump_parse(view, &text);
    str_clear(&text);
    if (query) {
        jump_look(shell, query, name->id, JUMP_BY_ID, effects);
    } else if (row < result_rows(view)) {
        intents_of(shell)->table.cursor = row;
        intents_moved(shell, effects);
    }
}

void intents_show(struct shell *shell, const struct lookup_name *name, struct effects *effects) {
    (void)shell_stand_in(shell, PANE_INTENTS, PANE_INTENTS, effects);
    intents_close_detail(shell);
    intents_go_to(shell, name, effects);
}

void intents_visit(struct shell *shell, const struct lookup_name *name, struct effects *effects) {
    (void)shell_act(shell, ACTION_PANE_INTENTS, effects);
    intents_show(shell, name, effects);
}

/* A row that is not in the walk is shown among the cached ones, in the walk's order, as a view that undo leaves. */
static void land(struct shell *shell, const struct lookup_result *found, struct effects *effects) {
    struct view *view = intents_view(shell);
    view_anchor(view, NULL, CLOCK_NONE, found->keys[found->hits[0]]);
    if (result_is_as_read(view))
        view_order(view, QUERY_CREATED_FIELD, true, shell_now(shell), effects);
    else
        view_bring(view, shell_now(shell), effects); /* it may be a row that waits */
    if (found->n_hits > 1 && intents_of(shell)->jump.kind != JUMP_BY_TIME)
        shell_message(shell, ROLE_INFO, "the first of %zu ids that begin or end with this", found->n_hits);
}

/* Whether the row found is the first of those in memory while earlier ones were not read. */
static bool is_at_edge(const struct shell *shell, const struct lookup_result *found) {
    const struct view *view = intents_view(shell);
    return intents_of(shell)->jump.kind == JUMP_BY_TIME && found->hits[0] == 0 && !result_is_as_read(view) &&
           is_unread_above(view) && !view_covers(view, found);
}

bool jump_event(struct shell *shell, const struct event *event, struct effects *effects) {
    struct jump *jump = &intents_of(shell)->jump;
    if (event->kind != EVENT_LOOKUP || jump->ticket == 0 || event->ticket != jump->ticket)
        return false;
    jump->ticket = 0;
    const struct lookup_result *found = event_get(event, lookup_result);
    if (found->error.code != ERR_OK)
        shell_message(shell, ROLE_ERROR, "%s", found->error.text);
    else if (jump->beyond && found->n == 0 && reads_back(shell, jump->query, jump->text, jump->kind, effects))
        shell_redraw(shell);
    else if (jump->beyond)
        say_beyond(shell, found);
    else if (found->n_hits == 0 && jump->kind == JUMP_BY_ID && *intents_view(shell)->text)
        look_beyond(shell, effects);
    else if (found->n_hits == 0 && !view_covers(intents_view(shell), found) &&
             reads_back(shell, jump->query, jump->text, jump->kind, effects))
        shell_redraw(shell);
    else if (found->n_hits == 0)
        say_missing(shell, view_covers(intents_view(shell), found), jump->kind);
    else if (is_at_edge(shell, found) && reads_back(shell, jump->query, jump->text, jump->kind, effects))
        shell_redraw(shell);
    else
        land(shell, found, effects);
    if (jump->ticket == 0)
        jump_clear(jump);
    return true;
}
