#include "app/mirror.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MINUTE = 60000 };

/* A minute counts until it lies an hour back as a whole. So does one that is ahead: the clock was set back, and nobody
 * knows how long ago those requests were. */
static void forget_old(struct mirror_budget *budget, int64_t now) {
    size_t kept = 0;
    for (size_t i = 0; i < budget->n; i++) {
        struct mirror_minute *minute = &budget->items[i];
        minute->minute = minute->minute > now / MINUTE ? now / MINUTE : minute->minute;
        if (now / MINUTE - minute->minute < MIRROR_MINUTES)
            budget->items[kept++] = *minute;
    }
    budget->n = kept;
}

static void add_requests(struct mirror_budget *budget, int64_t minute, long long n) {
    for (size_t i = 0; i < budget->n; i++) {
        if (budget->items[i].minute == minute) {
            budget->items[i].n += n;
            return;
        }
    }
    if (budget->n < MIRROR_MINUTES)
        budget->items[budget->n++] = (struct mirror_minute){minute, n};
}

void mirror_budget_read(struct mirror_budget *budget, const char *text, int64_t now) {
    budget->n = 0;
    while (text && *text) {
        char *end;
        long long minute = strtoll(text, &end, 10);
        if (*end != ':')
            break;
        long long n = strtoll(end + 1, &end, 10);
        if (minute >= 0 && n > 0)
            add_requests(budget, minute < now / MINUTE ? minute : now / MINUTE, n);
        text = end + strspn(end, " ");
    }
    forget_old(budget, now);
}

void mirror_budget_text(const struct mirror_budget *budget, long long reserve, struct str *out) {
    for (size_t i = 0; i < budget->n; i++) {
        bool last = i + 1 == budget->n;
        str_addf(out, "%s%lld:%lld", i > 0 ? " " : "", (long long)budget->items[i].minute,
                 budget->items[i].n + (last ? reserve : 0));
    }
}

void mirror_budget_spend(struct mirror_budget *budget, int64_t now) {
    forget_old(budget, now);
    add_requests(budget, now / MINUTE, 1);
}

long long mirror_budget_left(struct mirror_budget *budget, int64_t now) {
    if (budget->hourly <= 0)
        return LLONG_MAX;
    long long spent = 0;
    forget_old(budget, now);
    for (size_t i = 0; i < budget->n; i++)
        spent += budget->items[i].n;
    return spent < budget->hourly ? budget->hourly - spent : 0;
}

int64_t mirror_budget_next(const struct mirror_budget *budget) {
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < budget->n; i++)
        first = budget->items[i].minute < first ? budget->items[i].minute : first;
    return budget->n > 0 ? (first + MIRROR_MINUTES) * MINUTE : CLOCK_NONE;
}
