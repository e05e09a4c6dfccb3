#ifndef UI_BOX_H
#define UI_BOX_H
/* Computes where a dialog's box is, without drawing it. */

#include "ui/canvas.h"

struct box {
    struct rect outer, inside;
    bool closed; /* has a line at its bottom */
};
struct box box_place(struct rect within, int rows, int cols);

#endif
