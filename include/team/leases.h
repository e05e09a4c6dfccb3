#ifndef TEAM_LEASES_H
#define TEAM_LEASES_H
/* One walk for all: who asks the service for a part of the list, until when, and what the team spent of its requests in
 * the last hour. All times are by the store's clock, so that a console's wrong one does no harm. A lease belongs to one
 * handle (struct team), and runs out by itself where that ends without a word. */

#include "team/team.h"

struct team_lease {
    bool mine;
    char *who, *host; /* sanitised heap text; of whoever has it */
    int64_t left_ms;  /* until it runs out */
};
/* Takes it where it is free or has run out, renews one's own, and says who has it. part: of any text, known to the
 * store by a digest. out: to be cleared whatever this returns. */
enum err team_lease_take(struct team *team, int64_t scope, const char *part, int64_t length_ms, struct team_lease *out,
                         struct error *error) MUST_CHECK;
/* Gives one's own back; another's stays. */
enum err team_lease_drop(struct team *team, int64_t scope, const char *part, struct error *error) MUST_CHECK;
void team_lease_clear(struct team_lease *lease);

/* Requests of the last hour, oldest first. */
enum { TEAM_SPENT_MINUTES = 60 };
struct team_spent {
    struct team_spent_minute {
        int64_t minutes_ago;
        int64_t n;
    } items[TEAM_SPENT_MINUTES];
    size_t n;
};
/* Counts so many more (0: none), and says what all spent. */
enum err team_spend(struct team *team, int64_t scope, int64_t requests, struct team_spent *out,
                    struct error *error) MUST_CHECK;

#endif
