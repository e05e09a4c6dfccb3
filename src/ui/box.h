#ifndef UI_BOX_H
#define UI_BOX_H
/* Where a dialog's box would stand, without drawing it. */

#include "ui/canvas.h"

struct box {
    struct rect outer, inside;
    bool closed; /* has the rule at its bottom */
};
struct box box_place(struct rect within, int rows, int cols);

#endif
