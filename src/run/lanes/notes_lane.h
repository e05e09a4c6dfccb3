#ifndef RUN_NOTES_LANE_H
#define RUN_NOTES_LANE_H
/* What a team shares beside writes and intents: notes and tags, and saved views. What was written here goes to its
 * store, and what colleagues wrote comes into files of this machine, so that all that shows it knows nothing of a team;
 * a store that is away costs nothing: what it has not is sent another time. On a thread of its own, with a connection
 * of its own, which is made only when there is something to send or to take in, and closed at once. Whether there is
 * news is asked by the team walk's lane, whose connection stands. */

#include "exchange_sources.h"
#include "run/lanes/team_side.h"
#include "work/lane.h"

enum notes_exchange_kind { EXCHANGE_NOTES, EXCHANGE_VIEWS, EXCHANGE_COUNT };

struct performer;

/* How the last exchanges of one kind went: what fails twice in the same way is told. */
struct notes_going {
    char last[ERROR_TEXT_MAX], told[ERROR_TEXT_MAX]; /* "": well */
};

struct notes_lane {
    struct lane *lane; /* NULL: not begun */
    struct team_side *team;
    const char *folder;
    int64_t at;   /* monotonic ms of the next turn; CLOCK_NONE: none */
    int64_t news; /* at the last turn; 0: none yet */
    struct exchange_memory memories[EXCHANGE_COUNT];
    struct notes_going going[EXCHANGE_COUNT];
};

/* Once, on this thread: sends and takes in. ERR_STORE where the store is away. news: the number of the store's last
 * change of these, below 0: not known. Where that and the file are as `memory` has them, nothing is read and nothing is
 * asked. */
enum err notes_exchange(struct team_side *team, const char *folder, enum notes_exchange_kind kind, int64_t news,
                        struct exchange_memory *memory, struct error *error) MUST_CHECK;
bool notes_exchange_is_wanted(const struct profile *profile, enum notes_exchange_kind kind);

bool notes_lane_is_wanted(const struct profile *profile);
/* At `at`, or later, or as soon as there is news; does nothing while a turn is under way. news: as above. What is to be
 * told comes as EVENT_SHARING. */
void notes_lane_tick(struct notes_lane *lane, int64_t now, int64_t news, struct performer *performer);
void notes_lane_close(struct notes_lane *lane);

#endif
