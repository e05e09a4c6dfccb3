#include "redact_find.h"

#include "base/mem.h"
#include "base/secret.h"
#include "utf8_scan.h"

#include <stdlib.h>

enum { UNITS_MIN = 2, WEIGHT_MIN = 3, LONG_MIN = 24, LONG_CUT_MIN = 12 };

void units_clear(struct units *units) {
    if (units->items)
        secret_wipe(units->items, units->n * sizeof *units->items);
    free(units->items);
    *units = (struct units){0};
}

static size_t bucket_of(int32_t cp) {
    return (uint32_t)cp % FIND_BUCKETS;
}

static size_t *fails_of(const struct units *units) {
    size_t *fails = mem_new_array(units->n + 1, sizeof *fails), met = 0;
    for (size_t i = 1; i < units->n; i++) {
        while (met > 0 && units->items[met].cp != units->items[i].cp)
            met = fails[met];
        met += units->items[met].cp == units->items[i].cp ? 1 : 0;
        fails[i + 1] = met;
    }
    return fails;
}

/* What is short occurs everywhere. A character of two cells is a syllable or a word: two of them are a whole name. */
static bool is_too_short(const struct units *units) {
    size_t weight = 0;
    for (size_t i = 0; i < units->n && weight < WEIGHT_MIN; i++)
        weight += utf8_width(units->items[i].cp) > 1 ? 2 : 1;
    return units->n < UNITS_MIN || weight < WEIGHT_MIN;
}

void lane_add(struct lane *lane, struct units *units, bool whole) {
    if (is_too_short(units)) {
        units_clear(units);
        return;
    }
    size_t *bucket = &lane->buckets[bucket_of(units->items->cp)];
    struct needle needle = {.units = *units, .fails = fails_of(units), .whole = whole, .next = *bucket};
    *vec_add(lane) = needle;
    *bucket = lane->n;
    *units = (struct units){0};
}

void lane_start(struct lane *lane) {
    size_t longest = 0;
    for (size_t i = 0; i < lane->n; i++)
        longest = lane->items[i].units.n > longest ? lane->items[i].units.n : longest;
    for (lane->size = 1; lane->size <= longest; lane->size *= 2)
        continue;
    lane->last = mem_new_array(lane->size, sizeof *lane->last);
}

/* The needles that end at this unit: the longest beginning that matched so far, and the shorter ones that it ends in.
 */
static void redact_find_report(const struct lane *lane, const struct finder *finder, const struct needle *needle,
                               size_t least) {
    for (size_t met = needle->met; met > 0 && met >= least; met = needle->fails[met]) {
        const struct unit *first = &lane->last[(lane->at - met) & (lane->size - 1)];
        const struct unit *last = &lane->last[(lane->at - 1) & (lane->size - 1)];
        if (finder->found(finder->context, first->start, last->end))
            return;
    }
}

/* How many first characters of a value count as a match: of a long value not all, since so many do not match by chance.
 */
static size_t least_of(const struct needle *needle, const struct finder *finder) {
    size_t part = finder->cut_min > LONG_CUT_MIN ? finder->cut_min : LONG_CUT_MIN;
    return !needle->whole && needle->units.n >= LONG_MIN ? part : needle->units.n;
}

static void redact_find_step(struct lane *lane, const struct finder *finder, struct needle *needle, struct unit unit) {
    size_t met = needle->met;
    if (met > 0 && needle->units.items[met].cp != unit.cp)
        redact_find_report(lane, finder, needle, least_of(needle, finder));
    while (met > 0 && needle->units.items[met].cp != unit.cp)
        met = needle->fails[met];
    needle->met = met + (needle->units.items[met].cp == unit.cp ? 1 : 0);
}

static void reach(const struct lane *lane, const struct finder *finder, struct needle *needle) {
    if (needle->met < needle->units.n)
        return;
    redact_find_report(lane, finder, needle, least_of(needle, finder));
    needle->met = needle->fails[needle->met];
}

static void redact_find_wake(struct lane *lane, struct unit unit, int32_t behind) {
    for (size_t i = lane->buckets[bucket_of(unit.cp)]; i > 0; i = lane->items[i - 1].next) {
        struct needle *needle = &lane->items[i - 1];
        if (needle->met > 0 || needle->units.items[0].cp != unit.cp || needle->units.items[1].cp != behind)
            continue;
        needle->met = 1;
        *vec_add(&lane->begun) = i - 1;
    }
}

/* beside: what stands before or behind it. */
static bool is_ellipsis(int32_t cp, int32_t beside) {
    return cp == REDACT_ELLIPSIS || (cp == '.' && beside == '.');
}

static void report_cut(const struct lane *lane, const struct finder *finder) {
    for (size_t i = 0; i < lane->begun.n; i++) {
        const struct needle *needle = &lane->items[lane->begun.items[i]];
        if (!needle->whole)
            redact_find_report(lane, finder, needle, finder->cut_min);
    }
}

/* Whether the last `n` units are the end of a longer value. */
static bool ends_with_last(const struct lane *lane, const struct units *units, size_t n) {
    for (size_t i = 1; i <= n; i++)
        if (lane->last[(lane->at - i) & (lane->size - 1)].cp != units->items[units->n - i].cp)
            return false;
    return true;
}

/* The ends of values that stand directly behind a mark of what was left out. */
static void report_ends(const struct lane *lane, const struct finder *finder) {
    const struct unit *first = &lane->last[(lane->at - lane->since_mark) & (lane->size - 1)];
    const struct unit *last = &lane->last[(lane->at - 1) & (lane->size - 1)];
    for (size_t i = 0; i < lane->n; i++) {
        const struct needle *needle = &lane->items[i];
        if (!needle->whole && lane->since_mark < needle->units.n &&
            ends_with_last(lane, &needle->units, lane->since_mark))
            (void)finder->found(finder->context, first->start, last->end);
    }
}

static bool is_gap_mark(int32_t cp, int32_t before) {
    enum { BULLET = 0x2022 };
    return is_ellipsis(cp, before) || cp == '*' || cp == BULLET;
}

static void mind_marks(struct lane *lane, const struct finder *finder, struct unit unit, int32_t before) {
    if (is_gap_mark(unit.cp, before)) {
        lane->behind_mark = true;
        lane->since_mark = 0;
        return;
    }
    lane->behind_mark = lane->behind_mark && ++lane->since_mark < lane->size;
    if (lane->behind_mark && lane->since_mark >= finder->cut_min)
        report_ends(lane, finder);
}

static void take_one(struct lane *lane, const struct finder *finder, struct unit unit, int32_t behind) {
    size_t n = 0;
    int32_t before = lane->at > 0 ? lane->last[(lane->at - 1) & (lane->size - 1)].cp : ' ';
    if (lane->begun.n > 0 && is_ellipsis(unit.cp, behind))
        report_cut(lane, finder);
    for (size_t i = 0; i < lane->begun.n; i++)
        redact_find_step(lane, finder, &lane->items[lane->begun.items[i]], unit);
    lane->last[lane->at++ & (lane->size - 1)] = unit;
    mind_marks(lane, finder, unit, before);
    for (size_t i = 0; i < lane->begun.n; i++) {
        struct needle *needle = &lane->items[lane->begun.items[i]];
        reach(lane, finder, needle);
        if (needle->met > 0)
            lane->begun.items[n++] = lane->begun.items[i];
    }
    lane->begun.n = n;
    redact_find_wake(lane, unit, behind);
}

static void redact_find_take_held(struct lane *lane, const struct finder *finder, int32_t behind) {
    if (lane->holds)
        take_one(lane, finder, lane->held, behind);
    if (lane->cut)
        report_cut(lane, finder);
    lane->cut = lane->holds = false;
}

void lane_feed(struct lane *lane, const struct finder *finder, struct unit unit) {
    if (lane->n == 0)
        return;
    if (!lane->holds || lane->held.cp != ' ' || unit.cp != ' ') /* blanks in a row are one */
        redact_find_take_held(lane, finder, unit.cp);
    lane->held = unit;
    lane->holds = true;
}

void lane_cut(struct lane *lane) {
    lane->cut = true;
}

void lane_end(struct lane *lane, const struct finder *finder) {
    enum { NOTHING = -1 };
    redact_find_take_held(lane, finder, NOTHING);
    report_cut(lane, finder);
    for (size_t i = 0; i < lane->begun.n; i++) {
        const struct needle *needle = &lane->items[lane->begun.items[i]];
        redact_find_report(lane, finder, needle, least_of(needle, finder));
    }
}

void lane_clear(struct lane *lane) {
    for (size_t i = 0; i < lane->n; i++) {
        units_clear(&lane->items[i].units);
        free(lane->items[i].fails);
    }
    if (lane->last)
        secret_wipe(lane->last, lane->size * sizeof *lane->last);
    free(lane->items);
    free(lane->begun.items);
    free(lane->last);
}
