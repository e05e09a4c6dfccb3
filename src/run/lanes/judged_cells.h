#ifndef RUN_JUDGED_CELLS_H
#define RUN_JUDGED_CELLS_H
/* The cells of a cached row with the flags of the rules of findings, also where the row was packed before those rules
 * were: then it is judged by its text, since it may never be served again. */

#include "model/cells.h"
#include "store/cache.h"

bool judged_cells_read(const struct cache_row *row, struct cells *out); /* as cells_read */

#endif
