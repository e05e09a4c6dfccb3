#ifndef APP_BROWSE_H
#define APP_BROWSE_H
/* Browsing intents: one walk through the service's listing, page by page, as the operator or a command asks for it.
 * Rows are keyed by id and keep the service's order; the same id served twice is replaced, not doubled;
 * loaded pages stay on refresh. One request in flight per walk, never more. Pure: time comes with the event, work
 * leaves as effects. */

#include "app/chain.h"
#include "app/coverage.h"
#include "app/effect.h"
#include "model/change.h"

enum browse_link {
    BROWSE_NEVER, /* nothing answered yet */
    BROWSE_ONLINE,
    BROWSE_OFFLINE,   /* the last request found no service */
    BROWSE_DENIED,    /* 401 or 403: not asked again by itself */
    BROWSE_THROTTLED, /* 429: waits for retry_at */
    BROWSE_FAULT,     /* an answer came that cannot be used */
};

struct browse_row {
    struct intent *intent;
    int64_t key;       /* number from LOOKUP_WALK_KEYS on: ascends down the list, and is never given to another row */
    size_t page;       /* which page of the walk brought it, from 0; no meaning where cached */
    int64_t confirmed; /* when the service last served it */
    bool cached;       /* from the cache, not confirmed by this walk yet: such rows stand below all others */
    bool is_new;       /* came with a refresh, above the rows that were there */
    bool gone;         /* a refresh did not find it where it was listed before */
    uint64_t changed;  /* bits of model/change.h: fields that differ from the row that was here before */
};

struct browse_page {
    size_t first; /* row index */
    int64_t at;   /* when it was served */
};

enum browse_task {
    BROWSE_IDLE,
    BROWSE_CACHE,
    BROWSE_FIRST,
    BROWSE_MORE,
    BROWSE_HEAD,
    BROWSE_FATE, /* the head of the list without the filter's statuses: finds out what became of rows that left the
                    filter */
};

struct browse {
    const struct profile *profile;
    struct server_filter filter;

    struct browse_row *items; /* the rows: those this walk confirmed, then cached ones below */
    size_t n, cap;
    size_t forgotten; /* rows above them that were let go, but for their ids (browse_forget) */
    size_t confirmed;
    struct {
        struct browse_page *items;
        size_t n, cap;
    } pages;
    struct {            /* rows whose entry in the column index has to be brought up to date */
        bool on, anew;  /* anew: everything that the index holds of this walk is dropped first, since rows were numbered
                           anew */
        bool given;     /* the index may hold some of them */
        bool alone;     /* there is no cache, so the index gets all rows; else only those that the cache cannot keep
                           (without an id) */
        int64_t *items; /* keys; those before `at` were taken */
        size_t n, cap, at;
    } moved;
    uint64_t numbers_given; /* counts the numbers that were given to rows */
    struct idset *ids;      /* id to row index */
    struct chain chain;     /* its guards */

    bool use_cache;
    struct {
        uint64_t ticket; /* 0: nothing asked */
        int64_t from;
        bool done; /* no older rows are held */
        struct coverage coverage;
    } cache;

    char *next; /* cursor of the page after the last */
    bool next_is_url;
    enum browse_end end;
    bool newest_first;            /* no row so far is newer than the one before it: looked at, never assumed */
    bool oldest_first;            /* none is older */
    bool mismatch;                /* the service did not apply the filter */
    size_t failed_pages;          /* answers that had an error beside their rows */
    size_t partial_pages;         /* answers that said that they are not whole */
    char said[COVERAGE_SAID_MAX]; /* the first words that the service said beside the rows of such an answer, or beside
                                     no rows at all */
    size_t broken_rows, repeated_rows, gone_rows;
    struct { /* rows that the last page of the walk served again */
        struct browse_again {
            size_t place; /* in the walk, those forgotten counted */
            /* Of one that was forgotten; else NULL: it is at its place. */
            struct intent *intent;
            int64_t confirmed;
        } * items;
        size_t n, cap;
    } replaced;
    unsigned requested_pages; /* counts pages that the operator asked for, in all */

    enum browse_task task;
    uint64_t ticket;
    bool replacing;   /* rows on show are those of the walk before, until this one has its first answer */
    bool crawl;       /* go on to the end by itself */
    bool head_wanted; /* a refresh was asked for while a page was under way: it follows */
    bool gap;         /* between the confirmed rows and the cached ones below there may be rows that were not read */
    bool catch_up;    /* the walk reads over that gap by itself, as far as its budget of pages goes */
    size_t unasked;   /* pages that were read by themselves since the operator last asked for any */
    unsigned filters; /* counts other filters */
    bool visit;       /* an operator is looking: the cache is asked whether one did before */
    bool first_visit; /* none did */
    bool quiet;       /* the refresh under way came by itself: what it brings waits */
    struct {          /* rows of a refresh that has not yet met a row that was listed before */
        struct intent **items;
        size_t n, cap, pages;
        size_t end;    /* one past the last row of the list that the refresh met */
        int64_t since; /* of its first answer */
    } head;
    struct browse_left {
        struct browse_left_row {
            char *id, *became; /* its status now; NULL: not known */
            int64_t ms, at;    /* created; when it was not met */
            bool applied;      /* not on show any more */
            bool elsewhere;    /* it left the list of an earlier filter */
            bool vanished;     /* that list was of every status: it is in none */
        } * items;
        size_t n, cap;
        size_t pages; /* asked for what became of them */
    } left;           /* rows that a refresh did not find where they were listed, until they are served again */
    struct {          /* rows newer than the first one on show, waiting to be brought in */
        struct intent **items;
        size_t n, cap;
        bool gap; /* more lie between them and the first row */
        struct {
            int64_t *items;
            size_t n, cap;
        } times; /* per row: when the service served it */
    } waiting;

    enum browse_link link;
    int64_t last_answer; /* CLOCK_NONE before the first */
    int64_t retry_at;
    enum browse_task retry_task;
    bool resumes;         /* pages held in the cache are taken as they are, until one is not */
    size_t resumed_pages; /* so many were */
    bool patient;         /* a failure that may pass is asked again by itself; crawling always does so */
    int64_t quota_left;
    enum err code; /* of the last answer; ERR_OK */
    int status;    /* of HTTP; 0: none came */
    char *line;    /* its sentence, or NULL */
    bool cursor_refused;
    unsigned generation; /* counts changes of rows or state, for drawing */
};

void browse_init(struct browse *browse, const struct profile *profile);
void browse_clear(struct browse *browse);

/* Rows held by the cache go on show before the first request, and serve where the service cannot be reached. */
void browse_use_cache(struct browse *browse, bool use);

/* Starts (again) from the first page. Rows stay on show until the answer. */
void browse_start(struct browse *browse, struct effects *effects);
void browse_set_filter(struct browse *browse, const struct server_filter *filter, struct effects *effects);
/* Asks for the next page; nothing while one is in flight, at the end, or while throttled. True when a request left. */
bool browse_more(struct browse *browse, struct effects *effects);
/* Says which row is needed: fetches ahead when fewer than `ahead` rows follow it. */
void browse_need(struct browse *browse, size_t row, size_t ahead, struct effects *effects);
/* Asks for the head of the list again: known rows are replaced in place, others are put where they belong by their
 * time. Where a request for the head is under way, that is the refresh and nothing more is sent; where a later page is,
 * the refresh follows it. */
void browse_refresh(struct browse *browse, struct effects *effects);
/* Reads every page from the first. False where a walk that does so is under way: it goes on. */
bool browse_crawl(struct browse *browse, struct effects *effects);
/* The operator asked for rows, so that pages may be read by themselves again. */
void browse_asked(struct browse *browse);
/* The budget of pages that are read by themselves is used up before the gap above the cached rows was closed: the rest
 * is left to the operator. */
bool browse_asks_before_more(const struct browse *browse);
/* The same, started by the program: known rows are replaced in place, newer ones wait. Does nothing while busy or
 * throttled. */
void browse_poll(struct browse *browse, struct effects *effects);
/* Takes rows in that a colleague's console read, each as of when it was confirmed; a row that this one read later
 * stays. True where the list changed. */
struct team_rows_taken;
bool browse_take_in(struct browse *browse, struct team_rows_taken *taken, int64_t now);
/* Brings in the rows that wait, and removes those that left the list. */
void browse_bring(struct browse *browse, struct effects *effects);
/* The status now of a row that left the list, "" where it is not known; NULL: it did not leave. */
const char *browse_became(const struct browse *browse, const char *id);
/* The operator has seen what is new or changed in this row. */
void browse_see(struct browse *browse, size_t row);
void browse_cancel(struct browse *browse, struct effects *effects);
bool browse_is_busy(const struct browse *browse);
bool browse_retries(const struct browse *browse); /* throttled, and asks again by itself at retry_at */

/* True when the event was this walk's; takes the result. */
bool browse_update(struct browse *browse, struct event *event, struct effects *effects);

/* Whether a row matches the filter, also where the service did not apply it: rows that do not are never counted,
 * printed or exported. */
bool browse_row_matches(const struct browse *browse, const struct intent *intent);
/* How far the confirmed rows of this walk reach. Rows that do not match the filter are not judged here: the caller
 * counts them into left_out. */
void browse_coverage(const struct browse *browse, struct coverage *out);

/* Row index of an id, or browse->n. */
size_t browse_find(const struct browse *browse, const char *id);
/* The same of a key; such a row may have left since. */
size_t browse_find_key(const struct browse *browse, int64_t key);
/* From now on rows that move are noted for the column index, beginning with all of them. given: the index may hold rows
 * of an earlier walk, so it is told even of an empty list. alone: there is no cache, so all rows are given; else rows
 * that the cache keeps are left out. */
void browse_note_moves(struct browse *browse, bool given, bool alone);
/* Packs the rows that moved since the last call, at most a portion of them. NULL: nothing moved. */
struct walked_rows *browse_take_moves(struct browse *browse);
bool browse_has_moves(const struct browse *browse); /* the last call did not take all of them: no key may wait until
                                                       thousands of rows are packed */
/* For walks that print and go on: lets go of all rows before this place of the walk but the last one read. Their ids
 * stay known; a row that comes again is in `replaced`, at its place, with what was served. */
void browse_forget(struct browse *browse, size_t place);
/* The row at a place that was not forgotten. */
const struct browse_row *browse_row_at(const struct browse *browse, size_t place);
size_t browse_read_rows(const struct browse *browse); /* forgotten or not */

#endif
