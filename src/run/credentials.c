#include "credentials.h"

#include "base/mem.h"
#include "store/machine_key.h"

#include <stdlib.h>

static void take_print(struct credentials *credentials, const char *folder) {
    struct machine_key key;
    bool made;
    if (credentials->token && machine_key_load(folder, &key, &made, NULL) == ERR_OK) {
        secret_fingerprint(credentials->token, &key, &credentials->print);
        secret_wipe(&key, sizeof key);
    }
}

struct credentials *credentials_new(const struct loop_options *options, struct secret *own_token,
                                    struct credentials *before) {
    const struct profile *profile = options->profile;
    struct credentials *credentials = mem_new(sizeof *credentials);
    credentials->own_token = own_token;
    credentials->token = own_token ? own_token : options->token;
    credentials->before = before;
    str_init(&credentials->print, 64);
    take_print(credentials, options->folder);
    credentials->place = (struct cache_place){.folder = options->folder,
                                              .binding = {.origin = profile->origin,
                                                          .profile = profile->name,
                                                          .account = profile->account ? profile->account : "",
                                                          .token = credentials->print.s},
                                              .retention_days = profile->retention_days,
                                              .limit_mb = profile->cache_limit_mb};
    return credentials;
}

void credentials_free(struct credentials *credentials) {
    while (credentials) {
        struct credentials *before = credentials->before;
        secret_free(credentials->own_token);
        str_clear(&credentials->print);
        free(credentials);
        credentials = before;
    }
}
