#include "panes/shell/shell_state.h"

#include "base/mem.h"

/* Panes and overlays: which exist, which is on show, which gets the keys. */

static const struct pane *const PANES[PANE_COUNT] = {
#define X(id, table) [id] = &(table),
    PANE_TABLE(X)
#undef X
};

const struct pane *pane_of(enum pane_id id) {
    return PANES[id];
}

void *shell_state(const struct shell *shell, enum pane_id id) {
    return shell->states[id];
}

const struct pane *shell_pane(const struct shell *shell) {
    return PANES[shell->stands[shell->pane - PANE_FIRST]];
}

const struct pane *shell_overlay(const struct shell *shell) {
    return shell->overlay == OVERLAY_NONE ? NULL : PANES[shell->overlay];
}

bool shell_is_on(const struct shell *shell, enum pane_id id) {
    return shell->pane == id;
}

bool shell_shows(const struct shell *shell, enum pane_id overlay) {
    return shell->overlay == overlay;
}

bool shell_has_overlay(const struct shell *shell) {
    return shell->overlay != OVERLAY_NONE;
}

void shell_put(struct shell *shell, enum pane_id overlay) {
    shell->overlay = overlay;
    shell->dirty = true;
}

void shell_close(struct shell *shell) {
    shell->overlay = OVERLAY_NONE;
}

static bool opens(struct shell *shell, enum pane_id id, const void *argument, struct effects *effects) {
    return !PANES[id]->open || PANES[id]->open(shell, argument, effects);
}

bool shell_open(struct shell *shell, enum pane_id overlay, const void *argument, struct effects *effects) {
    bool comes = opens(shell, overlay, argument, effects);
    if (comes)
        shell_put(shell, overlay);
    return comes;
}

bool shell_stand_in(struct shell *shell, enum pane_id id, enum pane_id by, struct effects *effects) {
    bool comes = opens(shell, by, NULL, effects);
    if (comes)
        shell->stands[id - PANE_FIRST] = by;
    return comes;
}

bool shell_stands(const struct shell *shell, enum pane_id id) {
    bool stands = false;
    for (int i = 0; i < PANE_NUMBERS; i++)
        stands = stands || shell->stands[i] == id;
    return stands;
}

void shell_go(struct shell *shell, enum pane_id id, struct effects *effects) {
    if (id == shell->pane)
        return;
    if (PANES[shell->pane]->leave)
        PANES[shell->pane]->leave(shell, effects);
    shell_message_outdated(shell);
    shell->pane = id;
    if (PANES[id]->enter)
        PANES[id]->enter(shell, effects);
}
