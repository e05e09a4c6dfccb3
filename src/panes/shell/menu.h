#ifndef PANES_MENU_H
#define PANES_MENU_H
/* One choice out of a list over the pane: begin, add each choice, open. */

#include "panes/shell/console.h"
#include "panes/shell/pane.h"

typedef void menu_chosen_fn(struct shell *shell, size_t choice, struct effects *effects); /* gets its place */
void menu_begin(struct shell *shell, const char *title, menu_chosen_fn *chosen);
void menu_add(struct shell *shell, const char *label, const char *note); /* copied; note may be NULL */
/* back: the overlay that leaving it without a choice leads to. */
void menu_open_over(struct shell *shell, enum pane_id back);
void menu_open(struct shell *shell);

#endif
