#include "state.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUIET_MS = 300, WIRE_LINE_MAX = 64 << 10 };

/* Keys that were typed before this could be read answer nothing: what confirms has to come after it was seen, and
 * after a moment without stray keys. */
static void be_quiet(struct shell *shell) {
    struct register_pane *own = &shell->registering;
    own->review.focus = REVIEW_CANCEL;
    own->review.quiet = shell->now + QUIET_MS;
}

void register_review_open(struct shell *shell) {
    struct register_pane *own = &shell->registering;
    edit_set(&own->review.word, "");
    own->review.top = 0;
    own->review.drawn = false;
    be_quiet(shell);
}

static bool needs_word(const struct shell *shell) {
    return !profile_is_sandbox(shell->options.profile);
}

static bool word_is_right(const struct shell *shell) {
    return !needs_word(shell) || str_equal(shell->registering.review.word.text.s, shell->options.profile->environment);
}

static void move_focus(struct shell *shell, int step) {
    struct register_pane *own = &shell->registering;
    int focus = ((int)own->review.focus + step + REVIEW_FOCUS_COUNT) % REVIEW_FOCUS_COUNT;
    if (focus == REVIEW_WORD && !needs_word(shell)) {
        focus = (focus + step + REVIEW_FOCUS_COUNT) % REVIEW_FOCUS_COUNT;
    }
    own->review.focus = (enum review_focus)focus;
}

static void answer(struct shell *shell, struct effects *effects) {
    struct register_pane *own = &shell->registering;
    if (own->review.focus == REVIEW_CANCEL) {
        register_back(&own->state);
    } else if (!word_is_right(shell)) {
        shell_message(shell, ROLE_WARN, "type %s to send it", shell->options.profile->environment);
        own->review.focus = REVIEW_WORD;
    } else if (own->review.focus == REVIEW_WORD) {
        own->review.focus = REVIEW_SEND;
    } else {
        (void)register_confirm(&own->state, effects);
    }
}

static bool scroll(struct register_pane *own, int32_t key) {
    int step = key == INPUT_DOWN        ? 1
               : key == INPUT_UP        ? -1
               : key == INPUT_PAGE_DOWN ? 8
               : key == INPUT_PAGE_UP   ? -8
                                        : 0;
    own->review.top += step;
    own->review.top = own->review.top > own->review.most ? own->review.most : own->review.top;
    own->review.top = own->review.top < 0 ? 0 : own->review.top;
    return step != 0;
}

void register_review_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct register_pane *own = &shell->registering;
    bool in_word = own->review.focus == REVIEW_WORD;
    shell->dirty = true;
    if (key == INPUT_ESCAPE || key == KEY_CTRL('C')) {
        register_back(&own->state);
        return;
    }
    if (!own->review.drawn || shell->now < own->review.quiet) {
        be_quiet(shell);
        return;
    }
    if (key == 'P' && !in_word) {
        own->hidden = !own->hidden;
    } else if (key == INPUT_TAB || (key == INPUT_RIGHT && !in_word)) {
        move_focus(shell, 1);
    } else if (key == INPUT_BACK_TAB || (key == INPUT_LEFT && !in_word)) {
        move_focus(shell, -1);
    } else if (key == INPUT_ENTER) {
        answer(shell, effects);
    } else if (in_word && edit_key(&own->review.word, key) != EDIT_IGNORED) {
        return;
    } else if (!scroll(own, key)) {
        be_quiet(shell); /* stray text: nothing after it in the same breath confirms */
    }
}

/* ---- What is to be read before it is confirmed ---- */

struct sheet {
    struct canvas *canvas;
    struct rect area;
    int line, top; /* of all lines; the first shown */
};

static void line(struct sheet *page, enum role role, const char *text, const char *note) {
    int y = page->line++ - page->top;
    if (y < 0 || y >= page->area.rows) {
        return;
    }
    int used = canvas_text(page->canvas, page->area, y, 0, role, text);
    if (note) {
        canvas_text(page->canvas, page->area, y, used + 2, ROLE_DIM, note);
    }
}

static void add_twin(struct shell *shell, struct sheet *page, const struct outcome_record *record) {
    struct str text;
    str_init(&text, 1024);
    str_addf(&text, "the same %s: ", str_equal(record->match, "name+birth") ? "name and birth date" : record->match);
    if (record->last.outcome == OUTCOME_DONE) {
        str_add(&text, "registered ");
    } else {
        str_addf(&text, "%s, written ", outcome_name(record->last.outcome));
    }
    clock_format(&text, record->at, CLOCK_AGE, shell->now);
    str_addf(&text, " ago%s%s by %s (record %lld)", record->last.response_id ? " as " : "",
             record->last.response_id ? record->last.response_id : "", record->who ? record->who : "?",
             (long long)record->n);
    line(page, record->last.outcome == OUTCOME_DONE ? ROLE_WARN : ROLE_UNKNOWN, text.s, NULL);
    str_clear(&text);
}

static void add_twins(struct shell *shell, struct sheet *page) {
    const struct journal_answer *look = shell->registering.state.look;
    const struct draft *draft = register_draft(&shell->registering.state);
    for (size_t i = 0; look && i < look->records.n; i++) {
        if (look->records.items[i].n != draft->locked) {
            add_twin(shell, page, &look->records.items[i]);
        }
    }
    if (look && draft->locked) {
        line(page, ROLE_UNKNOWN,
             look->body_same ? "this repeats a write whose outcome is unknown: it may create a second user"
                             : "this differs from the write it repeats and will be refused: it must be the same",
             NULL);
    } else if (look && look->body_same && look->records.n > 0) {
        line(page, ROLE_WARN, "every field is the same as then", NULL);
    }
}

static void add_attest(struct shell *shell, struct sheet *page) {
    const char *verified = register_draft(&shell->registering.state)->user.text[USER_VERIFIED];
    if (str_equal(verified, "true")) {
        line(page, ROLE_WARN, "You attest that you have verified this person's identity.", NULL);
    } else {
        line(page, ROLE_TEXT, "You state that this person's identity is not verified.", NULL);
    }
}

/* The field that a line of the body holds, by its name and the group it stands in. */
static int field_of(const char *text, char group[32]) {
    char name[32], path[80];
    const char *start = strchr(text, '"'), *end = start ? strchr(start + 1, '"') : NULL;
    if (!end || (size_t)(end - start) >= sizeof name) {
        return -1;
    }
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

static const char *compared(const struct register_pane *own, int field, char out[64]) {
    static const char *const WORDS[] = {"same as record", "differs from record", "not in record",
                                        "not comparable with record"};
    const struct journal_answer *look = own->state.look;
    const struct user *user = &own->state.drafts.items[own->state.current].user;
    size_t at = 0;
    for (int i = 0; i < field; i++) {
        at += user_has(user, (enum user_field)i);
    }
    if (field < 0 || !look || !look->compared || at >= look->n_fields) {
        struct str words;
        str_init(&words, 64);
        bool date = field == USER_BIRTH && !own->hidden && user_date_words(user->text[USER_BIRTH], &words);
        (void)snprintf(out, 64, "%s", words.s);
        str_clear(&words);
        return date ? out : NULL;
    }
    (void)snprintf(out, 64, "%s %lld", WORDS[look->fields[at]], (long long)look->compared);
    return out;
}

static void add_body(struct register_pane *own, struct sheet *page) {
    char group[32] = "", note[64];
    struct str clean;
    str_init(&clean, WIRE_LINE_MAX);
    for (const char *text = own->state.body; text && *text;) {
        size_t len = strcspn(text, "\n");
        char *raw = mem_dup_n(text, len);
        int field = len > 0 ? field_of(raw, group) : -1;
        str_reset(&clean);
        if (own->hidden && field >= 0 && user_is_sensitive((enum user_field)field)) {
            str_add_n(&clean, raw, strcspn(raw, ":") + 1);
            str_add(&clean, " (hidden, P shows it)");
        } else {
            utf8_sanitise(&clean, raw, len);
        }
        line(page, ROLE_TEXT, clean.s, compared(own, field, note));
        secret_wipe(raw, len);
        free(raw);
        text += len + (text[len] == '\n');
    }
    secret_wipe(clean.s, clean.len);
    str_clear(&clean);
}

static void draw_badge(struct shell *shell, struct canvas *canvas, struct rect row) {
    struct str word;
    enum role role;
    str_init(&word, 128);
    str_add_char(&word, ' ');
    chrome_environment(shell, &word, &role);
    str_add_char(&word, ' ');
    int x = 1 + canvas_text(canvas, row, 0, 1, role, word.s);
    canvas_textf(canvas, row, 0, x + 1, ROLE_TITLE, "registers this user at %s", shell->options.profile->origin);
    str_clear(&word);
}

static int draw_button(struct canvas *canvas, struct rect row, int x, const char *label, bool focused) {
    int used = canvas_textf(canvas, row, 0, x, focused ? ROLE_PROMPT : ROLE_TEXT, "[ %s ]", label);
    if (focused) {
        canvas_bar(canvas, (struct rect){row.y, row.x + x, 1, used}, 0, ROLE_CURSOR);
        canvas_cursor(canvas, row, 0, x, false);
    }
    return x + used + 2;
}

static void draw_buttons(struct shell *shell, struct canvas *canvas, struct rect row) {
    enum { WORD_COLS = 16 };
    struct register_pane *own = &shell->registering;
    if (own->state.stage == REGISTER_SENDING) {
        canvas_text(canvas, row, 0, 1, ROLE_INFO, "recorded and sent; waiting for the answer ... Esc gives up waiting");
        return;
    }
    int x = draw_button(canvas, row, 1, "Cancel", own->review.focus == REVIEW_CANCEL);
    if (needs_word(shell)) {
        x += canvas_textf(canvas, row, 0, x, ROLE_WARN, "type %s: ", shell->options.profile->environment);
        edit_draw(&own->review.word, canvas, (struct rect){row.y, row.x + x, 1, WORD_COLS}, ROLE_FIELD,
                  own->review.focus == REVIEW_WORD);
        x += WORD_COLS + 2;
    }
    (void)draw_button(canvas, row, x, "Send it", own->review.focus == REVIEW_SEND);
}

void register_review_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct register_pane *own = &shell->registering;
    draw_badge(shell, canvas, rect_take_rows(&area, 1));
    draw_buttons(shell, canvas, rect_take_rows(&area, -1));
    struct rect rule = rect_take_rows(&area, -1);
    struct sheet page = {.canvas = canvas, .area = rect_inset(area, 0, 1, 0, 0), .top = own->review.top};
    add_twins(shell, &page);
    add_attest(shell, &page);
    add_body(own, &page);
    own->review.most = page.line > area.rows ? page.line - area.rows : 0;
    if (own->review.most > 0) {
        canvas_textf(canvas, rule, 0, 1, ROLE_DIM, "lines %d to %d of %d: Down and PgDn show more", own->review.top + 1,
                     own->review.top + area.rows < page.line ? own->review.top + area.rows : page.line, page.line);
    }
    own->review.drawn = true;
}

/* ---- What became of it ---- */

static void draw_wrapped(struct sheet *page, enum role role, const char *text) {
    size_t len = strlen(text);
    for (size_t at = 0; at < len;) {
        int used;
        size_t part = utf8_cut(text + at, len - at, page->area.cols > 1 ? page->area.cols - 1 : 1, &used);
        char *piece = mem_dup_n(text + at, part ? part : len - at);
        line(page, role, piece, NULL);
        free(piece);
        at += part ? part : len - at;
    }
}

void register_receipt_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    const struct write_result *result = shell->registering.state.write.result;
    struct sheet page = {.canvas = canvas, .area = rect_inset(area, 1, 2, 0, 1)};
    struct str text;
    enum outcome outcome = write_outcome(result);
    str_init(&text, 4096);
    if (outcome == OUTCOME_DONE) {
        str_addf(&text, "Registered%s%s", result->receipt.id ? " as " : ", but no id was returned",
                 result->receipt.id ? result->receipt.id : "");
        line(&page, ROLE_OK, text.s, NULL);
    } else if (outcome == OUTCOME_REFUSED) {
        line(&page, ROLE_ERROR, "Refused: the service did not register this user.", NULL);
    } else if (outcome == OUTCOME_UNKNOWN) {
        line(&page, ROLE_UNKNOWN, "Outcome unknown: the user may have been created, or not.", NULL);
    } else {
        line(&page, ROLE_WARN, "Nothing was sent.", NULL);
    }
    line(&page, ROLE_TEXT, "", NULL);
    draw_wrapped(&page, ROLE_TEXT, result->receipt.line ? result->receipt.line : "");
    str_reset(&text);
    str_addf(&text, "record %lld, ", (long long)result->n);
    clock_format(&text, shell->now, shell->zone == CLOCK_LOCAL ? CLOCK_LOCAL : CLOCK_UTC, shell->now);
    line(&page, ROLE_DIM, result->n ? text.s : "no record was made", NULL);
    line(&page, ROLE_TEXT, "", NULL);
    if (outcome == OUTCOME_UNKNOWN) {
        line(&page, ROLE_TEXT, "How to find out: look for its tag at the service, in your own", NULL);
        line(&page, ROLE_TEXT, "database, or ask the service's support. Then settle the record", NULL);
        line(&page, ROLE_TEXT, "in Activity (4). It is never sent again by itself.", NULL);
    } else if (outcome == OUTCOME_DONE) {
        line(&page, ROLE_TEXT, "y copies the id, n begins the next form, Esc goes back.", NULL);
    } else {
        line(&page, ROLE_TEXT, "Nothing typed is lost: Esc goes back to the form.", NULL);
    }
    if (result->trouble) {
        draw_wrapped(&page, ROLE_ERROR, result->trouble);
    }
    str_clear(&text);
}
