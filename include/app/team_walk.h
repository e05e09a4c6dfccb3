#ifndef APP_TEAM_WALK_H
#define APP_TEAM_WALK_H
/* One walk for all, where the profile has a team's store: of several consoles one asks the service and the others take
 * in what it read. Here: what this console wants to ask for, and what is known of whose turn it is. Pure. */

#include "app/effect.h"
#include "app/mirror.h"

/* What this console would ask the service for by itself, as texts that tell one walk from another. */
struct team_wish {
    uint64_t n;   /* counts wishes */
    char *live;   /* the head of the list under a server filter; NULL: not wanted */
    char *mirror; /* NULL: not wanted */
    /* All that is in the cache is to be sent; then it is noted that the store has every row up to `high`. */
    uint64_t flush; /* counts these; 0: none */
    int64_t high;   /* created_at; 0: nothing is to be noted */
    int64_t as_of;
};
void team_wish_free(struct team_wish *wish);
struct team_wish *team_wish_dup(const struct team_wish *wish);
PAYLOAD_TYPE(team_wish)

/* Who has the turn. */
struct team_turn {
    bool known, mine;
    char *who, *host; /* of whose it is otherwise; heap text, sanitised */
    int64_t until;    /* of one's own: monotonic ms; behind it somebody else may have it */
};
/* What the lane says, when any of it changed. */
struct team_told {
    uint64_t wish; /* number of the wish that the turns belong to */
    int64_t at;    /* monotonic ms, when this was told */
    bool reached;  /* the store answers; else each console asks by itself */
    char *fault;   /* why it does not; NULL */
    struct team_turn live, mirror;
    uint64_t flushed;  /* the wish's flush that was done */
    bool behind;       /* there is more to send or to take in */
    char *spent;       /* requests of the team in the last hour, as mirror_budget_text has them; NULL: not known */
    size_t unreported; /* this console sent since */
    size_t sealed;     /* rows of colleagues that this program's key did not open */
};
void team_told_free(struct team_told *told);
bool team_told_equal(const struct team_told *a, const struct team_told *b); /* NULL: nothing was told */
struct team_told *team_told_dup(const struct team_told *told);
PAYLOAD_TYPE(team_told)

/* Rows that colleagues' consoles read of the service. */
struct team_rows_taken {
    struct page page;
    int64_t *confirmed; /* per row: when the service served it, by this machine's clock */
};
void team_rows_taken_free(struct team_rows_taken *taken);
PAYLOAD_TYPE(team_rows_taken)

/* Notes or saved views do not get to colleagues, for another reason than a store that is away, or do so again. */
struct sharing_told {
    const char *what; /* "notes", "saved views"; static */
    char *why;        /* NULL: again */
};
void sharing_told_free(struct sharing_told *told);
PAYLOAD_TYPE(sharing_told)

struct team_walk {
    bool on; /* the profile has a team's store */
    struct team_wish wish;
    struct team_told *told; /* NULL: nothing yet */
    int64_t heard;          /* when */
};
void team_walk_init(struct team_walk *walk, const struct profile *profile);
void team_walk_clear(struct team_walk *walk);
/* part NULL: it is not wanted any more. Says so to the lane where that is new. */
void team_walk_want_live(struct team_walk *walk, const char *part, struct effects *effects);
void team_walk_want_mirror(struct team_walk *walk, const char *part, struct effects *effects);
/* Of a mirror that is done: what it read is to be in the store, where it was whole as a span. */
void team_walk_note_mirror(struct team_walk *walk, const struct mirror *mirror, struct effects *effects);
bool team_walk_is_flushed(const struct team_walk *walk); /* or cannot be now */
/* True when the event was for it; takes what it carries. Notes that the clock was set, which is for others too. */
bool team_walk_event(struct team_walk *walk, struct event *event);

/* Whether this console may ask the service. */
enum team_may { TEAM_MAY, TEAM_MAY_NOT_YET, TEAM_MAY_NOT };
enum team_may team_walk_may_live(const struct team_walk *walk, int64_t now);
enum team_may team_walk_may_mirror(const struct team_walk *walk, int64_t now);
/* The store was asked for and does not answer. */
bool team_walk_is_away(const struct team_walk *walk);
/* `anna at desk-1` */
void team_turn_text(const struct team_turn *turn, struct str *out);

#endif
