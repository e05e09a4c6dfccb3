#include "judged_cells.h"

#include "model/finding.h"
#include "wire/page.h"

bool judged_cells_read(const struct cache_row *row, struct cells *out) {
    if (!cells_read(row->cells, row->cells_len, out))
        return false;
    if (out->flags & CELLS_JUDGED)
        return true;
    struct intent *intent = wire_intent(row->raw, row->raw_len);
    out->flags |= finding_flags(intent);
    intent_free(intent);
    return true;
}
