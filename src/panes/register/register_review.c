#include "panes/register/register.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIRE_LINE_MAX = 64 << 10 };

static void confirm(struct shell *shell, struct effects *effects) {
    struct register_state *state = &register_of(shell)->state;
    struct str why;
    str_init(&why, ERROR_TEXT_MAX);
    if (register_is_refused(state, &why))
        shell_message(shell, ROLE_ERROR, "not sent: %s", why.s);
    else
        (void)register_confirm(state, effects);
    str_clear(&why);
}

void register_review_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct register_pane *pane = register_of(shell);
    if (key == 'P' && pane->review.focus != REVIEW_WORD && calm_is_over(shell, &pane->review.calm)) {
        pane->hidden = !pane->hidden;
        shell_redraw(shell);
        return;
    }
    enum review_answer answer = review_key(shell, &pane->review, key);
    if (answer == REVIEW_NO)
        register_back(&pane->state);
    else if (answer == REVIEW_YES)
        confirm(shell, effects);
}

/* ---- What is to be read before it is confirmed ---- */

static void register_review_add_duplicate(struct shell *shell, struct sheet *page,
                                          const struct outcome_record *record) {
    struct str text;
    str_init(&text, 1024);
    str_addf(&text, "the %s%s: ", record->match ? "same " : "very same",
             str_equal(record->match, "name+birth") ? "name and birth date"
             : record->match                        ? record->match
                                                    : "");
    if (record->last.outcome == OUTCOME_DONE)
        str_add(&text, "registered ");
    else
        str_addf(&text, "%s, written ", outcome_name(record->last.outcome));
    clock_format_ago(&text, record->at, shell_now(shell));
    str_addf(&text, "%s%s by ", record->last.response_id ? " as " : "",
             record->last.response_id ? record->last.response_id : "");
    outcome_add_person(&text, record);
    str_add(&text, " (");
    outcome_add_number(&text, record->n);
    str_add_char(&text, ')');
    sheet_wrapped(page, record->last.outcome == OUTCOME_DONE ? ROLE_WARN : ROLE_UNKNOWN, text.s);
    str_clear(&text);
}

static void register_review_add_duplicates(struct shell *shell, struct sheet *page) {
    const struct journal_answer *look = register_of(shell)->state.look;
    const struct draft *draft = register_draft(&register_of(shell)->state);
    int64_t same = 0; /* told as the very same: no further resemblance is named */
    struct str why;
    str_init(&why, ERROR_TEXT_MAX);
    if (look && create_tell_others(look, &why))
        sheet_wrapped(page, ROLE_WARN, why.s);
    str_reset(&why);
    for (size_t i = 0; look && i < look->records.n; i++) {
        const struct outcome_record *record = &look->records.items[i];
        bool told = record->n == draft->locked || record->n == same;
        if (!told)
            register_review_add_duplicate(shell, page, record);
        same = record->match ? same : record->n;
    }
    if (register_is_refused(&register_of(shell)->state, &why))
        sheet_wrapped(page, ROLE_ERROR, why.s);
    else if (look && register_of(shell)->state.repeats)
        sheet_wrapped(page, ROLE_UNKNOWN, "this repeats a write whose outcome is unknown: it may create a second user");
    else if (look && look->body_same && look->records.n > 0)
        sheet_wrapped(page, ROLE_WARN, "every field is the same as then");
    str_clear(&why);
}

static void add_attest(struct shell *shell, struct sheet *page) {
    const char *verified = register_draft(&register_of(shell)->state)->user.text[USER_VERIFIED];
    if (str_equal(verified, "true"))
        sheet_wrapped(page, ROLE_WARN, "You, the operator, attest that you have verified this person's identity.");
    else
        sheet_wrapped(page, ROLE_TEXT, "You, the operator, state that this person's identity is not verified.");
}

/* Warnings that were left are confirmed here, once. */
static void add_warnings(struct shell *shell, struct sheet *page) {
    struct register_pane *pane = register_of(shell);
    struct str text;
    str_init(&text, 512);
    for (size_t i = 0; i < pane->state.findings.n; i++) {
        const struct user_finding *finding = &pane->state.findings.items[i];
        str_reset(&text);
        str_addf(&text, "%s %s", pane->form.rows[finding->field].label, finding->text);
        sheet_wrapped(page, ROLE_WARN, text.s);
    }
    str_clear(&text);
}

/* The field of a line of the body, by its name and the group that it is in. */
static int register_review_field_of(const char *text, char group[32]) {
    char name[32], path[80];
    const char *start = strchr(text, '"'), *end = start ? strchr(start + 1, '"') : NULL;
    if (!end || (size_t)(end - start) >= sizeof name)
        return -1;
    memcpy(name, start + 1, (size_t)(end - start - 1));
    name[end - start - 1] = '\0';
    if (text[strlen(text) - 1] == '{') {
        memcpy(group, name, sizeof name);
        return -1;
    }
    bool inner = strncmp(text, "    ", 4) == 0;
    (void)snprintf(path, sizeof path, "%s%s%s", inner ? group : "", inner ? "." : "", name);
    return user_find(path);
}

/* Compares with the earlier record, and writes a date in words: a month given as a number is easily taken for a day. */
static void compared(const struct register_pane *pane, int field, struct str *out) {
    static const char *const WORDS[] = {"same as record", "differs from record", "not in record",
                                        "not comparable with record"};
    const struct journal_answer *look = pane->state.look;
    const struct user *user = &pane->state.drafts.items[pane->state.current].user;
    size_t at = 0;
    for (int i = 0; i < field; i++)
        at += user_has(user, (enum user_field)i);
    str_reset(out);
    if (field == USER_BIRTH && !pane->hidden)
        (void)user_date_words(user->text[USER_BIRTH], out);
    if (field >= 0 && look && look->compared && at < look->n_fields)
        str_addf(out, "%s%s %lld", out->len > 0 ? ", " : "", WORDS[look->fields[at]], (long long)look->compared);
}

/* Fields that the earlier record had and this body does not have. */
static void add_missing(const struct register_pane *pane, struct sheet *page) {
    const struct journal_answer *look = pane->state.look;
    const struct user *user = &pane->state.drafts.items[pane->state.current].user;
    const struct outcome_record *record = NULL;
    struct str text;
    for (size_t i = 0; look && i < look->records.n; i++)
        record = look->records.items[i].n == look->compared ? &look->records.items[i] : record;
    str_init(&text, 1024);
    for (size_t i = 0; record && i < record->n_fields; i++) {
        int field = user_find(record->fields[i]);
        if (field >= 0 && !user_has(user, (enum user_field)field))
            str_addf(&text, "%s%s", text.len > 0 ? ", " : "only in the earlier record: ", record->fields[i]);
    }
    if (text.len > 0)
        sheet_wrapped(page, ROLE_WARN, text.s);
    str_clear(&text);
}

static void register_review_add_body(const struct shell *shell, struct sheet *page) {
    const struct register_pane *pane = register_of(shell);
    char group[32] = "";
    struct str clean, note;
    str_init(&clean, WIRE_LINE_MAX); /* one character may become a token of nine bytes */
    str_init(&note, 128);
    for (const char *text = pane->state.body; text && *text;) {
        size_t len = strcspn(text, "\n");
        char *raw = mem_dup_n(text, len);
        int field = len > 0 ? register_review_field_of(raw, group) : -1;
        str_reset(&clean);
        if (pane->hidden && field >= 0 && user_is_sensitive((enum user_field)field)) {
            str_add_n(&clean, raw, strcspn(raw, ":") + 1);
            str_addf(&clean, " (hidden, %s shows it)", shell_key_of(shell, ACTION_PRIVACY));
        } else {
            utf8_reveal(&clean, raw, len);
        }
        compared(pane, field, &note);
        sheet_line(page, ROLE_TEXT, clean.s, note.len > 0 ? note.s : NULL);
        secret_free_text(raw);
        text += len + (text[len] == '\n');
    }
    secret_clear_str(&clean);
    secret_clear_str(&note);
}

void register_review_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct register_pane *pane = register_of(shell);
    bool proposes = profile_users_need_two(shell_profile(shell));
    review_badge(shell, canvas, rect_take_rows(&area, 1),
                 proposes ? "proposes this user to the team" : "registers this user");
    struct rect buttons = rect_take_rows(&area, -1);
    struct rect rule = rect_take_rows(&area, -1);
    struct sheet page = review_sheet(&pane->review, canvas, area);
    register_review_add_duplicates(shell, &page);
    if (proposes)
        sheet_wrapped(&page, ROLE_INFO, "Nothing is sent until another person has released it (users_approval).");
    add_warnings(shell, &page);
    add_attest(shell, &page);
    register_review_add_body(shell, &page);
    add_missing(pane, &page);
    review_seen(shell, &pane->review, &page, rule);
    if (pane->state.proposing)
        canvas_text(canvas, buttons, 0, 1, ROLE_INFO, "the team's store is asked; nothing was sent ...");
    else
        review_buttons(shell, &pane->review, canvas, buttons, pane->state.stage == REGISTER_SENDING);
}

/* ---- What became of it ---- */

static void register_review_add_next(const struct shell *shell, enum outcome outcome, bool has_id, struct str *out) {
    const char *back = shell_key_of(shell, ACTION_BACK);
    if (outcome == OUTCOME_UNKNOWN) {
        str_addf(out,
                 "How to find out: look for its tag at the service, in your own database, or ask the service's "
                 "support. Then settle the record in Activity (%s). It is never sent again by itself.",
                 shell_key_of(shell, ACTION_PANE_ACTIVITY));
    } else if (outcome == OUTCOME_DONE) {
        if (has_id)
            shell_hint(shell, ACTION_COPY_ID, "copies the id", out);
        shell_hint(shell, ACTION_NEW_DRAFT, "begins the next form", out);
        str_addf(out, ", %s goes back.", back);
    } else {
        str_addf(out, "Nothing typed is lost: %s goes back to the form.", back);
    }
}

void register_receipt_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    const struct write_result *result = register_of(shell)->state.write.result;
    struct review *review = &register_of(shell)->review;
    struct rect rule = rect_take_rows(&area, -1);
    struct sheet page = review_sheet(review, canvas, rect_inset(area, 1, 1, 0, 1));
    struct str text;
    enum outcome outcome = write_outcome(result);
    str_init(&text, 4096);
    if (outcome == OUTCOME_DONE) {
        str_addf(&text, "Registered%s%s", result->receipt.id ? " as " : ", but no id was returned",
                 result->receipt.id ? result->receipt.id : "");
        sheet_wrapped(&page, ROLE_OK, text.s);
    } else if (outcome == OUTCOME_REFUSED) {
        sheet_wrapped(&page, ROLE_ERROR, "Refused: the service did not register this user.");
    } else if (outcome == OUTCOME_UNKNOWN) {
        sheet_wrapped(&page, ROLE_UNKNOWN, "Outcome unknown: the user may have been created, or not.");
    } else {
        sheet_wrapped(&page, ROLE_WARN, "Nothing was sent.");
    }
    sheet_line(&page, ROLE_TEXT, "", NULL);
    sheet_wrapped(&page, ROLE_TEXT, result->receipt.line ? result->receipt.line : "");
    str_reset(&text);
    str_addf(&text, "record %lld, ", (long long)result->n);
    clock_format(&text, register_of(shell)->state.ended, shell_zone(shell) == CLOCK_LOCAL ? CLOCK_LOCAL : CLOCK_UTC,
                 shell_now(shell));
    sheet_line(&page, ROLE_DIM, result->n ? text.s : "no record was made", NULL);
    if (register_of(shell)->state.sent_tag) {
        str_reset(&text);
        str_add(&text, "tag ");
        utf8_sanitise(&text, register_of(shell)->state.sent_tag, strlen(register_of(shell)->state.sent_tag));
        sheet_wrapped(&page, ROLE_DIM, text.s);
    }
    sheet_line(&page, ROLE_TEXT, "", NULL);
    str_reset(&text);
    register_review_add_next(shell, outcome, result->receipt.id != NULL, &text);
    sheet_wrapped(&page, ROLE_TEXT, text.s);
    if (result->trouble) {
        str_reset(&text);
        str_addf(&text,
                 "The outcome could not be noted in the journal (%s): record %lld will be shown as unknown. Note what "
                 "stands here; Activity takes it when the journal can be written.",
                 result->trouble, (long long)result->n);
        sheet_wrapped(&page, ROLE_ERROR, text.s);
    }
    review_seen(shell, review, &page, rule);
    str_clear(&text);
}
