#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "panes/intents/list.h"
#include "ui/chart.h"
#include "ui/dialog.h"

#include <stdlib.h>
#include <string.h>

enum { BOX_COLS = 100, BARS_COLS = 78, BOX_ROWS = 14, TEXT_MAX = 64 << 10, NAME_COLS = 20, COUNT_COLS = 18 };
enum { DAYS = 14 };

/* The saved views, how many intents each has, and a name being typed. */
struct view_count {
    size_t rows, days[DAYS]; /* created on each of the last days, today last */
    bool known, whole;
};
struct saved_list {
    size_t cursor, top;
    struct {
        struct view_count *items;
        size_t n, cap;
    } counts; /* by the order of the views, as far as they came */
    uint64_t ticket;
    bool naming;
    bool saved; /* a view was just saved: the cursor goes to it when the list comes */
    bool sure;  /* the key that deletes a view was pressed once */
    struct edit name;
    char *said;    /* the message for when the change is on the disk */
    bool restored; /* the layout of the last session was restored */
    struct {
        char *name;           /* of the view on show; "" for the list that has none */
        struct layout layout; /* as it was at the last key */
        bool changed;         /* differs from the file */
    } seen;
};

static struct saved_list *views_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_VIEWS);
}

static void overlay_views_clear(struct shell *shell) {
    struct saved_list *pane = views_of(shell);
    edit_clear(&pane->name);
    free(pane->counts.items);
    free(pane->said);
    free(pane->seen.name);
    *pane = (struct saved_list){0};
}

/* One count after the other, so that other questions to the index never wait for all of them. */
static void count_next(struct shell *shell, struct effects *effects) {
    struct saved_list *pane = views_of(shell);
    struct lookup *lookup = NULL;
    pane->ticket = 0;
    while (intents_source(shell) != VIEW_NOT_KNOWN && !lookup && pane->counts.n < intents_saved(shell)->n) {
        lookup = intents_lookup_text(shell, intents_saved(shell)->items[pane->counts.n].filter);
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

static void to_shown(struct shell *shell) {
    const struct saved_view *shown = saved_views_find(intents_saved(shell), intents_name(shell));
    if (shown)
        views_of(shell)->cursor = (size_t)(shown - intents_saved(shell)->items);
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
    if (place < intents_saved(shell)->n) {
        close_list(shell, effects);
        intents_show_view(shell, intents_saved(shell)->items[place].name, effects);
    }
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
    if (pane->cursor >= intents_saved(shell)->n)
        return;
    const char *name = intents_saved(shell)->items[pane->cursor].name;
    if (!pane->sure) {
        pane->sure = true;
        shell_message(shell, ROLE_WARN, "X again forgets the view %s; another key keeps it", name);
        return;
    }
    pane->sure = false;
    say_later(pane, "forgotten", name);
    effects_view(effects, EFFECT_VIEW_DROP, name);
}

static void begin_naming(struct saved_list *pane) {
    edit_clear(&pane->name);
    edit_init(&pane->name, SAVED_NAME_MAX);
    pane->naming = true;
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

static void name_key(struct shell *shell, int32_t key, struct effects *effects) {
    if (key == INPUT_ENTER)
        overlay_views_save(shell, effects);
    else if (key == INPUT_ESCAPE || key == KEY_CTRL('C'))
        views_of(shell)->naming = false;
    else if (shell_edit_key(shell, &views_of(shell)->name, key) == EDIT_CHANGED)
        shell_message_clear(shell);
}

static void overlay_views_move(struct shell *shell, long step) {
    struct saved_list *pane = views_of(shell);
    size_t n = intents_saved(shell)->n;
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
        begin_naming(views_of(shell));
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

static void draw_count(const struct shell *shell, struct canvas *canvas, struct rect row, size_t place) {
    const struct saved_list *pane = views_of(shell);
    struct str text;
    if (place >= pane->counts.n || !pane->counts.items[place].known)
        return;
    str_init(&text, 64);
    str_add(&text, pane->counts.items[place].whole ? "all " : "");
    money_group_count(&text, pane->counts.items[place].rows);
    str_add(&text, pane->counts.items[place].whole ? "" : " so far");
    canvas_text_right(canvas, row, 0, 0, row.cols, ROLE_KEY, text.s);
    str_clear(&text);
}

static void draw_days(const struct shell *shell, struct canvas *canvas, struct rect row, size_t place) {
    const struct saved_list *pane = views_of(shell);
    if (place < pane->counts.n && pane->counts.items[place].known)
        chart_sparkline(canvas, row, ROLE_BAR, pane->counts.items[place].days, DAYS);
}

static void overlay_views_draw_line(const struct shell *shell, struct canvas *canvas, struct rect row, size_t place) {
    enum { DIGIT_COLS = 2, NINE = 9 };
    const struct saved_view *view = &intents_saved(shell)->items[place];
    struct rect line = row, digit = rect_take_cols(&row, DIGIT_COLS), name = rect_take_cols(&row, NAME_COLS);
    if (place < NINE)
        canvas_textf(canvas, digit, 0, 0, ROLE_KEY, "%zu", place + 1);
    canvas_text(canvas, name, 0, 0, ROLE_TEXT, view->name);
    if (row.cols > COUNT_COLS)
        draw_count(shell, canvas, rect_take_cols(&row, -COUNT_COLS), place);
    const char *filter = *view->filter ? view->filter : "no filter";
    if (row.cols - DAYS > utf8_cells(filter, strlen(filter)) + 1) /* else the filter has their room */
        draw_days(shell, canvas, rect_take_cols(&row, -DAYS), place);
    canvas_text(canvas, row, 0, 1, ROLE_DIM, filter);
    if (place == views_of(shell)->cursor) {
        canvas_bar(canvas, line, 0, ROLE_CURSOR);
        canvas_cursor(canvas, line, 0, 0, false);
    }
}

static void overlay_views_draw_list(struct shell *shell, struct canvas *canvas, struct rect box) {
    struct saved_list *pane = views_of(shell);
    size_t rows = box.rows > 0 ? (size_t)box.rows : 0;
    if (intents_saved(shell)->n == 0) {
        canvas_text(canvas, box, 0, 0, ROLE_DIM, "no view is saved yet; s saves filter, sort and columns");
        return;
    }
    pane->cursor = pane->cursor < intents_saved(shell)->n ? pane->cursor : intents_saved(shell)->n - 1;
    if (pane->cursor < pane->top)
        pane->top = pane->cursor;
    else if (pane->cursor >= pane->top + rows)
        pane->top = pane->cursor + 1 - rows;
    for (size_t i = pane->top; i < intents_saved(shell)->n && box.rows > 0; i++)
        overlay_views_draw_line(shell, canvas, rect_take_rows(&box, 1), i);
}

static void draw_naming(struct shell *shell, struct canvas *canvas, struct rect row) {
    bool taken = saved_views_find(intents_saved(shell), views_of(shell)->name.text.s) != NULL;
    int x = canvas_text(canvas, row, 0, 0, ROLE_PROMPT, taken ? "replace " : "save as ");
    edit_draw(&views_of(shell)->name, canvas, rect_inset(row, 0, x, 0, 0), ROLE_FIELD, true);
    if (views_of(shell)->name.text.len == 0)
        canvas_text(canvas, row, 0, x + 2, ROLE_DIM, "letters, digits, - _ . without a blank; Esc");
}

static void overlay_views_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    const char *title = within.cols >= BARS_COLS ? "Saved views; bars: intents a day, last two weeks" : "Saved views";
    struct rect box = dialog_box(canvas, within, BOX_ROWS, BOX_COLS, title, ROLE_TITLE);
    struct rect foot = rect_take_rows(&box, box.rows > 1 ? -1 : 0);
    if (views_of(shell)->naming) {
        draw_naming(shell, canvas, foot);
    } else {
        canvas_textf(canvas, foot, 0, 0, ROLE_DIM, "Enter or digit shows, s saves this, X forgets, Esc; @name in %s",
                     shell_key_of(shell, ACTION_FILTER));
    }
    overlay_views_draw_list(shell, canvas, box);
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
    intents_take_saved(shell, read->text);
    if (read->failure->code != ERR_OK)
        shell_message(shell, ROLE_ERROR, "%s", read->failure->text);
    else if (pane->said)
        shell_message(shell, ROLE_INFO, "%s", pane->said);
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
static void take_days(const struct shell *shell, const struct lookup_result *found, size_t days[DAYS]) {
    const struct query_axis axis = {.kind = QUERY_AXIS_DAY};
    struct query_clock clock = {.zone = intents_context(shell).zone};
    int64_t today = query_axis_time(&axis, &clock, shell_now(shell), false);
    for (size_t i = 0; i < found->n_overs; i++) {
        const struct query_place *day = &found->overs[i];
        if (day->value && day->number <= today && day->number > today - DAYS)
            days[DAYS - 1 - (today - day->number)] = day->rows;
    }
}

static void take_count(struct shell *shell, const struct lookup_result *found, struct effects *effects) {
    const struct saved_view *counted = &intents_saved(shell)->items[views_of(shell)->counts.n];
    struct view_count *count = vec_add(&views_of(shell)->counts);
    *count = (struct view_count){.rows = found->n,
                                 .known = found->error.code == ERR_OK,
                                 .whole = intents_covers_text(shell, found, counted->filter)};
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
