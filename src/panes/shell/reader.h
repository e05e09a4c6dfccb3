#ifndef PANES_READER_H
#define PANES_READER_H
/* A text over the pane, broken to the window: open it, add lines to its body, fill it. */

#include "panes/shell/detail.h"
#include "panes/shell/pane.h"

/* of: whose text it is; back: the overlay that closing leads to. */
struct detail *reader_open(struct shell *shell, const char *title, enum pane_id of, enum pane_id back);
/* NULL: the text on show is another's, or there is none. */
struct detail *reader_body(const struct shell *shell, enum pane_id of);
/* Enter does this instead of closing the text that is open. */
void reader_on_enter(struct shell *shell, void (*enter)(struct shell *shell));
void reader_fill(struct shell *shell); /* after its lines changed */

#endif
