/* A detail in two columns, where there is room: groups of lines, with a blank line between, beside each other. */

#include "panes/shell/detail.h"

#include "base/utf8.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { TWO_COLUMNS = 110, GAP = 2 };

/* Lines [from, end); the blank one behind them is not among them. */
struct group {
    size_t from, end;
    bool wide; /* it has no room in half of the width */
};

struct groups {
    struct group *items;
    size_t n, cap;
};

static bool is_blank(const struct text_line *line) {
    return !line->label && !*line->text;
}

static int cells_of(const char *text) {
    return utf8_cells(text, strlen(text));
}

/* A text can stand below its label. */
static bool is_wide(const struct text_line *line, int half) {
    return cells_of(line->text) + (line->label ? GAP : line->indent) > half;
}

static void find_groups(const struct detail *detail, int half, struct groups *groups) {
    for (size_t from = 0, end; from < detail->lines.n; from = end + 1) {
        bool wide = false;
        for (end = from; end < detail->lines.n && !is_blank(&detail->lines.items[end]); end++)
            wide = wide || is_wide(&detail->lines.items[end], half);
        if (end > from)
            *vec_add(groups) = (struct group){from, end, wide};
    }
}

static size_t group_rows(const struct group *group) {
    return group->end - group->from + 1; /* with the blank line behind it */
}

/* How many of the groups [from, end) stand at the left, so that the two columns are as short as they can be. */
static size_t left_groups(const struct groups *groups, size_t from, size_t end) {
    size_t all = 0, left = 0, best = SIZE_MAX, n = 0;
    for (size_t i = from; i < end; i++)
        all += group_rows(&groups->items[i]);
    for (size_t i = from; i < end; i++) {
        left += group_rows(&groups->items[i]);
        size_t rows = left > all - left ? left : all - left;
        if (rows < best) {
            best = rows;
            n = i - from + 1;
        }
    }
    return n;
}

static int label_cells(const struct detail *detail, const struct groups *groups, size_t from, size_t end) {
    int widest = 0;
    for (size_t i = from; i < end; i++)
        for (size_t at = groups->items[i].from; at < groups->items[i].end; at++) {
            const struct text_line *line = &detail->lines.items[at];
            int cells = line->label ? cells_of(line->label) + line->indent : 0;
            widest = cells > widest ? cells : widest;
        }
    return widest;
}

static struct text_line *columns_add_row(struct detail *detail, struct detail_column *out,
                                         const struct text_line *line) {
    struct text_line *row = arena_new(&detail->arena, sizeof *row);
    *row = *line;
    return *(struct text_line **)vec_add(out) = row;
}

/* Beside its label, or below it where that leaves no room. */
static void columns_add_line(struct detail *detail, const struct text_line *line, int labels, int half,
                             struct detail_column *out) {
    if (line->label && labels + GAP + cells_of(line->text) > half) {
        if (*line->label)
            columns_add_row(detail, out, line)->text = "";
        struct text_line *text = columns_add_row(detail, out, line);
        text->label = NULL;
        text->indent = GAP;
    } else {
        columns_add_row(detail, out, line)->labels = labels;
    }
}

static void columns_add_rows(struct detail *detail, const struct groups *groups, size_t from, size_t end, int half,
                             struct detail_column *out) {
    static const struct text_line BLANK = {.text = "", .role = ROLE_TEXT};
    int labels = label_cells(detail, groups, from, end);
    for (size_t i = from; i < end; i++) {
        for (size_t line = groups->items[i].from; line < groups->items[i].end; line++)
            columns_add_line(detail, &detail->lines.items[line], labels, half, out);
        (void)columns_add_row(detail, out, &BLANK);
    }
}

/* Groups [from, end) beside each other. */
static void columns_add_beside(struct detail *detail, const struct groups *groups, size_t from, size_t end, int half) {
    static const struct text_line NOTHING = {.text = "", .role = ROLE_TEXT};
    size_t middle = from + left_groups(groups, from, end);
    struct detail_column left = {0}, right = {0};
    int room = groups->items[from].wide ? INT_MAX : half - GAP;
    columns_add_rows(detail, groups, from, middle, room, &left);
    columns_add_rows(detail, groups, middle, end, room, &right);
    for (size_t i = 0; i < left.n || i < right.n; i++) {
        struct text_line *line = vec_add(&detail->columns);
        *line = i < left.n ? *left.items[i] : NOTHING;
        line->beside = i < right.n ? right.items[i] : NULL;
        line->beside_at = half;
    }
    free(left.items);
    free(right.items);
}

static void make_columns(struct detail *detail, int half) {
    struct groups groups = {0};
    detail->columns.n = 0;
    find_groups(detail, half - GAP, &groups);
    for (size_t from = 0, end; from < groups.n; from = end) {
        for (end = from + 1; end < groups.n && groups.items[end].wide == groups.items[from].wide;)
            end++;
        if (groups.items[from].wide)
            end = from + 1;
        columns_add_beside(detail, &groups, from, end, half);
    }
    free(groups.items);
}

void detail_fit(struct detail *detail, int cols, bool groups) {
    int width = groups && cols >= TWO_COLUMNS ? cols : 0;
    if (detail->fitted == width)
        return;
    detail->fitted = width;
    if (width > 0)
        make_columns(detail, width / 2);
    if (width > 0)
        pager_set(&detail->pager, detail->columns.items, detail->columns.n, true);
    else
        pager_set(&detail->pager, detail->lines.items, detail->lines.n, true);
}
