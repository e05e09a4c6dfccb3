#ifndef APP_COVERAGE_H
#define APP_COVERAGE_H
/* How far data reaches. Made where rows are read (the walk, the cache, the column index) and carried with them to every
 * count, export, side file and message. Only the functions here put it into words, so that "all" is never said where
 * rows are missing (src/README.md, Promises). A plain value; pure. */

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum coverage_reach {
    COVERAGE_NOTHING, /* nothing was ever read */
    COVERAGE_PART,    /* read so far: the service may have more */
    COVERAGE_WHOLE,   /* to the end, under this filter or a wider one, as of `as_of` */
};

/* Why reading did not go on. */
enum coverage_stop {
    COVERAGE_NOT_STOPPED,
    COVERAGE_LOOP,        /* the service repeats a cursor */
    COVERAGE_NO_PROGRESS, /* pages bring nothing new */
    COVERAGE_FAILED,      /* an answer or the store failed */
};

enum { COVERAGE_SAID_MAX = 160 };

struct coverage {
    enum coverage_reach reach;
    enum coverage_stop stop;
    bool cached;    /* rows come from the cache, not from the walk that is under way */
    bool team;      /* from the team's store */
    bool events;    /* of events that came to this machine: rows are these, as the folder of them has them */
    int64_t since;  /* of events: each that came from then on is there; CLOCK_NONE: not known */
    int64_t walked; /* of COVERAGE_WHOLE in the cache: since then each row of the list was served; CLOCK_NONE */
    int64_t as_of;  /* of COVERAGE_WHOLE: rows that came later may be missing; CLOCK_NONE where the time is not known */
    bool every;     /* the list is of every status and type: a row that left it was not changed, it is gone */
    size_t unlisted; /* rows of the cache that the last reading of such a list to its end did not find: not among these
                      */
    bool declined;   /* the service did not apply the filter */
    size_t left_out; /* rows served that are not of the filter */
    size_t broken;   /* rows that cannot be read, among those read */
    size_t sealed;   /* rows of the team's store that this machine's key does not open */
    size_t no_id;    /* rows of the walk that the cache cannot keep: they have no id, or are broken */
    size_t damaged;  /* rows lost by damage of the cache since it was known to be whole, or else since it was made */
    size_t newer;    /* rows of the cache that a later version of the program wrote: not shown */
    size_t removed;  /* rows that the limits of the cache (age, size) removed since then */
    size_t failed;   /* answers with rows that also said that something failed */
    size_t partial;  /* answers that said that they are not the whole page */
    char
        said[COVERAGE_SAID_MAX]; /* the first words of such an answer, or of one without rows, sanitised; "" for none */
    bool set_aside;              /* what was read before was lost with a damaged cache */
    bool broke_off;              /* the cache failed while it was read: how much is missing is not known */
};

/* COVERAGE_WHOLE and nothing missing: the one condition under which "all" may be said. */
bool coverage_is_whole(const struct coverage *coverage);

/* BRIEF: after a number, `all there are`, `all there were at 11:58 UTC`, `so far`, `so far, 3 lost to damage`; FULL:
 * for standard error and side files, the reach and each hole, joined by "; ". */
enum coverage_style { COVERAGE_BRIEF, COVERAGE_FULL };
void coverage_text(const struct coverage *coverage, enum coverage_style style, int64_t now, struct str *out);
/* Appends what answers said beside their rows, or instead of rows; nothing where they said nothing. True: rows may be
 * missing. */
bool coverage_said(const struct coverage *coverage, struct str *out);
/* Appends only what is missing, joined by "; "; nothing where nothing is. */
void coverage_holes(const struct coverage *coverage, struct str *out);

#endif
