#include "panes/shell/calm.h"

#include "panes/shell/review.h"
#include "panes/shell/shell_state.h"

enum { QUIET_MS = 500, STRAY_MS = 300 };

void calm_begin(const struct shell *shell, struct calm *calm) {
    *calm = (struct calm){.until = shell_now(shell) + QUIET_MS};
}

void calm_drawn(const struct shell *shell, struct calm *calm) {
    if (!calm->drawn)
        *calm = (struct calm){.drawn = true, .fresh = true, .until = shell_now(shell) + QUIET_MS};
}

void calm_stray(const struct shell *shell, struct calm *calm) {
    int64_t until = shell_now(shell) + STRAY_MS;
    calm->until = calm->until > until ? calm->until : until;
}

bool calm_is_over(const struct shell *shell, const struct calm *calm) {
    bool waits = calm->fresh && shell_is_framed(shell); /* drawn, but not on the terminal yet */
    return calm->drawn && !waits && shell_now(shell) >= calm->until;
}

/* Of what the pane or overlay asks now; NULL: nothing. */
static struct calm *calm_of(struct shell *shell, int id) {
    const struct pane *pane = pane_of((enum pane_id)id);
    struct review *review = pane->review ? pane->review(shell) : NULL;
    if (review)
        return &review->calm;
    return pane->calm ? pane->calm(shell) : NULL;
}

bool calm_shown(struct shell *shell) {
    bool fresh = false;
    for (int id = 0; id < PANE_COUNT; id++) {
        struct calm *calm = calm_of(shell, id);
        if (calm && calm->fresh) {
            *calm = (struct calm){.drawn = true, .until = shell_now(shell) + QUIET_MS};
            fresh = true;
        }
    }
    return fresh;
}

void calm_clock_set(struct shell *shell, int64_t shift) {
    for (int id = 0; id < PANE_COUNT; id++) {
        struct calm *calm = calm_of(shell, id);
        if (calm)
            calm->until += shift;
    }
}
