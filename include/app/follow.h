#ifndef APP_FOLLOW_H
#define APP_FOLLOW_H
/* Following the list: looks at its newest rows again and again, and tells which came and which changed since the look
 * before. The first look is the baseline and tells nothing. A look reads page after page from the newest row until it
 * meets a row that was known, so that none is missed between two looks, and `depth` rows at least; it never sends more
 * requests in an hour than the profile allows, waits where the service asks to, and is begun a period after the one
 * before. What was known can be kept for a later run as text. Pure. */

#include "app/browse.h"
#include "app/mirror.h"
#include "app/record.h"

struct follow_row {
    bool told;   /* it matched, and was told or is of the baseline */
    bool met;    /* in the look at hand */
    char *cells; /* as it was last served (RECORD_CELLS), NULL: not watched */
    size_t len;
    uint64_t digest;
    int64_t created;
};

/* Who hears of it, oldest first. old and new: NULL for none; number: the new one's is an integer's digits. */
struct follow_change {
    const char *field, *old, *now;
    bool old_is_number, now_is_number;
};
struct follow_hearer {
    void *context;
    bool (*matches)(void *context, const struct browse_row *row);
    void (*came)(void *context, const struct intent *intent);
    /* NULL: nobody asks for changes. */
    void (*changed)(void *context, const struct intent *intent, const struct follow_change *change);
};

enum follow_step {
    FOLLOW_ON,     /* nothing to do */
    FOLLOW_LOOKED, /* a look has ended: follow_tell, then follow_rest */
    FOLLOW_WAITS,  /* a request is sent again at `waits_until`: the service asked to wait, or it failed */
    FOLLOW_SPENT,  /* the requests of this hour are used up, until then */
    FOLLOW_FAILED, /* the look was given up: browse.code, browse.line */
};

struct follow {
    struct browse browse;
    struct mirror_budget budget;
    int64_t period; /* ms */
    size_t depth;   /* rows that each look reads at least; 0: one page */
    bool begun;     /* there was a baseline */
    int64_t oldest; /* created_at of the oldest row of the baseline: what is older is not new; CLOCK_NONE: the
                       baseline was the whole list, or no row of it has a time */
    int64_t waits_until;
    bool spent;        /* it waits for the budget, in a look or before it */
    unsigned failures; /* looks given up, one after the other */
    size_t came, changed;
    struct idset *known; /* digest of an id to its row */
    struct {
        struct follow_row *items;
        size_t n, cap;
    } rows;
};

void follow_init(struct follow *follow, const struct profile *profile, int64_t period);
void follow_clear(struct follow *follow);
void follow_start(struct follow *follow, int64_t now, struct effects *effects);
enum follow_step follow_update(struct follow *follow, struct event *event, struct effects *effects);
/* Whether the look that has ended reached what was known, the end of the list, or as a baseline its depth: else rows
 * lie between that it did not read, and nothing may be told of it. */
bool follow_is_whole(const struct follow *follow);
/* Goes on with a look that the failure cut short, once it is known to be worth it. */
void follow_ask(struct follow *follow, int64_t now, struct effects *effects);
/* What the look that has ended brings; the number of rows it had. */
size_t follow_tell(struct follow *follow, const struct follow_hearer *hearer);
/* Sets the time of the next look. failed: the look was given up; it is asked less and less often. */
void follow_rest(struct follow *follow, bool failed, int64_t now, struct effects *effects);

/* What is known, as text for a later run; label: what it belongs to, one line. Rows that are older than thousands of
 * others are left to their age; where the text is truncated there are too many without a time. */
void follow_text(const struct follow *follow, const char *label, int64_t now, struct str *out);
/* ERR_INVALID: it is damaged; ERR_USAGE: it belongs to something else, whose label the error names. */
enum err follow_read(struct follow *follow, const char *text, size_t len, const char *label,
                     struct error *error) MUST_CHECK;
/* `30s`, `5m`, `1h`. */
bool follow_period(const char *text, int64_t *out);

#endif
