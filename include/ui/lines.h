#ifndef UI_LINES_H
#define UI_LINES_H
/* Lines of text for dialogs and pagers: wrapping, and finding without regard to case and marks. */

#include "ui/canvas.h"

/* Bytes of the next line of `text` within `cols` cells, broken at a blank where there is one; *skip is what to step
 * over to reach the following line. */
size_t lines_wrap(const char *text, int cols, size_t *skip);
int lines_count(const char *text, int cols);
/* Broken to the area; its last row is cut where there is more, and shows it. */
void lines_draw(struct canvas *canvas, struct rect area, enum role role, const char *text);

/* needle is folded (utf8_fold). Empty needles are never found. */
bool lines_has(const char *text, const char *needle);
/* The first match: byte offsets [*from, *to) on grapheme boundaries. */
bool lines_find(const char *text, const char *needle, size_t *from, size_t *to);

#endif
