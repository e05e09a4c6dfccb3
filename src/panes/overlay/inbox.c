#include "app/handovers.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "panes/intents/list.h"
#include "panes/shell/moves.h"
#include "ui/dialog.h"
#include "ui/lines.h"
#include "ui/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was handed to the operator here and, behind a key, what they handed to others: what is open stands first. How
 * much is open stands in the title row, and what comes is said once. */

enum { BOX_COLS = 120, BOX_ROWS = 24, ROOMY_ROWS = 11, DETAIL_ROWS = 5, LINE_BYTES = 4 * NOTE_TEXT_MAX };
enum { WIDE_COLS = 100 /* from here on there is room for a whole id */, WHOLE_ID = 36 };
enum { EDGE_COLS = 4 /* of a message, with its letter */, NAMES_ROOM = 80 };
enum inbox_list { INBOX_TO_ME, INBOX_BY_ME, INBOX_LISTS };
enum { INBOX_WHO, INBOX_STATE, INBOX_WHEN, INBOX_ID, INBOX_TEXT, INBOX_COLUMN_COUNT };

static const struct table_column INBOX_COLUMNS[INBOX_COLUMN_COUNT] = {
    [INBOX_WHO] = {.title = "from", .min = 8, .want = 14},
    [INBOX_STATE] = {.title = "state", .min = 5, .want = 5, .priority = 2},
    [INBOX_WHEN] = {.title = "when", .min = 19, .want = 19, .priority = 4},
    [INBOX_ID] = {.title = "intent", .min = 10, .priority = 3},
    [INBOX_TEXT] = {.title = "text", .min = 10, .want = 30, .grow = 1},
};

struct inbox {
    struct table table;
    struct table_column columns[INBOX_COLUMN_COUNT];
    enum inbox_list list;
    struct {
        const struct handover **items;
        size_t n, cap;
    } lines;
    struct notes *notes; /* a share of those that the lines are of */
    size_t open;         /* of the list on show */
    uint64_t ticket;     /* of one that is being marked as done */
    char *said;          /* once it is */
    struct notes *seen; /* a share of those of before what came, until there is a place to say it; NULL: nothing came */
};

static struct inbox *inbox_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_INBOX);
}

static void inbox_init(struct shell *shell) {
    struct inbox *inbox = inbox_of(shell);
    memcpy(inbox->columns, INBOX_COLUMNS, sizeof INBOX_COLUMNS);
    table_init(&inbox->table, inbox->columns, INBOX_COLUMN_COUNT);
}

static void inbox_clear(struct shell *shell) {
    struct inbox *inbox = inbox_of(shell);
    notes_free(inbox->notes);
    free(inbox->lines.items);
    free(inbox->said);
    notes_free(inbox->seen);
    *inbox = (struct inbox){0};
}

/* ---- Its lines ---- */

static const struct handover *inbox_at_cursor(const struct inbox *inbox) {
    return inbox->table.cursor < inbox->lines.n ? inbox->lines.items[inbox->table.cursor] : NULL;
}

static void add_lines(struct inbox *inbox, bool done) {
    size_t n;
    const struct handover *const *all = notes_handovers(inbox->notes, &n);
    for (size_t i = 0; i < n; i++) {
        bool listed =
            inbox->list == INBOX_TO_ME ? notes_is_to_me(inbox->notes, all[i]) : notes_is_by_me(inbox->notes, all[i]);
        if (listed && (all[i]->done_by != NULL) == done)
            *vec_add(&inbox->lines) = all[i];
    }
}

static void fill_lines(struct shell *shell) {
    struct inbox *inbox = inbox_of(shell);
    notes_free(inbox->notes);
    inbox->notes = notes_share(intents_notes(shell));
    inbox->lines.n = 0;
    add_lines(inbox, false);
    inbox->open = inbox->lines.n;
    add_lines(inbox, true);
    if (inbox->table.cursor >= inbox->lines.n)
        table_last(&inbox->table, inbox->lines.n);
    shell_redraw(shell);
}

/* The cursor stays at what it was at, wherever that stands now; one that was done sinks, and the next takes its place.
 */
static void fill_again(struct shell *shell) {
    struct inbox *inbox = inbox_of(shell);
    struct notes *before = notes_share(inbox->notes);
    const struct handover *at = inbox_at_cursor(inbox);
    bool open = at && !at->done_by;
    fill_lines(shell);
    for (size_t i = 0; at && i < inbox->lines.n; i++) {
        const struct handover *line = inbox->lines.items[i];
        if (line->at == at->at && str_equal(line->id, at->id) && handover_is_same_person(line->from, at->from) &&
            open == !line->done_by)
            table_place(&inbox->table, inbox->lines.n, i);
    }
    notes_free(before);
}

static bool open_inbox(struct shell *shell, const void *argument, struct effects *effects) {
    struct inbox *inbox = inbox_of(shell);
    struct error error = {0};
    (void)argument;
    (void)effects;
    if (handover_check_team(shell_profile(shell), &error) != ERR_OK) {
        shell_message(shell, ROLE_INFO, "there is no inbox here: %s", error.text);
        return false;
    }
    inbox->list = INBOX_TO_ME;
    fill_lines(shell);
    table_first(&inbox->table);
    shell_message_clear(shell);
    return true;
}

/* ---- Keys ---- */

static void inbox_go_to(struct shell *shell, struct effects *effects) {
    const struct handover *handover = inbox_at_cursor(inbox_of(shell));
    if (!handover)
        return;
    char *id = mem_dup(handover->id);
    shell_close(shell);
    intents_visit(shell, &(struct lookup_name){.id = id}, effects);
    free(id);
}

static void inbox_done(struct shell *shell, struct effects *effects) {
    struct inbox *inbox = inbox_of(shell);
    const struct handover *handover = inbox_at_cursor(inbox);
    struct str said;
    if (!handover || inbox->ticket)
        return;
    if (handover->done_by) {
        shell_message(shell, ROLE_INFO, "it is done already");
        return;
    }
    struct notes_ask *ask = notes_ask_new();
    notes_ask_done(ask, handover, shell_now(shell));
    inbox->ticket = effects_notes(effects, ask);
    bool mine = inbox->list == INBOX_TO_ME;
    const char *other = mine ? handover->from : handover->to;
    str_init(&said, ERROR_TEXT_MAX);
    str_addf(&said, "%s; %.*s sees it once the team's store has it", mine ? "Done" : "Taken back",
             (int)handover_person(other), other);
    free(inbox->said);
    inbox->said = str_take(&said);
}

static void inbox_every_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct inbox *inbox = inbox_of(shell);
    int action = keymap_find(shell_keymap(shell), "list", key);
    if (key == INPUT_ESCAPE || key == INPUT_BACKSPACE || key == KEY_CTRL('C') || key == 'q') {
        shell_close(shell);
    } else if (key == INPUT_TAB || key == INPUT_BACK_TAB) {
        inbox->list = inbox->list == INBOX_TO_ME ? INBOX_BY_ME : INBOX_TO_ME;
        fill_lines(shell);
        table_first(&inbox->table);
    } else if (key == INPUT_ENTER) {
        inbox_go_to(shell, effects);
    } else if (key == 'd') {
        inbox_done(shell, effects);
    } else if (!table_act(&inbox->table, inbox->lines.n, action)) {
        shell_unbound(shell, key);
    }
    shell_redraw(shell);
}

/* ---- Events ---- */

static void keep_news(struct shell *shell, const struct notes *notes) {
    struct inbox *inbox = inbox_of(shell);
    struct str text;
    str_init(&text, LINE_BYTES);
    if (!inbox->seen && handover_tell_news(intents_notes(shell), notes, &text) > 0)
        inbox->seen = notes_share(intents_notes(shell));
    str_clear(&text);
}

static bool inbox_event(struct shell *shell, struct event *event, struct effects *effects) {
    struct inbox *inbox = inbox_of(shell);
    (void)effects;
    if (event->kind != EVENT_NOTES)
        return false;
    const struct notes_answer *answer = event_get(event, notes_answer);
    if (answer->notes && handover_check_team(shell_profile(shell), NULL) == ERR_OK)
        keep_news(shell, answer->notes);
    if (inbox->ticket && event->ticket == inbox->ticket) {
        inbox->ticket = 0;
        if (answer->error.code != ERR_OK) {
            free(inbox->said);
            inbox->said = NULL;
        }
    }
    return false;
}

/* One row: a longer message would take rows of what is being worked on. */
static void tell_news(struct shell *shell, const char *text, size_t len) {
    struct str row;
    int room = shell_cols(shell) - EDGE_COLS;
    str_init(&row, LINE_BYTES);
    if (room > 0 && utf8_cells(text, len) > room)
        utf8_fit(&row, text, len, room, false, symbol(SYMBOL_ELLIPSIS));
    if (room > 0)
        shell_message(shell, ROLE_INFO, "%s", row.len > 0 ? row.s : text);
    str_clear(&row);
}

/* Not over what is typed or read, nor over what was said just now: it waits until that is closed. */
static void say_news(struct shell *shell) {
    struct inbox *inbox = inbox_of(shell);
    bool covered = shell_has_overlay(shell) && !shell_shows(shell, OVERLAY_INBOX);
    if (!inbox->seen || covered || !shell_message_may_go(shell) || shell_message_is_new(shell))
        return;
    struct str text;
    str_init(&text, LINE_BYTES);
    if (handover_tell_news(inbox->seen, intents_notes(shell), &text) > 0)
        tell_news(shell, text.s, text.len);
    notes_free(inbox->seen);
    inbox->seen = NULL;
    str_clear(&text);
}

/* After the list, which has the notes by then. */
static void inbox_after_event(struct shell *shell, struct effects *effects) {
    struct inbox *inbox = inbox_of(shell);
    (void)effects;
    if (shell_shows(shell, OVERLAY_INBOX) && inbox->notes != intents_notes(shell))
        fill_again(shell);
    if (inbox->said && !inbox->ticket) {
        shell_message(shell, ROLE_INFO, "%s", inbox->said);
        free(inbox->said);
        inbox->said = NULL;
    }
    say_news(shell);
}

static void inbox_after_key(struct shell *shell, struct effects *effects) {
    (void)effects;
    say_news(shell);
}

/* ---- Drawing ---- */

static bool inbox_aside(const struct shell *shell, struct str *out) {
    size_t n = notes_inbox(intents_notes(shell));
    if (n == 0 || handover_check_team(shell_profile(shell), NULL) != ERR_OK)
        return false;
    str_addf(out, "inbox %zu", n);
    return true;
}

static const char *inbox_state(const struct handover *handover) {
    bool back = handover->done_by && !handover_is_same_person(handover->done_by, handover->to);
    return !handover->done_by ? "open" : back ? "back" : "done";
}

static void inbox_cell(void *context, size_t row, int column, struct table_cell *out) {
    const struct shell *shell = context;
    const struct inbox *inbox = inbox_of(shell);
    const struct handover *handover = inbox->lines.items[row];
    const char *who = inbox->list == INBOX_TO_ME ? handover->from : handover->to;
    out->role = handover->done_by ? ROLE_DIM : ROLE_TEXT;
    if (column == INBOX_WHEN)
        clock_format(out->text, handover->at, shell_zone(shell), shell_now(shell));
    else if (column == INBOX_STATE)
        str_add(out->text, inbox_state(handover));
    else if (column == INBOX_WHO)
        str_add_n(out->text, who, handover_person(who));
    else if (column == INBOX_ID)
        utf8_tail(out->text, handover->id, strlen(handover->id), inbox->table.widths[INBOX_ID],
                  symbol(SYMBOL_ELLIPSIS));
    else
        str_add(out->text, *handover->text ? handover->text : symbol(SYMBOL_ABSENT));
}

static void draw_inbox_detail(const struct shell *shell, struct canvas *canvas, struct rect area) {
    const struct handover *handover = inbox_at_cursor(inbox_of(shell));
    struct str text;
    if (!handover || area.rows < 1)
        return;
    str_init(&text, LINE_BYTES);
    str_addf(&text, "intent %s", handover->id);
    canvas_text(canvas, rect_take_rows(&area, 1), 0, 0, ROLE_KEY, text.s);
    str_reset(&text);
    str_addf(&text, "from %s to %s, ", handover->from, handover->to);
    handover_add_state(handover, shell_zone(shell), shell_now(shell), &text);
    canvas_text(canvas, rect_take_rows(&area, 1), 0, 0, ROLE_DIM, text.s);
    lines_draw(canvas, area, ROLE_TEXT, handover->text);
    str_clear(&text);
}

static void draw_inbox_none(const struct inbox *inbox, const struct shell *shell, struct canvas *canvas,
                            struct rect area) {
    struct str text;
    str_init(&text, LINE_BYTES);
    if (!intents_notes(shell))
        str_add(&text, "the notes of this machine are not at hand");
    else if (inbox->list == INBOX_TO_ME)
        str_addf(&text, "nobody handed you anything yet; what a colleague hands over (%s) comes here",
                 shell_key_of(shell, ACTION_HAND_OVER));
    else
        str_addf(&text, "you handed nothing to anybody yet; %s in the list does",
                 shell_key_of(shell, ACTION_HAND_OVER));
    lines_draw(canvas, area, ROLE_DIM, text.s);
    str_clear(&text);
}

static void draw_inbox_foot(const struct inbox *inbox, struct canvas *canvas, struct rect row) {
    canvas_text(canvas, row, 0, 0, ROLE_DIM,
                inbox->list == INBOX_TO_ME ? "Enter goes to it, d marks it done, Tab: handed by you, Esc"
                                           : "Enter goes to it, d takes it back, Tab: handed to you, Esc");
}

static void inbox_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    struct inbox *inbox = inbox_of(shell);
    char title[NAMES_ROOM];
    (void)snprintf(title, sizeof title, "Inbox: handed %s you, %zu open of %zu",
                   inbox->list == INBOX_TO_ME ? "to" : "by", inbox->open, inbox->lines.n);
    struct rect area = dialog_box(canvas, within, BOX_ROWS, BOX_COLS, title, ROLE_TITLE);
    if (area.rows < 1)
        return;
    if (area.rows > 1)
        draw_inbox_foot(inbox, canvas, rect_take_rows(&area, -1));
    if (inbox->lines.n == 0) {
        draw_inbox_none(inbox, shell, canvas, area);
        return;
    }
    struct rect detail = rect_take_rows(&area, area.rows >= ROOMY_ROWS ? -DETAIL_ROWS : 0);
    if (detail.rows > 0)
        canvas_rule(canvas, rect_take_rows(&detail, 1), 0, ROLE_RULE);
    const struct table_source source = {.rows = inbox->lines.n, .cell = inbox_cell, .context = shell};
    inbox->columns[INBOX_WHO].title = inbox->list == INBOX_TO_ME ? "from" : "to";
    inbox->columns[INBOX_ID].want = area.cols >= WIDE_COLS ? WHOLE_ID : INBOX_COLUMNS[INBOX_ID].min;
    table_draw(&inbox->table, canvas, area, &source, true);
    draw_inbox_detail(shell, canvas, detail);
}

const struct pane inbox_overlay = {.size = sizeof(struct inbox),
                                   .init = inbox_init,
                                   .clear = inbox_clear,
                                   .open = open_inbox,
                                   .event = inbox_event,
                                   .after_event = inbox_after_event,
                                   .after_key = inbox_after_key,
                                   .aside = inbox_aside,
                                   .draw = inbox_draw,
                                   .every_key = inbox_every_key};
