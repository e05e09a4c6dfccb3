#include "ui/scrollbar.h"

void scrollbar_draw(struct canvas *canvas, struct rect bar, size_t total, size_t top) {
    size_t page, size, at;

    if (bar.rows <= 0 || bar.cols <= 0 || total <= (size_t)bar.rows)
        return;
    page = (size_t)bar.rows;
    size = page * page / total < 1 ? 1 : page * page / total;
    top = top > total - page ? total - page : top;
    at = (top * (page - size) + (total - page) / 2) / (total - page);
    for (size_t y = 0; y < page; y++) {
        bool thumb = y >= at && y < at + size;
        (void)canvas_text(canvas, bar, (int)y, 0, thumb ? ROLE_DIM : ROLE_RULE,
                          symbol(thumb ? SYMBOL_SCROLL_THUMB : SYMBOL_SCROLL_TRACK));
    }
}
