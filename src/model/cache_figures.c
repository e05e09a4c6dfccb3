#include "model/cache_figures.h"

#include <stdlib.h>

void cache_unknown_fields_init(struct cache_unknown_fields *watch) {
    *watch = (struct cache_unknown_fields){0};
}

void cache_unknown_fields_clear(struct cache_unknown_fields *watch) {
    arena_clear(&watch->arena);
    free(watch->items);
    cache_unknown_fields_init(watch);
}
