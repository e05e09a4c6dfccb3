#ifndef UI_SCROLLBAR_H
#define UI_SCROLLBAR_H
/* The bar at the right edge of lists, shared by table, picker and pager. */

#include "ui/canvas.h"

/* One column; nothing where all of `total` lines fit the bar's rows. */
void scrollbar_draw(struct canvas *canvas, struct rect bar, size_t total, size_t top);

#endif
