#ifndef PANES_MOVES_H
#define PANES_MOVES_H
/* The actions that move a cursor or scroll. */

#include "ui/table.h"

/* The cursor of a table with so many rows; false: another action. */
bool table_act(struct table *table, size_t rows, int action);
/* The key by which a pager knows such a movement, whatever the key map says; 0: another action. */
int32_t pager_move(int action);

#endif
