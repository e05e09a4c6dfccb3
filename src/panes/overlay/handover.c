#include "app/handovers.h"
#include "base/mem.h"
#include "panes/intents/list.h"
#include "ui/dialog.h"

#include <stdlib.h>
#include <string.h>

/* The box in which intents are handed to a colleague: to whom, of whom names are suggested, and one line of text. */

enum { BOX_COLS = 76, BOX_ROWS = 11, LABEL_COLS = 6, FIELD_ROWS = 2, SAID_MAX = 256 };

struct handover_box {
    struct edit to, text;
    bool in_text;
    struct {
        char **items;
        size_t n, cap;
    } ids;
    size_t left; /* of the ids, of rows that are not in the list */
    struct handover_names names;
    char *typed;     /* what the names begin with, while one of them is chosen; NULL: none is */
    size_t chosen;   /* of those */
    uint64_t ticket; /* of what is being handed over */
    char *said;      /* once it is */
    char fault[ERROR_TEXT_MAX];
};

static struct handover_box *handover_box_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_HANDOVER);
}

static void handover_clear(struct shell *shell) {
    struct handover_box *box = handover_box_of(shell);
    edit_clear(&box->to);
    edit_clear(&box->text);
    for (size_t i = 0; i < box->ids.n; i++)
        free(box->ids.items[i]);
    free(box->ids.items);
    handover_names_clear(&box->names);
    free(box->typed);
    free(box->said);
    *box = (struct handover_box){0};
}

static bool open_handover(struct shell *shell, const void *argument, struct effects *effects) {
    const struct handover_ids *ids = argument;
    struct handover_box *box = handover_box_of(shell);
    struct error error = {0};
    (void)effects;
    if (handover_check_team(shell_profile(shell), &error) != ERR_OK) {
        shell_message(shell, ROLE_WARN, "%s", error.text);
        return false;
    }
    handover_clear(shell);
    edit_init(&box->to, HANDOVER_NAME_MAX);
    edit_init(&box->text, NOTE_TEXT_MAX);
    for (size_t i = 0; i < ids->n; i++)
        *vec_add(&box->ids) = mem_dup(ids->items[i]);
    box->left = ids->left;
    handover_names_of(intents_notes(shell), &box->names);
    shell_message_clear(shell);
    return true;
}

static void handover_fault(struct shell *shell, const char *text) {
    struct handover_box *box = handover_box_of(shell);
    struct str fault;
    str_init(&fault, sizeof box->fault - 1);
    str_add(&fault, text);
    memcpy(box->fault, fault.s, fault.len + 1);
    str_clear(&fault);
    shell_redraw(shell);
}

static struct handing handing_of(const struct shell *shell) {
    const struct handover_box *box = handover_box_of(shell);
    return (struct handing){box->to.text.s, box->text.text.s, notes_me(intents_notes(shell)), shell_now(shell)};
}

/* ---- Keys ---- */

static void handover_send(struct shell *shell, struct effects *effects) {
    struct handover_box *box = handover_box_of(shell);
    const struct handing handing = handing_of(shell);
    struct notes_ask *ask = notes_ask_new();
    struct error error = {0};
    enum err err = ERR_OK;
    for (size_t i = 0; i < box->ids.n && err == ERR_OK; i++)
        err = notes_ask_handover(ask, &handing, box->ids.items[i], &error);
    if (err == ERR_OK) {
        box->fault[0] = '\0';
        box->ticket = effects_notes(effects, ask);
    } else {
        notes_ask_free(ask);
        handover_fault(shell, error.text);
    }
}

/* What is wrong with a name is said before a text is typed for it. */
static void handover_go_to_text(struct shell *shell) {
    struct handover_box *box = handover_box_of(shell);
    struct handing handing = handing_of(shell);
    struct error error = {0};
    struct str to;
    str_init(&to, NOTE_WHO_MAX);
    handing.text = "";
    box->in_text = handover_check(&handing, &to, &error) == ERR_OK;
    handover_fault(shell, box->in_text ? "" : error.text);
    str_clear(&to);
}

/* The names that begin with what was typed come one after the other into the field; what is in it is what counts. */
static void choose_name(struct handover_box *box, int step) {
    bool first = !box->typed;
    if (first)
        box->typed = mem_dup(box->to.text.s);
    size_t next = first ? 0 : step > 0 ? box->chosen + 1 : box->chosen - (box->chosen > 0);
    const char *name = handover_name_like(&box->names, box->typed, next);
    if (name) {
        box->chosen = next;
        edit_set(&box->to, name);
    }
}

static void leave_choice(struct handover_box *box) {
    free(box->typed);
    box->typed = NULL;
}

static void type_name(struct shell *shell, int32_t key) {
    struct handover_box *box = handover_box_of(shell);
    if (shell_edit_key(shell, &box->to, key) != EDIT_MOVED)
        leave_choice(box);
}

/* While it is on its way nothing is typed: what is said of it then is read from the fields. */
static void handover_every_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct handover_box *box = handover_box_of(shell);
    if (key == INPUT_ESCAPE || key == KEY_CTRL('C'))
        shell_close(shell);
    else if (box->ticket)
        return;
    else if (box->in_text && (key == INPUT_TAB || key == INPUT_BACK_TAB || key == INPUT_UP))
        box->in_text = false;
    else if (box->in_text && key != INPUT_ENTER)
        (void)shell_edit_key(shell, &box->text, key);
    else if (box->in_text)
        handover_send(shell, effects);
    else if (!box->in_text && (key == INPUT_DOWN || key == INPUT_UP))
        choose_name(box, key == INPUT_DOWN ? 1 : -1);
    else if (!box->in_text && (key == INPUT_ENTER || key == INPUT_TAB))
        handover_go_to_text(shell);
    else if (!box->in_text)
        type_name(shell, key);
    shell_redraw(shell);
}

static bool handover_paste(struct shell *shell, const char *text, struct effects *effects) {
    struct handover_box *box = handover_box_of(shell);
    (void)effects;
    if (box->ticket)
        return true;
    (void)shell_paste_into(shell, box->in_text ? &box->text : &box->to, text);
    if (!box->in_text)
        leave_choice(box);
    return true;
}

/* ---- Answers ---- */

static void handover_say(struct shell *shell, size_t n) {
    struct handover_box *box = handover_box_of(shell);
    const struct handing handing = handing_of(shell);
    struct str to, said;
    str_init(&to, NOTE_WHO_MAX);
    str_init(&said, SAID_MAX);
    enum err err = handover_check(&handing, &to, NULL);
    handover_tell_handed(err == ERR_OK ? to.s : handing.to, n, &said);
    free(box->said);
    box->said = str_take(&said);
    str_clear(&to);
}

/* What was typed stays until it is on the disk. The list takes the event. */
static bool handover_event(struct shell *shell, struct event *event, struct effects *effects) {
    struct handover_box *box = handover_box_of(shell);
    (void)effects;
    if (event->kind != EVENT_NOTES || box->ticket == 0 || event->ticket != box->ticket)
        return false;
    const struct notes_answer *answer = event_get(event, notes_answer);
    box->ticket = 0;
    if (answer->error.code != ERR_OK) {
        handover_fault(shell, answer->error.text);
    } else {
        handover_say(shell, answer->added);
        if (shell_shows(shell, OVERLAY_HANDOVER))
            shell_close(shell);
    }
    return false;
}

/* After the list, whose words are about any note. */
static void handover_after_event(struct shell *shell, struct effects *effects) {
    struct handover_box *box = handover_box_of(shell);
    (void)effects;
    if (box->said)
        shell_message(shell, ROLE_INFO, "%s", box->said);
    free(box->said);
    box->said = NULL;
}

/* ---- Drawing ---- */

static void draw_handover_field(struct canvas *canvas, struct rect row, const char *label, struct edit *edit,
                                bool focused) {
    canvas_text(canvas, rect_take_cols(&row, LABEL_COLS), 0, 0, ROLE_KEY, label);
    edit_draw(edit, canvas, row, ROLE_FIELD, focused);
}

static void draw_handover_what(const struct handover_box *box, struct canvas *canvas, struct rect row) {
    if (box->ids.n == 1)
        canvas_textf(canvas, row, 0, 0, ROLE_DIM, "the intent %s", box->ids.items[0]);
    else if (box->left == 0)
        canvas_textf(canvas, row, 0, 0, ROLE_DIM, "the %zu marked intents", box->ids.n);
    else
        canvas_textf(canvas, row, 0, 0, ROLE_DIM, "the %zu marked intents, of which %zu left the list", box->ids.n,
                     box->left);
}

/* Whom the field may mean. */
static void draw_names(const struct handover_box *box, struct canvas *canvas, struct rect area) {
    const char *typed = box->typed ? box->typed : box->to.text.s, *name;
    size_t from =
        box->typed && area.rows > 0 && box->chosen >= (size_t)area.rows ? box->chosen + 1 - (size_t)area.rows : 0;
    for (size_t i = from; area.rows > 0 && (name = handover_name_like(&box->names, typed, i)); i++) {
        struct rect row = rect_take_rows(&area, 1);
        canvas_text(canvas, row, 0, LABEL_COLS, ROLE_TEXT, name);
        if (box->typed && i == box->chosen)
            canvas_bar(canvas, row, 0, ROLE_CURSOR);
    }
    if (box->names.n == 0 && area.rows > 0)
        canvas_text(canvas, area, 0, LABEL_COLS, ROLE_DIM, "the login name of a colleague; none is known here yet");
}

static void handover_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    struct handover_box *box = handover_box_of(shell);
    struct rect area = dialog_box(canvas, within, BOX_ROWS, BOX_COLS, "Hand over to a colleague", ROLE_TITLE);
    if (area.rows < FIELD_ROWS || area.cols <= LABEL_COLS)
        return;
    draw_handover_field(canvas, rect_take_rows(&area, 1), "to", &box->to, !box->in_text);
    draw_handover_field(canvas, rect_take_rows(&area, 1), "text", &box->text, box->in_text);
    if (box->fault[0] && area.rows > 0)
        canvas_text(canvas, rect_take_rows(&area, 1), 0, 0, ROLE_ERROR, box->fault);
    if (area.rows > 0)
        canvas_text(canvas, rect_take_rows(&area, -1), 0, 0, ROLE_DIM,
                    box->in_text ? "Enter hands over  Tab: to whom  Esc leaves  (sealed, by the team's store)"
                                 : "Enter: the text  Down, Up choose a name  Esc leaves");
    if (area.rows > 0)
        draw_handover_what(box, canvas, rect_take_rows(&area, 1));
    if (!box->in_text)
        draw_names(box, canvas, area);
}

const struct pane handover_overlay = {.size = sizeof(struct handover_box),
                                      .types = true,
                                      .clear = handover_clear,
                                      .open = open_handover,
                                      .event = handover_event,
                                      .after_event = handover_after_event,
                                      .draw = handover_draw,
                                      .every_key = handover_every_key,
                                      .paste = handover_paste,
                                      .fault = handover_fault};
