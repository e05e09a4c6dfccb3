#include "state.h"

#include "base/mem.h"

enum { SECOND = 1000 };

static enum live_hold hold(const struct shell *shell) {
    const struct table *table = &shell->intents.table;
    size_t page = table->visible_rows > 0 ? (size_t)table->visible_rows : 1;
    if (shell->pane != PANE_INTENTS) {
        return LIVE_ELSEWHERE;
    }
    if (shell->overlay != OVERLAY_NONE || shell->intents.detail.pager.searching) {
        return LIVE_ASKED;
    }
    return table->top > 0 || table->cursor >= page ? LIVE_READING : LIVE_FREE;
}

void intents_live(struct shell *shell, struct effects *effects) {
    struct live *live = &shell->intents.live;
    enum live_hold before = live->hold;
    live_update(live, hold(shell), shell->now, effects);
    shell->dirty = shell->dirty || live->hold != before;
}

static void add_seconds(struct str *out, int64_t ms) {
    str_addf(out, "%lld s", (long long)((ms + SECOND - 1) / SECOND));
}

/* Nothing while it is off: what is not wanted needs no room. */
void intents_live_text(const struct shell *shell, struct str *out, enum role *role) {
    static const char *const HOLDS[] = {[LIVE_READING] = "live waits: not at the top",
                                        [LIVE_ASKED] = "live waits: dialog",
                                        [LIVE_ELSEWHERE] = "live waits: other pane",
                                        [LIVE_THROTTLED] = "live waits: told to",
                                        [LIVE_DENIED] = "live stopped: not authorised"};
    const struct live *live = &shell->intents.live;
    *role = ROLE_WARN;
    if (live->mode == LIVE_PAUSED) {
        str_add(out, "LIVE PAUSED");
    } else if (live->mode == LIVE_ON && live->hold != LIVE_FREE) {
        *role = live->hold == LIVE_DENIED || live->hold == LIVE_THROTTLED ? ROLE_WARN : ROLE_DIM;
        str_add(out, HOLDS[live->hold]);
    } else if (live->mode == LIVE_ON) {
        *role = ROLE_OK;
        str_add(out, "live ");
        add_seconds(out, live->period);
    }
}

/* Where the cursor stands on the first screen the new rows are brought into sight, as far as its row stays there. */
static void show_top(struct table *table, size_t rows, bool at_top) {
    size_t page = table->visible_rows > 0 ? (size_t)table->visible_rows : 1;
    if (at_top) {
        table->top = table->cursor < page ? 0 : table->cursor - page + 1;
        table_place(table, rows, table->cursor);
    }
}

void intents_show_new(struct shell *shell, struct effects *effects) {
    struct intents *intents = &shell->intents;
    struct browse *browse = &intents->browse;
    bool at_top = intents->table.top == 0;
    size_t n = browse->waiting.n;
    if (n == 0 && browse_gone(browse) == 0) {
        shell_message(shell, ROLE_INFO, "nothing new waits");
        return;
    }
    browse_bring(browse, effects);
    intents_changed(shell, effects);
    show_top(&intents->table, intents_count(shell), at_top);
    if (n > 0 && !at_top) {
        shell_message(shell, ROLE_INFO, "new rows are at the top; g goes there");
    }
}

/* A row is seen when the cursor leaves it. */
void intents_see(struct shell *shell, const char *id) {
    struct browse *browse = &shell->intents.browse;
    browse_see(browse, browse_find(browse, id));
}
