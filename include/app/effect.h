#ifndef APP_EFFECT_H
#define APP_EFFECT_H
/* The nouns between app and the outside world (src/README.md, Three nouns). An effect asks for work; an event says what
 * happened. Both are data: app state changes only in update functions that take an event and add effects. What an
 * effect or event owns moves with it. Tickets tie answers to requests; an answer with a ticket nobody waits for is
 * dropped. */

#include "api/api.h"
#include "app/lookup.h"
#include "app/requests.h"
#include "base/payload.h"
#include "query/split.h"

/* The part of a filter that the service applies to a listing. Owns its text. */
struct server_filter {
    char *type; /* NULL: none */
    char **statuses;
    size_t n, cap;
    char *after, *before; /* ISO times, each included or not as the service treats it; NULL: none */
};
void server_filter_clear(struct server_filter *filter);
void server_filter_copy(struct server_filter *to, const struct server_filter *from);
void server_filter_add_status(struct server_filter *filter, const char *status);
void server_filter_set_type(struct server_filter *filter, const char *type);
/* The terms of a split query that the service can apply, and those of them that a profile allows. */
void server_filter_of(struct server_filter *filter, const struct query_split *split);
void server_filter_window(struct server_filter *filter, const struct query_split *split); /* its times alone */
struct query_service server_filter_service(const struct profile *profile);
bool server_filter_equal(const struct server_filter *a, const struct server_filter *b);
/* Whether every row that the one filter lets through, the other lets through too. */
bool server_filter_within(const struct server_filter *filter, const struct server_filter *wide);
bool server_filter_has(const struct server_filter *filter, const char *status);
bool server_filter_matches(const struct server_filter *filter, const struct intent *intent); /* api_intent_matches */
bool server_filter_is_empty(const struct server_filter *filter);
/* Borrows: the query must not outlive the filter. */
struct list_query server_filter_query(const struct server_filter *filter, const char *cursor, bool cursor_is_url);

/* One page to fetch, or rows of the cache. */
struct list_ask {
    struct server_filter filter;
    char *cursor;
    bool cursor_is_url;
    struct query *query;          /* cached rows only: what else they have to match; NULL: nothing */
    struct query_context context; /* of query */
    struct notes *notes;          /* its share of those of the context */
    size_t wanted;                /* how many cached rows at most, up to CACHED_ROWS_MOST; 0: a page of them */
    uint64_t fields;              /* cached rows only: all that is looked at beside the raw text; 0: everything */
    bool left_too;                /* cached rows only: those too that a complete reading did not find any more */
    bool ahead;                   /* cached rows only: further answers follow unasked until one is done */
    int64_t from;         /* cached rows only: where to go on, CACHED_FROM_NEWEST or `next` of the answer before */
    bool visit;           /* cached rows only: an operator begins to look, and the visit is recorded */
    bool resumes;         /* a page of this walk that is in the cache is taken in place of the service's: */
    size_t page;          /* the number of that page */
    struct api_walk walk; /* the walk that the page belongs to */
    bool mirror;          /* the page is one of the mirror's walk under the filter */
    char *spent;          /* of the mirror: what it spent of its budget, stored along with the page */
};
struct list_ask *list_ask_new(const struct server_filter *filter, const char *cursor, bool cursor_is_url);
void list_ask_free(struct list_ask *ask);
PAYLOAD_TYPE(list_ask)

/* Its answer, decoded. */
struct list_result {
    struct api_answer answer;
    struct page page;
    int status;
    size_t bytes;
    int64_t fetched; /* when it was fetched, where it came from the cache; 0: the service answered now */
    bool stored;     /* it is being stored in the cache and then taken into the index; EVENT_INDEX follows */
};
struct list_result *list_result_new(void);
void list_result_free(struct list_result *result);
PAYLOAD_TYPE(list_result)

/* Rows from the cache, newest first: those that the server filter lets through. */
struct cached_rows {
    struct page page;
    int64_t *confirmed;       /* per row: when the service last served it */
    int64_t next;             /* where to go on */
    bool done;                /* nothing older is held */
    size_t rows_scanned;      /* rows that were compared with the filter */
    struct coverage coverage; /* of what the filter lets through */
    size_t damaged;           /* damaged rows that were met, and are dropped */
    bool first_visit;         /* nobody looked at this cache before */
};
struct cached_rows *cached_rows_new(void);
void cached_rows_free(struct cached_rows *rows);
PAYLOAD_TYPE(cached_rows)

/* Where to begin: the newest row. */
#define CACHED_FROM_NEWEST INT64_MIN
enum { CACHED_ROWS_MOST = 1000 };

enum cache_state {
    CACHE_STATE_OFF, /* there is none, or it cannot be used: everything works without it */
    CACHE_STATE_ASK, /* written under another token: the operator has to say whether the account is the same */
    CACHE_STATE_READY,
};

enum timer {
    TIMER_MINUTE,
    TIMER_FOLLOW,
    TIMER_COUNTDOWN,
    TIMER_RETRY,
    TIMER_LIVE,
    TIMER_DELIVERIES,
    TIMER_PROPOSALS,
    TIMER_IMPORT,
    TIMER_LEAVE,
    TIMER_DEFERRED, /* a key asked the service too soon after the last time: it is asked now */
    TIMER_MIRROR,   /* the mirror may ask again */
    TIMER_DAY,      /* perhaps midnight: times shown without a date would be those of yesterday */
    TIMER_COUNT
};

/* One row an effect: its name, and who performs it (`perform_<name>` in src/run). The comment names the struct that it
 * carries; T: the answer has the same ticket. */
#define EFFECT_TABLE(X)                                                                                      \
    X(FETCH, fetch)       /* list_ask; T */                                                                  \
    X(CANCEL, cancel)     /* the ticket of what is no longer wanted */                                       \
    X(TIMER, timer)       /* timer_ask */                                                                    \
    X(SUSPEND, on_screen) /* Ctrl-Z */                                                                       \
    X(REDRAW, on_screen)                                                                                     \
    X(MOUSE_ON, on_screen) /* the terminal reports the mouse, and no longer selects text with it */          \
    X(MOUSE_OFF, on_screen)                                                                                  \
    X(TOKEN, token)               /* read it again from its source */                                        \
    X(CACHE_ROWS, cache_rows)     /* list_ask (its filter, its from); T */                                   \
    X(LOOKUP, lookup)             /* lookup: asked of the column index; T */                                 \
    X(TEAM_LOOKUP, team_lookup)   /* lookup, asked of the team's store; T */                                 \
    X(GATHER, gather)             /* the same, of a lookup that has a gather (app/gather.h); T */            \
    X(WALKED, walked)             /* walked_rows: for the column index; EVENT_INDEX when it has them */      \
    X(CATCH_UP, catch_up)         /* the column index, with what other consoles wrote */                     \
    X(LOOKUP_ROWS, lookup_rows)   /* lookup_keys: rows of a result, decoded; T */                            \
    X(CACHE_ACCEPT, cache_accept) /* after CACHE_STATE_ASK: the account is the same */                       \
    X(WRITE, write)               /* write_ask: recorded, then sent once (app/write.h); T */                 \
    X(JOURNAL, journal)           /* journal_ask (app/journal.h); T */                                       \
    X(PROPOSALS, proposals)       /* proposal_ask (app/proposals.h): asked of the team's store; T */         \
    X(FILE, file)                 /* file_ask (app/file.h); T */                                             \
    X(DRAFT_KEEP, draft)          /* draft_ask: to the disk */                                               \
    X(DRAFT_DROP, draft)          /* draft_ask: its name alone */                                            \
    X(DRAFTS, drafts)             /* read those that are on the disk */                                      \
    X(COPY, copy)                 /* copy_ask: to the clipboard; EVENT_COPIED says how (app/copy.h) */       \
    X(PROBE, probe)               /* probe_ask: a measurement of the doctor (app/doctor.h); T */             \
    X(WEBHOOK, webhook)           /* webhook_ask (app/webhook.h); T */                                       \
    X(DELIVERIES, deliveries)     /* what the demo's sandbox delivered; without a demo no answer comes; T */ \
    X(OBSERVED, observed)         /* lookup_name (app/observed.h); T */                                      \
    X(RELATED, related)           /* lookup_name (app/related.h); T */                                       \
    X(EXPORT, export)             /* export_ask (app/export.h); T */                                         \
    X(HISTORY, history)           /* read the lines typed before */                                          \
    X(HISTORY_KEEP, history_keep) /* history_line */                                                         \
    X(VIEWS, views)               /* read the saved views; EVENT_VIEWS */                                    \
    X(VIEW_KEEP, views)           /* view_ask: one saved view as text; EVENT_VIEWS */                        \
    X(VIEW_DROP, views)           /* view_ask: its name; EVENT_VIEWS */                                      \
    X(VIEW_SHARE, views)          /* view_ask: the name of one's own; EVENT_VIEWS */                         \
    X(VIEW_UNSHARE, views)        /* view_ask: its name; EVENT_VIEWS */                                      \
    X(MIRROR, mirror)             /* mirror_ask (app/mirror.h); T */                                         \
    X(OWN, on_screen)             /* own_ask (app/own_action.h): run with the terminal; EVENT_OWN */         \
    X(MATCH_FILE, match_file)     /* match_file_ask (app/match_file.h); T */                                 \
    X(NOTES, notes)               /* notes_ask (app/notes.h): NULL reads them; EVENT_NOTES; T */             \
    X(LISTEN, listen)             /* listen_ask (app/arrivals.h); T */                                       \
    X(SEND_ON, send_on)           /* send_on_ask (app/arrivals.h): one POST; T */                            \
    X(ARRIVALS, arrivals)         /* arrivals_ask (app/arrivals.h); T */                                     \
    X(TEAM_WISH, team_wish)       /* team_wish (app/team_walk.h); EVENT_TEAM_TOLD */

enum effect_kind {
#define KIND(NAME, performer) EFFECT_##NAME,
    EFFECT_TABLE(KIND)
#undef KIND
        EFFECT_COUNT
};

struct effect {
    enum effect_kind kind;
    uint64_t ticket;
    struct payload payload; /* the performer takes it; what is not taken is freed with the effects */
};
/* What an effect carries, by the name of its struct; NULL where it was taken. */
#define effect_get(effect, type) payload_get(&(effect)->payload, type)
#define effect_take(effect, type) payload_take(&(effect)->payload, type)

struct effects {
    struct effect *items;
    size_t n, cap;
    uint64_t tickets; /* the last ticket that was given out */
};
void effects_clear(struct effects *effects);
/* The one way to add an effect; the functions below and those beside each ask name the type. Takes payload; returns the
 * ticket. */
uint64_t effects_ask(struct effects *effects, enum effect_kind kind, struct payload payload);
void effects_add(struct effects *effects, enum effect_kind kind); /* carries nothing, and nobody waits for an answer */
void effects_cancel(struct effects *effects, uint64_t ticket);
uint64_t effects_fetch(struct effects *effects, struct list_ask *ask);                /* takes ask */
uint64_t effects_cached(struct effects *effects, struct list_ask *ask, int64_t from); /* takes ask */
uint64_t effects_lookup(struct effects *effects, struct lookup *lookup);              /* takes lookup */
uint64_t effects_team_lookup(struct effects *effects, struct lookup *lookup);         /* takes lookup */
void effects_walked(struct effects *effects, struct walked_rows *rows);               /* takes rows */
/* Copies the keys; first: place of the first in the result. */
uint64_t effects_lookup_rows(struct effects *effects, const int64_t *keys, size_t n, size_t first);
uint64_t effects_deliveries(struct effects *effects);

/* ---- What belongs to one kind alone ---- */

struct timer_ask {
    enum timer timer;
    int64_t at; /* ms of the wall clock; CLOCK_NONE unsets */
};
PAYLOAD_TYPE(timer_ask)
void effects_timer(struct effects *effects, enum timer timer, int64_t at);

struct draft_ask {
    char *name, *text;
};
PAYLOAD_TYPE(draft_ask)
void draft_ask_free(struct draft_ask *ask);
void effects_draft(struct effects *effects, const char *draft, const char *text); /* text NULL: drop it */

struct copy_ask {
    char *what, *text;
};
PAYLOAD_TYPE(copy_ask)
void copy_ask_free(struct copy_ask *ask);
/* what: the subject of the sentence about it ("the id"); never the text itself where that is private. */
void effects_copy(struct effects *effects, const char *what, const char *text);

struct history_line {
    char *text;
};
PAYLOAD_TYPE(history_line)
void history_line_free(struct history_line *line);
void effects_history(struct effects *effects, const char *line); /* to the disk */

struct view_ask {
    char *text;
};
PAYLOAD_TYPE(view_ask)
void view_ask_free(struct view_ask *ask);
void effects_view(struct effects *effects, enum effect_kind kind, const char *text);

/* Named beside each: the struct that it carries, owned, or borrowed for the length of the event as its header says. */
enum event_kind {
    EVENT_START,       /* nothing */
    EVENT_LIST,        /* list_result */
    EVENT_TIMER,       /* timer_fired */
    EVENT_CLOCK_SET,   /* clock_shifted */
    EVENT_CACHE_ROWS,  /* cached_rows */
    EVENT_LOOKUP,      /* lookup_result */
    EVENT_LOOKUP_ROWS, /* lookup_result: its rows alone */
    EVENT_TEAM_LOOKUP, /* lookup_result, of the team's store: rows, totals, values and coverage */
    EVENT_INDEX,       /* index_filled */
    EVENT_TOKEN,       /* token_read */
    EVENT_THEME,       /* theme_read */
    EVENT_CACHE_STATE, /* cache_told */
    EVENT_WRITE,       /* write_result */
    EVENT_JOURNAL,     /* journal_answer; ticket 0: at the start, unasked */
    EVENT_PROPOSALS,   /* proposal_answer */
    EVENT_FILE,        /* file_answer */
    EVENT_DRAFT,       /* draft_read: one that was kept on the disk */
    EVENT_DRAFT_KEPT,  /* draft_kept: in the order they were given */
    EVENT_PROBED,      /* probe_result */
    EVENT_WEBHOOK,     /* webhook_answer */
    EVENT_DELIVERIES,  /* deliveries */
    EVENT_COPIED,      /* copied */
    EVENT_REQUEST,     /* request_seen: a request that has ended */
    EVENT_OBSERVED,    /* observed */
    EVENT_RELATED,     /* related */
    EVENT_EXPORTED,    /* error: code ERR_OK where there is none */
    EVENT_HISTORY,     /* history_read */
    EVENT_VIEWS,       /* views_read */
    EVENT_MIRROR,      /* mirror_held (app/mirror.h) */
    EVENT_OWN,         /* own_done (app/own_action.h) */
    EVENT_MATCH_FILE,  /* match_file_answer */
    EVENT_NOTES,       /* notes_answer; ticket 0: another program wrote */
    EVENT_LISTENING,   /* listening */
    EVENT_ARRIVAL,     /* arrival_told */
    EVENT_SENT_ON,     /* sent_on */
    EVENT_ARRIVALS,    /* arrivals */
    EVENT_TEAM_TOLD,   /* team_told (app/team_walk.h) */
    EVENT_TEAM_ROWS,   /* team_rows_taken (app/team_walk.h) */
    EVENT_SHARING,     /* sharing_told (app/team_walk.h) */
};

struct event {
    enum event_kind kind;
    int64_t now;
    uint64_t ticket;
    struct payload payload; /* the loop frees what nobody took */
};
/* What an event carries, by the name of its struct; NULL where somebody took it before. */
#define event_get(event, type) payload_get(&(event)->payload, type)
#define event_take(event, type) payload_take(&(event)->payload, type)
bool event_is_timer(const struct event *event, enum timer timer);

/* ---- What belongs to one kind alone. Borrowed. ---- */

struct timer_fired {
    enum timer timer;
};
PAYLOAD_TYPE(timer_fired)

/* The wall clock was set, or stood still: who waits for a moment waits as long as before. */
struct clock_shifted {
    int64_t shift; /* ms, negative where the clock was set back */
};
PAYLOAD_TYPE(clock_shifted)

/* The column index holds more than before. */
struct index_filled {
    bool whole; /* it holds all of the cache */
};
PAYLOAD_TYPE(index_filled)

struct token_read {
    const char *failure; /* why it could not be read, or NULL */
    const char *said;    /* the last line that its command said; NULL or "": nothing. A failure quotes it already */
    bool changed;        /* it differs from the token before */
};
PAYLOAD_TYPE(token_read)

/* The theme's file changed. */
struct theme_read {
    const char *failure; /* why the old one stays, or NULL */
};
PAYLOAD_TYPE(theme_read)

struct cache_told {
    enum cache_state state;
    bool opening;     /* the answer to an opening of the cache or to a yes; false: told of a page that was stored */
    const char *text; /* a message for the operator, or NULL */
};
PAYLOAD_TYPE(cache_told)

/* Both NULL: there are no more. */
struct draft_read {
    const char *name, *text;
};
PAYLOAD_TYPE(draft_read)

struct draft_kept {
    const char *name;
    const struct error *failure; /* code ERR_OK where there is none */
};
PAYLOAD_TYPE(draft_kept)

struct history_read {
    const char *lines; /* oldest first */
};
PAYLOAD_TYPE(history_read)

struct views_read {
    const char *text;   /* all saved views */
    const char *shared; /* those that a team shares (app/shared_views.h); NULL: as they were */
    const char *who;    /* this operator */
    const struct error *failure;
};
PAYLOAD_TYPE(views_read)

PAYLOAD_TYPE(error)

/* Who is driven by the loop: the console's shell, or a command without a screen. */
struct client {
    void *self;
    void (*update)(void *self, struct event *event, struct effects *effects);
    bool (*is_finished)(const void *self);
    bool (*perform)(void *self, const struct effect *effect); /* work on the screen: false where it could not be done;
                                                                 NULL: a client without a screen */
    /* A signal came: true delays the end until is_finished, or until the next signal. NULL: the program ends at once.
     */
    bool (*interrupted)(void *self);
    /* The client never sends a lookup, so no column index is built: that would read the cache beside the walk, and meet
     * damage that nobody is told of. */
    bool unindexed;
    /* It takes part in the walk of the team, where the profile has one (app/team_walk.h). */
    bool walks_with_team;
};

#endif
