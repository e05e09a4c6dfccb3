#include "app/notes.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "panes/intents/list.h"
#include "ui/dialog.h"

#include <stdlib.h>
#include <string.h>

/* The box in which a note or tags are typed, on an intent or on its user, below what is there already. */

enum { BOX_COLS = 76, BOX_ROWS = 9, FIXED_ROWS = 3 };

struct notes_box {
    struct edit edit;
    char *ids[NOTE_ABOUT_COUNT]; /* NULL: the intent names none */
    enum note_about about;
    bool tags;
    uint64_t ticket; /* of what is being kept */
    char fault[ERROR_TEXT_MAX];
};

static struct notes_box *notes_box_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_NOTES);
}

static void notes_clear(struct shell *shell) {
    struct notes_box *box = notes_box_of(shell);
    edit_clear(&box->edit);
    for (size_t i = 0; i < NOTE_ABOUT_COUNT; i++)
        free(box->ids[i]);
    *box = (struct notes_box){0};
}

static bool open_notes(struct shell *shell, const void *argument, struct effects *effects) {
    const struct notes_line *line = argument;
    struct notes_box *box = notes_box_of(shell);
    (void)effects;
    notes_clear(shell);
    edit_init(&box->edit, NOTE_TEXT_MAX);
    box->tags = line->tags;
    const struct value_text *ids[] = {&line->intent->id, &line->intent->user_id};
    for (size_t i = 0; i < NOTE_ABOUT_COUNT; i++)
        box->ids[i] = ids[i]->state == VALUE_OK ? mem_dup(ids[i]->text) : NULL;
    box->about = box->ids[NOTE_OF_INTENT] ? NOTE_OF_INTENT : NOTE_OF_USER;
    shell_message_clear(shell);
    return true;
}

static void notes_fault(struct shell *shell, const char *text) {
    struct notes_box *box = notes_box_of(shell);
    struct str fault;
    str_init(&fault, sizeof box->fault - 1);
    str_add(&fault, text);
    memcpy(box->fault, fault.s, fault.len + 1);
    str_clear(&fault);
    shell_redraw(shell);
}

static void notes_send(struct shell *shell, struct effects *effects) {
    struct notes_box *box = notes_box_of(shell);
    struct notes_ask *ask = notes_ask_new();
    struct error error = {0};
    const struct note where = {.about = box->about, .id = box->ids[box->about], .at = shell_now(shell)};
    const char *text = box->edit.text.s;
    enum err err = box->tags ? notes_ask_tags(ask, &where, text, &error) : notes_ask_text(ask, &where, text, &error);
    if (err == ERR_OK) {
        box->fault[0] = '\0';
        box->ticket = effects_notes(effects, ask);
    } else {
        notes_ask_free(ask);
        notes_fault(shell, error.text);
    }
}

static void notes_every_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct notes_box *box = notes_box_of(shell);
    enum note_about other = box->about == NOTE_OF_INTENT ? NOTE_OF_USER : NOTE_OF_INTENT;
    if (key == INPUT_ESCAPE || key == KEY_CTRL('C')) {
        shell_close(shell);
    } else if (key == INPUT_ENTER) {
        if (!box->ticket)
            notes_send(shell, effects);
    } else if ((key == INPUT_TAB || key == INPUT_BACK_TAB) && box->ids[other]) {
        box->about = other;
    } else {
        (void)shell_edit_key(shell, &box->edit, key);
    }
    shell_redraw(shell);
}

static bool notes_paste(struct shell *shell, const char *text, struct effects *effects) {
    (void)effects;
    (void)shell_paste_into(shell, &notes_box_of(shell)->edit, text);
    return true;
}

/* What was typed stays until it is on the disk. The list takes the event and tells the operator. */
static bool notes_event(struct shell *shell, struct event *event, struct effects *effects) {
    struct notes_box *box = notes_box_of(shell);
    (void)effects;
    if (event->kind != EVENT_NOTES || box->ticket == 0 || event->ticket != box->ticket)
        return false;
    const struct notes_answer *answer = event_get(event, notes_answer);
    box->ticket = 0;
    if (answer && answer->error.code != ERR_OK)
        notes_fault(shell, answer->error.text);
    else if (shell_shows(shell, OVERLAY_NOTES))
        shell_close(shell);
    return false;
}

static void notes_draw_line(const struct shell *shell, const struct note *note, struct canvas *canvas,
                            struct rect row) {
    struct str text;
    str_init(&text, 2 * NOTE_TEXT_MAX);
    clock_format(&text, note->at, shell_zone(shell), shell_now(shell));
    str_addf(&text, " %s: %s", note->who, note->text);
    canvas_text(canvas, row, 0, 0, ROLE_TEXT, text.s);
    str_clear(&text);
}

/* What is there already, newest first. */
static void notes_draw_there(const struct shell *shell, struct canvas *canvas, struct rect area) {
    const struct notes_box *box = notes_box_of(shell);
    const char *id = box->ids[box->about];
    const struct notes_subject *subject = notes_find(intents_notes(shell), box->about, id, strlen(id));
    int x = 0;
    if (subject && subject->n_tags > 0 && area.rows > 0) {
        struct rect row = rect_take_rows(&area, 1);
        for (size_t i = 0; i < subject->n_tags; i++)
            x += canvas_text(canvas, row, 0, x, ROLE_MARK, subject->tags[i].text) + 1;
    }
    for (size_t i = subject ? subject->n_notes : 0; i > 0 && area.rows > 0; i--)
        notes_draw_line(shell, &subject->notes[i - 1], canvas, rect_take_rows(&area, 1));
}

static void notes_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    struct notes_box *box = notes_box_of(shell);
    struct rect area = dialog_box(canvas, within, BOX_ROWS, BOX_COLS,
                                  box->tags ? "Tags, as in: chargeback -solved" : "Note", ROLE_TITLE);
    bool both = box->ids[NOTE_OF_INTENT] && box->ids[NOTE_OF_USER];
    if (area.rows < 1 || area.cols < 1)
        return;
    edit_draw(&box->edit, canvas, rect_take_rows(&area, 1), ROLE_FIELD, true);
    if (area.rows >= FIXED_ROWS) {
        struct rect hint = rect_take_rows(&area, -1);
        const struct profile *profile = shell_profile(shell);
        bool shared = profile_shares_notes(profile);
        canvas_textf(canvas, hint, 0, 0, ROLE_DIM, "Enter %s%s  Esc leaves",
                     shared ? "shares it with the team" : "keeps it on this machine",
                     !both                          ? ""
                     : box->about == NOTE_OF_INTENT ? "  Tab: on its user"
                                                    : "  Tab: on the intent");
    }
    if (area.rows > 0) {
        canvas_textf(canvas, rect_take_rows(&area, 1), 0, 0, ROLE_DIM, "on %s %s",
                     box->about == NOTE_OF_INTENT ? "the intent" : "the user", box->ids[box->about]);
    }
    if (box->fault[0] && area.rows > 0)
        canvas_text(canvas, rect_take_rows(&area, 1), 0, 0, ROLE_ERROR, box->fault);
    notes_draw_there(shell, canvas, area);
}

const struct pane notes_overlay = {.size = sizeof(struct notes_box),
                                   .types = true,
                                   .clear = notes_clear,
                                   .open = open_notes,
                                   .event = notes_event,
                                   .draw = notes_draw,
                                   .every_key = notes_every_key,
                                   .paste = notes_paste,
                                   .fault = notes_fault};
