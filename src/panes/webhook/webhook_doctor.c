#include "panes/webhook/webhook.h"

#include "panes/shell/ask.h"
#include "panes/shell/moves.h"

#include "base/mem.h"
#include "ui/lines.h"
#include "ui/progress.h"

#include <stdlib.h>
#include <string.h>

enum {
    PATH_TEXT_MAX = 4096,
    REPORT_MAX = 4 << 20,
    TEXT_MAX = 64 << 10,
    TITLE_COLS = 22,
    WORD_COLS = 8,
    NARROW_INDENT = 3
};

void webhook_doctor_init(struct webhook_pane *pane) {
    doctor_init(&pane->check.doctor);
    pager_init(&pane->check.pager);
    edit_init(&pane->check.path, PATH_TEXT_MAX);
}

void webhook_doctor_clear(struct webhook_pane *pane) {
    doctor_clear(&pane->check.doctor);
    pager_clear(&pane->check.pager);
    edit_clear(&pane->check.path);
    arena_clear(&pane->check.arena);
    free(pane->check.lines.items);
}

/* ---- Starting ---- */

static const char *url_to_check(const struct webhook_pane *pane) {
    if (pane->view == WEBHOOK_VIEW_DOCTOR)
        return pane->check.doctor.question.url;
    if (pane->view == WEBHOOK_VIEW_FORM && *webhook_form_url(pane))
        return webhook_form_url(pane);
    return pane->state.stage == WEBHOOK_RECEIPT ? pane->state.url : webhook_last_url(&pane->state);
}

static void webhook_doctor_start(struct shell *shell, bool post, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    const struct outcome_record *record = webhook_last(&pane->state);
    const struct str *typed = &pane->form.rows[WEBHOOK_ROW_SECRET].edit.text;
    bool given = pane->state.secret != NULL;
    const struct doctor_question question = {
        .url = url_to_check(pane),
        .ca_file = shell_options(shell)->ca_file,
        .local_ok = profile_is_sandbox(shell_profile(shell)),
        .post = post,
        .has_secret = given || typed->len > 0,
        .secret = given ? pane->state.secret_state : webhook_secret_check(typed->s, typed->len, pane->state.token),
        .shared_with = pane->state.shared_with,
        .known_url = record ? record->url : NULL,
        .known_signed = record && record->fingerprint,
        .known_held = record && webhook_held(record),
        .known_at = record ? record->at : 0,
    };
    doctor_start(&pane->check.doctor, &question, shell_now(shell), effects);
    pane->check.stale = true;
    pane->check.pager.top = 0;
}

void webhook_doctor_open(struct shell *shell, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    if (!url_to_check(pane)) {
        bool known = pane->state.known != NULL;
        shell_message(shell, known ? ROLE_WARN : ROLE_INFO, "%s: %s opens the form to type one",
                      known ? "there is no URL to check" : "no URL is known yet (reading the journal)",
                      shell_key_of(shell, ACTION_ENDPOINT));
        return;
    }
    webhook_doctor_start(shell, false, effects);
    shell_message_outdated(shell);
    pane->check.from = pane->view;
    pane->view = WEBHOOK_VIEW_DOCTOR;
}

static void probe_answered(struct shell *shell, int button, struct effects *effects) {
    if (button == 1)
        webhook_doctor_start(shell, true, effects);
}

static void probe(struct shell *shell, struct effects *effects) {
    static const char *const BUTTONS[] = {"send nothing", "send one POST"};
    if (shell_is_read_only(shell)) {
        shell_message(shell, ROLE_WARN, "this profile is read-only: no POST leaves from here");
    } else if (profile_is_sandbox(shell_profile(shell))) {
        webhook_doctor_start(shell, true, effects);
    } else {
        struct ask ask = {.confirm = {.title = "Send a POST to this endpoint?",
                                      .text = "One small POST, marked as a test and wrongly signed on purpose,\n"
                                              "leaves for the endpoint. It carries no secret, but whoever runs\n"
                                              "the endpoint will see it.",
                                      .buttons = BUTTONS,
                                      .n_buttons = (int)COUNT_OF(BUTTONS),
                                      .role = ROLE_ENV_PRODUCTION},
                          .answered = probe_answered,
                          .acts = true};
        ask_open(shell, &ask);
    }
}

static void webhook_doctor_follow(struct shell *shell, struct effects *effects) {
    struct doctor *doctor = &webhook_of(shell)->check.doctor;
    if (doctor_follow(doctor, shell_now(shell), effects)) {
        webhook_of(shell)->check.stale = true;
        webhook_of(shell)->check.pager.top = 0;
    } else {
        shell_message(shell, ROLE_INFO,
                      doctor_target(doctor) ? "five redirects were followed, which is the limit"
                                            : "it does not redirect");
    }
}

/* ---- The report ---- */

static bool is_ready(struct shell *shell) {
    if (webhook_of(shell)->check.doctor.stage != DOCTOR_ENDED) {
        shell_message(shell, ROLE_INFO, "the check is not done yet; %s ends it", shell_key_of(shell, ACTION_BACK));
        return false;
    }
    return true;
}

static char *webhook_doctor_report(const struct webhook_pane *pane, bool json) {
    struct str text;
    str_init(&text, REPORT_MAX);
    if (json)
        doctor_report_json(&pane->check.doctor, &text);
    else
        doctor_report_text(&pane->check.doctor, true, &text);
    return str_take(&text);
}

static void copy(struct shell *shell, bool json, struct effects *effects) {
    char *text = webhook_doctor_report(webhook_of(shell), json);
    effects_copy(effects, json ? "the report as JSON" : "the report", text);
    free(text);
}

static bool webhook_doctor_is_json(const struct str *path) {
    static const char END[] = ".json";
    return path->len >= sizeof END - 1 && str_equal(path->s + path->len - (sizeof END - 1), END);
}

static void webhook_doctor_save(struct shell *shell, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    const struct str *path = &pane->check.path.text;
    if (path->len > 0) {
        struct webhook_ask *ask = webhook_ask_new(WEBHOOK_SAVE);
        ask->path = mem_dup(path->s);
        ask->text = webhook_doctor_report(pane, webhook_doctor_is_json(path));
        pane->check.save_ticket = effects_webhook(effects, ask);
    }
    pane->check.saving = false;
}

bool webhook_doctor_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    if (!pane->check.saving) {
        bool paging = pane->check.pager.searching || key == '/' || key == 'n' || key == 'N';
        return paging && pager_key(&pane->check.pager, key) != DIALOG_IGNORED;
    }
    if (key == INPUT_ENTER)
        webhook_doctor_save(shell, effects);
    else if (key == INPUT_ESCAPE || key == KEY_CTRL('C'))
        pane->check.saving = false;
    else
        (void)shell_edit_key(shell, &pane->check.path, key);
    return true;
}

bool webhook_doctor_event(struct shell *shell, struct event *event, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    if (event->kind == EVENT_WEBHOOK && event->ticket == pane->check.save_ticket) {
        const struct webhook_answer *answer = event_get(event, webhook_answer);
        if (answer->error.code == ERR_OK)
            shell_message(shell, ROLE_INFO, "the report is in %s", pane->check.path.text.s);
        else
            shell_message(shell, ROLE_ERROR, "%s", answer->error.text);
    } else if (!doctor_update(&pane->check.doctor, event, effects)) {
        return false;
    }
    pane->check.stale = true;
    shell_redraw(shell);
    return true;
}

static bool act_on_report(struct shell *shell, int action, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    switch (action) {
    case ACTION_ENDPOINT_PROBE:
        probe(shell, effects);
        return true;
    case ACTION_ENDPOINT_FOLLOW:
        webhook_doctor_follow(shell, effects);
        return true;
    case ACTION_REPORT_SAVE:
        pane->check.saving = true;
        return true;
    case ACTION_REPORT_COPY:
    case ACTION_REPORT_COPY_JSON:
        copy(shell, action == ACTION_REPORT_COPY_JSON, effects);
        return true;
    default:
        return false;
    }
}

static bool is_of_report(int action) {
    return action == ACTION_ENDPOINT_PROBE || action == ACTION_ENDPOINT_FOLLOW || action == ACTION_REPORT_SAVE ||
           action == ACTION_REPORT_COPY || action == ACTION_REPORT_COPY_JSON;
}

bool webhook_doctor_act(struct shell *shell, int action, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    if (pager_move(action)) {
        (void)pager_key(&pane->check.pager, pager_move(action));
        return true;
    }
    if (action == ACTION_ENDPOINT_CHECK) {
        webhook_doctor_start(shell, false, effects);
        return true;
    }
    return is_of_report(action) && (!is_ready(shell) || act_on_report(shell, action, effects));
}

bool webhook_doctor_back(struct shell *shell, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    pane->check.stale = true;
    if (pane->check.doctor.stage == DOCTOR_RUNNING)
        doctor_cancel(&pane->check.doctor, effects);
    else
        pane->view = pane->check.from;
    return true;
}

/* ---- Drawing ---- */

static enum role webhook_doctor_role_of(enum doctor_verdict verdict) {
    static const enum role ROLES[] = {
        [DOCTOR_PENDING] = ROLE_DIM, [DOCTOR_SKIPPED] = ROLE_DIM, [DOCTOR_PASS] = ROLE_OK,
        [DOCTOR_NOTE] = ROLE_INFO,   [DOCTOR_WARN] = ROLE_WARN,   [DOCTOR_FAIL] = ROLE_ERROR};
    return ROLES[verdict];
}

static void webhook_doctor_add_line(struct webhook_pane *pane, const char *label, enum role role, const char *text) {
    struct text_line *line = vec_add(&pane->check.lines);
    *line = (struct text_line){.label = label ? arena_dup_n(&pane->check.arena, label, strlen(label)) : NULL,
                               .text = arena_dup_n(&pane->check.arena, text, strlen(text)),
                               .role = role};
}

/* Broken to the width; all but the first line are indented under the text, not under the word before it. On a narrow
 * screen title and word have a line of their own. */
static void webhook_doctor_add_lines(struct webhook_pane *pane, struct text_line head, const char *text) {
    struct str line;
    str_init(&line, TEXT_MAX);
    const char *word = head.text, *label = head.label;
    if (pane->check.narrow && *label) {
        str_addf(&line, "%s: %s", label, word);
        webhook_doctor_add_line(pane, NULL, head.role, line.s);
        word = "";
    }
    do {
        size_t skip = 0;
        size_t len = *text ? lines_wrap(text, pane->check.cols, &skip) : 0;
        str_reset(&line);
        str_addf(&line, "%-*s", pane->check.narrow ? NARROW_INDENT : WORD_COLS, word);
        str_add_n(&line, text, len);
        webhook_doctor_add_line(pane, pane->check.narrow ? NULL : label, head.role, line.s);
        word = label = "";
        text += skip;
    } while (*text);
    str_clear(&line);
}

static void add_chain(struct webhook_pane *pane) {
    struct str tree;
    str_init(&tree, TEXT_MAX);
    doctor_draw_chain(&pane->check.doctor, str_equal(symbol(SYMBOL_TREE_LAST), "`"), &tree);
    if (tree.len > 0)
        webhook_doctor_add_lines(pane, (struct text_line){.label = "", .text = "", .role = ROLE_TEXT}, tree.s);
    str_clear(&tree);
}

static void webhook_doctor_add_check(struct webhook_pane *pane, enum doctor_check check) {
    const struct doctor_finding *finding = &pane->check.doctor.findings[check];
    struct str text;
    str_init(&text, TEXT_MAX);
    str_addf(&text, "%2d %s", (int)check, doctor_check_title(check));
    webhook_doctor_add_lines(pane,
                             (struct text_line){.label = text.s,
                                                .text = doctor_verdict_word(finding->verdict),
                                                .role = webhook_doctor_role_of(finding->verdict)},
                             finding->evidence.s);
    if (check == DOCTOR_CHAIN)
        add_chain(pane);
    if (finding->advice.len > 0) {
        str_reset(&text);
        str_addf(&text, "%s %s%s%s", symbol(SYMBOL_NEXT), finding->who ? finding->who : "", finding->who ? ": " : "",
                 finding->advice.s);
        webhook_doctor_add_lines(pane, (struct text_line){.label = "", .text = "", .role = ROLE_TEXT}, text.s);
    }
    str_clear(&text);
}

static void add_limits(struct webhook_pane *pane) {
    size_t skip;
    webhook_doctor_add_line(pane, NULL, ROLE_TEXT, "");
    for (const char *at = doctor_limits(); *at; at += skip) {
        char *line = mem_dup_n(at, lines_wrap(at, pane->check.cols, &skip));
        webhook_doctor_add_line(pane, NULL, ROLE_DIM, line);
        free(line);
    }
}

static void webhook_doctor_fill(struct webhook_pane *pane, int cols) {
    enum { GAPS = 5 }; /* with the scroll bar */
    bool narrow = cols < FORM_NARROW;
    int wide = cols - GAPS - (narrow ? NARROW_INDENT : TITLE_COLS + WORD_COLS);
    if (!pane->check.stale && pane->check.cols == wide)
        return;
    pane->check.narrow = narrow;
    pane->check.cols = wide;
    pane->check.stale = false;
    pane->check.lines.n = 0;
    arena_clear(&pane->check.arena);
    for (int i = 0; i < DOCTOR_CHECK_COUNT; i++)
        webhook_doctor_add_check(pane, (enum doctor_check)i);
    add_limits(pane);
    pager_set(&pane->check.pager, pane->check.lines.items, pane->check.lines.n, true);
}

static void webhook_doctor_draw_state(struct shell *shell, struct canvas *canvas, struct rect row) {
    struct webhook_pane *pane = webhook_of(shell);
    const struct doctor *doctor = &pane->check.doctor;
    enum doctor_verdict overall = doctor_overall(doctor);
    if (pane->check.saving) {
        int x = 1 + canvas_text(canvas, row, 0, 1, ROLE_PROMPT, "Save as (.json or text): ");
        edit_draw(&pane->check.path, canvas, (struct rect){row.y, row.x + x, 1, row.cols - x - 1}, ROLE_FIELD, true);
        return;
    }
    if (doctor->stage == DOCTOR_RUNNING) {
        uint64_t done = 0;
        for (int i = 0; i < DOCTOR_CHECK_COUNT; i++)
            done += doctor->findings[i].verdict != DOCTOR_PENDING;
        struct progress progress = {
            .what = "checking", .done = done, .total = DOCTOR_CHECK_COUNT, .note = doctor_step_words(doctor)};
        progress_draw(&progress, canvas, rect_inset(row, 0, 1, 0, 0), 0);
        return;
    }
    const char *target = doctor_target(doctor);
    canvas_textf(canvas, row, 0, 1, webhook_doctor_role_of(overall), "overall: %s%s%s%s%s%s",
                 doctor_verdict_word(overall), doctor->cancelled ? " (ended before it was done)" : "",
                 target ? "; " : "", target ? shell_key_of(shell, ACTION_ENDPOINT_FOLLOW) : "",
                 target ? " checks " : "", target ? target : "");
}

void webhook_doctor_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct webhook_pane *pane = webhook_of(shell);
    const char *trust = pane->check.doctor.question.ca_file;
    struct rect head = rect_take_rows(&area, 1);
    int x = 1 + canvas_text(canvas, head, 0, 1, ROLE_TITLE, pane->check.doctor.question.url);
    canvas_textf(canvas, head, 0, x + 1, ROLE_DIM, "seen from this machine, trust: %s",
                 trust ? trust : "the system's roots");
    webhook_doctor_draw_state(shell, canvas, rect_take_rows(&area, 1));
    webhook_doctor_fill(pane, area.cols);
    pager_draw(&pane->check.pager, canvas, rect_inset(area, 0, 1, 0, 0), true);
}
