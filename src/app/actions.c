#include "app/actions.h"

#include "base/mem.h"

static const struct action ITEMS[] = {
#define X(code, view, name, keys, hint, help) {ACTION_##code, view, name, keys, hint, help},
    ACTION_TABLE(X)
#undef X
};

static const struct action_table TABLE = {ITEMS, COUNT_OF(ITEMS), ACTION_CANCEL, actions_preset};

const struct action_table *action_table(void) {
    return &TABLE;
}

const struct action *actions(size_t *n) {
    *n = TABLE.n;
    return TABLE.items;
}

const char *action_name(int action) {
    return ITEMS[action].name;
}
