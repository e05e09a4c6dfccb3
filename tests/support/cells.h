#ifndef SUPPORT_CELLS_H
#define SUPPORT_CELLS_H
/* What a terminal emulator shows, as text for a golden file: each row, then its runs of colour and attributes. */

#include "base/str.h"
#include "support/pty.h"

/* With what depends on when the test runs made alike: the time of the last answer, the time in an export's name. */
void cells_dump(struct pty *pty, int rows, int cols, struct str *out);

#endif
