#include "panes/shell/reader.h"
#include "panes/shell/shell_state.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "ui/lines.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_MAX = 1 << 20, HANG = 2, LABEL_GAP = 2 };

struct reader {
    char *title;
    struct detail body;                 /* the lines as they were added */
    struct detail shown;                /* the same, broken to the width; this is what scrolls */
    int wrap;                           /* that width; 0: they have to be broken again */
    enum pane_id of, back;              /* whose text it is; where closing it leads */
    void (*enter)(struct shell *shell); /* NULL: it closes */
};

static struct reader *reader_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_READER);
}

static void reader_clear(struct shell *shell) {
    struct reader *reader = reader_of(shell);
    detail_clear(&reader->body);
    detail_clear(&reader->shown);
    free(reader->title);
    *reader = (struct reader){.of = OVERLAY_NONE};
}

struct detail *reader_open(struct shell *shell, const char *title, enum pane_id of, enum pane_id back) {
    struct reader *reader = reader_of(shell);
    reader_clear(shell);
    detail_init(&reader->body);
    detail_init(&reader->shown);
    reader->title = mem_dup(title);
    reader->of = of;
    reader->back = back;
    shell_put(shell, OVERLAY_READER);
    return &reader->body;
}

struct detail *reader_body(const struct shell *shell, enum pane_id of) {
    struct reader *reader = reader_of(shell);
    return reader->title && reader->of == of ? &reader->body : NULL;
}

void reader_on_enter(struct shell *shell, void (*enter)(struct shell *shell)) {
    reader_of(shell)->enter = enter;
}

void reader_fill(struct shell *shell) {
    reader_of(shell)->wrap = 0;
    shell_redraw(shell);
}

/* Width of the labels beside what they name; 0: labels are above it, where little room would be left beside them. */
static int label_column(const struct detail *body, int cols) {
    enum { TEXT_MIN = 24 };
    int labels = 0, texts = 0;
    for (size_t i = 0; i < body->lines.n; i++) {
        const struct text_line *line = &body->lines.items[i];
        int label = line->label ? utf8_cells(line->label, strlen(line->label)) + line->indent + LABEL_GAP : 0;
        int text = line->label ? utf8_cells(line->text, strlen(line->text)) : 0;
        labels = label > labels ? label : labels;
        texts = text > texts ? text : texts;
    }
    bool fits = cols - labels >= TEXT_MIN || cols - labels >= texts;
    return fits && labels <= cols / 2 ? labels : 0;
}

/* A continued line is indented further than the first line of a text. */
static void break_text(struct detail *shown, const struct text_line *line, int cols) {
    bool hangs = line->label || line->indent > 0;
    struct str piece;
    str_init(&piece, LINE_MAX);
    size_t at = 0, skip;
    do {
        int room = at > 0 && hangs ? cols - HANG : cols;
        size_t len = lines_wrap(line->text + at, room, &skip);
        str_reset(&piece);
        str_add_repeat(&piece, ' ', at > 0 && hangs ? HANG : 0);
        str_add_n(&piece, line->text + at, len);
        const char *label = at == 0 || !line->label ? line->label : "";
        detail_add(shown, label, piece.s, line->role)->indent = line->indent;
        at += skip;
    } while (skip > 0 && line->text[at]);
    str_clear(&piece);
}

static void break_line(struct detail *shown, const struct text_line *line, int cols, int labels) {
    int indent = line->indent < cols / 2 ? line->indent : cols / 2;
    if (!line->label || labels > 0) {
        break_text(shown, line, cols - (line->label ? labels : indent));
    } else {
        struct text_line label = {.text = line->label, .role = ROLE_KEY, .indent = indent};
        struct text_line text = {.text = line->text, .role = line->role, .indent = indent + HANG};
        if (*label.text)
            break_text(shown, &label, cols - label.indent);
        if (*text.text)
            break_text(shown, &text, cols - text.indent);
    }
}

/* A change that is cut would not say what the value is now. */
static void break_lines(struct reader *reader, int cols) {
    struct detail *shown = &reader->shown;
    int labels = label_column(&reader->body, cols);
    reader->wrap = cols;
    detail_empty(shown);
    for (size_t i = 0; i < reader->body.lines.n; i++)
        break_line(shown, &reader->body.lines.items[i], cols, labels);
    detail_done(shown, true);
}

static void reader_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    enum { READER_COLS = 76, EDGE = 2 };
    struct reader *reader = reader_of(shell);
    int cols = within.cols - 2 * EDGE > READER_COLS ? within.cols - 2 * EDGE : READER_COLS;
    int wrap = within.cols - 2 * EDGE - 1; /* the scroll bar */
    wrap = wrap > 1 ? wrap : 1;
    if (reader->wrap != wrap)
        break_lines(reader, wrap);
    struct rect box = dialog_box(canvas, within, (int)reader->shown.lines.n, cols, reader->title, ROLE_TITLE);
    pager_draw(&reader->shown.pager, canvas, box, true);
}

static bool reader_hand_over(struct shell *shell, int32_t key, struct effects *effects) {
    const struct reader *reader = reader_of(shell);
    const struct pane *of = reader->of < PANE_COUNT ? pane_of(reader->of) : NULL;
    return of && of->text_key && !reader->shown.pager.searching && of->text_key(shell, key, effects);
}

static void reader_every_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct reader *reader = reader_of(shell);
    if (key == INPUT_ENTER && reader->enter && !reader->shown.pager.searching) {
        reader->enter(shell);
        return;
    }
    if (reader_hand_over(shell, key, effects))
        return;
    enum dialog_result result = pager_key(&reader->shown.pager, key);
    bool closes = result == DIALOG_IGNORED && (key == INPUT_ENTER || key == 'D');
    if (closes || result == DIALOG_DONE || result == DIALOG_CANCELLED)
        shell_put(shell, reader->back);
    else if (result == DIALOG_IGNORED && key == 'Q')
        shell_leave(shell, effects);
}

const struct pane reader_overlay = {
    .size = sizeof(struct reader), .clear = reader_clear, .draw = reader_draw, .every_key = reader_every_key};
