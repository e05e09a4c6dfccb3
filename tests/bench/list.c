/* The plainest list that ncurses can draw, as a yardstick: what the terminal's side costs at least. Rows are made up;
 * j and k move a bar by one, Ctrl-F and Ctrl-B by a page, g to the first row, Q leaves. */
#define _XOPEN_SOURCE_EXTENDED 1
#include <curses.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TOTAL = 100000, ROW_MAX = 1024, CTRL_B = 2, CTRL_F = 6 };

struct list {
    WINDOW *window;
    int rows, cols;
    long top, cursor;
};

static uint64_t mix(uint64_t x) {
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    return x ^ x >> 27;
}

static void draw(const struct list *list, long at) {
    static const char *const STATES[] = {"approved", "declined", "pending", "created", "canceled"};
    char text[ROW_MAX];
    uint64_t dice = mix((uint64_t)at);
    (void)snprintf(text, sizeof text,
                   "  2026-%02ld-%02ld %02u:%02u:%02u %-9s %12u EUR  %08x-%04x-%04x  card  %-28s  primary  %04u  "
                   "mastercard  %08x-%04x-%04x",
                   12 - at / 9000 % 12, 28 - at / 300 % 28, (unsigned)(dice % 24), (unsigned)(dice % 59),
                   (unsigned)(dice % 57), STATES[dice % 5], (unsigned)(dice % 9999999), (unsigned)(dice >> 32),
                   (unsigned)(dice & 0xFFFF), (unsigned)(dice >> 16 & 0xFFFF), "Harbourline Bank",
                   (unsigned)(dice % 10000), (unsigned)(dice >> 8), (unsigned)(dice >> 3 & 0xFFFF),
                   (unsigned)(dice >> 5 & 0xFFFF));
    int y = (int)(at - list->top);
    if (at == list->cursor)
        (void)wattron(list->window, A_REVERSE);
    (void)mvwaddnstr(list->window, y, 0, text, list->cols - 1);
    for (int x = (int)strlen(text); at == list->cursor && x < list->cols - 1; x++)
        (void)waddch(list->window, ' ');
    (void)wattrset(list->window, A_NORMAL);
    (void)wclrtoeol(list->window);
}

static void draw_all(const struct list *list) {
    for (long at = list->top; at < list->top + list->rows; at++)
        draw(list, at);
}

static void move_to(struct list *list, long cursor) {
    long before = list->cursor, top = list->top;
    list->cursor = cursor < 0 ? 0 : cursor >= TOTAL ? TOTAL - 1 : cursor;
    if (list->cursor < list->top)
        list->top = list->cursor;
    if (list->cursor >= list->top + list->rows)
        list->top = list->cursor - list->rows + 1;
    if (list->top != top) {
        draw_all(list);
    } else {
        draw(list, before);
        draw(list, list->cursor);
    }
}

int main(void) {
    struct list list = {0};
    (void)setlocale(LC_ALL, "");
    if (!initscr())
        return 1;
    (void)raw();
    (void)noecho();
    (void)curs_set(0);
    list.rows = LINES - 2;
    list.cols = COLS;
    list.window = newwin(list.rows, list.cols, 1, 0);
    (void)idlok(list.window, true);
    draw_all(&list);
    for (int key = 0; key != 'Q' && key != ERR;) {
        (void)mvprintw(LINES - 1, 0, "%ld of %d", list.cursor + 1, TOTAL);
        (void)clrtoeol();
        (void)wnoutrefresh(stdscr);
        (void)wnoutrefresh(list.window);
        (void)doupdate();
        key = getch();
        int step = key == 'j' ? 1 : key == 'k' ? -1 : key == CTRL_F ? list.rows : key == CTRL_B ? -list.rows : 0;
        if (step || key == 'g')
            move_to(&list, key == 'g' ? 0 : list.cursor + step);
    }
    (void)endwin();
    return 0;
}
