#ifndef APP_LIVE_H
#define APP_LIVE_H
/* Live updates: asks for the head of the list again and again, where the operator wants that. Off unless the profile
 * names a period. One request at a time: the next is due one period after an answer came, later where answers are slow
 * or fail. It waits while it would disturb the operator, and for the service where that asked to wait; it stops where
 * the service refuses the token or the request itself, since asking again would change nothing. Pure. */

#include "app/browse.h"
#include "app/team_walk.h"

enum live_mode { LIVE_OFF, LIVE_ON, LIVE_PAUSED };

/* Why it waits although it is on. */
enum live_hold {
    LIVE_FREE,
    LIVE_READING,   /* the operator is away from the top of the list */
    LIVE_ASKED,     /* a dialog or prompt is open */
    LIVE_ELSEWHERE, /* another pane */
    LIVE_THROTTLED,
    LIVE_DENIED,
    LIVE_REFUSED,      /* the last answer was a refusal that asking again does not change */
    LIVE_UNKNOWN_TURN, /* whose turn it is in the team is not known yet */
    LIVE_THROUGH,      /* a colleague's console asks, and this one takes in what it read */
};

struct live {
    struct browse *browse;  /* borrowed */
    struct team_walk *team; /* borrowed; NULL: none */
    enum live_mode mode;
    enum live_hold hold;
    int64_t period;     /* ms between an answer and the next request */
    int64_t wait;       /* ms, the one under way: the period, longer where answers are slow or fail */
    int64_t due;        /* CLOCK_NONE: a period from now */
    int64_t not_before; /* the time that the service asked to wait for */
    int64_t began;      /* since when the answer of `ticket` is waited for; CLOCK_NONE: of none */
    uint64_t ticket;
    int64_t timer;     /* the time that the timer is set to */
    unsigned failures; /* failures in a row */
    bool missed;       /* rows that colleagues read may be missing in the list: it is asked for once */
};

void live_init(struct live *live, struct browse *browse);
/* Turns it on where it is off or paused, and pauses it where it is on. */
void live_toggle(struct live *live);
/* Called after every event: sends the request where it is due (true), else sets the timer. hold: what the operator is
 * doing. */
bool live_update(struct live *live, enum live_hold hold, int64_t now, struct effects *effects);
/* On, but the last answer was a refusal that asking again does not change. */
bool live_is_refused(const struct live *live);
/* True when the event was its timer. */
bool live_event(struct live *live, const struct event *event);

#endif
