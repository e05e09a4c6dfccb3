#ifndef RUN_PERFORM_H
#define RUN_PERFORM_H
/* Performing effects: one function for each, in the file that does the work; the table of app/effect.h names it. They
 * share a struct performer, which lives as long as its loop and is the owner for which jobs of lanes are finished. Main
 * thread. */

#include "run/loop.h"

struct arrivals_memory;
struct cache_place;
struct clipboard;
struct deliveries_fetch;
struct doctor_lane;
struct export_lane;
struct fetches;
struct file_lane;
struct indexing;
struct listening_state;
struct request_noter;
struct team_lookup_lane;
struct team_side;
struct teaming;
struct writes;

typedef void event_fn(void *owner, struct event *event);

struct performer {
    struct loop *loop;
    const struct loop_options *options;
    struct net *net;
    struct lane *pages, *reads, *journals;
    const struct secret *token; /* in use */
    struct cache_place *place;  /* of it */
    struct writes *writes;
    struct fetches *fetches;
    struct deliveries_fetch *deliveries;
    struct doctor_lane *doctor;
    struct team_lookup_lane *team_lookups;
    const struct team_side *team; /* of the journal's lane: to stand beside; NULL: there is no team */
    struct clipboard *clipboard;
    struct export_lane *exports;
    struct file_lane *files;
    struct indexing *indexing;
    struct listening_state *listening;
    struct arrivals_memory *arrivals;
    struct teaming *teaming;
    const struct request_noter *noter;
    void (*wake)(void *performer); /* any thread */
    event_fn *tell;                /* owner: the performer */
};

/* Takes what it needs of the effect. */
typedef void perform_fn(struct performer *performer, struct effect *effect);
#define PERFORMER(NAME, name) perform_fn perform_##name;
EFFECT_TABLE(PERFORMER)
#undef PERFORMER

void perform(struct performer *performer, struct effect *effect);
/* Lets the client's screen do it; false: there is no screen, or it failed. */
bool perform_screen(const struct performer *performer, const struct effect *effect);

#endif
