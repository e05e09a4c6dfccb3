#include "ui/screen_state.h"

#include "ui/theme_colour.h"
#include "ui/theme_table.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <term.h>

void style_forget(struct screen *screen) {
    for (int role = 0; role < ROLE_COUNT; role++)
        for (int bar = 0; bar <= ROLE_COUNT; bar++)
            free(screen->styles[role][bar].ascii);
    memset(screen->styles, 0, sizeof screen->styles);
    screen->n_pairs = 0;
}

enum { BRIGHT_BLACK = 8 };

/* A colour as curses numbers them, -1 for the terminal's own. */
static int colour_number(struct theme_colour colour, attr_t *attributes) {
    int value = colour.kind == COLOUR_RGB ? (int)colour_nearest_256(colour.value) : (int)colour.value;

    if (colour.kind == COLOUR_DEFAULT)
        return -1;
    if (value >= COLORS) {
        unsigned rgb;
        value = value >= 16 && colour_rgb((struct theme_colour){COLOUR_INDEX, (unsigned)value}, &rgb)
                    ? (int)colour_nearest_16(rgb)
                    : value;
    }
    if (value == BRIGHT_BLACK && COLORS <= BRIGHT_BLACK) { /* as bold black it would be invisible */
        *attributes |= A_DIM;
        return -1;
    }
    if (value >= COLORS && value >= 8) {
        *attributes |= A_BOLD;
        value -= 8;
    }
    return value < COLORS ? value : -1;
}

/* Colour pairs are made at the first use; when there are too many, further ones look plain instead of wrong. */
static int pair_for(struct screen *screen, int fg, int bg) {
    int most = COLOR_PAIRS - 1 < SCREEN_PAIRS_MAX ? COLOR_PAIRS - 1 : SCREEN_PAIRS_MAX;

    if (fg < 0 && bg < 0)
        return 0;
    for (int i = 1; i <= screen->n_pairs; i++)
        if (screen->pairs[i].fg == fg && screen->pairs[i].bg == bg)
            return i;
    if (screen->n_pairs >= most || init_extended_pair(screen->n_pairs + 1, fg, bg) == ERR)
        return 0;
    screen->pairs[++screen->n_pairs] = (struct screen_pair){fg, bg};
    return screen->n_pairs;
}

static attr_t curses_attributes(unsigned attributes) {
    return ((attributes & THEME_BOLD) != 0 ? A_BOLD : 0) | ((attributes & THEME_DIM) != 0 ? A_DIM : 0) |
           ((attributes & THEME_REVERSE) != 0 ? A_REVERSE : 0) |
           ((attributes & THEME_UNDERLINE) != 0 ? A_UNDERLINE : 0) | ((attributes & THEME_ITALIC) != 0 ? A_ITALIC : 0);
}

static void make_ascii(struct screen_style *style) {
    style->ascii = mem_new_array(ASCII_LAST - ASCII_FIRST + 1, sizeof *style->ascii);
    for (int c = ASCII_FIRST; c <= ASCII_LAST; c++)
        (void)setcchar(&style->ascii[c - ASCII_FIRST], (const wchar_t[]){c, L'\0'}, style->attributes, 0, &style->pair);
}

const struct screen_style *style_for(struct screen *screen, enum role role, int bar) {
    struct screen_style *out = &screen->styles[role][bar < 0 ? ROLE_COUNT : bar];
    struct theme_style style;
    int fg, bg;

    if (out->ascii)
        return out;
    style = theme_style(screen->theme, role, screen->depth);
    if (bar >= 0)
        style = theme_under_bar(style, theme_style(screen->theme, (enum role)bar, screen->depth));
    out->attributes = curses_attributes(style.attributes);
    if (has_colors()) {
        fg = colour_number(style.fg, &out->attributes);
        bg = colour_number(style.bg, &(attr_t){0});
        out->pair = pair_for(screen, fg, bg);
    }
    make_ascii(out);
    return out;
}

static enum theme_depth depth_of_terminal(void) {
    int status, colours = COLORS;

    /* setupterm would take the terminal away from an open screen. */
    if (!stdscr) {
        colours = setupterm(NULL, 1, &status) == OK ? tigetnum("colors") : 0;
        if (cur_term)
            (void)del_curterm(cur_term);
    }
    return colours >= 256 ? THEME_256 : colours >= 8 ? THEME_16 : THEME_MONO;
}

enum theme_depth screen_depth(const char *wish) {
    const char *no_color = getenv("NO_COLOR"), *color_term = getenv("COLORTERM");
    static const struct {
        const char *name;
        enum theme_depth depth;
    } wishes[] = {{"never", THEME_MONO}, {"16", THEME_16}, {"256", THEME_256}, {"truecolor", THEME_TRUE}};
    enum theme_depth depth;

    if (no_color && no_color[0] != '\0')
        return THEME_MONO;
    for (size_t i = 0; wish && i < sizeof wishes / sizeof *wishes; i++)
        if (strcmp(wish, wishes[i].name) == 0)
            return wishes[i].depth;
    depth = depth_of_terminal();
    if (depth > THEME_MONO && color_term && (strcmp(color_term, "truecolor") == 0 || strcmp(color_term, "24bit") == 0))
        return THEME_TRUE;
    return depth == THEME_MONO && wish && strcmp(wish, "always") == 0 ? THEME_16 : depth;
}
