#ifndef SANDBOX_CHANGES_H
#define SANDBOX_CHANGES_H
/* The few intents that are no longer as the generator made them, by place. Owned by the dataset and guarded by its
 * lock. */

#include "gen.h"

struct change {
    int64_t place;
    struct gen_life life;
    char *json;          /* verbatim element put there by a test, or NULL: rendered from life */
    size_t json_len;     /* it may hold anything */
    char *status, *type; /* of json, NULL where it has none: then no filter excludes it */
};

struct change_slot {
    struct change *change; /* NULL: free */
};

struct changes {
    struct change_slot *slots;
    size_t n, cap;
    int64_t low, high; /* places outside are surely unchanged */
};

void changes_clear(struct changes *changes);
struct change *changes_find(const struct changes *changes, int64_t place); /* NULL: unchanged */
struct change *changes_put(struct changes *changes, int64_t place);        /* found, or new and zeroed */
void change_set_json(struct change *change, const char *json, size_t len, const char *status, const char *type);

#endif
