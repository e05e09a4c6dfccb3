#include "panes/shell/review.h"

#include "panes/shell/shell_state.h"

#include "base/mem.h"
#include "ui/lines.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 256 };

void review_init(struct review *review) {
    edit_init(&review->word, WORD_MAX);
    str_init(&review->wanted, WORD_MAX);
}

void review_clear(struct review *review) {
    edit_clear(&review->word);
    str_clear(&review->wanted);
}

/* A key that meant something else. */
static void review_stray(const struct shell *shell, struct review *review) {
    review->focus = REVIEW_CANCEL;
    calm_stray(shell, &review->calm);
}

void review_open(struct shell *shell, struct review *review, const char *word) {
    edit_set(&review->word, "");
    str_reset(&review->wanted);
    str_add(&review->wanted, word);
    review->top = review->seen = 0;
    review->button = NULL;
    review->focus = REVIEW_CANCEL;
    calm_begin(shell, &review->calm);
}

static struct review *review_of(struct shell *shell, int id) {
    const struct pane *pane = pane_of((enum pane_id)id);
    return pane->review ? pane->review(shell) : NULL;
}

static bool needs_word(const struct review *review) {
    return review->wanted.len > 0;
}

static bool word_is_right(const struct review *review) {
    return !needs_word(review) || str_equal(review->word.text.s, review->wanted.s);
}

static bool is_read(const struct review *review) {
    return review->seen >= review->lines;
}

static void move_focus(struct review *review, int step) {
    int focus = ((int)review->focus + step + REVIEW_FOCUS_COUNT) % REVIEW_FOCUS_COUNT;
    if (focus == REVIEW_WORD && !needs_word(review))
        focus = (focus + step + REVIEW_FOCUS_COUNT) % REVIEW_FOCUS_COUNT;
    review->focus = (enum review_focus)focus;
}

static enum review_answer shell_review_answer(struct shell *shell, struct review *review) {
    if (review->focus == REVIEW_CANCEL)
        return REVIEW_NO;
    if (!word_is_right(review)) {
        if (review->button)
            shell_message(shell, ROLE_WARN, "type %s first: %s", review->wanted.s, review->button);
        else
            shell_message(shell, ROLE_WARN, "type %s to send it", review->wanted.s);
        review->focus = REVIEW_WORD;
        return REVIEW_OPEN;
    }
    if (review->focus == REVIEW_SEND && !is_read(review)) {
        shell_message(shell, ROLE_WARN, "read all of it first: PgDn and PgUp show the rest");
        return REVIEW_OPEN;
    }
    bool sends = review->focus == REVIEW_SEND;
    review->focus = REVIEW_SEND;
    return sends ? REVIEW_YES : REVIEW_OPEN;
}

bool review_scroll(struct review *review, int32_t key) {
    int page = review->page > 1 ? review->page - 1 : 1;
    int step = key == INPUT_DOWN        ? 1
               : key == INPUT_UP        ? -1
               : key == INPUT_PAGE_DOWN ? page
               : key == INPUT_PAGE_UP   ? -page
                                        : 0;
    int most = review->most < review->seen ? review->most : review->seen; /* no line is skipped */
    review->top += step;
    review->top = review->top > most ? most : review->top;
    review->top = review->top < 0 ? 0 : review->top;
    return step != 0;
}

/* True when the key was typed into the word. */
static bool word_key(struct shell *shell, struct review *review, int32_t key) {
    enum edit_result result = edit_key(&review->word, key);
    if (result == EDIT_CHANGED)
        shell_message_outdated(shell);
    return result != EDIT_IGNORED;
}

static enum review_answer take_key(struct shell *shell, struct review *review, int32_t key) {
    bool in_word = review->focus == REVIEW_WORD;
    if (key == INPUT_ESCAPE || key == KEY_CTRL('C'))
        return REVIEW_NO;
    if (review_scroll(review, key)) {
        shell_message_outdated(shell);
        return REVIEW_OPEN;
    }
    if (!calm_is_over(shell, &review->calm))
        review_stray(shell, review);
    else if (key == INPUT_TAB || (key == INPUT_RIGHT && !in_word))
        move_focus(review, 1);
    else if (key == INPUT_BACK_TAB || (key == INPUT_LEFT && !in_word))
        move_focus(review, -1);
    else if (key == INPUT_ENTER)
        return shell_review_answer(shell, review);
    else if (!(in_word && word_key(shell, review, key)))
        review_stray(shell, review); /* stray text: keys that follow within a moment confirm nothing */
    return REVIEW_OPEN;
}

enum review_answer review_key(struct shell *shell, struct review *review, int32_t key) {
    enum review_answer taken = take_key(shell, review, key);
    shell_redraw(shell);
    if (taken != REVIEW_OPEN)
        shell_message_outdated(shell);
    return taken;
}

void review_resized(struct shell *shell, bool fits, struct effects *effects) {
    const struct pane *pane = shell_pane(shell);
    for (int id = 0; id < PANE_COUNT; id++) {
        struct review *review = review_of(shell, id);
        if (review)
            review->top = review->seen = 0; /* its lines are different now */
    }
    if (!fits && pane->is_reviewing && pane->is_reviewing(shell)) {
        (void)pane->key(shell, INPUT_ESCAPE, effects);
        shell_message(shell, ROLE_WARN, "the screen was too small for the review: it was closed, nothing was sent");
    }
}

/* ---- Drawing ---- */

void sheet_line(struct sheet *sheet, enum role role, const char *text, const char *note) {
    int y = sheet->line++ - sheet->top;
    if (y < 0 || y >= sheet->area.rows)
        return;
    int used = canvas_text(sheet->canvas, sheet->area, y, 0, role, text);
    if (note)
        canvas_text(sheet->canvas, sheet->area, y, used + 2, ROLE_DIM, note);
}

void sheet_wrapped(struct sheet *sheet, enum role role, const char *text) {
    int cols = sheet->area.cols > 1 ? sheet->area.cols - 1 : 1;
    while (*text) {
        size_t skip;
        char *piece = mem_dup_n(text, lines_wrap(text, cols, &skip));
        sheet_line(sheet, role, piece, NULL);
        free(piece);
        text += skip;
    }
}

void review_badge(const struct shell *shell, struct canvas *canvas, struct rect row, const char *what) {
    struct str word;
    enum role role;
    str_init(&word, 128);
    str_add_char(&word, ' ');
    chrome_environment(shell, &word, &role);
    str_add_char(&word, ' ');
    int x = 1 + canvas_text(canvas, row, 0, 1, role, word.s);
    canvas_textf(canvas, row, 0, x + 1, ROLE_TITLE, "%s at %s", what, shell_profile(shell)->origin);
    str_clear(&word);
}

struct button {
    const char *label;
    bool focused, waits; /* waits: the button does nothing yet */
};

static int review_draw_button(struct canvas *canvas, struct rect row, int x, const struct button *button) {
    enum role role = button->waits ? ROLE_DIM : button->focused ? ROLE_PROMPT : ROLE_TEXT;
    int used = canvas_textf(canvas, row, 0, x, role, "[ %s ]", button->label);
    if (button->focused) {
        canvas_bar(canvas, (struct rect){row.y, row.x + x, 1, used}, 0, ROLE_CURSOR);
        canvas_cursor(canvas, row, 0, x, false);
    }
    return x + used + 2;
}

enum { WORD_COLS = 16 };

static int draw_word(struct review *review, struct canvas *canvas, struct rect row, int x) {
    x += canvas_textf(canvas, row, 0, x, ROLE_WARN, "type %s: ", review->wanted.s);
    edit_draw(&review->word, canvas, (struct rect){row.y, row.x + x, 1, WORD_COLS}, ROLE_FIELD,
              review->focus == REVIEW_WORD);
    return x + WORD_COLS + 2;
}

/* Where they do not all fit, the focused one is shown, and how to reach the next. */
static void review_draw_buttons(struct review *review, struct canvas *canvas, struct rect row) {
    enum { BUTTONS_COLS = 45 };
    bool word = needs_word(review);
    bool narrow = word && row.cols < BUTTONS_COLS + (int)review->wanted.len;
    int x = 1;
    if (!narrow || review->focus == REVIEW_CANCEL)
        x = review_draw_button(canvas, row, x, &(struct button){"Cancel", review->focus == REVIEW_CANCEL, false});
    if (word && (!narrow || review->focus == REVIEW_WORD))
        x = draw_word(review, canvas, row, x);
    if (!narrow || review->focus == REVIEW_SEND)
        x = review_draw_button(canvas, row, x,
                               &(struct button){review->button ? review->button : "Send it",
                                                review->focus == REVIEW_SEND, !is_read(review)});
    if (narrow)
        canvas_text(canvas, row, 0, x, ROLE_DIM, "Tab: next");
}

void review_buttons(const struct shell *shell, struct review *review, struct canvas *canvas, struct rect row,
                    bool sending) {
    if (sending) {
        canvas_textf(canvas, row, 0, 1, ROLE_INFO, "recorded and sent; waiting for the answer ... %s gives up waiting",
                     shell_key_of(shell, ACTION_BACK));
    } else {
        review_draw_buttons(review, canvas, row);
    }
}

struct sheet review_sheet(const struct review *review, struct canvas *canvas, struct rect area) {
    return (struct sheet){.canvas = canvas, .area = rect_inset(area, 0, 1, 0, 0), .top = review->top};
}

/* Lines that differ from those on show, for whatever reason, have to be read again. */
static void note_seen(struct review *review, const struct sheet *sheet) {
    int end = review->top + sheet->area.rows;
    if (review->lines != sheet->line) {
        review->lines = sheet->line;
        review->seen = 0;
    }
    if (review->top <= review->seen && end > review->seen)
        review->seen = end < review->lines ? end : review->lines;
}

void review_seen(const struct shell *shell, struct review *review, const struct sheet *sheet, struct rect rule) {
    int rows = sheet->area.rows;
    review->page = rows;
    review->most = sheet->line > rows ? sheet->line - rows : 0;
    note_seen(review, sheet);
    if (review->most > 0) {
        canvas_textf(sheet->canvas, rule, 0, 1, is_read(review) ? ROLE_DIM : ROLE_WARN, "lines %d to %d of %d: %s",
                     review->top + 1, review->top + rows < sheet->line ? review->top + rows : sheet->line, sheet->line,
                     is_read(review)              ? "all were shown"
                     : review->top < review->most ? "PgDn shows more"
                                                  : "PgUp shows more");
    }
    calm_drawn(shell, &review->calm);
}
