#include "panes/shell/moves.h"

#include "app/actions.h"
#include "base/mem.h"
#include "ui/input.h"

bool table_act(struct table *table, size_t rows, int action) {
    switch (action) {
    case ACTION_DOWN:
    case ACTION_UP:
        table_move(table, rows, action == ACTION_DOWN ? 1 : -1);
        return true;
    case ACTION_FIRST:
        table_first(table);
        return true;
    case ACTION_LAST:
        table_last(table, rows);
        return true;
    case ACTION_HALF_DOWN:
    case ACTION_HALF_UP:
        table_page(table, rows, action == ACTION_HALF_DOWN ? 1 : -1, true);
        return true;
    case ACTION_PAGE_DOWN:
    case ACTION_PAGE_UP:
        table_page(table, rows, action == ACTION_PAGE_DOWN ? 1 : -1, false);
        return true;
    default:
        return false;
    }
}

int32_t pager_move(int action) {
    static const struct {
        int action;
        int32_t key;
    } MOVES[] = {{ACTION_DOWN, INPUT_DOWN},           {ACTION_UP, INPUT_UP},
                 {ACTION_FIRST, INPUT_HOME},          {ACTION_LAST, INPUT_END},
                 {ACTION_PAGE_DOWN, INPUT_PAGE_DOWN}, {ACTION_PAGE_UP, INPUT_PAGE_UP},
                 {ACTION_HALF_DOWN, KEY_CTRL('D')},   {ACTION_HALF_UP, KEY_CTRL('U')}};
    for (size_t i = 0; i < COUNT_OF(MOVES); i++)
        if (MOVES[i].action == action)
            return MOVES[i].key;
    return 0;
}
