#ifndef UI_PROGRESS_H
#define UI_PROGRESS_H
/* Progress of something long, on one row: a bar where the end is known, counts where not. */

#include "ui/canvas.h"

struct progress {
    const char *what;
    uint64_t done, total; /* total 0: not known */
    const char *note;     /* rate, time left; may be NULL */
};
void progress_draw(const struct progress *progress, struct canvas *canvas, struct rect area, int y);

/* Redraw at most every 100 ms or 1 %, so that showing it does not slow the work: true when a redraw is due, and takes
 * note. */
struct progress_pace {
    int64_t at;
    uint64_t done;
};
bool progress_due(struct progress_pace *pace, const struct progress *progress, int64_t now);

#endif
