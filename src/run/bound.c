#include "bound.h"

#include "base/mem.h"
#include "store/machine_key.h"

#include <stdlib.h>

static void take_print(struct bound *bound, const char *folder) {
    struct machine_key key;
    bool made;
    if (bound->token && machine_key_load(folder, &key, &made, NULL) == ERR_OK) {
        secret_fingerprint(bound->token, &key, &bound->print);
        secret_wipe(&key, sizeof key);
    }
}

struct bound *bound_new(const struct loop_options *options, struct secret *own, struct bound *before) {
    const struct profile *profile = options->profile;
    struct bound *bound = mem_new(sizeof *bound);
    bound->own = own;
    bound->token = own ? own : options->token;
    bound->before = before;
    str_init(&bound->print, 64);
    take_print(bound, options->folder);
    bound->place = (struct cache_place){.folder = options->folder,
                                        .binding = {.origin = profile->origin,
                                                    .profile = profile->name,
                                                    .account = profile->account ? profile->account : "",
                                                    .token = bound->print.s},
                                        .retention_days = profile->retention_days,
                                        .limit_mb = profile->cache_limit_mb};
    return bound;
}

void bound_free(struct bound *bound) {
    while (bound) {
        struct bound *before = bound->before;
        secret_free(bound->own);
        str_clear(&bound->print);
        free(bound);
        bound = before;
    }
}
