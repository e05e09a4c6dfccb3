#include "ui/dialog.h"

#include "ui/fuzzy.h"
#include "ui/lines.h"
#include "ui/scrollbar.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { NARROW_MAX = 256, CHECK_COLS = 4, PICKER_COLS_MIN = 37, PICKER_COLS_MAX = 76 };

/* One line of the narrowed list: a choice, or a heading above the choices that follow. */
struct line {
    size_t choice;
    bool heading;
    int score;
};
struct list {
    struct line *items;
    size_t n, cap;
};

void choices_clear(struct choices *choices) {
    arena_clear(&choices->arena);
    free(choices->items);
    *choices = (struct choices){0};
}

void picker_init(struct picker *picker, const char *title, struct choice *choices, size_t n, bool many) {
    *picker = (struct picker){.title = title, .choices = choices, .n = n, .many = many};
    edit_init(&picker->narrow, NARROW_MAX);
}

void picker_clear(struct picker *picker) {
    edit_clear(&picker->narrow);
    *picker = (struct picker){0};
}

enum { FITS_WHOLE = 5, FITS_START = 4, FITS_ALSO = 3, FITS_WORD = 2, FITS_PART = 1 };

/* Of words separated by line ends: FITS_WHOLE where one is it, FITS_ALSO where one begins so, else 0. */
static int score_also(const char *also, const char *needle) {
    size_t len = strlen(needle);
    int best = 0;

    while (also && *also != '\0') {
        size_t n = strcspn(also, "\n");
        int own = n >= len && memcmp(also, needle, len) == 0 ? (n == len ? FITS_WHOLE : FITS_ALSO) : 0;
        best = own > best ? own : best;
        also += n + (also[n] == '\n');
    }
    return best;
}

/* "ger" finds Germany before Algeria; "uk" the United Kingdom before Ukraine. */
static int score_ranked(const struct picker *picker, const struct choice *choice, const char *needle) {
    int also = !picker->also ? 0 : score_also(picker->also[choice - picker->choices], needle), own = 0;
    struct str folded;
    const char *found;

    if (*needle == '\0')
        return FITS_PART;
    str_init(&folded, NARROW_MAX * 8);
    utf8_fold(&folded, choice->label, strlen(choice->label));
    found = strstr(folded.s, needle);
    own = found == folded.s ? FITS_START : found ? FITS_PART : 0;
    for (; own == FITS_PART && found; found = strstr(found + 1, needle))
        own = found[-1] == ' ' || found[-1] == '(' ? FITS_WORD : own;
    str_clear(&folded);
    return own > also ? own : also;
}

/* 0: not in the narrowed list. */
static int picker_score_of(const struct picker *picker, const struct choice *choice, const char *needle) {
    if (picker->fuzzy)
        return fuzzy_score(choice->label, choice->text, choice->also, needle);
    if (picker->ranked)
        return score_ranked(picker, choice, needle);
    return *needle == '\0' || lines_has(choice->label, needle);
}

static int by_score(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    return x->score != y->score ? y->score - x->score : (x->choice > y->choice) - (x->choice < y->choice);
}

static struct list list_of(const struct picker *picker) {
    struct list list = {0};
    struct str needle;
    const char *group = NULL;

    str_init(&needle, NARROW_MAX * 4);
    utf8_fold(&needle, picker->narrow.text.s, picker->narrow.text.len);
    bool ranked = (picker->fuzzy || picker->ranked) && needle.len > 0;
    for (size_t i = 0; i < picker->n; i++) {
        const struct choice *choice = &picker->choices[i];
        int score = picker_score_of(picker, choice, needle.s);
        if (score == 0)
            continue;
        if (!ranked && choice->group && !str_equal(choice->group, group))
            *vec_add(&list) = (struct line){.choice = i, .heading = true};
        group = choice->group;
        *vec_add(&list) = (struct line){.choice = i, .score = score};
    }
    if (ranked && list.n > 0)
        qsort(list.items, list.n, sizeof *list.items, by_score);
    str_clear(&needle);
    return list;
}

/* Index of the cursor's line; the first choice's where it was narrowed away; list->n where there is none. */
static size_t cursor_line(const struct picker *picker, const struct list *list) {
    size_t first = list->n;

    for (size_t i = 0; i < list->n; i++) {
        if (!list->items[i].heading) {
            first = first == list->n ? i : first;
            if (list->items[i].choice == picker->cursor)
                return i;
        }
    }
    return first;
}

static void picker_move(struct picker *picker, long delta) {
    struct list list = list_of(picker);
    size_t at = cursor_line(picker, &list), best = at;
    long left = delta < 0 ? -delta : delta;

    while (at < list.n && left > 0) {
        if (delta < 0 ? at == 0 : at + 1 >= list.n)
            break;
        at = delta < 0 ? at - 1 : at + 1;
        if (!list.items[at].heading) {
            best = at;
            left--;
        }
    }
    if (best < list.n) {
        picker->cursor = list.items[best].choice;
        picker->top = best < 2 ? 0 : picker->top;
    }
    free(list.items);
}

static int picker_cells_of(const char *text) {
    return !text ? 0 : utf8_cells(text, strlen(text));
}

static int picker_label_cols(const struct picker *picker) {
    int cols = 0;

    for (size_t i = 0; i < picker->n; i++) {
        int own = picker_cells_of(picker->choices[i].label);
        cols = own > cols ? own : cols;
    }
    return cols;
}

static int picker_widest(const struct picker *picker) {
    int cols = PICKER_COLS_MIN, labels = picker_label_cols(picker);

    for (size_t i = 0; i < picker->n; i++) {
        const struct choice *choice = &picker->choices[i];
        int note = !choice->note ? 0 : picker_cells_of(choice->note) + 2;
        int text = !choice->text ? picker_cells_of(choice->label) : labels + 2 + picker_cells_of(choice->text);
        int own = text + note + 3 + (picker->many ? CHECK_COLS : 0);
        cols = own > cols ? own : cols;
    }
    return cols > PICKER_COLS_MAX ? PICKER_COLS_MAX : cols;
}

/* Rows of the whole list, so that the box keeps its size while typing narrows the list. */
static int all_rows(const struct picker *picker) {
    size_t rows = picker->n;
    const char *group = NULL;

    for (size_t i = 0; i < picker->n; i++) {
        rows += picker->choices[i].group && !str_equal(picker->choices[i].group, group);
        group = picker->choices[i].group;
    }
    return rows > 500 ? 500 : rows < 1 ? 1 : (int)rows;
}

static void draw_choice(const struct picker *picker, struct canvas *canvas, struct rect row, size_t index) {
    const struct choice *choice = &picker->choices[index];
    struct rect rest = row;
    int note = picker_cells_of(choice->note);

    if (picker->many) {
        struct rect check = rect_take_cols(&rest, CHECK_COLS);
        (void)canvas_text(canvas, check, 0, 0, choice->checked ? ROLE_MARK : ROLE_DIM, choice->checked ? "[x]" : "[ ]");
    }
    if (note > 0 && note + 2 < rest.cols) {
        canvas_text_right(canvas, rect_take_cols(&rest, -note), 0, 0, note, ROLE_DIM, choice->note);
        rest.cols--;
    }
    (void)canvas_text(canvas, rest, 0, 0, choice->role, choice->label);
    if (choice->text) {
        (void)rect_take_cols(&rest, picker_label_cols(picker) + 2);
        (void)canvas_text(canvas, rest, 0, 0, ROLE_DIM, choice->text);
    }
    if (index == picker->cursor) {
        canvas_bar(canvas, row, 0, ROLE_CURSOR);
        if (!picker->narrowing)
            canvas_cursor(canvas, row, 0, 0, false);
    }
}

static void scroll_list(struct picker *picker, const struct list *list, size_t rows) {
    size_t at = cursor_line(picker, list);

    picker->visible_rows = (int)rows;
    if (at >= list->n || rows == 0) {
        picker->top = 0;
        return;
    }
    picker->cursor = list->items[at].choice;
    if (at < picker->top)
        picker->top = at > 0 && list->items[at - 1].heading && rows > 1 ? at - 1 : at;
    if (at - picker->top >= rows)
        picker->top = at - rows + 1;
    if (picker->top + rows > list->n)
        picker->top = list->n > rows ? list->n - rows : 0;
}

static void picker_draw_list(struct picker *picker, struct canvas *canvas, struct rect area) {
    struct list list = list_of(picker);
    struct rect bar = {0};

    if (list.n > (size_t)area.rows && area.cols > 4)
        bar = rect_take_cols(&area, -1);
    scroll_list(picker, &list, (size_t)area.rows);
    if (list.n == 0)
        (void)canvas_text(canvas, area, 0, 0, ROLE_DIM, picker->n == 0 ? "nothing to choose" : "nothing matches");
    for (int y = 0; y < area.rows && picker->top + (size_t)y < list.n; y++) {
        const struct line *line = &list.items[picker->top + (size_t)y];
        struct rect row = {area.y + y, area.x, 1, area.cols};
        if (line->heading)
            (void)canvas_text(canvas, row, 0, 0, ROLE_HEADER, picker->choices[line->choice].group);
        else
            draw_choice(picker, canvas, row, line->choice);
    }
    scrollbar_draw(canvas, bar, list.n, picker->top);
    free(list.items);
}

static void draw_narrow(struct picker *picker, struct canvas *canvas, struct rect row) {
    struct rect sign;

    if (!picker->narrowing) {
        (void)canvas_text(canvas, row, 0, 0, ROLE_GHOST, "type to narrow");
        return;
    }
    sign = rect_take_cols(&row, 1);
    (void)canvas_text(canvas, sign, 0, 0, ROLE_PROMPT, "/");
    edit_draw(&picker->narrow, canvas, row, ROLE_FIELD, true);
}

void picker_draw(struct picker *picker, struct canvas *canvas, struct rect within) {
    int rows = all_rows(picker) + 3;
    struct rect inside = dialog_box(canvas, within, rows, picker_widest(picker), picker->title, ROLE_TITLE);

    if (inside.rows < 1 || inside.cols < 1)
        return;
    if (inside.rows > 3 || (picker->narrowing && inside.rows > 1))
        draw_narrow(picker, canvas, rect_take_rows(&inside, 1));
    if (inside.rows > 6 || inside.rows >= rows - 1) {
        struct rect hint = rect_take_rows(&inside, -1);
        (void)rect_take_rows(&inside, -1);
        (void)canvas_text(canvas, hint, 0, 0, ROLE_DIM,
                          picker->many ? "Space mark  Enter apply  Esc cancel" : "Enter choose  Esc cancel");
    }
    picker_draw_list(picker, canvas, inside);
}

/* Typing changed the list: the cursor goes to the best match. */
static void renarrow(struct picker *picker) {
    struct list list = list_of(picker);

    if ((picker->fuzzy || picker->ranked) && list.n > 0) {
        picker->cursor = list.items[0].choice;
        picker->top = 0;
    }
    free(list.items);
    picker_move(picker, 0);
}

static enum dialog_result narrow_key(struct picker *picker, int32_t key) {
    enum edit_result result;

    if (!picker->narrowing && !input_is_text(key))
        return DIALOG_IGNORED;
    if (!picker->narrowing && key == '/') {
        picker->narrowing = true;
        return DIALOG_OPEN;
    }
    result = edit_key(&picker->narrow, key);
    if (result == EDIT_IGNORED)
        return DIALOG_IGNORED;
    picker->narrowing = picker->narrow.text.len > 0;
    if (result == EDIT_CHANGED)
        renarrow(picker);
    return DIALOG_OPEN;
}

enum edit_result picker_paste(struct picker *picker, const char *text) {
    enum edit_result result = edit_paste(&picker->narrow, text);

    if (result == EDIT_CHANGED) {
        picker->narrowing = picker->narrow.text.len > 0;
        renarrow(picker);
    }
    return result;
}

static enum dialog_result picker_escape(struct picker *picker) {
    if (!picker->narrowing)
        return DIALOG_CANCELLED;
    edit_set(&picker->narrow, "");
    picker->narrowing = false;
    return DIALOG_OPEN;
}

static enum dialog_result picker_choose(struct picker *picker) {
    struct list list = list_of(picker);
    bool any = cursor_line(picker, &list) < list.n;

    free(list.items);
    if (!any && !picker->many)
        return DIALOG_OPEN;
    picker_move(picker, 0);
    return DIALOG_DONE;
}

static enum dialog_result picker_toggle(struct picker *picker) {
    struct list list = list_of(picker);
    size_t at = cursor_line(picker, &list);

    if (at < list.n) {
        picker->cursor = list.items[at].choice;
        picker->choices[picker->cursor].checked = !picker->choices[picker->cursor].checked;
    }
    free(list.items);
    return DIALOG_OPEN;
}

static long step_of(const struct picker *picker, int32_t key) {
    long page = picker->visible_rows > 2 ? picker->visible_rows - 1 : 1;

    switch (key) {
    case INPUT_UP:
    case INPUT_BACK_TAB:
    case KEY_CTRL('P'):
        return -1;
    case INPUT_DOWN:
    case INPUT_TAB:
    case KEY_CTRL('N'):
        return 1;
    case INPUT_PAGE_UP:
        return -page;
    case INPUT_PAGE_DOWN:
        return page;
    case INPUT_HOME:
        return -(long)picker->n;
    case INPUT_END:
        return (long)picker->n;
    default:
        return 0;
    }
}

enum dialog_result picker_key(struct picker *picker, int32_t key) {
    long step = step_of(picker, key);

    if (step != 0) {
        picker_move(picker, step);
        return DIALOG_OPEN;
    }
    switch (key) {
    case INPUT_ESCAPE:
        return picker_escape(picker);
    case KEY_CTRL('C'):
        return DIALOG_CANCELLED;
    case INPUT_ENTER:
        return picker_choose(picker);
    default:
        return key == ' ' && picker->many ? picker_toggle(picker) : narrow_key(picker, key);
    }
}
