#ifndef STORE_PLACE_H
#define STORE_PLACE_H
/* A test's own folder with the cache of one profile in it, closed to begin with or opened. */

#include "base/mem.h"
#include "store/cache.h"
#include "support/proc.h"

#include <stdio.h>
#include <stdlib.h>

static const struct cache_binding BINDING = {"https://api.example.com:443", "live", "acme-eu", "aaaaaaaaaaaa"};

struct place {
    char *folder;
    char path[4200];     /* of the cache */
    struct cache *cache; /* NULL: closed */
    struct cache_opening opening;
};

static inline int place_set_up(void **state) {
    struct place *place = mem_new(sizeof *place);
    place->folder = proc_folder_new();
    (void)snprintf(place->path, sizeof place->path, "%s/live.db", place->folder);
    *state = place;
    return 0;
}

static inline struct cache *open_it(struct place *place) {
    return cache_open(place->folder, &BINDING, &place->opening);
}

static inline int place_set_up_open(void **state) {
    (void)place_set_up(state);
    struct place *place = *state;
    place->cache = open_it(place);
    return place->cache ? 0 : 1;
}

static inline int place_tear_down(void **state) {
    struct place *place = *state;
    cache_close(place->cache);
    proc_folder_remove(place->folder);
    free(place);
    return 0;
}

#endif
