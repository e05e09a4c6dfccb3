#include "ui/screen_state.h"

#include "base/utf8.h"

#include <string.h>
#include <wchar.h>

/* Takes the next unit of a cell's text; a cell may have several (a flag is two letters). */
static size_t next_unit(const char *text, size_t len, struct unit *out) {
    size_t at = 0;
    int32_t code;

    *out = (struct unit){0};
    while (at < len) {
        size_t taken = utf8_decode(text + at, len - at, &code);
        int width = wcwidth((wchar_t)code);
        if (width != 0 && out->n > 0)
            break;
        if (place_is_mark(code)) {
            at += taken;
            continue;
        }
        if (width < 0) { /* a character that this libc does not know: curses would write something else for it */
            code = '?';
            width = 1;
        }
        if (out->n < CCHARW_MAX)
            out->wide[out->n++] = (wchar_t)code;
        out->width += width;
        at += taken;
    }
    return at;
}

/* One entry for each character, whatever its width: curses itself takes the columns behind a wide one. */
static void screen_show_put_unit(struct screen *screen, const struct unit *unit, const struct screen_style *style) {
    int pair = style->pair;
    cchar_t *entry = &screen->row[screen->row_entries++];

    if (setcchar(entry, unit->wide, style->attributes, 0, &pair) == ERR)
        (void)setcchar(entry, L"?", style->attributes, 0, &pair);
}

static void put_ascii(struct screen *screen, int times, char c, const struct screen_style *style) {
    for (int i = 0; i < times; i++)
        screen->row[screen->row_entries++] = style->ascii[c - ASCII_FIRST];
}

/* The fence mark is put with the last character of the cell; where there is no room it replaces another mark. */
static void add_fence(struct unit *unit) {
    enum { LEFT_TO_RIGHT_MARK = 0x200E };

    unit->n -= unit->n >= CCHARW_MAX;
    unit->wide[unit->n++] = LEFT_TO_RIGHT_MARK;
}

/* A cell of x that ends before the edge and that terminals may draw with another width gets marks where it begins and
 * ends. */
static void put_cell(struct screen *screen, const struct canvas *canvas, const struct cell *cell, int x, bool fenced) {
    const struct screen_style *style = style_for(screen, (enum role)cell->role, cell->bar);
    const char *text = canvas_cell_text(canvas, cell);
    size_t len, at = 0;
    struct unit unit;

    if (text[0] >= ASCII_FIRST && text[0] <= ASCII_LAST && text[1] == '\0' && !(fenced && screen->utf8)) {
        put_ascii(screen, 1, text[0], style);
        return;
    }
    len = strlen(text);
    if (!screen->utf8) {
        put_ascii(screen, cell->width, '?', style);
        return;
    }
    bool placed = screen->to_column && x + cell->width < COLS && utf8_is_doubtful(text, len);
    for (int used = 0; used < cell->width;) {
        at += at < len ? next_unit(text + at, len - at, &unit) : 0;
        if (at == 0 || unit.width < 1 || used + unit.width > cell->width) {
            put_ascii(screen, cell->width - used, ' ', style);
            return;
        }
        if (placed && used == 0)
            place_begin(&unit, cell->width);
        used += unit.width;
        if (fenced && at >= len)
            add_fence(&unit);
        if (placed && at >= len)
            place_end(&unit, x + used);
        screen_show_put_unit(screen, &unit, style);
        if (at >= len && used < cell->width) {
            put_ascii(screen, cell->width - used, ' ', style);
            return;
        }
    }
}

static bool has_fence(const struct canvas *canvas, int y) {
    const struct cell *cells = canvas_at(canvas, y, 0);
    int x = 0;

    while (x < canvas->cols && !cells[x].fenced)
        x++;
    return x < canvas->cols;
}

/* Columns [from, to). A row with a fence begins with one, so that the terminal reads it from left to right. */
static void show_row(struct screen *screen, const struct canvas *canvas, int y, int from, int to) {
    const struct cell *cells = canvas_at(canvas, y, 0);
    bool ordered = from == 0 && has_fence(canvas, y);
    int x = from;

    screen->row_entries = 0;
    while (x < to) {
        int width = cells[x].width < 1 ? 1 : cells[x].width;
        if (x + width > to || cells[x].width == 0) {
            put_ascii(screen, 1, ' ', style_for(screen, (enum role)cells[x].role, cells[x].bar));
            x++;
        } else {
            put_cell(screen, canvas, &cells[x], x, cells[x].fenced || (ordered && x == 0));
            x += width;
        }
    }
    (void)mvadd_wchnstr(y, from, screen->row, screen->row_entries);
}

static bool cursor_differs(const struct screen *screen, const struct canvas *canvas) {
    int y, x, old_y, old_x;
    bool on = canvas_cursor_at(canvas, &y, &x);

    (void)canvas_cursor_at(screen->shown, &old_y, &old_x);
    return on != screen->cursor_on || y != old_y || x != old_x;
}

static void show_cursor(struct screen *screen, const struct canvas *canvas) {
    int y, x;
    bool on = canvas_cursor_at(canvas, &y, &x);

    if (on != screen->cursor_on) {
        (void)curs_set(on ? 1 : 0);
        screen->cursor_on = on;
    }
    (void)move(y < LINES ? y : LINES - 1, x < COLS ? x : COLS - 1);
}

static bool is_doubtful(const struct canvas *canvas, int y) {
    const struct cell *cells = canvas_at(canvas, y, 0);
    bool doubtful = false;

    for (int x = 0; x < canvas->cols && !doubtful; x++) {
        const char *text = canvas_cell_text(canvas, &cells[x]);
        doubtful = (unsigned char)text[0] >= 0x80 && utf8_is_doubtful(text, strlen(text));
    }
    return doubtful;
}

static bool has_moved(const struct canvas *canvas, const struct canvas *shown, int y) {
    enum { FAR = 8 };
    bool moved = false;

    for (int other = y - FAR; other <= y + FAR && !moved; other++)
        moved = other >= 0 && other < shown->rows && other != y && canvas_same_row(canvas, y, shown, other);
    return moved;
}

/* Whether rows that differ from what is shown were a few rows above or below: then ncurses should let the terminal
 * scroll. Checked once for each update. */
static bool scrolls(struct screen *screen, const struct canvas *canvas) {
    if (screen->scrolls == SCROLLS_UNKNOWN) {
        bool found = false;
        for (int y = 0; y < canvas->rows && !found; y++)
            found = !canvas_same_row(canvas, y, screen->shown, y) && has_moved(canvas, screen->shown, y);
        screen->scrolls = found ? SCROLLS : SCROLLS_NOT;
    }
    return screen->scrolls == SCROLLS;
}

/* Where a terminal draws a character wider than ncurses knows, it covers what ncurses takes for unchanged, and half a
 * cluster that is written alone is another one: a row that has or had such a character is written whole. The first cell
 * of a row tells whether it holds a fence. */
static bool show_whole(struct screen *screen, const struct canvas *canvas, int y, int cols) {
    int from = 0, to = canvas_cols(canvas);

    if (!screen->utf8 || !canvas_changed(canvas, screen->shown, y, &from, &to))
        return false;
    bool doubtful = is_doubtful(canvas, y) || is_doubtful(screen->shown, y);
    if (!doubtful && has_fence(canvas, y) == has_fence(screen->shown, y))
        return false;
    show_row(screen, canvas, y, 0, cols);
    if (doubtful && !scrolls(screen, canvas))
        (void)wredrawln(stdscr, y, 1);
    return true;
}

/* Writes what differs from what is shown; everything where `all`. False: nothing differs. */
static bool show_changes(struct screen *screen, const struct canvas *canvas, int y, int cols, bool all) {
    int from = 0, to = canvas_cols(canvas);
    bool changed = false;

    if (!all && show_whole(screen, canvas, y, cols))
        return true;

    while (from < cols && (all || canvas_changed(canvas, screen->shown, y, &from, &to)) && from < cols) {
        show_row(screen, canvas, y, from, to < cols ? to : cols);
        changed = true;
        from = to;
    }
    return changed;
}

void screen_show(struct screen *screen, const struct canvas *canvas) {
    int rows = canvas_rows(canvas) < LINES ? canvas_rows(canvas) : LINES;
    int cols = canvas_cols(canvas) < COLS ? canvas_cols(canvas) : COLS;
    bool resized =
        canvas_rows(screen->shown) != canvas_rows(canvas) || canvas_cols(screen->shown) != canvas_cols(canvas);
    bool all = screen->repaint || resized, changed = all;

    screen->late = !update_flush(screen);
    if (screen->late)
        return; /* this update is dropped; the newest one is shown once the terminal reads again */
    if (all) {
        (void)erase();
        (void)clearok(curscr, screen->repaint);
    }
    screen->scrolls = SCROLLS_UNKNOWN;
    for (int y = 0; y < rows; y++)
        changed = show_changes(screen, canvas, y, cols, all) || changed;
    if (!changed && !cursor_differs(screen, canvas))
        return;
    bool held = update_begin(screen);
    show_cursor(screen, canvas);
    canvas_copy(screen->shown, canvas);
    screen->repaint = false;
    (void)wnoutrefresh(stdscr);
    (void)doupdate();
    if (held)
        update_end(screen);
}
