#ifndef APP_OBSERVED_H
#define APP_OBSERVED_H
/* Changes of one intent that this console observed: the service has no history, so the differences between two readings
 * are the only one there is, and it is always called "observed". A question owns its name, an answer what it holds;
 * both move with their effect or event. */

#include "app/effect.h"

struct observed_change {
    int64_t seen;
    const char *field, *old, *now; /* old NULL: was absent; now NULL: is absent */
};

struct observed {
    struct arena arena;
    struct observed_change *items; /* oldest first */
    size_t n, cap;
    bool held; /* false: the cache does not hold the intent */
    int64_t first_seen, confirmed;
    struct error error; /* code ERR_OK where there is an answer */
};
struct observed *observed_new(void);
void observed_free(struct observed *observed);
PAYLOAD_TYPE(observed)

/* Key 0: found by id and time of creation. */
struct lookup_name *observed_ask(const char *id, int64_t created_ms, int64_t key);
void observed_ask_free(struct lookup_name *ask);
uint64_t effects_observed(struct effects *effects, struct lookup_name *name); /* takes name */

#endif
