#include "ui/theme.h"

#include "ui/theme_colour.h"
#include "ui/theme_table.h"

#include <stdlib.h>
#include <string.h>

void theme_free(struct theme *theme) {
    free(theme);
}

static enum theme_depth colour_needs(struct theme_colour colour) {
    switch (colour.kind) {
    case COLOUR_RGB:
        return THEME_TRUE;
    case COLOUR_INDEX:
        return colour.value < 16 ? THEME_16 : THEME_256;
    default:
        return THEME_MONO;
    }
}

enum theme_depth theme_needs(const struct theme_style *style) {
    enum theme_depth fg = colour_needs(style->fg), bg = colour_needs(style->bg);

    /* Dim is a grey: without colours it is not used (NO_COLOR). */
    if (fg == THEME_MONO && bg == THEME_MONO && (style->attributes & THEME_DIM) != 0)
        return THEME_16;
    return fg > bg ? fg : bg;
}

static struct theme_colour poorer(struct theme_colour colour, enum theme_depth depth) {
    unsigned rgb;

    if (colour_needs(colour) <= depth)
        return colour;
    if (depth == THEME_MONO || !colour_rgb(colour, &rgb))
        return (struct theme_colour){.kind = COLOUR_DEFAULT};
    return (struct theme_colour){.kind = COLOUR_INDEX,
                                 .value = depth == THEME_16 ? colour_nearest_16(rgb) : colour_nearest_256(rgb)};
}

struct theme_style theme_style(const struct theme *theme, enum role role, enum theme_depth depth) {
    struct theme_style style = {0};

    if (!theme || (unsigned)role >= ROLE_COUNT)
        return style;
    for (int i = 0; i < theme->looks[role].n; i++) {
        style = theme->looks[role].styles[i];
        if (theme_needs(&style) <= depth)
            return style;
    }
    style.fg = poorer(style.fg, depth);
    style.bg = poorer(style.bg, depth);
    style.attributes &= depth == THEME_MONO ? ~(unsigned)THEME_DIM : ~0U;
    return style;
}

struct theme_style theme_under_bar(struct theme_style cell, struct theme_style bar) {
    cell.attributes = (cell.attributes & ~(unsigned)(THEME_DIM | THEME_BOLD)) | bar.attributes;
    if (bar.fg.kind != COLOUR_DEFAULT) {
        cell.fg = bar.fg;
        cell.bg = bar.bg;
    } else if (cell.bg.kind == COLOUR_DEFAULT) {
        cell.bg = bar.bg;
    }
    return cell;
}

const char *theme_symbol(const struct theme *theme, const char *name, bool ascii) {
    for (int i = 0; theme && i < SYMBOL_COUNT; i++) {
        if (strcmp(symbol_name((enum symbol)i), name) == 0) {
            const char *text = theme->symbols[i][ascii ? 1 : 0];
            return text[0] == '\0' ? NULL : text;
        }
    }
    return NULL;
}

void theme_use_symbols(const struct theme *theme, bool ascii) {
    symbols_ascii(ascii);
    for (int i = 0; i < SYMBOL_COUNT; i++)
        symbol_set((enum symbol)i, theme_symbol(theme, symbol_name((enum symbol)i), ascii));
}

enum theme_background theme_background(const struct theme *theme) {
    return !theme ? THEME_ANY : theme->background;
}
