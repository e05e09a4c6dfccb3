#ifndef PANES_MOVES_H
#define PANES_MOVES_H
/* The actions that move a cursor or scroll. */

#include "ui/table.h"

/* Moves the cursor of a table with so many rows; false: the action is another one. */
bool table_act(struct table *table, size_t rows, int action);
/* The key by which a pager knows this movement, whatever the key map says; 0: the action is another one. */
int32_t pager_move(int action);

#endif
