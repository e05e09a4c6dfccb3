#ifndef UI_THEME_COLOUR_H
#define UI_THEME_COLOUR_H
/* Colours by name, and what they come to where fewer are to be had. */

#include "ui/theme.h"

#include <stddef.h>

/* default, the 16 names, color0 to color255, #rrggbb. */
bool colour_parse(const char *word, size_t len, struct theme_colour *out);
/* 0xrrggbb of indices 16 to 255 and of RGB; false for the rest, whose look is the terminal's own. */
bool colour_rgb(struct theme_colour colour, unsigned *rgb);
unsigned colour_nearest_256(unsigned rgb); /* 16 to 255: the lower ones look different everywhere */
unsigned colour_nearest_16(unsigned rgb);

#endif
