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
    browse->waiting.n = browse->waiting.times.n = n;
}

void waiting_drop(struct browse *browse) {
    waiting_cut(browse, 0);
    browse->waiting.gap = false;
}

/* The number of those that wait: none. */
static size_t waiting_place(const struct browse *browse, const struct intent *intent) {
    const char *id = intent_id(intent);
    for (size_t i = 0; i < browse->waiting.n; i++) {
        const struct intent *held = browse->waiting.items[i];
        if (id ? str_equal(intent_id(held), id)
               : held->raw_len == intent->raw_len && memcmp(held->raw, intent->raw, held->raw_len) == 0)
            return i;
    }
    return browse->waiting.n;
}

int64_t waiting_time(const struct browse *browse, const struct intent *intent) {
    size_t at = waiting_place(browse, intent);
    return at < browse->waiting.n ? browse->waiting.times.items[at] : CLOCK_NONE;
}

bool waiting_replace(struct browse *browse, struct intent *intent, int64_t now) {
    size_t at = waiting_place(browse, intent);
    if (at == browse->waiting.n)
        return false;
    intent_free(browse->waiting.items[at]);
    browse->waiting.items[at] = intent;
    browse->waiting.times.items[at] = now;
    return true;
}

/* Room for n rows above the others. */
static void waiting_make_room(struct browse *browse, size_t n, int64_t now) {
    size_t held = browse->waiting.n;
    for (size_t i = 0; i < n; i++) {
        (void)vec_add(&browse->waiting);
        (void)vec_add(&browse->waiting.times);
    }
    if (n == 0)
        return;
    struct intent **items = browse->waiting.items;
    int64_t *times = browse->waiting.times.items;
    memmove(items + n, items, held * sizeof *items);
    memmove(times + n, times, held * sizeof *times);
    for (size_t i = 0; i < n; i++)
        times[i] = now;
}

static void waiting_note(struct browse *browse, bool gap) {
    browse->waiting.gap = browse->waiting.gap || gap;
    if (browse->waiting.n > WAITING_MAX) {
        waiting_cut(browse, WAITING_MAX);
        browse->waiting.gap = true;
    }
}

void waiting_add(struct browse *browse, struct intent *intent, int64_t now) {
    waiting_make_room(browse, 1, now);
    browse->waiting.items[0] = intent;
    waiting_note(browse, false);
}

void waiting_take_head(struct browse *browse, bool gap, int64_t now) {
    size_t n = browse->head.n;
    waiting_make_room(browse, n, now);
    if (n > 0)
        memcpy(browse->waiting.items, browse->head.items, n * sizeof *browse->head.items);
    browse->head.n = 0;
    waiting_note(browse, gap);
}

void browse_see(struct browse *browse, size_t row) {
    if (row < browse->n) {
        browse->items[row].is_new = false;
        browse->items[row].changed = 0;
    }
}

/* Of several times the earliest: none of the rows counts as served later than it was. */
static int64_t waiting_since(const struct browse *browse) {
    int64_t since = INT64_MAX;
    for (size_t i = 0; i < browse->waiting.times.n; i++)
        since = browse->waiting.times.items[i] < since ? browse->waiting.times.items[i] : since;
    return since;
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
    rows_place(browse, browse->waiting.items, browse->waiting.n, waiting_since(browse));
    browse->waiting.n = browse->waiting.times.n = 0;
}

void waiting_clock_set(struct browse *browse, int64_t shift) {
    clock_shift(&browse->retry_at, shift);
    clock_shift(&browse->chain.failing_since, shift);
    clock_shift(&browse->head.since, shift);
}
