#ifndef APP_LIVE_H
#define APP_LIVE_H
/* Live updates: the head of the list asked for again by itself, when the operator wants that. Off unless the profile
 * names a time. One request at a time: the next one is due a period after an answer came, later where answers are slow
 * or fail. It waits while the operator would be disturbed, for the service where that said so, and stops where it is
 * not authorised or the request itself is refused: asking again would change nothing. Pure. */

#include "app/browse.h"

enum live_mode { LIVE_OFF, LIVE_ON, LIVE_PAUSED };

/* Why it waits though it is on. */
enum live_hold {
    LIVE_FREE,
    LIVE_READING,   /* the operator is away from the top of the list */
    LIVE_ASKED,     /* a dialog or prompt is open */
    LIVE_ELSEWHERE, /* another pane */
    LIVE_THROTTLED,
    LIVE_DENIED,
    LIVE_REFUSED, /* with an answer that asking again does not change */
};

struct live {
    struct browse *browse; /* borrowed */
    enum live_mode mode;
    enum live_hold hold;
    int64_t period;     /* ms between an answer and the next request */
    int64_t wait;       /* ms, the one under way: the period, longer where answers are slow or fail */
    int64_t due;        /* CLOCK_NONE: a period from now */
    int64_t not_before; /* the service's word */
    int64_t began;      /* when the walk was seen to be busy; CLOCK_NONE: it is not */
    int64_t timer;      /* as set */
    unsigned failures;  /* one after another */
};

void live_init(struct live *live, struct browse *browse);
/* Off or paused: on. On: paused. */
void live_toggle(struct live *live);
/* After whatever happened: asks where it is due (true), else sets the timer. hold: what the operator is doing. */
bool live_update(struct live *live, enum live_hold hold, int64_t now, struct effects *effects);
/* On, and the last answer was one that asking again does not change. */
bool live_is_refused(const struct live *live);
/* True when the event was its timer. */
bool live_event(struct live *live, const struct event *event);

#endif
