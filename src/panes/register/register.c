#include "panes/register/register.h"

#include "panes/shell/ask.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 256 };

static void init_rows(struct register_pane *pane) {
    enum { LAST4_MAX = 64 };
    for (int i = 0; i < USER_FIELD_COUNT; i++)
        edit_init(&pane->form.rows[i].edit, i == USER_ID_LAST4 ? LAST4_MAX : USER_TEXT_MAX);
    edit_init(&pane->form.rows[REGISTER_BUTTON].edit, 1);
    pane->form.rows[REGISTER_BUTTON].kind = FORM_BUTTON;
    pane->form.rows[REGISTER_BUTTON].label = "Review";
}

static void pane_register_init(struct shell *shell) {
    struct register_pane *pane = register_of(shell);
    register_init(&pane->state, shell_profile(shell));
    if (shell_options(shell)->nonce) /* a form can be stored although the journal is slow to open */
        (void)snprintf(pane->state.nonce, sizeof pane->state.nonce, "%s", shell_options(shell)->nonce);
    init_rows(pane);
    review_init(&pane->review);
    register_fill(shell);
}

static void pane_register_clear(struct shell *shell) {
    struct register_pane *pane = register_of(shell);
    for (int i = 0; i < REGISTER_ROWS; i++) {
        struct edit *edit = &pane->form.rows[i].edit;
        edit->secret = true; /* wiped when it is cleared */
        edit_clear(edit);
    }
    register_pick_clear(pane);
    review_clear(&pane->review);
    register_paste_clear(pane);
    arena_clear(&pane->notes);
    register_clear(&pane->state);
}

static void pane_register_start(struct shell *shell, struct effects *effects) {
    register_start(&register_of(shell)->state, effects);
}

static bool pane_register_is_writing(const struct shell *shell) {
    return write_is_running(&register_of(shell)->state.write);
}

/* ---- Actions ---- */

static void pane_register_file_open_review(struct shell *shell, struct effects *effects) {
    struct register_pane *pane = register_of(shell);
    register_blur(shell);
    pane->form.editing = false;
    for (int i = 0; i < REGISTER_ROWS; i++)
        pane->touched[i] = true;
    if (shell_is_read_only(shell)) {
        shell_message(shell, ROLE_WARN, "this profile is read-only: nothing can be registered");
    } else if (register_review(&pane->state, shell_now(shell), effects)) {
        shell_message_clear(shell); /* the message was about what had to be corrected */
    } else if (pane->state.findings.blocks > 0) {
        size_t n = pane->state.findings.blocks;
        shell_message(shell, ROLE_ERROR, "%zu field%s must be put right first", n, plural_s(n));
        for (size_t i = pane->state.findings.n; i > 0; i--)
            if (pane->state.findings.items[i - 1].blocks)
                form_focus(&pane->form, (int)pane->state.findings.items[i - 1].field);
    }
}

/* A write that may have been done can only be repeated unchanged: just the fields that are not stored on the disk can
 * be typed again. */
static bool is_locked(struct shell *shell, int row) {
    bool typed_again = row < USER_FIELD_COUNT && !user_is_kept((enum user_field)row);
    return register_draft(&register_of(shell)->state)->locked && !typed_again;
}

bool register_refuse_locked(struct shell *shell, int row) {
    bool locked = is_locked(shell, row);
    if (locked) {
        shell_message(shell, ROLE_WARN, "locked by record %lld (outcome unknown): %s Activity, %s there frees it",
                      (long long)register_draft(&register_of(shell)->state)->locked,
                      shell_key_of(shell, ACTION_PANE_ACTIVITY), shell_key_of(shell, ACTION_SETTLE));
    }
    return locked;
}

static void discarded(struct shell *shell, int button, struct effects *effects) {
    if (button == 1) {
        register_discard(&register_of(shell)->state, effects);
        shell_message_outdated(shell);
        register_fill(shell);
    }
}

static void ask_discard(struct shell *shell) {
    static const char *const BUTTONS[] = {"keep it", "discard it"};
    if (register_refuse_locked(shell, REGISTER_BUTTON))
        return;
    struct ask ask = {.confirm = {.title = "Discard this form?",
                                  .text = "What was typed is gone then, on the disk too.",
                                  .buttons = BUTTONS,
                                  .n_buttons = (int)COUNT_OF(BUTTONS),
                                  .role = ROLE_WARN},
                      .answered = discarded};
    ask_open(shell, &ask);
}

static void edit_field(struct shell *shell, struct effects *effects) {
    struct register_pane *pane = register_of(shell);
    if (form_focused(&pane->form)->kind == FORM_BUTTON)
        pane_register_file_open_review(shell, effects);
    else
        pane->form.editing = true;
}

static void copy_id(struct shell *shell, struct effects *effects) {
    const struct write_result *result = register_of(shell)->state.write.result;
    if (result && result->receipt.id)
        effects_copy(effects, "the user's id", result->receipt.id);
}

static void new_draft(struct shell *shell) {
    struct register_state *state = &register_of(shell)->state;
    if (state->stage == REGISTER_RECEIPT)
        register_back(state);
    register_new(state);
    register_fill(shell);
    shell_message_outdated(shell);
}

static bool act_on_form(struct shell *shell, int action, struct effects *effects) {
    struct register_pane *pane = register_of(shell);
    switch (action) {
    case ACTION_DOWN:
        form_move(&pane->form, 1);
        return true;
    case ACTION_UP:
        form_move(&pane->form, -1);
        return true;
    case ACTION_FIRST:
        form_move(&pane->form, -pane->form.n);
        return true;
    case ACTION_LAST:
        form_move(&pane->form, pane->form.n);
        return true;
    case ACTION_FIELD:
        edit_field(shell, effects);
        return true;
    case ACTION_REVIEW:
        pane_register_file_open_review(shell, effects);
        return true;
    case ACTION_DISCARD:
        ask_discard(shell);
        return true;
    case ACTION_DRAFTS:
        register_pick_open(shell, PICK_DRAFT);
        return true;
    case ACTION_IMPORT:
        return shell_stand_in(shell, PANE_REGISTER, PANE_IMPORT, effects);
    default:
        return false;
    }
}

static bool pane_register_act(struct shell *shell, int action, struct effects *effects) {
    struct register_pane *pane = register_of(shell);
    if (action == ACTION_PRIVACY) {
        pane->hidden = !pane->hidden;
        register_refresh(shell);
        shell_message(shell, ROLE_INFO, pane->hidden ? "birth date, id, e-mail and phone are hidden" : "all is shown");
        return true;
    }
    if (action == ACTION_NEW_DRAFT && pane->state.stage != REGISTER_SENDING) {
        new_draft(shell);
        return true;
    }
    if (action == ACTION_COPY_ID) {
        copy_id(shell, effects);
        return true;
    }
    if (action == ACTION_CANCEL && pane->state.stage != REGISTER_FORM) {
        register_cancel(&pane->state, effects);
        return true;
    }
    bool taken = pane->state.stage == REGISTER_FORM && act_on_form(shell, action, effects);
    register_refresh(shell);
    return taken;
}

static bool pane_register_back(struct shell *shell, struct effects *effects) {
    struct register_pane *pane = register_of(shell);
    if (pane->state.stage == REGISTER_FORM)
        return false;
    register_cancel(&pane->state, effects);
    return true;
}

/* ---- Keys ---- */

static void leave_field(struct shell *shell, int step) {
    register_blur(shell);
    form_move(&register_of(shell)->form, step);
}

static enum register_pick pick_of(int row) {
    switch (row) {
    case USER_COUNTRY:
        return PICK_COUNTRY;
    case USER_AREA:
        return PICK_AREA;
    case USER_ID_TYPE:
        return PICK_ID_TYPE;
    case USER_VERIFIED:
        return PICK_VERIFIED;
    default:
        return PICK_NONE;
    }
}

/* A letter on a choice opens the list, narrowed by it. */
static void choice_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct form *form = &register_of(shell)->form;
    struct form_row *row = form_focused(form);
    int index = (int)(row - form->rows);
    bool clears = key == INPUT_BACKSPACE || key == INPUT_DELETE || key == KEY_CTRL('U');
    if (key == INPUT_ENTER && (row->edit.text.len > 0 || is_locked(shell, index))) {
        leave_field(shell, 1);
    } else if ((clears || input_is_text(key)) && register_refuse_locked(shell, index)) {
        return;
    } else if (key == INPUT_ENTER || input_is_text(key)) {
        register_pick_open(shell, pick_of(index));
        if (input_is_text(key) && key != ' ')
            register_pick_key(shell, key, effects);
    } else if (clears) {
        edit_set(&row->edit, "");
        register_set(&register_of(shell)->state, (enum user_field)index, NULL, shell_now(shell));
    }
}

static void pane_register_text_key(struct shell *shell, int32_t key) {
    struct register_pane *pane = register_of(shell);
    struct form_row *row = form_focused(&pane->form);
    int index = (int)(row - pane->form.rows);
    if (input_is_text(key) && register_refuse_locked(shell, index))
        return;
    if (shell_edit_key(shell, &row->edit, key) == EDIT_CHANGED) {
        shell_message_outdated(shell);
        if (register_refuse_locked(shell, index))
            edit_set(&row->edit, register_draft(&pane->state)->user.text[index]);
        else
            register_set(&pane->state, (enum user_field)index, row->edit.text.s, shell_now(shell));
    }
}

static bool form_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct register_pane *pane = register_of(shell);
    struct form_row *row = form_focused(&pane->form);
    if (!pane->form.editing)
        return false;
    if (key == INPUT_ESCAPE || key == KEY_CTRL('C')) {
        register_blur(shell);
        pane->form.editing = false;
    } else if (key == INPUT_TAB || key == INPUT_DOWN) {
        leave_field(shell, 1);
    } else if (key == INPUT_BACK_TAB || key == INPUT_UP) {
        leave_field(shell, -1);
    } else if (row->kind == FORM_BUTTON) {
        if (key == INPUT_ENTER)
            pane_register_file_open_review(shell, effects);
        else
            return false;
    } else if (row->kind == FORM_CHOICE) {
        choice_key(shell, key, effects);
    } else if (key == INPUT_ENTER) {
        leave_field(shell, 1);
    } else {
        pane_register_text_key(shell, key);
    }
    return true;
}

static bool pane_register_key(struct shell *shell, int32_t pressed, struct effects *effects) {
    struct register_pane *pane = register_of(shell);
    bool takes = true;
    if (pane->pick.what != PICK_NONE) {
        register_pick_key(shell, pressed, effects);
    } else if (pane->state.stage == REGISTER_FORM) {
        bool in_tag = form_focused(&pane->form) == &pane->form.rows[USER_TAG];
        takes = form_key(shell, pressed, effects);
        if (in_tag && (!pane->form.editing || form_focused(&pane->form) != &pane->form.rows[USER_TAG]))
            register_ask_tag(&pane->state, effects);
    } else if (pane->state.stage == REGISTER_REVIEW) {
        register_review_key(shell, pressed, effects);
    } else if (pane->state.stage == REGISTER_RECEIPT) {
        takes = review_scroll(&pane->review, pressed);
    } else {
        /* Keys that were typed ahead do not reach what is not on the screen yet. */
        takes = pane->state.stage == REGISTER_LOOKING && pressed != INPUT_ESCAPE && pressed != KEY_CTRL('C');
    }
    register_refresh(shell);
    return takes;
}

/* ---- Events ---- */

static void say_proposed(struct shell *shell, const struct proposal_answer *answer) {
    if (answer->error.code == ERR_UNKNOWN)
        shell_message(shell, ROLE_ERROR, "nothing was sent: %s", answer->error.text);
    else if (answer->error.code != ERR_OK)
        shell_message(shell, ROLE_ERROR, "not proposed, and nothing was sent: %s", answer->error.text);
    else if (answer->list.n > 0)
        shell_message(shell, ROLE_OK,
                      "proposed as %.*s, nothing was sent: another person releases it within a day, by bursar users "
                      "release %.*s; the form stays here",
                      PROPOSAL_ID_SHOWN, answer->list.items[0].id, PROPOSAL_ID_SHOWN, answer->list.items[0].id);
}

static void pane_register_take_stage(struct shell *shell, enum register_stage before) {
    struct register_pane *pane = register_of(shell);
    const struct journal_answer *look = pane->state.look;
    if (before == REGISTER_LOOKING && pane->state.stage == REGISTER_REVIEW) {
        struct str word, why;
        str_init(&word, WORD_BYTES);
        str_init(&why, ERROR_TEXT_MAX);
        bool refused = register_is_refused(&pane->state, &why); /* no word is asked for that would send nothing */
        create_word(shell_profile(shell), refused ? 0 : pane->state.repeats, &word);
        shell_message_outdated(shell);
        review_open(shell, &pane->review, word.s);
        if (profile_users_need_two(shell_profile(shell)))
            pane->review.button = "Propose it";
        str_clear(&why);
        str_clear(&word);
    } else if (before == REGISTER_LOOKING && look && look->error.code != ERR_OK) {
        shell_message(shell, ROLE_ERROR, "the journal cannot be used, so nothing is sent: %s", look->error.text);
    } else if (before == REGISTER_SENDING && pane->state.stage == REGISTER_FORM && pane->state.agreed) {
        say_proposed(shell, pane->state.agreed);
        register_fill(shell);
    } else if (before == REGISTER_SENDING) {
        pane->review.top = pane->review.seen = 0; /* the receipt begins at its first line */
        register_fill(shell);
    }
}

static void say_start(struct shell *shell, const struct journal_answer *answer) {
    if (answer->task != JOURNAL_COUNTS)
        return;
    if (answer->error.code != ERR_OK) {
        shell_message(shell, ROLE_ERROR, "nothing can be written: %s", answer->error.text);
    } else if (answer->unknown > 0) {
        shell_message(shell, ROLE_WARN, "%zu write%s of unknown outcome: %s Activity says what to do", answer->unknown,
                      answer->unknown == 1 ? " is" : "s are", shell_key_of(shell, ACTION_PANE_ACTIVITY));
    } else if (answer->notice) {
        shell_message(shell, ROLE_WARN, "%s", answer->notice);
    }
}

static void say_heard(struct shell *shell) {
    struct register_state *state = &register_of(shell)->state;
    if (state->settled_notice.n) {
        shell_message(shell, ROLE_INFO, "record %lld was settled as %s: its form is %s",
                      (long long)state->settled_notice.n, outcome_name(state->settled_notice.outcome),
                      state->settled_notice.gone ? "gone" : "free again");
        state->settled_notice.n = 0;
    }
}

static bool pane_register_event(struct shell *shell, struct event *given, struct effects *effects) {
    struct register_pane *pane = register_of(shell);
    enum register_stage before = pane->state.stage;
    if (given->kind == EVENT_JOURNAL && event_get(given, journal_answer))
        say_start(shell, event_get(given, journal_answer));
    bool mine = register_update(&pane->state, given, effects);
    if (given->kind == EVENT_DRAFT_KEPT && register_unkept(&pane->state)) {
        shell_message(shell, ROLE_ERROR, "the form could not be kept on the disk and is in memory alone: %s",
                      register_unkept(&pane->state));
    }
    if (pane->state.generation != pane->filled) {
        pane_register_take_stage(shell, before);
        say_heard(shell);
        if (given->kind == EVENT_DRAFT || given->kind == EVENT_JOURNAL)
            register_fill(shell);
        shell_redraw(shell);
    }
    return mine;
}

static void pane_register_enter(struct shell *shell, struct effects *effects) {
    register_follow(&register_of(shell)->state, effects);
}

static void pane_register_leave(struct shell *shell, struct effects *effects) {
    register_blur(shell);
    register_of(shell)->form.editing = false;
    register_keep(&register_of(shell)->state, effects);
}

static bool pane_register_hint(const struct shell *shell, struct str *out) {
    const struct register_pane *pane = register_of(shell);
    if (pane->state.stage == REGISTER_REVIEW) {
        str_add(out, "Tab or Right chooses, Enter answers");
        shell_hint(shell, ACTION_PRIVACY, "privacy", out);
        str_add(out, ", Esc back to the form");
    } else if (pane->state.stage == REGISTER_LOOKING || pane->state.stage == REGISTER_SENDING) {
        str_add(out, pane->state.stage == REGISTER_SENDING ? "Esc gives up waiting" : "Esc back to the form");
    } else if (pane->state.stage == REGISTER_RECEIPT) {
        if (pane->state.write.result->receipt.id)
            shell_hint(shell, ACTION_COPY_ID, "copies the id", out);
        shell_hint(shell, ACTION_NEW_DRAFT, "new form", out);
        shell_hint(shell, ACTION_PANE_ACTIVITY, "Activity", out);
        shell_hint(shell, ACTION_BACK, "back to the form", out);
    } else if (pane->state.stage == REGISTER_FORM && pane->form.editing) {
        str_add(out, "Tab Enter next field, Shift-Tab back, Ctrl-U clears, Ctrl-_ undoes, Esc leaves");
    }
    return out->len > 0;
}

static void pane_register_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    switch (register_of(shell)->state.stage) {
    case REGISTER_FORM:
    case REGISTER_LOOKING:
        register_form_draw(shell, canvas, area);
        break;
    case REGISTER_REVIEW:
    case REGISTER_SENDING:
        register_review_draw(shell, canvas, area);
        break;
    case REGISTER_RECEIPT:
        register_receipt_draw(shell, canvas, area);
        break;
    }
    if (register_of(shell)->pick.what != PICK_NONE)
        register_pick_draw(shell, canvas, area);
}

static void pane_register_end(struct shell *shell, struct effects *effects) {
    register_keep(&register_of(shell)->state, effects);
}

/* ---- For the console ---- */

static struct form *pane_register_marked_form(struct shell *shell) {
    struct register_pane *pane = register_of(shell);
    return pane->pick.what == PICK_NONE && pane->state.stage == REGISTER_FORM ? &pane->form : NULL;
}

static struct review *pane_register_review(struct shell *shell) {
    return &register_of(shell)->review;
}

static bool pane_register_is_reviewing(const struct shell *shell) {
    return register_of(shell)->state.stage == REGISTER_REVIEW;
}

static const char *pane_register_cost(const struct shell *shell, enum leave_cost *cost) {
    *cost = register_is_dirty(&register_of(shell)->state) ? LEAVE_FORM_KEPT : LEAVE_NOTHING;
    return register_unkept(&register_of(shell)->state)
               ? "A form is not sent, and it could not be kept on the disk.\nIt is tried once more; if it is to be "
                 "lost, that "
                 "is asked."
               : "A form is not sent. It is kept for 7 days, without birth date\nand "
                 "government id: those are never stored.";
}

static bool is_keeping(const struct shell *shell) {
    return register_is_keeping(&register_of(shell)->state);
}

static const char *unkept(const struct shell *shell) {
    return register_unkept(&register_of(shell)->state);
}

const struct pane register_pane = {.title = "Register",
                                   .sections = {"register", "list"},
                                   .size = sizeof(struct register_pane),
                                   .init = pane_register_init,
                                   .start = pane_register_start,
                                   .end = pane_register_end,
                                   .clear = pane_register_clear,
                                   .draw = pane_register_draw,
                                   .act = pane_register_act,
                                   .back = pane_register_back,
                                   .key = pane_register_key,
                                   .paste = register_paste,
                                   .event = pane_register_event,
                                   .leave = pane_register_leave,
                                   .enter = pane_register_enter,
                                   .hint = pane_register_hint,
                                   .is_writing = pane_register_is_writing,
                                   .cost = pane_register_cost,
                                   .is_keeping = is_keeping,
                                   .unkept = unkept,
                                   .marked_form = pane_register_marked_form,
                                   .review = pane_register_review,
                                   .is_reviewing = pane_register_is_reviewing};
