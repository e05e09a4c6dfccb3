#include "panes/webhook/webhook.h"

#include "base/mem.h"

static void pane_webhook_init(struct shell *shell) {
    struct webhook_pane *pane = webhook_of(shell);
    webhook_init(&pane->state, shell_profile(shell));
    pane->state.token = shell_options(shell)->token;
    webhook_form_init(pane);
    review_init(&pane->review);
    webhook_doctor_init(pane);
}

static void pane_webhook_clear(struct shell *shell) {
    struct webhook_pane *pane = webhook_of(shell);
    webhook_form_clear(pane);
    review_clear(&pane->review);
    webhook_doctor_clear(pane);
    deliveries_free(pane->deliveries);
    webhook_clear(&pane->state);
}

static bool pane_webhook_is_writing(const struct shell *shell) {
    const struct webhook *state = &webhook_of(shell)->state;
    return write_is_running(&state->write) || state->stage == WEBHOOK_AGREEING;
}

/* ---- Actions ---- */

static void again(struct shell *shell, struct effects *effects) {
    if (shell_is_read_only(shell))
        shell_message(shell, ROLE_WARN, "this profile is read-only: nothing can be registered");
    else if (webhook_again(&webhook_of(shell)->state))
        webhook_review_enter(shell, effects);
}

static bool pane_webhook_scroll(struct webhook_pane *pane, int action) {
    enum { PAGE = 8 };
    static const struct {
        int action, step;
    } STEPS[] = {{ACTION_DOWN, 1},          {ACTION_UP, -1},          {ACTION_PAGE_DOWN, PAGE},
                 {ACTION_PAGE_UP, -PAGE},   {ACTION_HALF_DOWN, PAGE}, {ACTION_HALF_UP, -PAGE},
                 {ACTION_FIRST, INT16_MIN}, {ACTION_LAST, INT16_MAX}};
    for (size_t i = 0; i < COUNT_OF(STEPS); i++) {
        if (STEPS[i].action == action) {
            int top = pane->top + STEPS[i].step;
            pane->top = top < 0 ? 0 : top > pane->most ? pane->most : top;
            return true;
        }
    }
    return false;
}

static bool act_on_known(struct shell *shell, int action, struct effects *effects) {
    switch (action) {
    case ACTION_ENDPOINT:
        if (webhook_of(shell)->state.known)
            webhook_form_open(shell);
        else
            webhook_of(shell)->opening = true;
        return true;
    case ACTION_PROPOSALS:
        (void)shell_open(shell, OVERLAY_PROPOSALS, NULL, effects);
        return true;
    case ACTION_ARRIVALS:
    case ACTION_ARRIVALS_FILTER:
    case ACTION_ARRIVALS_LIST:
        (void)shell_open(shell, OVERLAY_ARRIVALS, &action, effects);
        return true;
    case ACTION_WEBHOOK_RELOAD:
        webhook_load(&webhook_of(shell)->state, effects);
        return true;
    default:
        return false;
    }
}

static bool pane_webhook_act(struct shell *shell, int action, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    if (pane->view == WEBHOOK_VIEW_DOCTOR)
        return webhook_doctor_act(shell, action, effects);
    if (action == ACTION_CANCEL && pane_webhook_is_writing(shell)) {
        webhook_cancel(&pane->state, effects);
        return true;
    }
    if (action == ACTION_ENDPOINT_AGAIN) {
        again(shell, effects);
        return true;
    }
    if (action == ACTION_ENDPOINT_CHECK && !pane_webhook_is_writing(shell)) {
        webhook_doctor_open(shell, effects);
        return true;
    }
    bool form = pane->view == WEBHOOK_VIEW_FORM && pane->state.stage == WEBHOOK_FORM;
    if (form)
        return webhook_form_act(shell, action, effects);
    return pane_webhook_scroll(pane, action) ||
           (pane->view == WEBHOOK_VIEW_KNOWN && act_on_known(shell, action, effects));
}

static bool back_from_agreed(struct webhook_pane *pane) {
    if (pane->state.error.code == ERR_OK) {
        pane->view = WEBHOOK_VIEW_KNOWN;
        pane->touched = false;
    }
    webhook_back(&pane->state);
    webhook_form_refresh(pane);
    return true;
}

static bool back_from_receipt(struct shell *shell, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    if (write_outcome(pane->state.write.result) == OUTCOME_DONE) {
        pane->view = WEBHOOK_VIEW_KNOWN;
        pane->touched = false;
    }
    webhook_back(&pane->state);
    webhook_load(&pane->state, effects);
    webhook_form_refresh(pane);
    return true;
}

static bool pane_webhook_back(struct shell *shell, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    if (pane->view == WEBHOOK_VIEW_DOCTOR)
        return webhook_doctor_back(shell, effects);
    if (pane->view == WEBHOOK_VIEW_KNOWN)
        return false;
    if (pane_webhook_is_writing(shell)) {
        webhook_cancel(&pane->state, effects);
        return true;
    }
    if (pane->state.stage == WEBHOOK_AGREED)
        return back_from_agreed(pane);
    if (pane->state.stage == WEBHOOK_RECEIPT)
        return back_from_receipt(shell, effects);
    pane->view = WEBHOOK_VIEW_KNOWN;
    return true;
}

/* ---- Keys and events ---- */

static bool pane_webhook_key(struct shell *shell, int32_t pressed, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    if (pane->view == WEBHOOK_VIEW_DOCTOR)
        return webhook_doctor_key(shell, pressed, effects);
    if (pane->view != WEBHOOK_VIEW_FORM) {
        /* Keys typed while the form is being opened were meant for it: as actions these letters could do anything. */
        bool ends = pressed == INPUT_ESCAPE || pressed == KEY_CTRL('C');
        bool was = pane->opening;
        pane->opening = was && !ends;
        if (was)
            shell_redraw(shell);
        return was;
    }
    if (pane->showing)
        return webhook_secret_key(shell, pressed, effects);
    if (pane->state.stage == WEBHOOK_FORM)
        return webhook_form_key(shell, pressed, effects);
    if (pane->state.stage == WEBHOOK_REVIEW) {
        webhook_review_key(shell, pressed, effects);
        return true;
    }
    /* Keys that were typed ahead do not reach what is not on the screen yet. */
    return pane->state.stage == WEBHOOK_WORKING;
}

static bool pane_webhook_paste(struct shell *shell, const char *text, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    (void)effects;
    if (pane->view == WEBHOOK_VIEW_DOCTOR && pane->check.saving) {
        (void)shell_paste_into(shell, &pane->check.path, text);
        return true;
    }
    return pane->view == WEBHOOK_VIEW_FORM && pane->state.stage == WEBHOOK_FORM && !pane->showing &&
           webhook_form_paste(shell, text);
}

static bool pane_webhook_event(struct shell *shell, struct event *given, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    if (webhook_deliveries_event(shell, given, effects) || webhook_doctor_event(shell, given, effects))
        return true;
    if (!webhook_update(&pane->state, given, effects))
        return false;
    if (pane->opening && pane->state.known) {
        pane->opening = false;
        webhook_form_open(shell);
    }
    webhook_form_answered(shell, effects);
    pane->top = 0;
    shell_redraw(shell);
    return true;
}

static void hint_doctor(const struct shell *shell, struct str *out) {
    if (webhook_of(shell)->check.saving) {
        str_add(out, "Enter saves, Esc gives up");
        return;
    }
    shell_hint(shell, ACTION_ENDPOINT_CHECK, "again", out);
    shell_hint(shell, ACTION_ENDPOINT_PROBE, "send one POST", out);
    shell_hint(shell, ACTION_REPORT_SAVE, "save", out);
    shell_hint(shell, ACTION_REPORT_COPY, "copy", out);
    shell_hint(shell, ACTION_REPORT_COPY_JSON, "copy JSON", out);
    str_add(out, ", / find");
    shell_hint(shell, ACTION_BACK, "back", out);
}

static void hint_receipt(const struct shell *shell, struct str *out) {
    if (write_outcome(webhook_of(shell)->state.write.result) == OUTCOME_UNKNOWN) {
        shell_hint(shell, ACTION_ENDPOINT_AGAIN, "the very same once more", out);
        shell_hint(shell, ACTION_BACK, "back to the form", out);
    } else {
        shell_hint(shell, ACTION_BACK, "back", out);
        shell_hint(shell, ACTION_ENDPOINT_CHECK, "check the endpoint", out);
    }
}

static void hint_form(const struct shell *shell, struct str *out) {
    if (webhook_of(shell)->form.editing) {
        str_add(out, "Tab Enter next field, Shift-Tab back, Ctrl-U clears, Esc leaves the field");
        return;
    }
    shell_hint(shell, ACTION_ENDPOINT_REVIEW, "review", out);
    shell_hint(shell, ACTION_ENDPOINT, "edits", out);
    shell_hint(shell, ACTION_ENDPOINT_CHECK, "check", out);
    shell_hint(shell, ACTION_BACK, "back", out);
    shell_hint(shell, ACTION_HELP, "help", out);
}

static bool pane_webhook_hint(const struct shell *shell, struct str *out) {
    const struct webhook_pane *pane = webhook_of(shell);
    if (pane->view == WEBHOOK_VIEW_DOCTOR)
        hint_doctor(shell, out);
    else if (pane->opening)
        str_add(out, "The form opens when the journal was read; no key counts till then but Esc");
    else if (pane->view != WEBHOOK_VIEW_FORM)
        return false;
    else if (pane->showing)
        str_add(out, "Enter: it is stored, go on; y copies it; Esc throws it away");
    else if (pane->state.stage == WEBHOOK_REVIEW)
        str_add(out, "Tab or Right chooses, Enter answers, Esc back to the form");
    else if (pane->state.stage == WEBHOOK_RECEIPT)
        hint_receipt(shell, out);
    else if (pane->state.stage == WEBHOOK_AGREED)
        shell_hint(shell, ACTION_BACK, "back", out);
    else if (pane->state.stage == WEBHOOK_FORM)
        hint_form(shell, out);
    return out->len > 0;
}

static void pane_webhook_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct webhook_pane *pane = webhook_of(shell);
    if (pane->view == WEBHOOK_VIEW_DOCTOR)
        webhook_doctor_draw(shell, canvas, area);
    else if (pane->view == WEBHOOK_VIEW_KNOWN)
        webhook_known_draw(shell, canvas, area);
    else if (pane->showing)
        webhook_secret_draw(shell, canvas, area);
    else if (pane->state.stage == WEBHOOK_AGREED)
        webhook_agreed_draw(shell, canvas, area);
    else if (pane->state.stage == WEBHOOK_REVIEW || pane_webhook_is_writing(shell))
        webhook_review_draw(shell, canvas, area);
    else if (pane->state.stage == WEBHOOK_RECEIPT)
        webhook_receipt_draw(shell, canvas, area);
    else
        webhook_form_draw(shell, canvas, area);
}

/* Asks again: another console may have registered meanwhile. */
static void pane_webhook_enter(struct shell *shell, struct effects *effects) {
    webhook_load(&webhook_of(shell)->state, effects);
    webhook_deliveries_ask(shell, effects);
}

static void pane_webhook_leave(struct shell *shell, struct effects *effects) {
    if (shell_options(shell)->receiver)
        effects_timer(effects, TIMER_DELIVERIES, CLOCK_NONE);
    webhook_of(shell)->form.editing = false;
    webhook_of(shell)->opening = false;
}

/* ---- For the console ---- */

static bool is_in_form(const struct webhook_pane *pane) {
    return pane->view == WEBHOOK_VIEW_FORM && pane->state.stage == WEBHOOK_FORM;
}

static struct form *pane_webhook_marked_form(struct shell *shell) {
    struct webhook_pane *pane = webhook_of(shell);
    return is_in_form(pane) && !pane->showing && pane->pick.what == WEBHOOK_PICK_NONE ? &pane->form : NULL;
}

static const char *pane_webhook_cost(const struct shell *shell, enum leave_cost *cost) {
    const struct webhook_pane *pane = webhook_of(shell);
    *cost = pane->touched && is_in_form(pane) ? LEAVE_FORM_LOST : LEAVE_NOTHING;
    return "The form of the webhook is not sent. Nothing of it is kept.";
}

static struct review *pane_webhook_file_review(struct shell *shell) {
    return &webhook_of(shell)->review;
}

static bool pane_webhook_is_reviewing(const struct shell *shell) {
    const struct webhook_pane *pane = webhook_of(shell);
    return pane->view == WEBHOOK_VIEW_FORM && !pane->showing && pane->state.stage == WEBHOOK_REVIEW;
}

const struct pane webhook_pane = {.title = "Webhook",
                                  .sections = {"webhook", "list"},
                                  .size = sizeof(struct webhook_pane),
                                  .init = pane_webhook_init,
                                  .clear = pane_webhook_clear,
                                  .draw = pane_webhook_draw,
                                  .act = pane_webhook_act,
                                  .back = pane_webhook_back,
                                  .key = pane_webhook_key,
                                  .paste = pane_webhook_paste,
                                  .event = pane_webhook_event,
                                  .enter = pane_webhook_enter,
                                  .leave = pane_webhook_leave,
                                  .hint = pane_webhook_hint,
                                  .is_writing = pane_webhook_is_writing,
                                  .cost = pane_webhook_cost,
                                  .marked_form = pane_webhook_marked_form,
                                  .review = pane_webhook_file_review,
                                  .is_reviewing = pane_webhook_is_reviewing};
