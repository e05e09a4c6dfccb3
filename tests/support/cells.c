#include "support/cells.h"

#include <ctype.h>
#include <string.h>

static void add_colour(struct str *out, int colour) {
    if (colour == -1)
        str_add_char(out, '-');
    else if (colour == -2)
        str_add(out, "rgb");
    else
        str_addf(out, "%d", colour);
}

static void add_style(struct str *out, const struct pty_cell *cell, int from, int to) {
    str_addf(out, " %d-%d:", from, to);
    add_colour(out, cell->fg);
    str_add_char(out, '/');
    add_colour(out, cell->bg);
    str_add(out, cell->bold ? "b" : "");
    str_add(out, cell->underline ? "u" : "");
    str_add(out, cell->italic ? "i" : "");
    str_add(out, cell->reverse ? "r" : "");
}

static bool same_style(const struct pty_cell *a, const struct pty_cell *b) {
    return a->fg == b->fg && a->bg == b->bg && a->bold == b->bold && a->underline == b->underline &&
           a->italic == b->italic && a->reverse == b->reverse;
}

/* A row's text, then its runs of style. */
static void add_row(struct str *out, struct pty *pty, int row, int cols) {
    str_add(out, pty_row(pty, row));
    str_add(out, "\n   ");
    struct pty_cell first = pty_cell(pty, row, 0);
    int from = 0;
    for (int col = 1; col <= cols; col++) {
        struct pty_cell cell = col < cols ? pty_cell(pty, row, col) : (struct pty_cell){.fg = -9};
        if (!same_style(&first, &cell)) {
            add_style(out, &first, from, col - 1);
            first = cell;
            from = col;
        }
    }
    str_add_char(out, '\n');
}

/* Every digit from behind `mark` on, up to what is neither digit nor `between`, becomes a 0. */
static void hide_digits(char *dump, const char *mark, char between) {
    for (char *at = strstr(dump, mark); at; at = strstr(at, mark))
        for (at += strlen(mark); isdigit((unsigned char)*at) || *at == between; at++)
            *at = *at == between ? between : '0';
}

void cells_dump(struct pty *pty, int rows, int cols, struct str *out) {
    for (int row = 0; row < rows; row++)
        add_row(out, pty, row, cols);
    hide_digits(out->s, "last answer ", ':');
    hide_digits(out->s, "-test-", '-');
}
