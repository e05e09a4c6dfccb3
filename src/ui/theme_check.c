#include "ui/theme.h"

#include "ui/theme_colour.h"
#include "ui/theme_table.h"

#include "base/mem.h"

/* Assumed for a default background: the least favourable of those that such terminals have. */
enum { DARK_BACKGROUND = 0x1c1c1c, LIGHT_BACKGROUND = 0xf4f4f4, CONTRAST_PERCENT = 450 };

/* By Newton's steps; v in (0, 1]. */
static double fifth_root(double v) {
    double root = 1.0;

    for (int i = 0; i < 60; i++)
        root -= (root - v / (root * root * root * root)) / 5.0;
    return root;
}

/* sRGB channel to linear light, WCAG 2.1 (relative luminance): the power of 2.4 without the mathematics library. */
static double linear(unsigned channel) {
    double c = (double)channel / 255.0, base = (c + 0.055) / 1.055;

    return c <= 0.04045 ? c / 12.92 : base * base * fifth_root(base * base);
}

static double luminance(unsigned rgb) {
    return 0.2126 * linear(rgb >> 16 & 0xff) + 0.7152 * linear(rgb >> 8 & 0xff) + 0.0722 * linear(rgb & 0xff);
}

static double contrast(unsigned a, unsigned b) {
    double la = luminance(a), lb = luminance(b);

    return la > lb ? (la + 0.05) / (lb + 0.05) : (lb + 0.05) / (la + 0.05);
}

static bool theme_check_known(const struct theme *theme, struct theme_colour colour, bool background, unsigned *rgb) {
    if (colour_rgb(colour, rgb))
        return true;
    if (colour.kind != COLOUR_DEFAULT || theme_background(theme) == THEME_ANY)
        return false;
    *rgb = (theme_background(theme) == THEME_DARK) == background ? DARK_BACKGROUND : LIGHT_BACKGROUND;
    return true;
}

/* `under`: how the line names the background, "" for the role's own. */
static bool check_pair(const struct theme *theme, struct theme_style style, const char *name, const char *under,
                       struct str *report) {
    unsigned fg, bg;
    bool coloured = style.fg.kind != COLOUR_DEFAULT || style.bg.kind != COLOUR_DEFAULT;
    int percent;

    if (!coloured || !theme_check_known(theme, style.fg, false, &fg) || !theme_check_known(theme, style.bg, true, &bg))
        return true;
    percent = (int)(contrast(fg, bg) * 100.0);
    if (percent >= CONTRAST_PERCENT)
        return true;
    str_addf(report, "%s%s: contrast %d.%02d:1, less than 4.5:1\n", name, under, percent / 100, percent % 100);
    return false;
}

static bool check_contrast(const struct theme *theme, enum role role, enum theme_depth depth, struct str *report) {
    struct theme_style style = theme_style(theme, role, depth), cursor = theme_style(theme, ROLE_CURSOR, depth);
    bool all = depth == THEME_TRUE, good;

    /* Rules and bars are read by their shape. */
    if (role == ROLE_RULE || role == ROLE_BAR || role == ROLE_BAR_ALT)
        return true;
    good = check_pair(theme, style, role_name(role), all ? "" : " in 256 colours", report);
    return check_pair(theme, theme_under_bar(style, cursor), role_name(role),
                      all ? " under the cursor" : " under the cursor in 256 colours", report) &&
           good;
}

static bool check_statuses(const struct theme *theme, struct str *report) {
    static const enum role statuses[] = {ROLE_STATUS_CREATED, ROLE_STATUS_APPROVED, ROLE_STATUS_DECLINED,
                                         ROLE_STATUS_PENDING, ROLE_STATUS_CANCELED, ROLE_UNKNOWN};
    bool good = true;

    for (size_t i = 0; i < COUNT_OF(statuses); i++) {
        for (size_t k = i + 1; k < COUNT_OF(statuses); k++) {
            if (theme_style(theme, statuses[i], THEME_MONO).attributes ==
                theme_style(theme, statuses[k], THEME_MONO).attributes) {
                str_addf(report, "%s and %s look alike without colour\n", role_name(statuses[i]),
                         role_name(statuses[k]));
                good = false;
            }
        }
    }
    return good;
}

bool theme_check(const struct theme *theme, struct str *report) {
    bool good = true;

    for (int role = 0; role < ROLE_COUNT; role++) {
        good = check_contrast(theme, (enum role)role, THEME_TRUE, report) && good;
        good = check_contrast(theme, (enum role)role, THEME_256, report) && good;
    }
    return check_statuses(theme, report) && good;
}
