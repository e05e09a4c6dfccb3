#include "ui/dialog.h"

#include "ui/box.h"
#include "ui/lines.h"

#include "base/least.h"
#include "base/utf8.h"

#include <string.h>

enum { CONFIRM_COLS_MAX = 72, BUTTON_EDGE = 4, BUTTON_GAP = 2 };

struct box box_place(struct rect within, int rows, int cols) {
    struct box box = {.outer = within};
    int pad = within.cols >= 40 ? 2 : within.cols >= 10 ? 1 : 0;

    rows = most_int(rows, 0);
    cols = most_int(cols, 0);
    box.closed = within.rows - 2 >= rows || within.rows > 8;
    box.outer.rows = least_int(most_int(within.rows, 0), rows + (box.closed ? 2 : 1));
    box.outer.cols = least_int(most_int(within.cols, 0), cols + 2 * pad);
    box.outer.y = within.y + (most_int(within.rows, 0) - box.outer.rows) / 2;
    box.outer.x = within.x + (most_int(within.cols, 0) - box.outer.cols) / 2;
    box.inside = rect_inset(box.outer, 1, pad, box.closed ? 1 : 0, pad);
    return box;
}

struct rect dialog_box(struct canvas *canvas, struct rect within, int rows, int cols, const char *title,
                       enum role role) {
    struct box box = box_place(within, rows, cols);
    struct rect head = box.outer;

    canvas_fill(canvas, box.outer, ROLE_TEXT);
    canvas_rule(canvas, box.outer, 0, ROLE_RULE);
    if (box.closed)
        canvas_rule(canvas, box.outer, box.outer.rows - 1, ROLE_RULE);
    head = rect_inset(head, 0, box.inside.x - box.outer.x, 0, 1);
    if (title && title[0] != '\0' && head.cols > 2)
        (void)canvas_textf(canvas, head, 0, 0, role, " %s ", title);
    return box.inside;
}

static int dialog_cells_of(const char *text) {
    return utf8_cells(text, strlen(text));
}

static int buttons_cols(const struct confirm *confirm) {
    int cols = 0;

    for (int i = 0; i < confirm->n_buttons; i++)
        cols += dialog_cells_of(confirm->buttons[i]) + BUTTON_EDGE + (i > 0 ? BUTTON_GAP : 0);
    return cols;
}

static int longest_line(const char *text) {
    int longest = 0;

    for (size_t skip; *text != '\0'; text += skip) {
        size_t len = lines_wrap(text, CONFIRM_COLS_MAX, &skip);
        longest = most_int(longest, utf8_cells(text, len));
    }
    return longest;
}

static struct box confirm_place(const struct confirm *confirm, struct rect within, int *lines) {
    int cols =
        most_int(longest_line(confirm->text), most_int(buttons_cols(confirm), dialog_cells_of(confirm->title) + 4));
    struct box box = box_place(within, 1, cols);

    *lines = lines_count(confirm->text, box.inside.cols);
    /* Where rows are short, the blank line above the buttons is left out first. */
    if (within.rows - 1 < *lines + 2)
        return box_place(within, *lines + 1, cols);
    return box_place(within, *lines + 2, cols);
}

static bool buttons_fit(const struct confirm *confirm, int cols) {
    return buttons_cols(confirm) <= cols;
}

bool confirm_fits(const struct confirm *confirm, struct rect within) {
    int lines, widest = 0;
    struct box box = confirm_place(confirm, within, &lines);

    for (int i = 0; i < confirm->n_buttons; i++)
        widest = most_int(widest, dialog_cells_of(confirm->buttons[i]) + BUTTON_EDGE);
    return box.inside.rows >= lines + 1 && box.inside.cols >= widest && within.rows >= box.outer.rows;
}

static int dialog_draw_button(const struct confirm *confirm, struct canvas *canvas, struct rect row, int i) {
    bool selected = i == confirm->selected;
    int used = canvas_textf(canvas, row, 0, 0, selected ? ROLE_PROMPT : ROLE_TEXT, "[ %s ]", confirm->buttons[i]);

    if (selected) {
        row.cols = used;
        canvas_bar(canvas, row, 0, ROLE_CURSOR);
        canvas_cursor(canvas, row, 0, 0, false);
    }
    return used;
}

static void dialog_draw_buttons(const struct confirm *confirm, struct canvas *canvas, struct rect row) {
    if (!buttons_fit(confirm, row.cols)) {
        int used = dialog_draw_button(confirm, canvas, row, confirm->selected);
        (void)canvas_textf(canvas, row, 0, used + 1, ROLE_DIM, "%d/%d", confirm->selected + 1, confirm->n_buttons);
        return;
    }
    for (int i = 0; i < confirm->n_buttons; i++) {
        (void)dialog_draw_button(confirm, canvas, row, i);
        (void)rect_take_cols(&row, dialog_cells_of(confirm->buttons[i]) + BUTTON_EDGE + BUTTON_GAP);
    }
}

void confirm_draw(const struct confirm *confirm, struct canvas *canvas, struct rect within) {
    int lines, shown;
    struct box box = confirm_place(confirm, within, &lines);
    struct rect inside = dialog_box(canvas, within, box.inside.rows, box.inside.cols, confirm->title, confirm->role);
    struct rect buttons = rect_take_rows(&inside, -1);
    const char *text = confirm->text;
    size_t skip;

    shown = least_int(lines, inside.rows);
    for (int y = 0; y < shown; y++, text += skip) {
        size_t len = lines_wrap(text, inside.cols, &skip);
        (void)canvas_text_n(canvas, inside, y, 0, ROLE_TEXT, text, len);
    }
    if (shown < lines && shown > 0)
        canvas_text_right(canvas, inside, shown - 1, 0, inside.cols, ROLE_DIM, symbol(SYMBOL_ELLIPSIS));
    dialog_draw_buttons(confirm, canvas, buttons);
}

static enum dialog_result confirm_step(struct confirm *confirm, int step) {
    if (confirm->n_buttons > 0)
        confirm->selected = (confirm->selected + step + confirm->n_buttons) % confirm->n_buttons;
    return DIALOG_OPEN;
}

enum dialog_result confirm_key(struct confirm *confirm, int32_t key) {
    switch (key) {
    case INPUT_ENTER:
        return DIALOG_DONE;
    case INPUT_ESCAPE:
    case KEY_CTRL('C'):
        return DIALOG_CANCELLED;
    case INPUT_LEFT:
    case INPUT_UP:
    case INPUT_BACK_TAB:
    case 'h':
    case 'k':
        return confirm_step(confirm, -1);
    case INPUT_RIGHT:
    case INPUT_DOWN:
    case INPUT_TAB:
    case 'l':
    case 'j':
        return confirm_step(confirm, 1);
    default:
        return DIALOG_IGNORED;
    }
}
