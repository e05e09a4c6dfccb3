#include "panes/intents/intents.h"

#include "app/journal.h"
#include "base/utf8.h"
#include "panes/shell/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One customer on one page: where the filter is of one user, what all rows of the list say of it stands above them. */

enum { LABEL_COLS = 12, LINE_BYTES = 1 << 20, LINES_MOST = 8, ROWS_LEAST = 12, MORE_COLS = 9, MINUTE = 60 * 1000 };

static struct customer_page *customer_page_of(const struct shell *shell) {
    return &intents_of(shell)->customer;
}

void customer_clear(struct customer_page *page) {
    lookup_result_free(page->answer);
    journal_answer_free(page->registered);
    detail_clear(&page->head);
    free(page->user);
    *page = (struct customer_page){0};
}

/* ---- The question ---- */

static void customer_drop(struct customer_page *page, struct effects *effects) {
    if (page->ticket)
        effects_cancel(effects, page->ticket);
    customer_clear(page);
}

static void ask_registered(struct customer_page *page, struct effects *effects) {
    struct journal_ask *ask = journal_ask_new(JOURNAL_REGISTERED);
    ask->response_id = mem_dup(page->user);
    page->journal_ticket = effects_journal(effects, ask);
}

/* What is known of the same user stays on show until the answer comes. */
void customer_follow(struct shell *shell, struct effects *effects) {
    struct customer_page *page = customer_page_of(shell);
    const struct view *view = intents_view(shell);
    if (view->previewing || view->source == VIEW_NOT_KNOWN)
        return;
    const char *user = query_sole_id(view->query, QUERY_USER_FIELD);
    if (page->user && !str_equal(page->user, user))
        customer_drop(page, effects);
    bool asked = page->user && page->question == view->question && (!page->outdated || page->ticket);
    if (!user || asked)
        return;
    if (!page->user) {
        page->user = mem_dup(user);
        ask_registered(page, effects);
    }
    if (page->ticket)
        effects_cancel(effects, page->ticket);
    page->outdated = false;
    page->question = view->question;
    struct customer *customer = customer_new(profile_attempt_window(shell_profile(shell)));
    page->ticket = view_gather(view, NULL, &customer->gather, shell_now(shell), effects);
}

/* ---- Its lines ---- */

/* Why it is not known who registered the user; NULL: nothing is wrong. */
static const char *customer_journal_fault(const struct customer_page *page) {
    return page->registered && page->registered->error.code != ERR_OK ? page->registered->error.text : NULL;
}

static struct customer_telling customer_telling_of(const struct shell *shell) {
    const struct customer_page *page = customer_page_of(shell);
    return (struct customer_telling){.user = page->user,
                                     .money = profile_money(shell_profile(shell)),
                                     .zone = shell_zone(shell),
                                     .now = shell_now(shell),
                                     .reasons = shell_options(shell)->reasons,
                                     .notes = intents_notes(shell),
                                     .registered = page->registered ? &page->registered->records : NULL,
                                     .registered_fault = customer_journal_fault(page)};
}

static void customer_add_line(void *to, const char *label, const char *text) {
    (void)detail_add(to, label, text, ROLE_TEXT);
}

/* Made anew where something that they tell by is another. */
static void customer_make_head(struct shell *shell) {
    struct customer_page *page = customer_page_of(shell);
    const struct customer *customer = customer_of(page->answer);
    const struct customer_telling telling = customer_telling_of(shell);
    int64_t minute = telling.zone == CLOCK_AGE ? telling.now / MINUTE : 0;
    if (page->made && page->zone == telling.zone && page->minute == minute && page->notes == telling.notes)
        return;
    page->made = true;
    page->zone = telling.zone;
    page->minute = minute;
    page->notes = telling.notes;
    detail_empty(&page->head);
    if (customer)
        customer_tell(customer, &telling, customer_add_line, &page->head);
}

/* Of how many intents it tells, and whether they are all that the filter leaves of this user's. */
static enum role customer_reach_text(const struct shell *shell, struct str *out) {
    static const enum query_field_code USER[] = {QUERY_USER_FIELD};
    enum role role = intents_reach_text(shell, customer_page_of(shell)->answer, out);
    str_add(out, query_is_of(intents_query(shell), USER, COUNT_OF(USER)) ? "" : ", of this filter");
    return role;
}

static void fill_whole(struct shell *shell) {
    struct detail *body = reader_body(shell, PANE_INTENTS);
    const struct customer_page *page = customer_page_of(shell);
    const struct customer *customer = customer_of(page->answer);
    const struct customer_telling telling = customer_telling_of(shell);
    struct str reach;
    if (!body)
        return;
    detail_empty(body);
    str_init(&reach, 512);
    enum role role = customer ? customer_reach_text(shell, &reach) : ROLE_DIM;
    detail_add(body, "intents", customer ? reach.s : "looking", role);
    str_clear(&reach);
    if (customer) {
        customer_tell(customer, &telling, customer_add_line, body);
        detail_add(body, NULL, "", ROLE_TEXT);
        customer_tell_rest(customer, &telling, customer_add_line, body);
    }
    reader_fill(shell);
}

bool customer_open(struct shell *shell) {
    const struct customer_page *page = customer_page_of(shell);
    struct str title;
    if (!page->user)
        return false;
    str_init(&title, 256);
    str_addf(&title, "Customer %s", page->user);
    (void)reader_open(shell, title.s, PANE_INTENTS, OVERLAY_NONE);
    str_clear(&title);
    fill_whole(shell);
    return true;
}

/* ---- Answers ---- */

static void customer_changed(struct shell *shell) {
    customer_page_of(shell)->made = false;
    fill_whole(shell);
    shell_redraw(shell);
}

static void customer_take_answer(struct shell *shell, struct event *event) {
    struct customer_page *page = customer_page_of(shell);
    struct lookup_result *answer = event_take(event, lookup_result);
    page->ticket = 0;
    bool failed = answer->error.code != ERR_OK;
    page->error = answer->error;
    if (failed && page->answer && page->answered == page->question) { /* what is known of the same list stays */
        lookup_result_free(answer);
        return;
    }
    lookup_result_free(page->answer);
    page->answer = failed ? NULL : answer;
    page->answered = page->question;
    if (failed)
        lookup_result_free(answer);
    customer_changed(shell);
}

static void take_registered(struct shell *shell, struct event *event) {
    struct customer_page *page = customer_page_of(shell);
    page->journal_ticket = 0;
    page->registered = event_take(event, journal_answer);
    customer_changed(shell);
}

bool customer_event(struct shell *shell, struct event *event) {
    struct customer_page *page = customer_page_of(shell);
    page->outdated = page->outdated || event->kind == EVENT_INDEX;
    if (event->kind == EVENT_LOOKUP && page->ticket && event->ticket == page->ticket)
        customer_take_answer(shell, event);
    else if (event->kind == EVENT_JOURNAL && page->journal_ticket && event->ticket == page->journal_ticket)
        take_registered(shell, event);
    else
        return false;
    return true;
}

/* ---- The head ---- */

/* The bytes up to the last `, ` or `; ` before which the text fits. */
static size_t fitting_len(const char *text, int cols) {
    size_t kept = 0;
    for (size_t at = 0, cells = 0; text[at];) {
        size_t n = strcspn(text + at, ",;");
        cells += (size_t)utf8_cells(text + at, n);
        if (cells > (size_t)cols)
            break;
        at += n;
        if (text[at] && text[at + 1] == ' ')
            kept = at;
        cells += text[at] != '\0';
        at += text[at] != '\0';
    }
    return kept;
}

/* What has no room is left out whole: part of an amount reads as an amount. */
static void draw_fitting(struct canvas *canvas, struct rect row, const struct text_line *line) {
    struct str text;
    str_init(&text, LINE_BYTES);
    if (utf8_cells(line->text, strlen(line->text)) <= row.cols) {
        str_add(&text, line->text);
    } else {
        str_add_n(&text, line->text, fitting_len(line->text, row.cols - 2));
        str_addf(&text, " %s", sign(SIGN_CUT));
    }
    canvas_text(canvas, row, 0, 0, line->role, text.s);
    str_clear(&text);
}

/* Nothing where the list would have little room left. */
static int head_rows(const struct customer_page *page, struct rect area) {
    int lines = (int)page->head.lines.n < LINES_MOST ? (int)page->head.lines.n : LINES_MOST;
    return area.rows >= ROWS_LEAST ? lines + 1 : area.rows > 4 ? 1 : 0;
}

static void customer_draw_title(struct shell *shell, struct canvas *canvas, struct rect row) {
    const struct customer_page *page = customer_page_of(shell);
    struct str reach;
    char more[MORE_COLS + 1];
    (void)snprintf(more, sizeof more, "%s: more", shell_key_of(shell, ACTION_USER_INTENTS));
    str_init(&reach, 512);
    enum role role = page->answer                 ? customer_reach_text(shell, &reach)
                     : page->error.code == ERR_OK ? ROLE_DIM
                                                  : ROLE_ERROR;
    if (!page->answer)
        str_add(&reach, page->error.code == ERR_OK ? "looking" : page->error.text);
    canvas_text(canvas, rect_take_cols(&row, -MORE_COLS - 1), 0, 1, ROLE_DIM, more);
    int x = 1 + canvas_text(canvas, row, 0, 1, ROLE_HEADER, "customer ");
    x += canvas_text(canvas, row, 0, x, ROLE_HEADER, page->user);
    canvas_text(canvas, row, 0, x + 2, role, reach.s);
    str_clear(&reach);
}

/* Not above rows of a filter that is being typed, which can be another user's. */
void customer_draw(struct shell *shell, struct canvas *canvas, struct rect *area) {
    struct customer_page *page = customer_page_of(shell);
    if (!page->user || intents_view(shell)->previewing)
        return;
    customer_make_head(shell);
    struct rect head = rect_take_rows(area, head_rows(page, *area));
    if (head.rows == 0)
        return;
    customer_draw_title(shell, canvas, rect_take_rows(&head, 1));
    for (int i = 0; i < head.rows; i++) {
        const struct text_line *line = &page->head.lines.items[i];
        canvas_text(canvas, head, i, 1, ROLE_KEY, line->label);
        draw_fitting(canvas, (struct rect){head.y + i, head.x + LABEL_COLS, 1, head.cols - LABEL_COLS - 1}, line);
    }
}
