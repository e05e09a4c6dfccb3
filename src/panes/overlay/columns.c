#include "app/columns.h"
#include "panes/intents/list.h"
#include "ui/dialog.h"
#include "ui/scrollbar.h"

#include <string.h>

/* Which columns the list shows, in which order, how wide. */

enum { BOX_COLS = 60, BOX_ROWS = COLUMN_COUNT + 2, STEP = 1, TITLE_BYTES = 64 };

/* The columns that can be chosen. A column that is hidden keeps its line, so that the same key shows it again. */
struct chooser {
    struct column_set all; /* every column, those that were chosen first */
    bool shown[COLUMN_COUNT];
    int cursor, top, visible_rows;
};

static struct chooser *chooser_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_COLUMNS);
}

static void choose_from(struct chooser *chooser, const struct column_set *set) {
    struct column_set chosen = *set;
    if (chosen.n == 0)
        columns_usual(&chosen);
    columns_all(&chosen, &chooser->all);
    for (int i = 0; i < COLUMN_COUNT; i++)
        chooser->shown[i] = columns_find(&chosen, i) >= 0;
}

static bool open_chooser(struct shell *shell, const void *argument, struct effects *effects) {
    struct chooser *chooser = chooser_of(shell);
    (void)argument;
    (void)effects;
    *chooser = (struct chooser){0};
    struct layout layout = intents_layout(shell);
    choose_from(chooser, &layout.columns);
    int place = columns_find(&chooser->all, intents_column(shell));
    chooser->cursor = place > 0 ? place : 0;
    return true;
}

static int column_at(const struct chooser *chooser, int line) {
    return chooser->all.items[line];
}

static struct column_set chosen(const struct chooser *chooser) {
    struct column_set set = chooser->all;
    set.n = 0;
    for (int line = 0; line < COLUMN_COUNT; line++)
        if (chooser->shown[column_at(chooser, line)])
            set.items[set.n++] = chooser->all.items[line];
    return set;
}

/* The last column stays: a list without columns is no use. */
static void overlay_columns_toggle(struct chooser *chooser) {
    bool *shown = &chooser->shown[column_at(chooser, chooser->cursor)];
    *shown = !*shown || chosen(chooser).n == 1;
}

static void carry(struct chooser *chooser, int step) {
    int to = chooser->cursor + step;
    if (to >= 0 && to < COLUMN_COUNT) {
        columns_move(&chooser->all, column_at(chooser, chooser->cursor), step);
        chooser->cursor = to;
    }
}

/* Begins with the width on show. */
static void overlay_columns_widen(struct shell *shell, int step) {
    struct chooser *chooser = chooser_of(shell);
    int column = column_at(chooser, chooser->cursor);
    unsigned char *width = &chooser->all.widths[column];
    int to = (*width > 0 ? *width : intents_column_width(shell, column)) + step;
    *width = (unsigned char)(to < 1 ? 1 : to > COLUMN_WIDTH_MAX ? COLUMN_WIDTH_MAX : to);
}

static void overlay_columns_move(struct chooser *chooser, int step) {
    int to = chooser->cursor + step;
    chooser->cursor = to < 0 ? 0 : to >= COLUMN_COUNT ? COLUMN_COUNT - 1 : to;
}

static void overlay_columns_apply(struct shell *shell) {
    struct column_set set = chosen(chooser_of(shell)), usual = set;
    columns_usual(&usual);
    if (columns_equal(&set, &usual))
        set.n = 0;
    shell_close(shell);
    intents_show_columns(shell, &set);
}

static void chooser_command(struct shell *shell, int32_t key) {
    struct chooser *chooser = chooser_of(shell);
    switch (key) {
    case 'j':
    case INPUT_DOWN:
        overlay_columns_move(chooser, 1);
        break;
    case 'k':
    case INPUT_UP:
        overlay_columns_move(chooser, -1);
        break;
    case 'g':
    case INPUT_HOME:
        overlay_columns_move(chooser, -COLUMN_COUNT);
        break;
    case 'G':
    case INPUT_END:
        overlay_columns_move(chooser, COLUMN_COUNT);
        break;
    case INPUT_PAGE_DOWN:
        overlay_columns_move(chooser, chooser->visible_rows);
        break;
    case INPUT_PAGE_UP:
        overlay_columns_move(chooser, -chooser->visible_rows);
        break;
    case ' ':
        overlay_columns_toggle(chooser);
        break;
    case 'J':
    case '>':
        carry(chooser, 1);
        break;
    case 'K':
    case '<':
        carry(chooser, -1);
        break;
    case '+':
    case INPUT_RIGHT:
        overlay_columns_widen(shell, STEP);
        break;
    case '-':
    case INPUT_LEFT:
        overlay_columns_widen(shell, -STEP);
        break;
    case '=':
        choose_from(chooser, &(struct column_set){0});
        break;
    default:
        break;
    }
}

static void overlay_columns_every_key(struct shell *shell, int32_t key, struct effects *effects) {
    (void)effects;
    if (key == INPUT_ENTER)
        overlay_columns_apply(shell);
    else if (key == INPUT_ESCAPE || key == 'q' || key == INPUT_BACKSPACE || key == KEY_CTRL('C'))
        shell_close(shell);
    else
        chooser_command(shell, key);
}

static void overlay_columns_draw_line(const struct chooser *chooser, struct canvas *canvas, struct rect row, int line) {
    enum { NAME_AT = 4, WIDTH_AT = 18, HELP_AT = 24 };
    int column = column_at(chooser, line), width = chooser->all.widths[column];
    bool shown = chooser->shown[column];
    canvas_text(canvas, row, 0, 0, ROLE_TEXT, shown ? "[x]" : "[ ]");
    canvas_text(canvas, row, 0, NAME_AT, shown ? ROLE_TEXT : ROLE_DIM, column_info(column)->name);
    if (width > 0)
        canvas_textf(canvas, row, 0, WIDTH_AT, ROLE_KEY, "%d", width);
    canvas_text(canvas, row, 0, HELP_AT, ROLE_DIM, column_info(column)->help);
    if (line == chooser->cursor) {
        canvas_bar(canvas, row, 0, ROLE_CURSOR);
        canvas_cursor(canvas, row, 0, 0, false);
    }
}

static void overlay_columns_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    struct chooser *chooser = chooser_of(shell);
    struct str title;
    str_init(&title, TITLE_BYTES);
    str_addf(&title, "Columns, %d of %d", chooser->cursor + 1, COLUMN_COUNT);
    struct rect box = dialog_box(canvas, within, BOX_ROWS, BOX_COLS, title.s, ROLE_TITLE);
    str_clear(&title);
    if (box.rows > 2) {
        canvas_text(canvas, rect_take_rows(&box, -1), 0, 0, ROLE_DIM,
                    "Space shows, J K move, + - width, = as usual, Enter, Esc");
    }
    chooser->visible_rows = box.rows;
    if (chooser->cursor < chooser->top)
        chooser->top = chooser->cursor;
    else if (chooser->cursor >= chooser->top + box.rows)
        chooser->top = chooser->cursor - box.rows + 1;
    scrollbar_draw(canvas, rect_take_cols(&box, -1), COLUMN_COUNT, (size_t)chooser->top);
    for (int line = chooser->top; line < COLUMN_COUNT && box.rows > 0; line++)
        overlay_columns_draw_line(chooser, canvas, rect_take_rows(&box, 1), line);
}

const struct pane columns_overlay = {.size = sizeof(struct chooser),
                                     .open = open_chooser,
                                     .draw = overlay_columns_draw,
                                     .every_key = overlay_columns_every_key};
