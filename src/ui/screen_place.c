#include "ui/screen_state.h"

#include "base/utf8.h"

#include <string.h>
#include <term.h>
#include <wchar.h>

/* Where a terminal may disagree with wcwidth about a cell (emoji of several code points, conjuncts, characters newer
 * than its table), the column behind it is addressed, and the columns it ought to take are blanked first. ncurses has
 * no call for that; so the curses cells carry marks, variation selectors that no text brings here, and the update's
 * bytes get the moves in their stead:
 *   the first unit of the cell   START_FIRST + width of the cell
 *   its last unit                the column behind it, in one or two digits of base DIGITS. */
enum {
    DIGIT_FIRST = 0xE0100,
    START_FIRST = 0xE01E0,
    MARK_LAST = 0xE01EF,
    MARK_BYTE = 0xF3, /* which each of them begins with in UTF-8 */
    DIGITS = START_FIRST - DIGIT_FIRST,
    WIDTH_MAX = MARK_LAST - START_FIRST,
};

/* Counted from the left margin, for a terminal without a way to address a column. */
static const char from_margin[] = "\r%?%p1%t\033[%p1%dC%;";

void place_learn(struct screen *screen) {
    char *move = tigetstr("hpa");
    bool known = move && move != (char *)-1 && !strstr(move, "$<"); /* NOLINT: terminfo's own mark */
    bool usable = screen->held >= 0 && screen->utf8;
    screen->to_column = !usable ? NULL : known ? move : screen->ansi ? from_margin : NULL;
}

bool place_is_mark(int32_t code) {
    return code >= DIGIT_FIRST && code <= MARK_LAST;
}

static bool screen_place_add(struct unit *unit, int32_t code) {
    if (unit->n >= CCHARW_MAX)
        return false;
    unit->wide[unit->n++] = (wchar_t)code;
    return true;
}

void place_begin(struct unit *unit, int width) {
    /* No terminal takes less than one cell, so nothing old can stay visible there. */
    if (width > 1 && width <= WIDTH_MAX)
        (void)screen_place_add(unit, START_FIRST + width);
}

void place_end(struct unit *unit, int column) {
    int digits = column < DIGITS ? 1 : 2;
    if (unit->n + digits > CCHARW_MAX)
        return;
    if (digits == 2)
        (void)screen_place_add(unit, DIGIT_FIRST + column / DIGITS);
    (void)screen_place_add(unit, DIGIT_FIRST + column % DIGITS);
}

struct placing {
    const char *move; /* how the terminal is told to go to a column */
    struct str *out;
    size_t unit_at, cell_at; /* where the last unit, and the cell that is being read, begin in out */
    int width;               /* of that cell, 0: no cell is being read */
    int column;              /* the digits read so far, -1: none */
    size_t blank_at, end;    /* where the blanks of the last cell are in out, and where they end */
    int blanked;             /* the column behind those blanks; 0: there are none */
};

static void add_move(struct str *out, const char *to_column, int column) {
    const char *move = tparm(to_column, (long)column, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
    if (move)
        str_add(out, move);
}

static void screen_place_take_mark(struct placing *p, int32_t code) {
    if (code >= START_FIRST) {
        p->width = code - START_FIRST;
        p->cell_at = p->unit_at;
    } else {
        p->column = (p->column < 0 ? 0 : p->column * DIGITS) + code - DIGIT_FIRST;
    }
}

/* A cell right behind a blanked one is blanked together with it. */
static void screen_place_blank(struct placing *p) {
    struct str blanks;
    int first = p->column - p->width;
    bool goes_on = p->blanked > 0 && p->end == p->cell_at && first <= p->blanked;
    str_init(&blanks, SCREEN_PENDING_MAX);
    str_add_repeat(&blanks, ' ', (size_t)(goes_on ? p->column - p->blanked : p->width));
    if (!goes_on) {
        p->blank_at = p->cell_at;
        add_move(&blanks, p->move, first);
    }
    str_insert(p->out, p->blank_at, blanks.s, blanks.len);
    str_clear(&blanks);
    p->blanked = p->column;
}

/* `CSI row ; column H` */
static bool is_address(const char *bytes, size_t len) {
    size_t n = 2;
    while (n < len && strchr("0123456789;", bytes[n]) && bytes[n] != '\0')
        n++;
    return len > 2 && bytes[0] == '\033' && bytes[1] == '[' && n < len && bytes[n] == 'H';
}

/* The cell is complete: its columns are blanked before it, and the cursor is sent to the column behind it, unless the
 * bytes that follow do that. */
static void screen_place_place(struct placing *p, const char *next, size_t left) {
    if (p->column < 0)
        return;
    if (p->width > 0 && p->width <= p->column)
        screen_place_blank(p);
    if (!is_address(next, left))
        add_move(p->out, p->move, p->column);
    p->end = p->out->len;
    p->column = -1;
    p->width = 0;
}

void place_cells(const struct screen *screen, const char *bytes, size_t len, struct str *out) {
    struct placing p = {.move = screen->to_column, .out = out, .column = -1};
    int32_t code;
    if (!memchr(bytes, MARK_BYTE, len)) { /* most updates have none */
        str_add_n(out, bytes, len);
        return;
    }
    for (size_t at = 0, taken; at < len; at += taken) {
        taken = utf8_decode(bytes + at, len - at, &code);
        if (place_is_mark(code)) {
            screen_place_take_mark(&p, code);
            continue;
        }
        screen_place_place(&p, bytes + at, len - at);
        if (code < ' ')
            p.width = 0; /* a movement or another colour comes: it does not belong to that cell */
        if (code < ' ' || wcwidth((wchar_t)code) != 0)
            p.unit_at = out->len;
        str_add_n(out, bytes + at, taken);
    }
    screen_place_place(&p, NULL, 0);
}
