/* Waiting between the rows of an import: because the service asks for it, or for the operator's pace. */
#include "import_own.h"

#include "api/api.h"
#include "base/clock.h"
#include "base/str.h"

#include <string.h>

/* An import waits as long as a list does (api_retry_at); a service that only ever asks to wait is not asked for ever.
 */
enum { SECOND_MS = 1000, MINUTE_MS = 60000, WAITS_MAX = 20, HELD_MAX_MS = 2 * 3600 * 1000, WAIT_MAX_MS = 3600 * 1000 };

bool import_read_pace(const char *text, long long *out) {
    static const char UNIT[] = "/min";
    size_t len = strlen(text), unit = sizeof UNIT - 1;
    len -= len > unit && strcmp(text + len - unit, UNIT) == 0 ? unit : 0;
    return str_to_int64(text, len, out) && *out >= 1 && *out <= IMPORT_PACE_MAX;
}

bool import_holds(struct import *import, int64_t now, struct effects *effects) {
    int64_t paced = import->options.pace > 0 && import->last ? import->last + MINUTE_MS / import->options.pace : now;
    if (paced > now && (import->hold == CLOCK_NONE || paced > import->hold)) {
        import->hold = paced;
        import->throttled = false;
    }
    if (import->hold == CLOCK_NONE || import->hold <= now) {
        import->hold = CLOCK_NONE;
        import->throttled = false;
        effects_timer(effects, TIMER_IMPORT, CLOCK_NONE);
        return false;
    }
    effects_timer(effects, TIMER_IMPORT, import->hold - now > SECOND_MS ? now + SECOND_MS : import->hold);
    return true;
}

/* With a wrong clock, here or at the service, the wait could become nothing or years: it is limited both ways. */
static int64_t until(const struct write_result *result, unsigned waits, int64_t now) {
    int64_t at = result->receipt.retry_at;
    at = at == CLOCK_NONE ? api_retry_at(NULL, now, waits, 0) : at;
    at = at > now + WAIT_MAX_MS ? now + WAIT_MAX_MS : at;
    return at < now + SECOND_MS ? now + SECOND_MS : at;
}

bool import_throttled(struct import *import, const struct write_result *result, int64_t now) {
    if (write_outcome(result) != OUTCOME_NOT_SENT || result->receipt.code != ERR_THROTTLED || result->trouble ||
        import->waits >= WAITS_MAX || import->held >= HELD_MAX_MS)
        return false;
    import->hold = until(result, import->waits++, now);
    import->held += import->hold - now;
    import->sending_ms += import->hold - now; /* else the time left would be promised too short */
    import->throttled = true;
    return true;
}

void import_clock_set(struct import *import, int64_t shift) {
    clock_shift(&import->hold, shift);
    if (import->last)
        import->last += shift;
    import->since += shift;
}

int64_t import_wait(const struct import *import, int64_t now) {
    bool waits = import->stage == IMPORT_RUNNING && import->throttled && import->hold > now;
    return waits ? (import->hold - now + SECOND_MS - 1) / SECOND_MS : 0;
}
