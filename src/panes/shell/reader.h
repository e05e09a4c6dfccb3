#ifndef PANES_READER_H
#define PANES_READER_H
/* A text over the pane, broken to the window: open, add lines to its body, fill. */

#include "panes/shell/detail.h"
#include "panes/shell/pane.h"

/* of: whose text it is; back: where closing it leads. */
struct detail *reader_open(struct shell *shell, const char *title, enum pane_id of, enum pane_id back);
struct detail *reader_body(const struct shell *shell, enum pane_id of); /* NULL: another's text is there, or none */
void reader_fill(struct shell *shell);                                  /* after its lines changed */

#endif
