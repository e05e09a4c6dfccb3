#ifndef UI_CANVAS_GRID_H
#define UI_CANVAS_GRID_H
/* The cells of a canvas, only for canvas and screen, since screen compares some hundred thousand cells a second. */

#include "ui/canvas.h"

#include <stdint.h>

enum { CELL_TEXT_MAX = 8, CLUSTER_MAX = 96 };

struct cell {
    char text[CELL_TEXT_MAX]; /* zeros behind it; empty where `far` is set or the cell continues a wide one */
    uint32_t far;             /* offset into clusters plus one, 0 for none */
    uint8_t width;            /* 0: continues the wide cell at its left */
    uint8_t role;
    int8_t bar;
    bool fenced; /* text from right to left ends here, so that the terminal does not exchange it with what follows */
};

struct canvas {
    int rows, cols;
    struct cell *cells;
    struct str clusters; /* long graphemes, each NUL-terminated */
    int cursor_y, cursor_x;
    bool cursor_visible;
};

static inline struct cell *canvas_at(const struct canvas *canvas, int y, int x) {
    return &canvas->cells[(size_t)y * (size_t)canvas->cols + (size_t)x];
}
static inline const char *canvas_cell_text(const struct canvas *canvas, const struct cell *cell) {
    return cell->far != 0 ? canvas->clusters.s + cell->far - 1 : cell->text;
}
/* The next cells of row y from *from on that differ, [*from, *to), without cutting a grapheme of either; false: none
 * differ. Both canvases have the same size, and no grapheme continues at *from. */
bool canvas_changed(const struct canvas *a, const struct canvas *b, int y, int *from, int *to);
bool canvas_same_row(const struct canvas *a, int ya, const struct canvas *b, int yb); /* both are of one width */
void canvas_copy(struct canvas *to, const struct canvas *from);

#endif
