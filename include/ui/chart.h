#ifndef UI_CHART_H
#define UI_CHART_H
/* Bars in cells, by the symbols of the set in force: full cells and one that is filled to some eighths. */

#include "ui/canvas.h"

enum { CHART_EIGHTHS = 8 };

/* The glyph of a cell that is filled to so many eighths; NULL: nothing is drawn. */
const char *chart_level(size_t eighths);
/* A cell for each count, as high as its part of the greatest; what is not nothing is never drawn as nothing. */
void chart_sparkline(struct canvas *canvas, struct rect row, enum role role, const size_t *counts, size_t n);

#endif
