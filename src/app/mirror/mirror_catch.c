/* Catching up: the list was read whole before, so only what can have changed is read. Intents that are still open
 * (created or pending) are listed again. Those that were open and are not in that list have moved on; the service gives
 * no intent by itself, so they are looked for in the list, which is read from its newest row down to the oldest of
 * them, and in any case to the ground: the newest row of the time when all was read. That is sound only where the list
 * stands newest first, which is looked at: otherwise it is read to its end. What changes in an intent that is settled
 * (a refund, a dispute) is seen by a pass from the start alone. */
#include "mirror_own.h"

#include <stdlib.h>
#include <string.h>

enum { SLACK = 600000 }; /* below the ground: a row may become visible later than its time says */

static const char *const OPEN[] = {"created", "pending"};

void mirror_note_text(int64_t as_of, int64_t ground, struct str *out) {
    str_addf(out, "%lld %lld", (long long)as_of, (long long)ground);
}

bool mirror_note_read(const char *text, int64_t *as_of, int64_t *ground) {
    char *end;
    if (!text)
        return false;
    *as_of = strtoll(text, &end, 10);
    if (*end != ' ')
        return false;
    *ground = strtoll(end + 1, &end, 10);
    return *end == '\0' && *ground != 0;
}

bool mirror_catch_can(const struct mirror *mirror, const struct mirror_held *held, int64_t *as_of, int64_t *ground) {
    const char *status = mirror->profile->api.filter_status;
    return !mirror->anew && !mirror->full && status && *status && coverage_is_whole(&held->coverage) &&
           mirror_note_read(held->whole, as_of, ground);
}

void mirror_catch_begin(struct mirror *mirror, int64_t as_of, int64_t ground) {
    mirror->catching = true;
    mirror->split.stage = SPLIT_OVER;
    mirror->since = as_of;
    mirror->split.newest = ground;
    mirror->left = CLOCK_NONE;
    (void)mirror_part_add(mirror, CLOCK_NONE, CLOCK_NONE, NULL);
    struct mirror_part *open = mirror_part_add(mirror, CLOCK_NONE, CLOCK_NONE, NULL);
    for (size_t i = 0; i < COUNT_OF(OPEN); i++)
        server_filter_add_status(&open->filter, OPEN[i]);
}

/* Below it the list is known: what stands there has not changed as far as the open intents tell. */
static int64_t limit_of(const struct mirror *mirror) {
    int64_t ground = mirror->split.newest - SLACK;
    return mirror->left != CLOCK_NONE && mirror->left < ground ? mirror->left : ground;
}

bool mirror_catch_is_done(const struct mirror *mirror) {
    const struct mirror_part *list = &mirror->parts.items[0];
    return list->newest_first && list->last != CLOCK_NONE && list->last < limit_of(mirror);
}

bool mirror_is_open_status(const char *status, size_t len) {
    for (size_t i = 0; i < COUNT_OF(OPEN); i++)
        if (strlen(OPEN[i]) == len && memcmp(OPEN[i], status, len) == 0)
            return true;
    return false;
}
