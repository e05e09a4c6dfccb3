/* Leaving the console, and letters typed on a form: a name that begins with Q must not leave anything. */
#include "panes/shell/shell_state.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "panes/shell/ask.h"
#include "ui/form.h"
#include "ui/lines.h"

#include <stdio.h>
#include <string.h>

enum {
    TYPED_ON_MS = 600, /* somebody who types a name has typed its second letter within this time */
    WORD_MS = 1000,    /* letters that come faster than this are of one word */
};

bool shell_is_writing(const struct shell *shell) {
    bool writing = false;
    for (int id = 0; id < PANE_COUNT && !writing; id++) {
        const struct pane *pane = pane_of((enum pane_id)id);
        writing = pane->is_writing && pane->is_writing(shell);
    }
    return writing;
}

/* The form that has a marked field while keys are actions; NULL: there is none. */
static struct form *leave_marked_form(struct shell *shell) {
    const struct pane *pane = shell_pane(shell);
    if (shell_has_overlay(shell) || shell_is_too_small(shell) || !pane->marked_form)
        return NULL;
    struct form *form = pane->marked_form(shell);
    return form && !form->editing && form_focused(form)->kind != FORM_BUTTON ? form : NULL;
}

bool shell_field_is_marked(struct shell *shell) {
    return leave_marked_form(shell) != NULL;
}

void shell_word_begins(struct shell *shell, int32_t letter) {
    bool goes_on = shell->word.letter && clock_within(shell->word.at, shell->now, WORD_MS);
    shell->word.letter = letter && goes_on ? shell->word.letter : letter;
    shell->word.at = shell->now;
}

static void leave_say_not_typed(struct shell *shell) {
    bool webhook = shell_is_on(shell, PANE_WEBHOOK);
    char letter[5] = "";
    letter[utf8_encode(shell->word.letter, letter)] = '\0';
    shell->word.at = shell->now;
    shell_message(shell, ROLE_WARN, "nothing was typed: \"%s\" is a key here; %s opens the field", letter,
                  shell_key_of(shell, webhook ? ACTION_ENDPOINT : ACTION_FIELD));
    shell->message.held = true;
}

/* A word whose first letter was a key is not typed without it: of `pete` a field would have `ete`, and nobody would
 * know. */
void shell_type(struct shell *shell, int32_t key, struct effects *effects) {
    struct form *form = leave_marked_form(shell);
    bool goes_on = shell->word.letter && clock_within(shell->word.at, shell->now, WORD_MS);
    if (goes_on && form) {
        leave_say_not_typed(shell);
        return;
    }
    shell->word.letter = 0;
    if (form)
        form->editing = true;
    (void)shell_pane(shell)->key(shell, key, effects);
    shell->dirty = true;
}

/* What would be lost by leaving, the most important of all; NULL: nothing. */
static const char *cost_of(const struct shell *shell) {
    enum leave_cost most = LEAVE_NOTHING, cost;
    const char *text = NULL;
    for (int id = 0; id < PANE_COUNT; id++) {
        const struct pane *pane = pane_of((enum pane_id)id);
        const char *told = pane->cost ? pane->cost(shell, &cost) : NULL;
        if (told && cost > most) {
            most = cost;
            text = told;
        }
    }
    if (most < LEAVE_WRITE && shell_is_writing(shell))
        return "A write is on its way. Leaving now makes its outcome unknown.";
    return text;
}

static void leave_answered(struct shell *shell, int button, struct effects *effects) {
    (void)effects;
    shell->finished = button == 1;
}

bool shell_is_keeping(const struct shell *shell) {
    bool keeping = false;
    for (int id = 0; id < PANE_COUNT && !keeping; id++) {
        const struct pane *pane = pane_of((enum pane_id)id);
        keeping = pane->is_keeping && pane->is_keeping(shell);
    }
    return keeping;
}

const char *shell_unkept(const struct shell *shell) {
    const char *why = NULL;
    for (int id = 0; id < PANE_COUNT && !why; id++) {
        const struct pane *pane = pane_of((enum pane_id)id);
        why = pane->unkept ? pane->unkept(shell) : NULL;
    }
    return why;
}

static void loss_answered(struct shell *shell, int button, struct effects *effects) {
    (void)effects;
    shell->finished = shell->losing = button == 1;
}

bool shell_may_leave(struct shell *shell) {
    static const char *const BUTTONS[] = {"stay", "leave, it is lost"};
    const char *why = shell_unkept(shell);
    if (!why || shell->losing)
        return true;
    shell->finished = false;
    if (shell_is_too_small(shell)) {
        shell->leaving = shell->dirty = true;
        return false;
    }
    (void)snprintf(shell->loss, sizeof shell->loss,
                   "A form is not sent, and it cannot be kept:\n%s.\nIt is in memory alone.", why);
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
        shell->losing = shell->losing || (cost && shell_unkept(shell)); /* the tiny screen says that it is lost */
        return;
    }
    if (shell_is_too_small(shell)) { /* a question could not be read: says how much room it needs */
        shell->leaving = true;
        shell->dirty = true;
        return;
    }
    struct ask ask = {.confirm = {.title = "Leave bursar?",
                                  .text = cost ? cost : "Or was it meant for the field? Typing on goes there.",
                                  .buttons = BUTTONS,
                                  .n_buttons = (int)COUNT_OF(BUTTONS),
                                  .role = ROLE_WARN},
                      .answered = leave_answered,
                      .letter = typing ? letter : 0};
    ask_open(shell, &ask);
    if (!cost)
        effects_timer(effects, TIMER_LEAVE, shell->now + TYPED_ON_MS);
}

/* Nothing would be lost, so the key leaves, unless another letter follows or the question was touched. */
void shell_leave_in_time(struct shell *shell) {
    shell->finished = shell->finished || (ask_is_untouched(shell) && !cost_of(shell));
}

void shell_leave(struct shell *shell, struct effects *effects) {
    shell_leave_by(shell, 0, effects);
}

void shell_draw_small(const struct shell *shell, struct canvas *canvas) {
    struct rect all = canvas_rect(canvas);
    const char *key = shell_key_of(shell, ACTION_QUIT);
    struct str text;
    str_init(&text, 256);
    if (shell->leaving && shell_unkept(shell))
        str_addf(&text, "cannot be kept: %s again loses it, Esc stays", key);
    else if (shell->leaving)
        str_addf(&text, "%s: %s again leaves, Esc stays", shell_is_writing(shell) ? "a write runs" : "not sent", key);
    else
        str_addf(&text, "needs %dx%d, %s leaves", SHELL_COLS_MIN, SHELL_ROWS_MIN, key);
    if (shell->leaving)
        lines_draw(canvas, all, ROLE_WARN, text.s);
    else
        canvas_text(canvas, all, 0, 0, ROLE_WARN, text.s);
    str_clear(&text);
}
