#include "ui/theme_colour.h"

#include "base/ascii.h"
#include "base/mem.h"

#include <string.h>

static const char *const names[16] = {
    "black",       "red",          "green",      "yellow",       "blue",          "magenta",     "cyan",
    "white",       "bright-black", "bright-red", "bright-green", "bright-yellow", "bright-blue", "bright-magenta",
    "bright-cyan", "bright-white",
};

/* xterm's defaults, only to find the nearest of the 16. */
static const unsigned usual[16] = {
    0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
    0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
};

static int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool parse_rgb(const char *digits, size_t len, struct theme_colour *out) {
    unsigned value = 0;

    if (len != 6)
        return false;
    for (size_t i = 0; i < len; i++) {
        int digit = hex_digit(digits[i]);
        if (digit < 0)
            return false;
        value = value << 4 | (unsigned)digit;
    }
    *out = (struct theme_colour){.kind = COLOUR_RGB, .value = value};
    return true;
}

static bool theme_colour_is_word(const char *word, size_t len, const char *name) {
    return strlen(name) == len && ascii_compare_n(word, name, len) == 0;
}

bool colour_parse(const char *word, size_t len, struct theme_colour *out) {
    long long n;

    if (len > 0 && word[0] == '#')
        return parse_rgb(word + 1, len - 1, out);
    if (theme_colour_is_word(word, len, "default")) {
        *out = (struct theme_colour){.kind = COLOUR_DEFAULT};
        return true;
    }
    if (len > 5 && ascii_compare_n(word, "color", 5) == 0 && word[5] >= '0' && word[5] <= '9') {
        if (!str_to_int64(word + 5, len - 5, &n) || n < 0 || n > 255)
            return false;
        *out = (struct theme_colour){.kind = COLOUR_INDEX, .value = (unsigned)n};
        return true;
    }
    for (unsigned i = 0; i < COUNT_OF(names); i++) {
        if (theme_colour_is_word(word, len, names[i])) {
            *out = (struct theme_colour){.kind = COLOUR_INDEX, .value = i};
            return true;
        }
    }
    return false;
}

static unsigned cube_level(unsigned step) {
    return step == 0 ? 0 : 55 + step * 40;
}

static unsigned index_rgb(unsigned index) {
    if (index >= 232) {
        unsigned grey = 8 + (index - 232) * 10;
        return grey << 16 | grey << 8 | grey;
    }
    index -= 16;
    return cube_level(index / 36) << 16 | cube_level(index / 6 % 6) << 8 | cube_level(index % 6);
}

bool colour_rgb(struct theme_colour colour, unsigned *rgb) {
    if (colour.kind == COLOUR_RGB) {
        *rgb = colour.value;
        return true;
    }
    if (colour.kind == COLOUR_INDEX && colour.value >= 16) {
        *rgb = index_rgb(colour.value);
        return true;
    }
    return false;
}

/* Squared distance, weighted as the eye weighs (ITU-R BT.601's rough shares 3:6:1). */
static unsigned distance(unsigned a, unsigned b) {
    int red = (int)(a >> 16 & 0xff) - (int)(b >> 16 & 0xff);
    int green = (int)(a >> 8 & 0xff) - (int)(b >> 8 & 0xff);
    int blue = (int)(a & 0xff) - (int)(b & 0xff);

    return (unsigned)(3 * red * red + 6 * green * green + blue * blue);
}

unsigned colour_nearest_256(unsigned rgb) {
    unsigned best = 16;

    for (unsigned i = 17; i < 256; i++)
        if (distance(rgb, index_rgb(i)) < distance(rgb, index_rgb(best)))
            best = i;
    return best;
}

unsigned colour_nearest_16(unsigned rgb) {
    unsigned best = 0;

    for (unsigned i = 1; i < 16; i++)
        if (distance(rgb, usual[i]) < distance(rgb, usual[best]))
            best = i;
    return best;
}
