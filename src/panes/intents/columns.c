#include "panes/shell/state.h"

#include "base/utf8.h"
#include "ui/scrollbar.h"

#include <string.h>

enum { BOX_COLS = 60, BOX_ROWS = COLUMN_COUNT + 2, STEP = 1, TITLE_BYTES = 64 };

/* The set with every column in it, chosen ones first. */
static void all_of(const struct column_set *set, struct column_set *all) {
    *all = *set;
    if (all->n == 0) {
        columns_usual(all);
    }
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (columns_find(all, i) < 0) {
            all->items[all->n++] = (unsigned char)i;
        }
    }
}

/* Digits are never cut (K36). */
static bool is_digits(int column) {
    return column == COLUMN_AMOUNT || column == COLUMN_GUARANTEE || column == COLUMN_CREATED;
}

/* What was chosen by hand stays: where it does not fit it is scrolled to. */
void columns_order(struct shell *shell) {
    struct intents *intents = &shell->intents;
    struct table *table = &intents->table;
    struct column_set set = intents->view.columns;
    bool chosen = set.n > 0 || intents->wide;
    if (intents->wide) {
        all_of(&intents->view.columns, &set);
    } else if (set.n == 0) {
        columns_usual(&set);
    }
    table->n_order = set.n;
    for (int place = 0; place < set.n; place++) {
        struct table_column *column = &intents->columns[set.items[place]];
        int width = set.widths[set.items[place]];
        table->order[place] = set.items[place];
        column->priority = chosen ? 0 : column->priority;
        if (width > 0 && !(is_digits(set.items[place]) && width < column->min)) {
            column->min = column->want = width;
            column->grow = 0;
        }
    }
}

static int widest(struct shell *shell, int column) {
    const struct intents *intents = &shell->intents;
    int most = utf8_cells(intents->columns[column].title, strlen(intents->columns[column].title)) + 1;
    size_t end = intents->table.top + (size_t)intents->table.visible_rows;
    struct list_row row;
    struct str text;
    str_init(&text, 1 << 16);
    for (size_t i = intents->table.top; i < end && intents_at(shell, i, &row); i++) {
        str_reset(&text);
        intents_column_text(row.intent, column, &text);
        int cells = utf8_cells(text.s, text.len);
        most = cells > most ? cells : most;
    }
    str_clear(&text);
    return most < COLUMN_WIDTH_MAX ? most : COLUMN_WIDTH_MAX;
}

static void fit(struct shell *shell) {
    struct intents *intents = &shell->intents;
    struct column_set set = intents->view.columns;
    int column = intents->table.column;
    bool unset = set.widths[column] > 0;
    if (is_digits(column) || column == COLUMN_FLAGS) {
        shell_message(shell, ROLE_INFO, "this column is always as wide as its values");
        return;
    }
    set.widths[column] = (unsigned char)(unset ? 0 : widest(shell, column));
    view_columns(&intents->view, &set);
    shell_message(shell, ROLE_INFO, unset ? "the column's width is as usual" : "the column is as wide as its values");
}

static void choose_from(struct chooser *chooser, const struct column_set *set) {
    struct column_set chosen = *set;
    if (chosen.n == 0) {
        columns_usual(&chosen);
    }
    all_of(&chosen, &chooser->all);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        chooser->shown[i] = columns_find(&chosen, i) >= 0;
    }
}

static void open_chooser(struct shell *shell) {
    struct chooser *chooser = &shell->chooser;
    *chooser = (struct chooser){0};
    choose_from(chooser, &shell->intents.view.columns);
    int place = columns_find(&chooser->all, shell->intents.table.column);
    chooser->cursor = place > 0 ? place : 0;
    shell->overlay = OVERLAY_COLUMNS;
}

bool columns_act(struct shell *shell, int action, struct effects *effects) {
    struct intents *intents = &shell->intents;
    (void)effects;
    if (action == ACTION_COLUMNS) {
        open_chooser(shell);
    } else if (intents->place == DETAIL_FULL) {
        shell_message(shell, ROLE_INFO, "the list is not in sight; %s goes back to it",
                      shell_key_of(shell, ACTION_BACK));
    } else if (action == ACTION_FIT) {
        fit(shell);
    } else {
        intents->wide = !intents->wide;
        shell_message(shell, ROLE_INFO, intents->wide ? "every column; h and l reach them" : "the view's columns");
    }
    return true;
}

static int column_at(const struct chooser *chooser, int line) {
    return chooser->all.items[line];
}

static struct column_set chosen(const struct chooser *chooser) {
    struct column_set set = chooser->all;
    set.n = 0;
    for (int line = 0; line < COLUMN_COUNT; line++) {
        if (chooser->shown[column_at(chooser, line)]) {
            set.items[set.n++] = chooser->all.items[line];
        }
    }
    return set;
}

/* The last one stays: a list of nothing helps nobody. */
static void toggle(struct chooser *chooser) {
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

/* Begins at the width on show. */
static void widen(struct shell *shell, int step) {
    struct chooser *chooser = &shell->chooser;
    const struct intents *intents = &shell->intents;
    int column = column_at(chooser, chooser->cursor);
    unsigned char *width = &chooser->all.widths[column];
    int shown = intents->table.widths[column] > 0 ? intents->table.widths[column] : intents->columns[column].min;
    int to = (*width > 0 ? *width : shown) + step;
    *width = (unsigned char)(to < 1 ? 1 : to > COLUMN_WIDTH_MAX ? COLUMN_WIDTH_MAX : to);
}

static void move(struct chooser *chooser, int step) {
    int to = chooser->cursor + step;
    chooser->cursor = to < 0 ? 0 : to >= COLUMN_COUNT ? COLUMN_COUNT - 1 : to;
}

static void apply(struct shell *shell) {
    struct column_set set = chosen(&shell->chooser), usual = set;
    columns_usual(&usual);
    if (columns_equal(&set, &usual)) {
        set.n = 0;
    }
    shell_close(shell);
    shell->intents.wide = false;
    view_columns(&shell->intents.view, &set);
}

static void chooser_command(struct shell *shell, int32_t key) {
    struct chooser *chooser = &shell->chooser;
    switch (key) {
    case 'j':
    case INPUT_DOWN:
        move(chooser, 1);
        break;
    case 'k':
    case INPUT_UP:
        move(chooser, -1);
        break;
    case 'g':
    case INPUT_HOME:
        move(chooser, -COLUMN_COUNT);
        break;
    case 'G':
    case INPUT_END:
        move(chooser, COLUMN_COUNT);
        break;
    case INPUT_PAGE_DOWN:
        move(chooser, chooser->visible_rows);
        break;
    case INPUT_PAGE_UP:
        move(chooser, -chooser->visible_rows);
        break;
    case ' ':
        toggle(chooser);
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
        widen(shell, STEP);
        break;
    case '-':
    case INPUT_LEFT:
        widen(shell, -STEP);
        break;
    case '=':
        choose_from(chooser, &(struct column_set){0});
        break;
    default:
        break;
    }
}

void columns_key(struct shell *shell, int32_t key, struct effects *effects) {
    (void)effects;
    if (key == INPUT_ENTER) {
        apply(shell);
    } else if (key == INPUT_ESCAPE || key == 'q' || key == INPUT_BACKSPACE || key == KEY_CTRL('C')) {
        shell_close(shell);
    } else {
        chooser_command(shell, key);
    }
}

static void draw_line(const struct chooser *chooser, struct canvas *canvas, struct rect row, int line) {
    enum { NAME_AT = 4, WIDTH_AT = 18, HELP_AT = 24 };
    int column = column_at(chooser, line), width = chooser->all.widths[column];
    bool shown = chooser->shown[column];
    canvas_text(canvas, row, 0, 0, ROLE_TEXT, shown ? "[x]" : "[ ]");
    canvas_text(canvas, row, 0, NAME_AT, shown ? ROLE_TEXT : ROLE_DIM, column_info(column)->name);
    if (width > 0) {
        canvas_textf(canvas, row, 0, WIDTH_AT, ROLE_KEY, "%d", width);
    }
    canvas_text(canvas, row, 0, HELP_AT, ROLE_DIM, column_info(column)->help);
    if (line == chooser->cursor) {
        canvas_bar(canvas, row, 0, ROLE_CURSOR);
        canvas_cursor(canvas, row, 0, 0, false);
    }
}

void columns_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    struct chooser *chooser = &shell->chooser;
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
    if (chooser->cursor < chooser->top) {
        chooser->top = chooser->cursor;
    } else if (chooser->cursor >= chooser->top + box.rows) {
        chooser->top = chooser->cursor - box.rows + 1;
    }
    scrollbar_draw(canvas, rect_take_cols(&box, -1), COLUMN_COUNT, (size_t)chooser->top);
    for (int line = chooser->top; line < COLUMN_COUNT && box.rows > 0; line++) {
        draw_line(chooser, canvas, rect_take_rows(&box, 1), line);
    }
}
