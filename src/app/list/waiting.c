#include "waiting.h"
#include "left.h"
#include "rows.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Limits the rows of a list that nobody looks at for days: older ones are read again when they are wanted. */
enum { WAITING_MAX = 2000 };

static void waiting_cut(struct browse *browse, size_t n) {
    for (size_t i = n; i < browse->waiting.n; i++)
        intent_free(browse->waiting.items[i]);
    browse->waiting.n = n;
}

void waiting_drop(struct browse *browse) {
    waiting_cut(browse, 0);
    browse->waiting.gap = false;
}

bool waiting_replace(struct browse *browse, struct intent *intent) {
    const char *id = rows_id(intent);
    for (size_t i = 0; i < browse->waiting.n; i++) {
        struct intent *held = browse->waiting.items[i];
        bool same = id ? str_equal(rows_id(held), id)
                       : held->raw_len == intent->raw_len && memcmp(held->raw, intent->raw, held->raw_len) == 0;
        if (same) {
            browse->waiting.items[i] = intent;
            intent_free(held);
            return true;
        }
    }
    return false;
}

static void waiting_note(struct browse *browse, bool gap, int64_t now) {
    browse->waiting.at = now;
    browse->waiting.gap = browse->waiting.gap || gap;
    if (browse->waiting.n > WAITING_MAX) {
        waiting_cut(browse, WAITING_MAX);
        browse->waiting.gap = true;
    }
}

void waiting_add(struct browse *browse, struct intent *intent, int64_t now) {
    (void)vec_add(&browse->waiting);
    memmove(browse->waiting.items + 1, browse->waiting.items, (browse->waiting.n - 1) * sizeof *browse->waiting.items);
    browse->waiting.items[0] = intent;
    waiting_note(browse, false, now);
}

void waiting_take_head(struct browse *browse, bool gap, int64_t now) {
    size_t n = browse->head.n;
    for (size_t i = 0; i < n; i++)
        (void)vec_add(&browse->waiting);
    struct intent **items = browse->waiting.items;
    if (n > 0) {
        memmove(items + n, items, (browse->waiting.n - n) * sizeof *items);
        memcpy(items, browse->head.items, n * sizeof *items);
    }
    browse->head.n = 0;
    waiting_note(browse, gap, now);
}

void browse_see(struct browse *browse, size_t row) {
    if (row < browse->n) {
        browse->items[row].is_new = false;
        browse->items[row].changed = 0;
    }
}

void browse_bring(struct browse *browse, struct effects *effects) {
    rows_drop_gone(browse);
    left_apply(browse);
    browse->generation++;
    if (browse->waiting.gap) {
        waiting_drop(browse);
        browse_start(browse, effects);
        return;
    }
    rows_place(browse, browse->waiting.items, browse->waiting.n, browse->waiting.at);
    browse->waiting.n = 0;
}

void waiting_clock_set(struct browse *browse, int64_t shift) {
    clock_shift(&browse->retry_at, shift);
    clock_shift(&browse->chain.failing_since, shift);
    clock_shift(&browse->head.since, shift);
}
