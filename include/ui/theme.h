#ifndef UI_THEME_H
#define UI_THEME_H
/* How roles look. Plain text files (src/HACKING.md, Add a theme role); each role keeps its alternatives from
 * rich to poor, and the depth of the terminal chooses. A bad line is reported with file, line and reason, the rest
 * applies. */

#include "ui/role.h"

#include "base/str.h"

enum theme_depth { THEME_MONO, THEME_16, THEME_256, THEME_TRUE };

enum theme_attribute { THEME_BOLD = 1, THEME_DIM = 2, THEME_REVERSE = 4, THEME_UNDERLINE = 8, THEME_ITALIC = 16 };

struct theme_colour {
    enum { COLOUR_DEFAULT, COLOUR_INDEX, COLOUR_RGB } kind;
    unsigned value; /* index 0-255, or 0xrrggbb */
};

struct theme_style {
    unsigned attributes;
    struct theme_colour fg, bg;
};

struct theme;

/* Loads a theme from text onto a fresh table. `report` collects one line per fault: "name:line: reason". */
typedef bool theme_find_fn(void *context, const char *name, struct str *text); /* for `inherit` */
struct theme_source {
    const char *name; /* for messages */
    const char *text;
    size_t len;
    theme_find_fn *find;
    void *context;
};
struct theme *theme_load(const struct theme_source *source, struct str *report);
void theme_free(struct theme *theme);
struct theme_style theme_style(const struct theme *theme, enum role role, enum theme_depth depth);
const char *theme_symbol(const struct theme *theme, const char *name, bool ascii); /* NULL: the built-in set's */
/* Puts the theme's symbols (ui/canvas.h) in force. */
void theme_use_symbols(const struct theme *theme, bool ascii);

enum theme_background { THEME_ANY, THEME_DARK, THEME_LIGHT };
enum theme_background theme_background(const struct theme *theme);
/* What a reader would stumble on, one line each: contrast below 4.5:1 where both colours are known, statuses alike
 * without colour. True where there is nothing. */
bool theme_check(const struct theme *theme, struct str *report);

/* The shipped themes, built in from themes/ so that they are there without an installation; NULL past the last. The
 * first, `terminal`, is the default and what every theme stands on. */
struct theme_shipped {
    const char *name, *text;
};
const struct theme_shipped *theme_shipped(size_t index);
extern const char theme_builtin[];

#endif
