#include "panes/actions.h"

#include "base/mem.h"

static const struct action TABLE[] = {
#define X(code, view, name, keys, hint, help) {ACTION_##code, view, name, keys, hint, help},
    ACTION_TABLE(X)
#undef X
};

const struct action *actions(size_t *n) {
    *n = COUNT_OF(TABLE);
    return TABLE;
}
