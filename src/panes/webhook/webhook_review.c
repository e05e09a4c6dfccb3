#include "panes/webhook/webhook.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 64 << 10 };

/* Some lines are shown more prominently than the others. */
static enum role webhook_review_role_of(const char *line, enum role plain) {
    static const struct {
        const char *part;
        enum role role;
    } LOUD[] = {{"UNSIGNED", ROLE_WARN},
                {" OFF.", ROLE_WARN},
                {"ATTENTION", ROLE_WARN},
                {"the same secret", ROLE_WARN},
                {"no known outcome", ROLE_UNKNOWN},
                {"This is this console's record", ROLE_DIM}};
    for (size_t i = 0; i < COUNT_OF(LOUD); i++)
        if (strstr(line, LOUD[i].part))
            return LOUD[i].role;
    return plain;
}

void webhook_add_lines(struct sheet *sheet, enum role plain, const struct str *lines) {
    for (const char *at = lines->s; *at;) {
        size_t len = strcspn(at, "\n");
        char *line = mem_dup_n(at, len);
        sheet_wrapped(sheet, webhook_review_role_of(line, plain), line);
        free(line);
        at += len + (at[len] == '\n');
    }
}

struct sheet webhook_sheet(const struct webhook_pane *pane, struct canvas *canvas, struct rect area) {
    enum { ROOMY = 10 };
    return (struct sheet){
        .canvas = canvas, .area = rect_inset(area, area.rows > ROOMY ? 1 : 0, 2, 1, 1), .top = pane->top};
}

void webhook_sheet_end(struct webhook_pane *pane, const struct sheet *sheet) {
    pane->most = sheet->line > sheet->area.rows ? sheet->line - sheet->area.rows : 0;
    pane->top = pane->top > pane->most ? pane->most : pane->top;
    if (pane->top < pane->most) {
        struct rect below = sheet->area;
        below.y += below.rows;
        below.rows = 1;
        canvas_text(sheet->canvas, below, 0, 0, ROLE_DIM, "Down shows more");
    }
}

/* ---- The new secret, on the screen once ---- */

bool webhook_secret_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    if (key == INPUT_ENTER && calm_is_over(shell, &pane->review.calm)) {
        pane->showing = false;
        if (webhook_review(&pane->state, shell_is_read_only(shell)))
            webhook_review_enter(shell, effects);
    } else if (key == 'y') {
        effects_copy(effects, "the secret", pane->state.secret);
    } else if (key == INPUT_ESCAPE || key == KEY_CTRL('C')) {
        pane->showing = false;
        webhook_unchoose(&pane->state);
        shell_message(shell, ROLE_INFO, "the secret was thrown away; nothing was sent");
    }
    return true;
}

void webhook_secret_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct webhook_pane *pane = webhook_of(shell);
    review_badge(shell, canvas, rect_take_rows(&area, 1), "a new secret for the webhook");
    struct sheet sheet = {.canvas = canvas, .area = rect_inset(area, 1, 2, 0, 1)};
    sheet_wrapped(&sheet, ROLE_SECRET, pane->state.secret);
    sheet_line(&sheet, ROLE_TEXT, "", NULL);
    sheet_wrapped(&sheet, ROLE_TEXT,
                  "It is shown this once: store it where the endpoint reads it. Nothing was sent yet.");
    struct str text;
    str_init(&text, TEXT_MAX);
    str_addf(&text, "%zu characters in one piece, fingerprint %s", strlen(pane->state.secret), pane->state.fingerprint);
    sheet_wrapped(&sheet, ROLE_DIM, text.s);
    str_clear(&text);
    calm_drawn(shell, &pane->review.calm);
}

/* ---- The difference, before it is sent ---- */

/* The difference is made against what the journal holds now. */
void webhook_review_enter(struct shell *shell, struct effects *effects) {
    webhook_load(&webhook_of(shell)->state, effects);
    static const char *const BUTTONS[] = {[WEBHOOK_PROPOSES] = "Propose it", [WEBHOOK_RELEASES] = "Release it"};
    enum webhook_purpose purpose = webhook_purpose(&webhook_of(shell)->state);
    review_open(shell, &webhook_of(shell)->review, webhook_word(&webhook_of(shell)->state));
    if (purpose != WEBHOOK_SENDS)
        webhook_of(shell)->review.button = BUTTONS[purpose];
    shell_message_clear(shell);
}

void webhook_review_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    enum review_answer answer = review_key(shell, &pane->review, key);
    bool proposed = webhook_proposal(&pane->state) != NULL;
    if (answer == REVIEW_NO) {
        webhook_back(&pane->state);
        if (proposed) {
            pane->view = WEBHOOK_VIEW_KNOWN;
            pane->touched = false;
        }
    } else if (answer == REVIEW_YES)
        (void)webhook_confirm(&pane->state, webhook_word(&pane->state), effects);
}

void webhook_review_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct webhook_pane *pane = webhook_of(shell);
    static const char *const DOES[] = {[WEBHOOK_SENDS] = "registers the webhook",
                                       [WEBHOOK_PROPOSES] = "proposes the webhook to the team",
                                       [WEBHOOK_RELEASES] = "releases the webhook"};
    review_badge(shell, canvas, rect_take_rows(&area, 1), DOES[webhook_purpose(&pane->state)]);
    struct rect buttons = rect_take_rows(&area, -1);
    struct rect rule = rect_take_rows(&area, -1);
    struct sheet sheet = review_sheet(&pane->review, canvas, area);
    struct str text;
    str_init(&text, TEXT_MAX);
    webhook_tell_difference(&pane->state, &text);
    if (pane->state.saved_to)
        str_addf(&text, "The new secret is in %s.\n", pane->state.saved_to);
    webhook_add_lines(&sheet, ROLE_TEXT, &text);
    str_reset(&text);
    webhook_tell_warnings(&pane->state, &text);
    webhook_add_lines(&sheet, ROLE_WARN, &text);
    str_clear(&text);
    review_seen(shell, &pane->review, &sheet, rule);
    if (pane->state.stage == WEBHOOK_AGREEING)
        canvas_text(canvas, buttons, 0, 1, ROLE_INFO, "the team's store is asked; nothing was sent ...");
    else
        review_buttons(shell, &pane->review, canvas, buttons, pane->state.stage == WEBHOOK_SENDING);
}

void webhook_agreed_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct webhook_pane *pane = webhook_of(shell);
    struct sheet sheet = webhook_sheet(pane, canvas, area);
    bool failed = pane->state.error.code != ERR_OK;
    struct str text;
    str_init(&text, TEXT_MAX);
    sheet_wrapped(&sheet, failed ? ROLE_ERROR : ROLE_OK,
                  pane->state.error.code == ERR_UNKNOWN ? "Look at the proposals."
                  : failed                              ? "Not done."
                                                        : "The team knows.");
    webhook_tell_agreement(&pane->state, &text);
    webhook_add_lines(&sheet, ROLE_TEXT, &text);
    str_reset(&text);
    str_addf(&text, "%s goes back; %s there lists what was proposed.", shell_key_of(shell, ACTION_BACK),
             shell_key_of(shell, ACTION_PROPOSALS));
    sheet_line(&sheet, ROLE_TEXT, "", NULL);
    sheet_wrapped(&sheet, ROLE_DIM, text.s);
    webhook_sheet_end(pane, &sheet);
    str_clear(&text);
}

/* ---- What became of it ---- */

static void webhook_review_add_next(const struct shell *shell, enum outcome outcome, struct str *out) {
    const char *back = shell_key_of(shell, ACTION_BACK);
    if (outcome == OUTCOME_DONE) {
        str_addf(out, "%s goes back; %s checks the endpoint from this machine.", back,
                 shell_key_of(shell, ACTION_ENDPOINT_CHECK));
    } else if (outcome == OUTCOME_UNKNOWN) {
        str_addf(out, "%s registers the very same once more, after another look; it is never sent by itself.",
                 shell_key_of(shell, ACTION_ENDPOINT_AGAIN));
    } else {
        str_addf(out, "Nothing typed is lost: %s goes back to the form.", back);
    }
}

void webhook_receipt_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    static const struct {
        enum role role;
        const char *title;
    } ENDS[OUTCOME_COUNT] = {
        [OUTCOME_DONE] = {ROLE_OK, "Done."},
        [OUTCOME_REFUSED] = {ROLE_ERROR, "Refused: the service did not take this registration."},
        [OUTCOME_UNKNOWN] = {ROLE_UNKNOWN, "Outcome unknown."},
        [OUTCOME_NOT_SENT] = {ROLE_WARN, "Nothing was sent."},
    };
    struct webhook_pane *pane = webhook_of(shell);
    enum outcome outcome = write_outcome(pane->state.write.result);
    struct sheet sheet = webhook_sheet(pane, canvas, area);
    struct str text;
    str_init(&text, TEXT_MAX);
    sheet_wrapped(&sheet, ENDS[outcome].role, ENDS[outcome].title);
    webhook_tell_receipt(&pane->state, &text);
    webhook_add_lines(&sheet, ROLE_TEXT, &text);
    str_reset(&text);
    str_add(&text, "Signing: ");
    webhook_tell_signing(&pane->state, &text);
    webhook_add_lines(&sheet, ROLE_TEXT, &text);
    sheet_line(&sheet, ROLE_TEXT, "", NULL);
    str_reset(&text);
    webhook_review_add_next(shell, outcome, &text);
    sheet_wrapped(&sheet, ROLE_DIM, text.s);
    webhook_sheet_end(pane, &sheet);
    str_clear(&text);
}
