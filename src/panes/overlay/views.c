#include "views.h"

#include "base/mem.h"
#include "base/secret.h"
#include "panes/intents/list.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 64 << 10 };

struct saved_list *views_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_VIEWS);
}

static void overlay_views_clear(struct shell *shell) {
    struct saved_list *pane = views_of(shell);
    edit_clear(&pane->name);
    free(pane->counts.items);
    free(pane->keeping);
    free(pane->who);
    free(pane->said);
    free(pane->seen.name);
    *pane = (struct saved_list){0};
}

/* ---- what the list has ---- */

/* What is one's own stands among one's own, unless it is not saved here any more. */
static bool stands_behind(const struct shell *shell, const struct shared_view *shared) {
    return !str_equal(shared->who, views_of(shell)->who) || !saved_views_find(intents_saved(shell), shared->name);
}

bool view_line_at(const struct shell *shell, size_t place, struct view_line *out) {
    const struct saved_views *saved = intents_saved(shell);
    const struct shared_view *shared;
    if (place < saved->n) {
        const struct saved_view *view = &saved->items[place];
        const char *who = views_of(shell)->who;
        *out = (struct view_line){view, who ? shared_views_of(intents_shared(shell), who, view->name) : NULL, true};
        return true;
    }
    place -= saved->n;
    for (size_t i = 0; (shared = shared_views_at(intents_shared(shell), i)) != NULL; i++) {
        if (stands_behind(shell, shared) && place-- == 0) {
            *out = (struct view_line){&shared->view, shared, false};
            return true;
        }
    }
    return false;
}

size_t view_lines(const struct shell *shell) {
    const struct shared_view *shared;
    size_t n = intents_saved(shell)->n;
    for (size_t i = 0; (shared = shared_views_at(intents_shared(shell), i)) != NULL; i++)
        n += stands_behind(shell, shared);
    return n;
}

bool view_line_at_cursor(const struct shell *shell, struct view_line *out) {
    return view_line_at(shell, views_of(shell)->cursor, out);
}

/* ---- counts ---- */

/* One count after the other, so that other questions to the index never wait for all of them. */
static void count_next(struct shell *shell, struct effects *effects) {
    struct saved_list *pane = views_of(shell);
    struct lookup *lookup = NULL;
    struct view_line line;
    pane->ticket = 0;
    while (intents_source(shell) != VIEW_NOT_KNOWN && !lookup && view_line_at(shell, pane->counts.n, &line)) {
        bool usable = line.own || !line.shared->fault;
        lookup = usable ? intents_lookup_text(shell, line.view->filter) : NULL;
        if (!lookup)
            vec_add(&pane->counts)->known = false;
    }
    if (!lookup)
        return;
    lookup->over.kind = QUERY_AXIS_DAY;
    lookup->counts = true;
    pane->ticket = effects_lookup(effects, lookup);
}

static void count_all(struct shell *shell, struct effects *effects) {
    struct saved_list *pane = views_of(shell);
    if (pane->ticket)
        effects_cancel(effects, pane->ticket);
    pane->counts.n = 0;
    count_next(shell, effects);
}

static void to_name(struct shell *shell, const char *name) {
    struct view_line line;
    for (size_t i = 0; view_line_at(shell, i, &line); i++)
        if (str_equal(line.view->name, name))
            views_of(shell)->cursor = i;
}

static void to_shown(struct shell *shell) {
    to_name(shell, intents_name(shell));
}

static bool open_views(struct shell *shell, const void *argument, struct effects *effects) {
    struct saved_list *pane = views_of(shell);
    pane->naming = pane->sure = false;
    pane->cursor = pane->top = 0;
    (void)argument;
    to_shown(shell);
    count_all(shell, effects);
    return true;
}

static void close_list(struct shell *shell, struct effects *effects) {
    if (views_of(shell)->ticket) {
        effects_cancel(effects, views_of(shell)->ticket);
        views_of(shell)->ticket = 0;
    }
    shell_close(shell);
}

static void overlay_views_choose(struct shell *shell, size_t place, struct effects *effects) {
    struct view_line line;
    if (!view_line_at(shell, place, &line))
        return;
    if (!line.own && line.shared->fault) {
        shell_message(shell, ROLE_WARN, "%s cannot be used here: %s", line.view->name, line.shared->fault);
        return;
    }
    close_list(shell, effects);
    intents_show_view(shell, line.view->name, effects);
}

static void say_later(struct saved_list *pane, const char *what, const char *name) {
    struct str text;
    str_init(&text, 256);
    str_addf(&text, "view %s %s", name, what);
    free(pane->said);
    pane->said = str_take(&text);
}

/* Cannot be undone, so the key has to be pressed twice. */
static void overlay_views_forget(struct shell *shell, struct effects *effects) {
    struct saved_list *pane = views_of(shell);
    struct view_line line;
    if (!view_line_at_cursor(shell, &line))
        return;
    const char *name = line.view->name;
    if (!line.own) {
        shell_message(shell, ROLE_INFO, "X forgets views of your own: %s is shared", name);
        return;
    }
    if (!pane->sure) {
        pane->sure = true;
        shell_message(shell, ROLE_WARN, "X again forgets the view %s%s; another key keeps it", name,
                      line.shared ? ", which stays shared" : "");
        return;
    }
    pane->sure = false;
    say_later(pane, "forgotten", name);
    effects_view(effects, EFFECT_VIEW_DROP, name);
}

/* ---- shared with the team ---- */

static bool may_share(struct shell *shell) {
    struct error error = {0};
    if (shared_views_check(shell_profile(shell), &error) == ERR_OK)
        return true;
    shell_message(shell, ROLE_INFO, "%s", error.text);
    return false;
}

static void overlay_views_share(struct shell *shell, struct effects *effects) {
    struct view_line line;
    if (!may_share(shell) || !view_line_at_cursor(shell, &line))
        return;
    if (!line.own) {
        shell_message(shell, ROLE_INFO, "%s is shared; K keeps a copy, which you can share", line.view->name);
        return;
    }
    say_later(views_of(shell), "shared: it is sent to the team's store", line.view->name);
    effects_view(effects, EFFECT_VIEW_SHARE, line.view->name);
}

static void overlay_views_take_back(struct shell *shell, struct effects *effects) {
    struct view_line line;
    if (!may_share(shell) || !view_line_at_cursor(shell, &line))
        return;
    if (!line.shared) {
        shell_message(shell, ROLE_INFO, "%s is not shared", line.view->name);
        return;
    }
    if (!str_equal(line.shared->who, views_of(shell)->who)) {
        shell_message(shell, ROLE_INFO, "%s shares it, and nobody else takes it back", line.shared->who);
        return;
    }
    say_later(views_of(shell), "no longer shared", line.shared->name);
    effects_view(effects, EFFECT_VIEW_UNSHARE, line.shared->view.name);
}

static void begin_naming(struct saved_list *pane, const char *keeping) {
    edit_clear(&pane->name);
    edit_init(&pane->name, SAVED_NAME_MAX);
    free(pane->keeping);
    pane->keeping = mem_dup(keeping);
    pane->naming = true;
}

static void overlay_views_copy(struct shell *shell) {
    struct view_line line;
    if (!view_line_at_cursor(shell, &line))
        return;
    if (line.own) {
        shell_message(shell, ROLE_INFO, "%s is your own; K keeps a copy of what colleagues share", line.view->name);
    } else if (line.shared->fault) {
        shell_message(shell, ROLE_WARN, "%s cannot be used here: %s", line.view->name, line.shared->fault);
    } else {
        begin_naming(views_of(shell), line.view->name);
        edit_set(&views_of(shell)->name, line.shared->name);
    }
}

static void overlay_views_send(struct effects *effects, const struct saved_views *change) {
    struct str text;
    str_init(&text, TEXT_MAX);
    saved_views_print(change, &text);
    effects_view(effects, EFFECT_VIEW_KEEP, text.s);
    str_clear(&text);
}

/* Stores the layout of a saved view, never its filter; a view that was deleted meanwhile is not made again. */
static void overlay_views_keep(struct shell *shell, struct effects *effects) {
    struct saved_list *pane = views_of(shell);
    const struct layout *layout = &pane->seen.layout;
    struct saved_views change = {.has_list = true, .list = *layout};
    if (!pane->seen.changed || !pane->seen.name)
        return;
    pane->seen.changed = false;
    if (*pane->seen.name) {
        const struct saved_view *view = saved_views_find(intents_saved(shell), pane->seen.name);
        struct saved_view kept = view ? *view : (struct saved_view){0};
        change.has_list = false;
        memcpy(kept.sort, layout->sort, sizeof kept.sort);
        kept.columns = layout->columns;
        if (!view || saved_views_put(&change, &kept, NULL) != ERR_OK)
            return;
    }
    overlay_views_send(effects, &change);
    saved_views_clear(&change);
}

static void overlay_views_follow(struct shell *shell, struct effects *effects) {
    struct saved_list *pane = views_of(shell);
    struct layout layout = intents_layout(shell);
    bool same = pane->seen.name && str_equal(pane->seen.name, intents_name(shell));
    if (!same) {
        overlay_views_keep(shell, effects);
        free(pane->seen.name);
        pane->seen.name = mem_dup(intents_name(shell));
    } else if (!layout_equal(&pane->seen.layout, &layout)) {
        pane->seen.changed = true;
    }
    pane->seen.layout = layout;
}

/* Other views in the filter are written out: they may change later, and no view can come to name itself. */
static void overlay_views_save(struct shell *shell, struct effects *effects) {
    struct saved_list *pane = views_of(shell);
    struct layout layout = intents_layout(shell);
    struct error error = {0};
    struct saved_views one = {0};
    struct str filter;
    str_init(&filter, QUERY_TEXT_MAX);
    query_print(intents_query(shell), &filter);
    struct saved_view kept = {.name = pane->name.text.s,
                              .filter = filter.s,
                              .sort = {layout.sort[0], layout.sort[1]},
                              .columns = layout.columns};
    if (secret_stands_in(kept.name) || secret_stands_in(kept.filter)) {
        shell_message(shell, ROLE_ERROR, "this contains the profile's token, and views are stored: remove it first");
    } else if (saved_views_put(&one, &kept, &error) == ERR_OK) {
        say_later(pane, "saved", kept.name);
        overlay_views_send(effects, &one);
        intents_set_name(shell, kept.name);
        pane->seen.changed = false; /* the view has it now, not the list it was made from */
        pane->naming = false;
        pane->saved = true;
    } else {
        shell_message(shell, ROLE_ERROR, "%s", error.text);
    }
    saved_views_clear(&one);
    str_clear(&filter);
}

static void overlay_views_save_copy(struct shell *shell, struct effects *effects) {
    struct saved_list *pane = views_of(shell);
    struct error error = {0};
    struct saved_views one = {0};
    if (shared_views_keep(intents_shared(shell), pane->keeping, pane->name.text.s, NULL, &one, &error) == ERR_OK) {
        say_later(pane, "saved", pane->name.text.s);
        overlay_views_send(effects, &one);
        pane->naming = false;
    } else {
        shell_message(shell, ROLE_ERROR, "%s", error.text);
    }
    saved_views_clear(&one);
}

static void name_key(struct shell *shell, int32_t key, struct effects *effects) {
    if (key == INPUT_ENTER && views_of(shell)->keeping)
        overlay_views_save_copy(shell, effects);
    else if (key == INPUT_ENTER)
        overlay_views_save(shell, effects);
    else if (key == INPUT_ESCAPE || key == KEY_CTRL('C'))
        views_of(shell)->naming = false;
    else if (shell_edit_key(shell, &views_of(shell)->name, key) == EDIT_CHANGED)
        shell_message_clear(shell);
}

static void overlay_views_move(struct shell *shell, long step) {
    struct saved_list *pane = views_of(shell);
    size_t n = view_lines(shell);
    if (step < 0)
        pane->cursor -= pane->cursor > 0;
    else
        pane->cursor += pane->cursor + 1 < n;
}

static void list_key(struct shell *shell, int32_t key, struct effects *effects) {
    if (views_of(shell)->sure && key != 'X') {
        views_of(shell)->sure = false;
        shell_message_clear(shell);
    }
    switch (key) {
    case 'j':
    case INPUT_DOWN:
        overlay_views_move(shell, 1);
        break;
    case 'k':
    case INPUT_UP:
        overlay_views_move(shell, -1);
        break;
    case 's':
        begin_naming(views_of(shell), NULL);
        break;
    case 'S':
        overlay_views_share(shell, effects);
        break;
    case 'T':
        overlay_views_take_back(shell, effects);
        break;
    case 'K':
        overlay_views_copy(shell);
        break;
    case 'X':
        overlay_views_forget(shell, effects);
        break;
    case INPUT_ENTER:
        overlay_views_choose(shell, views_of(shell)->cursor, effects);
        break;
    case INPUT_ESCAPE:
    case INPUT_BACKSPACE:
    case 'q':
    case KEY_CTRL('C'):
        close_list(shell, effects);
        break;
    default:
        if (key >= '1' && key <= '9')
            overlay_views_choose(shell, (size_t)(key - '1'), effects);
        break;
    }
}

static void overlay_views_every_key(struct shell *shell, int32_t key, struct effects *effects) {
    if (views_of(shell)->naming)
        name_key(shell, key, effects);
    else
        list_key(shell, key, effects);
}

static bool overlay_views_paste(struct shell *shell, const char *text, struct effects *effects) {
    (void)effects;
    if (!views_of(shell)->naming || edit_paste(&views_of(shell)->name, text) == EDIT_REFUSED)
        shell_message(shell, ROLE_WARN, "pasted text was ignored: it is no name");
    return true;
}

/* Once, and only where nothing was done yet. */
static void restore(struct shell *shell, struct effects *effects) {
    struct layout now = intents_layout(shell);
    bool first = !views_of(shell)->restored && intents_is_untouched(shell);
    views_of(shell)->restored = true;
    if (!first || !intents_saved(shell)->has_list || layout_equal(&now, &intents_saved(shell)->list))
        return;
    intents_restore(shell, &intents_saved(shell)->list, effects);
    views_of(shell)->seen.layout = intents_saved(shell)->list;
    if (intents_is_sorted(shell) && !shell_has_message(shell)) {
        shell_message(shell, ROLE_INFO, "sorted as in the last session; %s undoes it",
                      shell_key_of(shell, ACTION_UNDO));
    }
}

static void take_views(struct shell *shell, const struct event *event, struct effects *effects) {
    const struct views_read *read = event_get(event, views_read);
    struct saved_list *pane = views_of(shell);
    struct view_line line;
    char *shown = mem_dup(intents_name(shell));
    char *under = view_line_at_cursor(shell, &line) ? mem_dup(line.view->name) : NULL;
    bool replaced = intents_take_saved(shell, read->text, read->shared);
    free(pane->who);
    pane->who = mem_dup(read->who);
    to_name(shell, under);
    if (read->failure->code != ERR_OK)
        shell_message(shell, ROLE_ERROR, "%s", read->failure->text);
    else if (replaced)
        shell_message(shell, ROLE_INFO, "%s is shared otherwise by now, or not any more: the list is as it was", shown);
    else if (pane->said)
        shell_message(shell, ROLE_INFO, "%s", pane->said);
    free(shown);
    free(under);
    free(pane->said);
    pane->said = NULL;
    if (pane->saved)
        to_shown(shell);
    pane->saved = pane->sure = false;
    if (shell_shows(shell, OVERLAY_VIEWS))
        count_all(shell, effects);
    restore(shell, effects);
    shell_redraw(shell);
}

/* As clocks on show have them. */
static void take_days(const struct shell *shell, const struct lookup_result *found, size_t days[VIEW_DAYS]) {
    const struct query_axis axis = {.kind = QUERY_AXIS_DAY};
    struct query_clock clock = {.zone = intents_context(shell).zone};
    int64_t today = query_axis_time(&axis, &clock, shell_now(shell), false);
    for (size_t i = 0; i < found->n_overs; i++) {
        const struct query_place *day = &found->overs[i];
        if (day->value && day->number <= today && day->number > today - VIEW_DAYS)
            days[VIEW_DAYS - 1 - (today - day->number)] = day->rows;
    }
}

static void take_count(struct shell *shell, const struct lookup_result *found, struct effects *effects) {
    struct view_line line;
    if (!view_line_at(shell, views_of(shell)->counts.n, &line))
        return;
    struct view_count *count = vec_add(&views_of(shell)->counts);
    *count = (struct view_count){.rows = found->n,
                                 .known = found->error.code == ERR_OK,
                                 .whole = intents_covers_text(shell, found, line.view->filter)};
    take_days(shell, found, count->days);
    count_next(shell, effects);
    shell_redraw(shell);
}

static bool overlay_views_event(struct shell *shell, struct event *given, struct effects *effects) {
    if (given->kind == EVENT_VIEWS) {
        take_views(shell, given, effects);
        return true;
    }
    if (given->kind == EVENT_LOOKUP && views_of(shell)->ticket && given->ticket == views_of(shell)->ticket) {
        take_count(shell, event_get(given, lookup_result), effects);
        return true;
    }
    return false;
}

static void overlay_views_start(struct shell *shell, struct effects *effects) {
    overlay_views_follow(shell, effects);
    effects_add(effects, EFFECT_VIEWS);
}

const struct pane views_overlay = {.size = sizeof(struct saved_list),
                                   .start = overlay_views_start,
                                   .end = overlay_views_keep,
                                   .clear = overlay_views_clear,
                                   .open = open_views,
                                   .event = overlay_views_event,
                                   .after_key = overlay_views_follow,
                                   .draw = overlay_views_draw,
                                   .every_key = overlay_views_every_key,
                                   .paste = overlay_views_paste};
