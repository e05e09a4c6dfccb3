/* Leaving, and letters on a form: a name that begins with Q leaves nothing. */
#include "panes/shell/state.h"

#include "base/mem.h"
#include "ui/lines.h"

#include <stdio.h>
#include <string.h>

enum { TYPED_ON_MS = 600 }; /* within which somebody who types a name has typed its second letter */

bool shell_is_writing(const struct shell *shell) {
    return register_pane_is_busy(shell) || webhook_pane_is_busy(shell);
}

static bool is_webhook_form(const struct shell *shell) {
    const struct webhook_pane *own = &shell->hook;
    return own->view == WEBHOOK_VIEW_FORM && own->state.stage == WEBHOOK_FORM && !own->showing &&
           own->pick.what == WEBHOOK_PICK_NONE;
}

/* The form whose field is marked while keys are actions; NULL: there is none. */
static struct form *marked_form(struct shell *shell) {
    struct form *form = NULL;
    if (shell->overlay != OVERLAY_NONE || shell_is_too_small(shell)) {
        return NULL;
    }
    if (shell->pane == PANE_REGISTER && !shell->importing.open && shell->registering.pick.what == PICK_NONE &&
        shell->registering.state.stage == REGISTER_FORM) {
        form = &shell->registering.form;
    } else if (shell->pane == PANE_WEBHOOK && is_webhook_form(shell)) {
        form = &shell->hook.form;
    }
    return form && !form->editing && form_focused(form)->kind != FORM_BUTTON ? form : NULL;
}

bool shell_field_is_marked(struct shell *shell) {
    return marked_form(shell) != NULL;
}

void shell_type(struct shell *shell, int32_t key, struct effects *effects) {
    struct form *form = marked_form(shell);
    if (form) {
        form->editing = true;
    }
    (void)pane(shell->pane)->key(shell, key, effects);
    shell->dirty = true;
}

static bool is_webhook_filled(const struct shell *shell) {
    return shell->hook.touched && shell->hook.view == WEBHOOK_VIEW_FORM && shell->hook.state.stage == WEBHOOK_FORM;
}

static bool is_import_filled(const struct shell *shell) {
    const struct import_pane *own = &shell->importing;
    return own->open && (own->import.stage == IMPORT_EMPTY || own->import.stage == IMPORT_FAILED) &&
           own->form.rows[IMPORT_FIELD_FILE].edit.text.len > 0;
}

/* What leaving would cost; NULL: nothing. */
static const char *cost_of(const struct shell *shell) {
    if (import_pane_is_busy(shell)) {
        return "An import is running. Leaving now makes the row on its way unknown;\n"
               "the same file can be gone on with later.";
    }
    if (shell_is_writing(shell)) {
        return "A write is on its way. Leaving now makes its outcome unknown.";
    }
    if (export_is_busy(&shell->export.job)) {
        return "An export is being written. Leaving now takes it away.";
    }
    if (register_is_dirty(&shell->registering.state)) {
        return "A form is not sent. It is kept for 7 days, without birth date\nand "
               "government id: those are never stored.";
    }
    if (is_webhook_filled(shell)) {
        return "The form of the webhook is not sent. Nothing of it is kept.";
    }
    return is_import_filled(shell) ? "An import is prepared and not begun. Its form is not kept." : NULL;
}

static void answered(struct shell *shell, int button, struct effects *effects) {
    (void)effects;
    shell->finished = button == 1;
}

bool shell_is_keeping(const struct shell *shell) {
    return register_is_keeping(&shell->registering.state);
}

const char *shell_unkept(const struct shell *shell) {
    return register_unkept(&shell->registering.state);
}

static void loss_answered(struct shell *shell, int button, struct effects *effects) {
    (void)effects;
    shell->finished = shell->losing = button == 1;
}

bool shell_may_leave(struct shell *shell) {
    static const char *const BUTTONS[] = {"stay", "leave, it is lost"};
    const char *why = shell_unkept(shell);
    if (!why || shell->losing) {
        return true;
    }
    (void)snprintf(shell->loss, sizeof shell->loss,
                   "A form is not sent, and it cannot be kept:\n%s.\nIt is in memory alone.", why);
    shell->finished = false;
    struct ask ask = {.confirm = {.title = "Leave and lose a form?",
                                  .text = shell->loss,
                                  .buttons = BUTTONS,
                                  .n_buttons = (int)COUNT_OF(BUTTONS),
                                  .role = ROLE_ERROR},
                      .answered = loss_answered};
    ask_open(shell, &ask);
    return false;
}

void shell_leave_by(struct shell *shell, int32_t letter, struct effects *effects) {
    static const char *const BUTTONS[] = {"stay", "leave"};
    const char *cost = cost_of(shell);
    bool typing = input_is_text(letter) && shell_field_is_marked(shell);
    if ((!cost && !typing) || (shell_is_too_small(shell) && shell->leaving)) {
        shell->finished = true;
        return;
    }
    if (shell_is_too_small(shell)) { /* no question that nobody could read: said in what room there is */
        shell->leaving = true;
        shell->dirty = true;
        return;
    }
    struct ask ask = {.confirm = {.title = "Leave bursar?",
                                  .text = cost ? cost : "Or was it meant for the field? Typing on goes there.",
                                  .buttons = BUTTONS,
                                  .n_buttons = (int)COUNT_OF(BUTTONS),
                                  .role = ROLE_WARN},
                      .answered = answered,
                      .letter = typing ? letter : 0};
    ask_open(shell, &ask);
    if (!cost) {
        effects_timer(effects, TIMER_LEAVE, shell->now + TYPED_ON_MS);
    }
}

/* Nothing would be lost: the key does what it says, unless a name goes on behind it or the question was touched. */
void shell_leave_in_time(struct shell *shell) {
    bool asked = shell->overlay == OVERLAY_ASK && shell->ask.letter && shell->ask.confirm.selected == 0;
    shell->finished = shell->finished || (asked && !cost_of(shell));
}

void shell_leave(struct shell *shell, struct effects *effects) {
    shell_leave_by(shell, 0, effects);
}

void shell_draw_small(const struct shell *shell, struct canvas *canvas) {
    struct rect all = canvas_rect(canvas);
    const char *key = shell_key_of(shell, ACTION_QUIT);
    struct str text;
    str_init(&text, 256);
    if (shell->leaving) {
        str_addf(&text, "%s: %s again leaves, Esc stays", shell_is_writing(shell) ? "a write runs" : "not sent", key);
    } else {
        str_addf(&text, "needs %dx%d, %s leaves", SHELL_COLS_MIN, SHELL_ROWS_MIN, key);
    }
    if (shell->leaving) {
        lines_draw(canvas, all, ROLE_WARN, text.s);
    } else {
        canvas_text(canvas, all, 0, 0, ROLE_WARN, text.s);
    }
    str_clear(&text);
}
