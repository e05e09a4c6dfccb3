#include "app/mirror.h"

#include "mirror_own.h"
#include "model/money.h"

#include <limits.h>

enum { SECOND = 1000, RATE_AFTER = 2000 };

static void add_count(struct str *out, size_t n, const char *what) {
    money_group_count(out, n);
    str_addf(out, " %s%s", what, plural_s(n));
}

/* How far back the rows reach that were read in this run. */
static void add_span(const struct mirror *mirror, struct str *out) {
    int64_t oldest = CLOCK_NONE;
    for (size_t i = 0; i < mirror->parts.n; i++) {
        int64_t ms = mirror->parts.items[i].oldest;
        oldest = ms != CLOCK_NONE && (oldest == CLOCK_NONE || ms < oldest) ? ms : oldest;
    }
    if (oldest != CLOCK_NONE) {
        str_add(out, ", back to ");
        clock_format(out, oldest, CLOCK_UTC, 0);
        str_add(out, " UTC");
    }
}

static void add_rate(const struct mirror *mirror, int64_t now, struct str *out) {
    if (mirror->started == CLOCK_NONE || now - mirror->started < RATE_AFTER)
        return;
    str_add(out, ", ");
    money_group_count(out, mirror->distinct * SECOND / (size_t)(now - mirror->started));
    str_add(out, " a second");
}

static void add_budget(struct mirror *mirror, int64_t now, struct str *out) {
    long long left = mirror_budget_left(&mirror->budget, now);
    if (left == LLONG_MAX)
        return;
    str_add(out, ", ");
    money_group_count(out, (size_t)left);
    str_add(out, " of ");
    add_count(out, (size_t)mirror->budget.hourly, "request");
    str_add(out, " left this hour");
}

bool mirror_wait_text(struct mirror *mirror, int64_t now, struct str *out) {
    if (mirror->state != MIRROR_READING || mirror->wake == CLOCK_NONE || mirror->wake <= now)
        return false;
    if (mirror_budget_left(&mirror->budget, now) == 0) {
        str_add(out, "the budget of ");
        add_count(out, (size_t)mirror->budget.hourly, "request");
        str_add(out, " an hour is used up");
    } else if (mirror->wake == mirror->pause_until || !mirror->trouble) {
        str_add(out, "the service asks to wait");
    } else {
        str_add(out, mirror->trouble);
    }
    return true;
}

void mirror_progress(struct mirror *mirror, int64_t now, struct str *out) {
    add_count(out, mirror->earlier_rows + mirror->distinct, "intent");
    str_add(out, " in ");
    add_count(out, mirror->earlier_pages + mirror->pages, "page");
    add_span(mirror, out);
    add_rate(mirror, now, out);
    add_budget(mirror, now, out);
}
