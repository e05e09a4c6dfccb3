#ifndef RUN_TEAM_EXCHANGE_H
#define RUN_TEAM_EXCHANGE_H
/* Rows between the local cache and the team's store. What is to be sent is read from the cache's change log behind a
 * place that is noted in the cache, so that nothing is lost on a store that is away, and a new one gets all. What is
 * taken in is stored as rows confirmed then, never as a page of a walk, and never over what is held as of later. */

#include "team_lane.h"

/* *more: a further call has more to send. */
enum err team_exchange_send(struct team_lane *lane, struct cache *cache, bool *more, struct error *error) MUST_CHECK;
/* *out: NULL where there is nothing. */
enum err team_exchange_take(struct team_lane *lane, struct cache *cache, struct team_turn_done *out,
                            struct error *error) MUST_CHECK;

/* Stores rows as confirmed then, never over what is held as of later. lane: counts them as sent; NULL: they may be sent
 * once more. *stored is set where anything is new by it. */
enum err team_exchange_store(struct team_lane *lane, struct cache *cache, const struct team_rows_taken *taken,
                             bool *stored, struct error *error) MUST_CHECK;

#endif
