#include "model/cache_figures.h"

#include <stdlib.h>

void cache_watch_init(struct cache_watch *watch) {
    *watch = (struct cache_watch){0};
}

void cache_watch_clear(struct cache_watch *watch) {
    arena_clear(&watch->arena);
    free(watch->items);
    cache_watch_init(watch);
}
