#include "panes/webhook/webhook.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "ui/dialog.h"

#include <stdio.h>
#include <string.h>

/* What waits for a second person of the team: how many stands in the title row; the overlay lists them, and leads to
 * the review of one. */

enum { BOX_COLS = 110, BOX_ROWS = 18, DETAIL_ROWS = 8, ROOMY_ROWS = 12, TEXT_MAX = 64 << 10, REASON_MAX = 500 };
enum { LOOK_MS = 15000, ID_ROOM = 64 };

struct proposal_list {
    struct proposal_answer *answer; /* NULL: not answered yet */
    uint64_t ticket, word, taking;  /* of the list, of a decision, of one to be reviewed; 0: none is waited for */
    size_t cursor, top;
    char here[ID_ROOM];   /* what the cursor was at when the list was replaced */
    char chosen[ID_ROOM]; /* what is decided about: the list may change meanwhile */
    bool sure;            /* the key that withdraws was pressed once */
    bool refuses;         /* the reason is being typed */
    struct edit reason;
};

static struct proposal_list *proposals_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_PROPOSALS);
}

static void overlay_proposals_init(struct shell *shell) {
    edit_init(&proposals_of(shell)->reason, REASON_MAX);
}

static void overlay_proposals_clear(struct shell *shell) {
    proposal_answer_free(proposals_of(shell)->answer);
    edit_clear(&proposals_of(shell)->reason);
}

static bool is_asked_for(const struct shell *shell) {
    const struct profile *profile = shell_profile(shell);
    return profile_webhook_needs_two(profile) || profile_users_need_two(profile);
}

static void ask_proposals(struct shell *shell, struct effects *effects) {
    struct proposal_list *list = proposals_of(shell);
    if (!list->ticket)
        list->ticket = effects_proposals(effects, proposal_ask_new(PROPOSAL_LIST));
}

static void overlay_proposals_start(struct shell *shell, struct effects *effects) {
    if (is_asked_for(shell))
        ask_proposals(shell, effects);
}

static const struct proposal *proposal_at_cursor(const struct shell *shell) {
    const struct proposal_list *list = proposals_of(shell);
    bool any = list->answer && list->cursor < list->answer->list.n;
    return any ? &list->answer->list.items[list->cursor] : NULL;
}

static void copy_proposal_id(char out[ID_ROOM], const struct proposal *proposal) {
    (void)snprintf(out, ID_ROOM, "%s", proposal->id);
}

/* ---- drawing ---- */

static int overlay_proposals_status(const struct shell *shell, struct canvas *canvas, struct rect row, int x) {
    const struct proposal_answer *answer = proposals_of(shell)->answer;
    size_t n = answer && answer->error.code == ERR_OK ? proposals_to_do(&answer->list) : 0;
    struct str text;
    if (n == 0 || !is_asked_for(shell))
        return x;
    str_init(&text, 64);
    str_addf(&text, "%zu to release or send", n);
    x += canvas_text(canvas, row, 0, x, ROLE_WARN, text.s) + 1;
    str_clear(&text);
    return x;
}

static void draw_proposal_line(const struct shell *shell, struct canvas *canvas, struct rect row, size_t at) {
    const struct proposal *proposal = &proposals_of(shell)->answer->list.items[at];
    bool open = proposal->state == PROPOSAL_WAITING || proposal->state == PROPOSAL_RELEASED;
    struct str text;
    str_init(&text, TEXT_MAX);
    proposal_add_line(&text, proposal);
    canvas_text(canvas, row, 0, 0, open ? ROLE_TEXT : ROLE_DIM, text.s);
    str_clear(&text);
    if (at == proposals_of(shell)->cursor) {
        canvas_bar(canvas, row, 0, ROLE_CURSOR);
        canvas_cursor(canvas, row, 0, 0, false);
    }
}

static void draw_proposal_lines(const struct shell *shell, struct canvas *canvas, struct rect box) {
    struct proposal_list *list = proposals_of(shell);
    size_t rows = box.rows > 0 ? (size_t)box.rows : 0, n = list->answer ? list->answer->list.n : 0;
    if (!list->answer)
        canvas_text(canvas, box, 0, 0, ROLE_DIM, "the team's store is asked ...");
    else if (list->answer->error.code != ERR_OK)
        canvas_text(canvas, box, 0, 0, ROLE_ERROR, list->answer->error.text);
    else if (n == 0)
        canvas_text(canvas, box, 0, 0, ROLE_DIM, "nothing was proposed in the last week");
    if (list->cursor < list->top)
        list->top = list->cursor;
    else if (list->cursor >= list->top + rows)
        list->top = list->cursor + 1 - rows;
    for (size_t i = list->top; i < n && box.rows > 0; i++)
        draw_proposal_line(shell, canvas, rect_take_rows(&box, 1), i);
}

static void draw_proposal_detail(const struct shell *shell, struct canvas *canvas, struct rect area) {
    const struct proposal *proposal = proposal_at_cursor(shell);
    struct sheet sheet = {.canvas = canvas, .area = area};
    struct str text;
    str_init(&text, TEXT_MAX);
    if (proposal)
        proposal_tell(proposal, &text);
    webhook_add_lines(&sheet, ROLE_TEXT, &text);
    str_clear(&text);
}

static void draw_proposal_foot(const struct shell *shell, struct canvas *canvas, struct rect row) {
    struct proposal_list *list = proposals_of(shell);
    if (list->refuses) {
        char name[PROPOSAL_ID_SHOWN + 1];
        (void)snprintf(name, sizeof name, "%.*s", PROPOSAL_ID_SHOWN, list->chosen);
        int x = canvas_text(canvas, row, 0, 0, ROLE_PROMPT, name) + 1;
        x += canvas_text(canvas, row, 0, x, ROLE_PROMPT, "refused, because ");
        edit_draw(&list->reason, canvas, rect_inset(row, 0, x, 0, 0), ROLE_FIELD, true);
    } else {
        canvas_text(canvas, row, 0, 0, ROLE_DIM,
                    shell_is_read_only(shell) ? "read-only: r refreshes, Esc"
                                              : "Enter reviews, x refuses, W withdraws your own, r refreshes, Esc");
    }
}

static void overlay_proposals_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    struct rect box = dialog_box(canvas, within, BOX_ROWS, BOX_COLS, "Two persons: proposed to the team", ROLE_TITLE);
    struct rect foot = rect_take_rows(&box, box.rows > 1 ? -1 : 0);
    if (box.rows >= ROOMY_ROWS)
        draw_proposal_detail(shell, canvas, rect_take_rows(&box, -DETAIL_ROWS));
    draw_proposal_lines(shell, canvas, box);
    draw_proposal_foot(shell, canvas, foot);
}

/* ---- deciding ---- */

static void decide_chosen(struct shell *shell, enum proposal_state state, const char *reason, struct effects *effects) {
    struct proposal_list *list = proposals_of(shell);
    if (list->word)
        return;
    struct proposal_ask *ask = proposal_ask_new(PROPOSAL_DECIDE);
    ask->id = mem_dup(list->chosen);
    ask->state = state;
    ask->reason = mem_dup(reason);
    list->word = effects_proposals(effects, ask);
}

static void withdraw(struct shell *shell, struct effects *effects) {
    struct proposal_list *list = proposals_of(shell);
    const struct proposal *proposal = proposal_at_cursor(shell);
    if (list->sure) {
        decide_chosen(shell, PROPOSAL_WITHDRAWN, NULL, effects);
        list->sure = false;
    } else if (proposal) {
        copy_proposal_id(list->chosen, proposal);
        shell_message(shell, ROLE_WARN, "W again withdraws it for everybody");
        list->sure = true;
    }
}

static void reason_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct proposal_list *list = proposals_of(shell);
    if (key == INPUT_ESCAPE || key == KEY_CTRL('C')) {
        list->refuses = false;
    } else if (key == INPUT_ENTER) {
        decide_chosen(shell, PROPOSAL_REFUSED, list->reason.text.s, effects);
        list->refuses = false;
    } else {
        (void)shell_edit_key(shell, &list->reason, key);
    }
}

/* As it stands in the store now, not as it was listed. */
static void take_up_proposal(struct shell *shell, struct effects *effects) {
    struct proposal_list *list = proposals_of(shell);
    const struct proposal *proposal = proposal_at_cursor(shell);
    if (!proposal || list->taking)
        return;
    if (!proposal->url) {
        shell_message(shell, ROLE_INFO, "a user's body is reviewed and released by: bursar users release %.*s",
                      PROPOSAL_ID_SHOWN, proposal->id);
        return;
    }
    struct proposal_ask *ask = proposal_ask_new(PROPOSAL_SHOW);
    ask->id = mem_dup(proposal->id);
    list->taking = effects_proposals(effects, ask);
}

static bool read_only_key(struct shell *shell, int32_t key) {
    bool writes = key == INPUT_ENTER || key == 'x' || key == 'W';
    if (writes && shell_is_read_only(shell))
        shell_message(shell, ROLE_WARN, "this profile is read-only: it can look, and decides nothing");
    return writes && shell_is_read_only(shell);
}

static void overlay_proposals_every_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct proposal_list *list = proposals_of(shell);
    size_t n = list->answer ? list->answer->list.n : 0;
    bool sure = list->sure && key == 'W';
    if (list->refuses) {
        reason_key(shell, key, effects);
        return;
    }
    list->sure = sure;
    int action = keymap_find(shell_keymap(shell), "list", key);
    if (key == INPUT_ESCAPE || key == KEY_CTRL('C') || key == 'q')
        shell_close(shell);
    else if (action == ACTION_DOWN || action == ACTION_UP)
        list->cursor = action == ACTION_UP ? list->cursor - (list->cursor > 0) : list->cursor + (list->cursor + 1 < n);
    else if (read_only_key(shell, key))
        return;
    else if (key == INPUT_ENTER)
        take_up_proposal(shell, effects);
    else if (key == 'x' && proposal_at_cursor(shell)) {
        copy_proposal_id(list->chosen, proposal_at_cursor(shell));
        edit_set(&list->reason, "");
        list->refuses = true;
    } else if (key == 'W')
        withdraw(shell, effects);
    else if (key == 'r')
        ask_proposals(shell, effects);
    else
        shell_unbound(shell, key);
}

static bool overlay_proposals_paste(struct shell *shell, const char *text, struct effects *effects) {
    (void)effects;
    return proposals_of(shell)->refuses && shell_paste_into(shell, &proposals_of(shell)->reason, text);
}

/* ---- answers ---- */

/* The cursor stays at its proposal, wherever that stands now. */
static void find_cursor(struct proposal_list *list) {
    const struct proposals *all = &list->answer->list;
    for (size_t i = 0; i < all->n; i++) {
        if (strcmp(all->items[i].id, list->here) == 0) {
            list->cursor = i;
            return;
        }
    }
    if (list->cursor >= all->n)
        list->cursor = all->n > 0 ? all->n - 1 : 0;
}

static void take_proposal_list(struct shell *shell, struct event *event, struct effects *effects) {
    struct proposal_list *list = proposals_of(shell);
    if (proposal_at_cursor(shell))
        copy_proposal_id(list->here, proposal_at_cursor(shell));
    list->ticket = 0;
    list->sure = false;
    proposal_answer_free(list->answer);
    list->answer = event_take(event, proposal_answer);
    find_cursor(list);
    if (is_asked_for(shell))
        effects_timer(effects, TIMER_PROPOSALS, shell_now(shell) + LOOK_MS);
}

static void take_word(struct shell *shell, const struct event *event, struct effects *effects) {
    const struct proposal_answer *answer = event_get(event, proposal_answer);
    proposals_of(shell)->word = 0;
    if (answer->error.code != ERR_OK)
        shell_message(shell, ROLE_ERROR, "%s", answer->error.text);
    else if (answer->list.n > 0)
        shell_message(shell, ROLE_INFO, "proposal %.*s: %s", PROPOSAL_ID_SHOWN, answer->list.items[0].id,
                      proposal_state_name(answer->list.items[0].state));
    ask_proposals(shell, effects);
}

static bool overlay_proposals_event(struct shell *shell, struct event *given, struct effects *effects) {
    struct proposal_list *list = proposals_of(shell);
    if (event_is_timer(given, TIMER_PROPOSALS)) {
        ask_proposals(shell, effects);
        return true;
    }
    if (given->kind != EVENT_PROPOSALS || !given->ticket)
        return false;
    if (given->ticket == list->ticket) {
        take_proposal_list(shell, given, effects);
    } else if (given->ticket == list->word) {
        take_word(shell, given, effects);
    } else if (given->ticket == list->taking) {
        list->taking = 0;
        if (shell_shows(shell, OVERLAY_PROPOSALS))
            webhook_form_take_up(shell, event_take(given, proposal_answer), effects);
    } else {
        ask_proposals(shell, effects); /* another place proposed, released or sent one */
        return false;
    }
    shell_redraw(shell);
    return true;
}

static bool overlay_proposals_open(struct shell *shell, const void *argument, struct effects *effects) {
    (void)argument;
    if (!profile_has_team(shell_profile(shell))) {
        shell_message(shell, ROLE_INFO, "the profile has no team (team_store): nobody proposes anything here");
        return false;
    }
    proposals_of(shell)->refuses = proposals_of(shell)->sure = false;
    ask_proposals(shell, effects);
    return true;
}

const struct pane proposals_overlay = {.size = sizeof(struct proposal_list),
                                       .init = overlay_proposals_init,
                                       .clear = overlay_proposals_clear,
                                       .start = overlay_proposals_start,
                                       .open = overlay_proposals_open,
                                       .status = overlay_proposals_status,
                                       .draw = overlay_proposals_draw,
                                       .every_key = overlay_proposals_every_key,
                                       .paste = overlay_proposals_paste,
                                       .event = overlay_proposals_event};
