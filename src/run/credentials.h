#ifndef RUN_BOUND_H
#define RUN_BOUND_H
/* A token and the cache that belongs to it: the cache is bound to origin, profile and account, and by a fingerprint to
 * the token. A token that is read again makes a new one of these; the earlier ones live as long as the loop, since
 * requests under way borrow their token and lanes their place. Main thread. */

#include "run/lanes/cache_lane.h"
#include "run/loop.h"

struct credentials {
    struct secret *own_token; /* read anew; NULL: the one the loop was made with */
    const struct secret *token;
    struct str print; /* the token's fingerprint, "" where there is no key */
    struct cache_place place;
    struct credentials *before;
};

/* Takes own_token. Borrows the options' profile and folder. */
struct credentials *credentials_new(const struct loop_options *options, struct secret *own_token,
                                    struct credentials *before);
void credentials_free(struct credentials *credentials); /* with all before it */

#endif
