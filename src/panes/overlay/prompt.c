#include "panes/overlay/prompt.h"
#include "panes/overlay/arrivals.h"

#include "app/id_list.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "query/doubt.h"
#include "query/split.h"
#include "ui/canvas.h"
#include "ui/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ITEMS_SHOWN = 8,
    SEEN_MAX = 200, /* values of a column that are suggested at most */
    LABEL_COLS = 28,
    FAULT_AT = 3,   /* column of its text, after "E" */
    FAULT_ROWS = 3, /* at most */
    HINT_ROWS = 10, /* of the screen, from which on one is spared for the hints */
};

const char *prompt_sign(enum prompt_kind kind) {
    static const char *const SIGNS[PROMPT_KINDS] = {
        [PROMPT_FILTER] = "/", [PROMPT_FIND] = "\\", [PROMPT_JUMP] = "@", [PROMPT_EVENTS] = "/"};
    return SIGNS[kind];
}

static void prompt_clear(struct shell *shell) {
    struct prompt *prompt = prompt_of(shell);
    prompt_history_clear(prompt);
    edit_clear(&prompt->edit);
    query_completion_clear(&prompt->completion);
    lookup_result_free(prompt->seen);
    free(prompt->draft);
}

static void seen_each(void *context, enum query_field_code field,
                      void (*found)(void *to, const char *value, int64_t count), void *to) {
    struct prompt *prompt = context;
    if (!prompt->seen || prompt->seen_field != field) {
        prompt->wanted_field = field;
        return;
    }
    for (size_t i = 0; i < prompt->seen->n_values; i++) {
        const struct query_place *value = &prompt->seen->values[i];
        if (value->value)
            found(to, value->value, (int64_t)value->rows);
    }
}

static void prompt_each_event(void *context, enum query_field_code field,
                              void (*found)(void *to, const char *value, int64_t count), void *to) {
    arrivals_page_values(context, field, found, to);
}

/* Asks once for the values that cached rows have in the field at the caret. */
static void ask_values(struct shell *shell, struct effects *effects) {
    struct prompt *prompt = prompt_of(shell);
    if (prompt->wanted_field == QUERY_FIELD_COUNT || prompt->ticket || intents_source(shell) == VIEW_NOT_KNOWN)
        return;
    struct lookup *lookup = lookup_new();
    lookup->context = intents_context(shell);
    lookup->facet = prompt->wanted_field;
    lookup->facet_limit = SEEN_MAX;
    prompt->asked_field = prompt->wanted_field;
    prompt->ticket = effects_lookup(effects, lookup);
}

static void prompt_complete(struct shell *shell, struct effects *effects) {
    struct prompt *prompt = prompt_of(shell);
    struct query_seen seen = {.context = prompt, .each = seen_each};
    if (prompt->kind == PROMPT_EVENTS)
        seen = (struct query_seen){.context = shell, .each = prompt_each_event, .events = true};
    query_completion_clear(&prompt->completion);
    prompt->wanted_field = QUERY_FIELD_COUNT;
    prompt->selected = -1;
    if (prompt->kind == PROMPT_JUMP)
        return;
    struct query_views views = saved_views_named(intents_saved(shell));
    query_complete(prompt->edit.text.s, prompt->edit.at, &seen, seen.events ? NULL : &views, &prompt->completion);
    ask_values(shell, effects);
}

static bool prompt_event(struct shell *shell, struct event *given, struct effects *effects) {
    struct prompt *prompt = prompt_of(shell);
    if (given->kind == EVENT_HISTORY) {
        prompt_take_history(prompt, event_get(given, history_read)->lines);
        return true;
    }
    if (given->kind != EVENT_LOOKUP || given->ticket != prompt->ticket || prompt->ticket == 0)
        return false;
    prompt->ticket = 0;
    lookup_result_free(prompt->seen);
    prompt->seen = event_take(given, lookup_result);
    prompt->seen_field = prompt->asked_field;
    if (shell_shows(shell, OVERLAY_PROMPT) && prompt->selected < 0) {
        prompt_complete(shell, effects);
        shell_redraw(shell);
    }
    return true;
}

/* The last filter that could be parsed stays on show; a fault is shown with its place. */
static void prompt_parse(struct shell *shell, struct effects *effects) {
    struct prompt *prompt = prompt_of(shell);
    struct query *query = NULL;
    struct error error = {0};
    *prompt->fault_text = '\0';
    if (prompt->kind == PROMPT_JUMP)
        return;
    prompt->applies = false;
    bool events = prompt->kind == PROMPT_EVENTS;
    if ((events ? arrivals_page_parse : intents_parse)(shell, prompt->edit.text.s, &query, &prompt->fault, &error) !=
        ERR_OK)
        memcpy(prompt->fault_text, error.text, sizeof prompt->fault_text);
    else if (prompt->kind == PROMPT_FILTER)
        intents_preview(shell, query, effects);
    else
        query_free(query);
    prompt->awaits = intents_awaits_list(shell);
}

static void prompt_changed(struct shell *shell, struct effects *effects) {
    prompt_parse(shell, effects);
    prompt_complete(shell, effects);
}

static bool open_prompt(struct shell *shell, const void *argument, struct effects *effects) {
    const struct prompt_line *line = argument;
    struct prompt *prompt = prompt_of(shell);
    edit_clear(&prompt->edit);
    edit_init(&prompt->edit, QUERY_TEXT_MAX);
    edit_set(&prompt->edit, line->text);
    if (prompt->edit.text.len > 0) /* a further term is being typed */
        (void)edit_key(&prompt->edit, ' ');
    prompt->kind = line->kind;
    prompt->history[line->kind].at = prompt->history[line->kind].n;
    *prompt->fault_text = '\0';
    lookup_result_free(prompt->seen);
    prompt->seen = NULL;
    prompt->awaits = prompt->applies = false;
    intents_lists_outdated(shell);
    shell_message_clear(shell);
    prompt_complete(shell, effects);
    return true;
}

static void prompt_leave(struct shell *shell, struct effects *effects) {
    shell_close(shell);
    if (prompt_of(shell)->kind == PROMPT_FILTER)
        intents_drop_preview(shell, effects);
    else if (prompt_of(shell)->kind == PROMPT_EVENTS)
        arrivals_page_apply(shell, NULL, effects);
}

/* A blank at the end does not make another filter. */
static void prompt_trim(struct edit *edit) {
    size_t len = edit->text.len;
    while (len > 0 && edit->text.s[len - 1] == ' ')
        len--;
    if (len < edit->text.len) {
        char *text = mem_dup_n(edit->text.s, len);
        edit_set(edit, text);
        free(text);
    }
}

static void prompt_fault(struct shell *shell, const char *text) {
    struct prompt *prompt = prompt_of(shell);
    (void)snprintf(prompt->fault_text, sizeof prompt->fault_text, "%s", text);
    prompt->fault.at = prompt->fault.end = 0;
}

static void prompt_apply(struct shell *shell, struct effects *effects) {
    struct prompt *prompt = prompt_of(shell);
    prompt_parse(shell, effects);
    prompt->applies = prompt->awaits;
    if (*prompt->fault_text || prompt->awaits)
        return;
    if (secret_stands_in(prompt->edit.text.s)) {
        prompt_fault(shell, "this contains the profile's token, and lines typed here are stored: remove it first");
        return;
    }
    prompt_trim(&prompt->edit);
    prompt_remember(shell, effects);
    shell_close(shell);
    if (prompt->kind == PROMPT_FILTER)
        intents_apply(shell, prompt->edit.text.s, effects);
    else if (prompt->kind == PROMPT_FIND)
        intents_look_for(shell, prompt->edit.text.s, effects);
    else if (prompt->kind == PROMPT_EVENTS)
        arrivals_page_apply(shell, prompt->edit.text.s, effects);
    else
        intents_jump(shell, prompt->edit.text.s, effects);
}

/* A list that the line names was read, or it cannot be. */
static void prompt_follow(struct shell *shell, struct effects *effects) {
    struct prompt *prompt = prompt_of(shell);
    if (!prompt->awaits || intents_awaits_list(shell) || !shell_shows(shell, OVERLAY_PROMPT))
        return;
    prompt->awaits = false;
    if (prompt->applies)
        prompt_apply(shell, effects);
    else
        prompt_changed(shell, effects);
    prompt->applies = false;
    shell_redraw(shell);
}

static void prompt_insert(struct shell *shell, const char *text, struct effects *effects) {
    struct prompt *prompt = prompt_of(shell);
    struct str line;
    str_init(&line, QUERY_TEXT_MAX);
    str_add_n(&line, prompt->edit.text.s, prompt->completion.at);
    str_add(&line, text);
    size_t at = line.len;
    str_add(&line, prompt->edit.text.s + prompt->completion.end);
    edit_set(&prompt->edit, line.s);
    prompt->edit.at = at;
    str_clear(&line);
    prompt_changed(shell, effects);
}

/* Completes first what all suggestions have in common, then goes through them. */
static void tab(struct shell *shell, int step, struct effects *effects) {
    struct prompt *prompt = prompt_of(shell);
    struct query_completion *completion = &prompt->completion;
    size_t typed = completion->end - completion->at;
    if (completion->n == 0)
        return;
    if (completion->n == 1) {
        prompt_insert(shell, completion->items[0].text, effects);
    } else if (prompt->selected < 0 && strlen(completion->common) > typed) {
        prompt_insert(shell, completion->common, effects);
    } else {
        int n = (int)completion->n;
        prompt->selected = (prompt->selected + step + n + (prompt->selected < 0 && step < 0)) % n;
    }
}

static void look_back(struct shell *shell, int step, struct effects *effects) {
    struct prompt *prompt = prompt_of(shell);
    size_t n = prompt->history[prompt->kind].n, *at = &prompt->history[prompt->kind].at;
    if (step < 0 ? *at == 0 : *at >= n)
        return;
    if (*at == n) {
        free(prompt->draft);
        prompt->draft = mem_dup(prompt->edit.text.s);
    }
    *at = step < 0 ? *at - 1 : *at + 1;
    edit_set(&prompt->edit, *at == n ? prompt->draft : prompt->history[prompt->kind].items[*at]);
    prompt_changed(shell, effects);
}

static void up_down(struct shell *shell, int step, struct effects *effects) {
    if (prompt_of(shell)->selected >= 0)
        tab(shell, step, effects);
    else
        look_back(shell, step, effects);
}

/* Esc closes the list of suggestions, then the line. */
static void prompt_escape(struct shell *shell, struct effects *effects) {
    if (prompt_of(shell)->selected >= 0)
        prompt_of(shell)->selected = -1;
    else
        prompt_leave(shell, effects);
}

static void prompt_every_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct prompt *prompt = prompt_of(shell);
    enum edit_result result;
    switch (key) {
    case INPUT_ENTER:
        if (prompt->selected >= 0)
            prompt_insert(shell, prompt->completion.items[prompt->selected].text, effects);
        else
            prompt_apply(shell, effects);
        break;
    case INPUT_ESCAPE:
        prompt_escape(shell, effects);
        break;
    case KEY_CTRL('C'):
        prompt_leave(shell, effects);
        break;
    case INPUT_TAB:
    case INPUT_BACK_TAB:
        tab(shell, key == INPUT_TAB ? 1 : -1, effects);
        break;
    case INPUT_UP:
    case INPUT_DOWN:
        up_down(shell, key == INPUT_DOWN ? 1 : -1, effects);
        break;
    default:
        result = edit_key(&prompt->edit, key);
        if (result == EDIT_CHANGED)
            prompt_changed(shell, effects);
        else if (result == EDIT_MOVED)
            prompt_complete(shell, effects);
        else if (key == INPUT_BACKSPACE && prompt->edit.text.len == 0)
            prompt_leave(shell, effects);
        break;
    }
}

/* Where the text before the caret names a field, the ids are its values. */
static bool is_after_field(const struct edit *edit) {
    return edit->at > 0 && strchr(":=", edit->text.s[edit->at - 1]);
}

/* Several ids become one short term; where a place was to be typed, a filter. */
static void paste_ids(struct shell *shell, const char *text, struct effects *effects) {
    struct prompt *prompt = prompt_of(shell);
    struct str term;
    str_init(&term, QUERY_TEXT_MAX);
    if (prompt->kind == PROMPT_JUMP)
        edit_set(&prompt->edit, "");
    prompt->kind = prompt->kind == PROMPT_JUMP ? PROMPT_FILTER : prompt->kind;
    str_add(&term, is_after_field(&prompt->edit) ? "" : "id:");
    intents_paste_ids(shell, text, &term);
    (void)edit_paste(&prompt->edit, term.s);
    str_clear(&term);
    prompt_changed(shell, effects);
}

static bool prompt_paste(struct shell *shell, const char *text, struct effects *effects) {
    struct prompt *prompt = prompt_of(shell);
    if (id_list_is(text, strlen(text))) {
        paste_ids(shell, text, effects);
        return true;
    }
    if (edit_paste(&prompt->edit, text) == EDIT_REFUSED) {
        struct str why;
        str_init(&why, sizeof prompt->fault_text - 1);
        edit_refusal(&prompt->edit, text, "line", &why);
        prompt_fault(shell, why.s);
        str_clear(&why);
    } else {
        prompt_changed(shell, effects);
    }
    return true;
}

static void draw_item(const struct prompt *prompt, struct canvas *canvas, struct rect row, size_t index) {
    const struct query_item *item = &prompt->completion.items[index];
    bool selected = (int)index == prompt->selected;
    struct str count;
    str_init(&count, 32);
    canvas_fill(canvas, row, ROLE_FIELD);
    canvas_text(canvas, rect_inset(row, 0, 1, 0, row.cols > LABEL_COLS ? row.cols - LABEL_COLS : 0), 0, 0, ROLE_FIELD,
                item->text);
    if (item->count >= 0) {
        money_group_count(&count, (size_t)item->count);
        canvas_text(canvas, row, 0, LABEL_COLS, ROLE_FIELD, count.s);
    } else if (item->help) {
        canvas_text(canvas, row, 0, LABEL_COLS, ROLE_FIELD, item->help);
    }
    if (selected)
        canvas_bar(canvas, row, 0, ROLE_CURSOR);
    str_clear(&count);
}

static bool has_suggestions(const struct query_completion *completion) {
    bool typed_out = completion->n == 1 && strlen(completion->items[0].text) == completion->end - completion->at;
    return completion->n > 0 && !typed_out;
}

static void draw_items(const struct prompt *prompt, struct canvas *canvas, struct rect area) {
    const struct query_completion *completion = &prompt->completion;
    size_t n = has_suggestions(completion) ? completion->n : 0;
    size_t shown = n < ITEMS_SHOWN ? n : ITEMS_SHOWN;
    shown = (int)shown < area.rows ? shown : (size_t)(area.rows > 0 ? area.rows : 0);
    size_t selected = prompt->selected < 0 ? 0 : (size_t)prompt->selected;
    size_t first = selected >= shown && shown > 0 ? selected - shown + 1 : 0;
    struct rect box = rect_take_rows(&area, -(int)shown);
    for (size_t i = 0; i < shown; i++)
        draw_item(prompt, canvas, rect_take_rows(&box, 1), first + i);
}

static int draw_hint(struct canvas *canvas, struct rect row, int x, const char *key, const char *does) {
    if (x + (int)strlen(key) + 1 + (int)strlen(does) < row.cols) {
        x += canvas_text(canvas, row, 0, x, ROLE_KEY, key) + 1;
        x += canvas_text(canvas, row, 0, x, ROLE_DIM, does) + 2;
    }
    return x;
}

/* The keys of a line being typed are fixed: none of them is an action of the key map. */
static void draw_hints(const struct prompt *prompt, struct canvas *canvas, struct rect row) {
    static const char *const APPLIES[PROMPT_KINDS] = {
        [PROMPT_FILTER] = "apply", [PROMPT_FIND] = "find", [PROMPT_JUMP] = "go there", [PROMPT_EVENTS] = "apply"};
    bool chosen = prompt->selected >= 0;
    int x = 1;
    canvas_fill(canvas, row, ROLE_TEXT);
    x = draw_hint(canvas, row, x, "Enter", chosen ? "take this one" : APPLIES[prompt->kind]);
    if (has_suggestions(&prompt->completion)) {
        bool one = prompt->completion.n == 1;
        x = draw_hint(canvas, row, x, "Tab",
                      chosen ? "next suggestion"
                      : one  ? "take the suggestion"
                             : "choose a suggestion");
    }
    x = draw_hint(canvas, row, x, "Up Down", chosen ? "choose" : "typed before");
    (void)draw_hint(canvas, row, x, "Esc", chosen ? "no suggestion" : "leave");
}

/* The useful part of a message is often at its end, so a fault has up to three rows, where they leave some to the list.
 */
static int fault_rows(const struct prompt *prompt, struct rect area) {
    int rows = lines_count(prompt->fault_text, area.cols - FAULT_AT - 1);
    int most = area.rows / 3 < FAULT_ROWS ? area.rows / 3 : FAULT_ROWS;
    return rows < 1 || most < 1 ? 1 : rows < most ? rows : most;
}

static void draw_fault(const struct prompt *prompt, struct canvas *canvas, struct rect box) {
    canvas_fill(canvas, box, ROLE_TEXT);
    canvas_text(canvas, box, 0, 1, ROLE_ERROR, "E ");
    lines_draw(canvas, rect_inset(box, 0, FAULT_AT, 0, 1), ROLE_ERROR, prompt->fault_text);
}

/* Marks the bytes at fault, where the line shows them. */
static void mark_fault(const struct prompt *prompt, struct canvas *canvas, struct rect row) {
    const char *text = prompt->edit.text.s;
    size_t len = prompt->edit.text.len;
    size_t at = prompt->fault.at < len ? prompt->fault.at : len;
    size_t end = prompt->fault.end > at && prompt->fault.end <= len ? prompt->fault.end : at;
    int x = utf8_cells(text, at) - prompt->edit.scroll, cols = utf8_cells(text + at, end - at);
    if (cols > 0 && x >= 0)
        canvas_role(canvas, row, 0, x, cols, ROLE_FIELD_ERROR);
}

static void prompt_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    struct prompt *prompt = prompt_of(shell);
    struct rect area = canvas_rect(canvas); /* drawn over the hints too */
    (void)within;
    struct rect line = rect_take_rows(&area, -1);
    int below = *prompt->fault_text ? fault_rows(prompt, area) : 1;
    struct rect status = rect_take_rows(&area, -below);
    canvas_fill(canvas, line, ROLE_TEXT);
    canvas_text(canvas, line, 0, 0, ROLE_PROMPT, prompt_sign(prompt->kind));
    line = rect_inset(line, 0, 1, 0, 0);
    edit_draw(&prompt->edit, canvas, line, ROLE_TEXT, true);
    if (prompt->kind == PROMPT_FILTER && !*prompt->fault_text) /* else they are of another filter than this text */
        prompt_draw_counts(shell, canvas, line);
    if (*prompt->fault_text) {
        draw_fault(prompt, canvas, status);
        mark_fault(prompt, canvas, line);
    }
    if (canvas_rect(canvas).rows >= HINT_ROWS && below == 1) /* a fault of several rows is shown there */
        draw_hints(prompt, canvas, rect_take_rows(&area, -1));
    draw_items(prompt, canvas, rect_inset(area, 2, 0, 0, 0));
}

static void prompt_start(struct shell *shell, struct effects *effects) {
    (void)shell;
    effects_add(effects, EFFECT_HISTORY);
}

const struct pane prompt_overlay = {.size = sizeof(struct prompt),
                                    .types = true,
                                    .start = prompt_start,
                                    .clear = prompt_clear,
                                    .open = open_prompt,
                                    .event = prompt_event,
                                    .after_event = prompt_follow,
                                    .draw = prompt_draw,
                                    .every_key = prompt_every_key,
                                    .paste = prompt_paste,
                                    .fault = prompt_fault};
