#ifndef UI_THEME_TABLE_H
#define UI_THEME_TABLE_H
/* What a theme holds: per role its alternatives from rich to poor. Filled by theme_load, read by theme_style. */

#include "ui/canvas.h"
#include "ui/theme.h"

enum { THEME_ALTERNATIVES_MAX = 8, THEME_SYMBOL_MAX = 16 };

struct theme_look {
    struct theme_style styles[THEME_ALTERNATIVES_MAX];
    int n;
};

struct theme {
    struct theme_look looks[ROLE_COUNT];
    char symbols[SYMBOL_COUNT][2][THEME_SYMBOL_MAX]; /* unicode, ascii; empty: the built-in set's */
    enum theme_background background;
};

/* The poorest depth at which a style is as written. */
enum theme_depth theme_needs(const struct theme_style *style);
/* A cell with a bar over it. A bar that names no colour of its own for the text leaves the cell's (and a badge whole),
 * so that a status is the same status under the cursor. Dim in reverse video is unreadable, and bold would cost a full
 * change of attributes at each such cell with every move of the cursor. */
struct theme_style theme_under_bar(struct theme_style cell, struct theme_style bar);

#endif
