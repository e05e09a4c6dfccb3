#ifndef APP_MIRROR_H
#define APP_MIRROR_H
/* The mirror: every page of the service's list, read into the cache. None of its rows is kept here: pages go to the
 * cache as they come, and what was reached is asked of the cache again, so that a mirror goes on after any stop. Where
 * the profile names parameters for times, several walks read parts of the list at once. Pure: time comes with the
 * event, work leaves as effects; one timer, TIMER_MIRROR. */

#include "app/chain.h"
#include "app/coverage.h"
#include "app/effect.h"
#include "base/clock.h"

enum { MIRROR_WALKS_MAX = 32, MIRROR_MINUTES = 61, MIRROR_PARTS_MAX = 1024 };

/* Requests of the last hour, by minutes: what was sent in a minute counts until that minute is an hour old. Kept with
 * each page, so that a mirror that is started again does not begin a new hour. */
struct mirror_budget {
    long long hourly; /* 0: no limit is known */
    struct mirror_minute {
        int64_t minute; /* since 1970 */
        long long n;
    } items[MIRROR_MINUTES];
    size_t n;
};
void mirror_budget_read(struct mirror_budget *budget, const char *text, int64_t now); /* text NULL: nothing is known */
/* reserve: requests that may be sent before this text is on disk. */
void mirror_budget_text(const struct mirror_budget *budget, long long reserve, struct str *out);
void mirror_budget_spend(struct mirror_budget *budget, int64_t now);
long long mirror_budget_left(struct mirror_budget *budget, int64_t now); /* LLONG_MAX: no limit */
int64_t mirror_budget_next(const struct mirror_budget *budget);          /* when some of it is free again */

/* One walk of the mirror: a part of the list, from its first page to its end. */
struct mirror_part {
    struct server_filter filter;
    struct chain chain;
    char *next; /* cursor of the page to ask for; NULL: the first, unless `end` says otherwise */
    bool next_is_url;
    enum browse_end end;
    uint64_t ticket;        /* of the request under way; 0: none */
    int64_t retry_at;       /* it is not asked before; CLOCK_NONE: at once */
    int64_t newest, oldest; /* created_at of the rows it read in this run; CLOCK_NONE: none yet */
    size_t number;          /* of this walk along it, beside its rows' ids: its place among the parts, and a multiple of
                               MIRROR_PARTS_MAX */
    bool newest_first;      /* no row was newer than the one before it, and each had a time */
    int64_t last;           /* created_at of the row that it read last; CLOCK_NONE */
    bool partly;            /* pages of an earlier run belong to it */
    bool restarted;         /* its place was no longer known to the service, so it began again */
};

/* Finding out how far back the list goes, to split it by time. */
struct mirror_split {
    enum { SPLIT_NONE, SPLIT_BACK, SPLIT_OVER } stage;
    uint64_t ticket;      /* of the request for a page before a time; 0: none */
    int64_t before;       /* that time */
    int64_t newest, span; /* of the first page of the list */
    int64_t reach;        /* how far back the last step went */
    int64_t held, empty;  /* rows reach back to the one; none lies before the other: CLOCK_NONE: not known */
    unsigned probes;
};

enum mirror_state {
    MIRROR_IDLE,
    MIRROR_LOOKING, /* the cache is asked where an earlier run stopped */
    MIRROR_READING,
    MIRROR_JOINING, /* the cache is asked whether it holds all that was read */
    MIRROR_DONE,
    MIRROR_STOPPED, /* it can go on later from where it is */
};

struct mirror {
    const struct profile *profile;
    size_t walks; /* at once, at most */
    bool anew;    /* what an earlier run reached is not asked for */
    bool paused;
    enum mirror_state state;
    uint64_t ticket; /* of the question to the cache */
    struct {
        struct mirror_part *items;
        size_t n, cap;
    } parts;           /* the first one is the whole list */
    struct idset *ids; /* of the rows of this run, with the number of the part that served each last */
    size_t numbers;    /* of walks that were given out */
    struct mirror_split split;
    bool thorough;  /* a row was met that no part returned, so the whole list is read to its end */
    bool spared;    /* it was not: nothing was left to find */
    bool catching;  /* only what can have changed since an earlier pass is read */
    bool full;      /* that was tried, and did not do */
    bool looked;    /* which open intents moved on is known */
    int64_t ground; /* created_at of the newest row when the pass began; 0: not known */
    int64_t since;  /* as of when all was read before */
    int64_t left;   /* created_at of the oldest open intent that moved on; CLOCK_NONE */
    size_t listed;  /* pages of the whole list in this pass */
    struct mirror_budget budget;
    char *team_spent;    /* what the team spent, where it has a store that counts; NULL: this machine counts */
    size_t limit;        /* walks at once, as the service bears it */
    int64_t pause_until; /* the service said so; CLOCK_NONE: it did not */
    int64_t quota_left;  /* -1: the service does not say */
    unsigned rounds;     /* in which rows were missing in the cache */
    size_t unkept;       /* pages that were read since the cache last failed to keep one */
    bool failing;        /* it fails */

    int64_t started; /* this run; CLOCK_NONE before */
    int64_t last_answer;
    size_t pages, rows, distinct;       /* of this run */
    size_t earlier_pages, earlier_rows; /* of the runs that it goes on from */
    size_t broken, no_id;
    bool resumed;
    bool declined;            /* the service did not apply a filter of a part, so the list is read in one walk */
    size_t restarted;         /* parts */
    long long held;           /* MIRROR_DONE: intents in the cache */
    struct coverage coverage; /* of them */
    int64_t wake;             /* nothing is asked before; CLOCK_NONE: it does not wait */
    char *trouble;            /* what the last failure that may pass said; NULL: none since the last page */
    struct error error;       /* why it stopped */
    unsigned attempts;        /* failures in a row of the part that made it stop */
    bool token_refused;       /* a renewed token may help */
    unsigned generation;      /* counts changes, for drawing */
};

/* Whether several walks can read the list at once: by time, or by type where the service says how many rows there are.
 */
bool mirror_can_split(const struct profile *profile, long long total); /* total 0: it does not say */
void mirror_init(struct mirror *mirror, const struct profile *profile);
void mirror_clear(struct mirror *mirror);
/* walks 0: as many as the profile says. */
void mirror_start(struct mirror *mirror, size_t walks, bool anew, struct effects *effects);
/* Goes on after it stopped by a failure. */
void mirror_go_on(struct mirror *mirror, int64_t now, struct effects *effects);
void mirror_pause(struct mirror *mirror, bool pause, int64_t now, struct effects *effects);
/* Stops: what was read stays, and mirror_start goes on from there. */
void mirror_cancel(struct mirror *mirror, struct effects *effects);
bool mirror_is_busy(const struct mirror *mirror);
/* True when the event was the mirror's; takes what it carries. */
bool mirror_update(struct mirror *mirror, struct event *event, struct effects *effects);

/* What the team spent of its requests in the last hour, as text of a budget, and so many more that this console sent.
 * It counts in place of what this machine knows. */
void mirror_team_spent(struct mirror *mirror, const char *text, size_t more, int64_t now);

/* `12,300 intents in 123 pages, 2 walks, back to 2026-03-01, 310 a second, 877 of 1,000 requests left this hour`: what
 * is known without a total. */
void mirror_progress(struct mirror *mirror, int64_t now, struct str *out);

/* Why it waits, `the service asks to wait`; false: it does not. */
bool mirror_wait_text(struct mirror *mirror, int64_t now, struct str *out);

/* As of when all was read, and created_at of the newest row then: as text, and back. */
void mirror_note_text(int64_t as_of, int64_t ground, struct str *out);
bool mirror_note_read(const char *text, int64_t *as_of, int64_t *ground);
/* An intent of this status may still move on. */
bool mirror_is_open_status(const char *status, size_t len);

/* ---- What is asked of the cache ---- */

enum mirror_task {
    MIRROR_LOOK,   /* for the notes of an earlier run */
    MIRROR_PLAN,   /* notes the plan and drops what is held of `filters`, unless `keeps` */
    MIRROR_PLACES, /* for how far each of `filters` is held */
    MIRROR_LEFT,   /* for open intents that were served since `from` and not since `until`: their oldest */
    MIRROR_CAUGHT, /* whether what was read to catch up is held; then the list is whole as of `until` */
    MIRROR_JOIN, /* whether `joined` of `filters` from the `first` on are whole: then the list is, and the plan done */
};

struct mirror_ask {
    enum mirror_task task;
    char *plan;
    char **filters; /* as api_query_text has them */
    size_t n, cap;
    size_t first, joined;
    bool keeps;
    int64_t from, until;
    size_t pages;   /* MIRROR_CAUGHT: of the first filter */
    int64_t ground; /* the newest row when the pass began; 0: not known */
};
void mirror_ask_free(struct mirror_ask *ask);
PAYLOAD_TYPE(mirror_ask)

struct mirror_place {
    int64_t pages, rows;
    char *next;
    bool next_is_url, whole;
};

struct mirror_held {
    bool usable, writable;
    char *plan, *spent, *whole; /* MIRROR_LOOK; NULL: there is none */
    bool looked;                /* MIRROR_LEFT: */
    int64_t left;               /* created_at of the oldest; CLOCK_NONE: there is none */
    struct mirror_place *items;
    size_t n, cap;
    bool joined;
    long long rows;           /* all that the cache holds; 0 where it was not asked for a join */
    struct coverage coverage; /* of all of it, after a look and a join */
    struct error error;       /* the cache failed; code ERR_OK where it did not */
};
void mirror_held_free(struct mirror_held *held);
PAYLOAD_TYPE(mirror_held)

#endif
