#include "watch.h"

#include "app/idset.h"
#include "wire/watch.h"

#include <stdlib.h>
#include <string.h>

enum { KINDS_MAX = 500 }; /* different ones of one page; further ones count as others */

struct watch {
    struct arena arena;
    struct cache_watched *items;
    size_t n, cap;
    struct idset *known; /* kind and name to item */
};

static size_t find(struct watch *watch, const char *kind, const char *name) {
    struct str key;
    str_init(&key, WIRE_WATCH_NAME_MAX * 8);
    str_addf(&key, "%s %s", kind, name);
    size_t at = idset_find(watch->known, key.s, key.len);
    if (at == SIZE_MAX && watch->n >= KINDS_MAX && *name) {
        at = find(watch, kind, "");
    } else if (at == SIZE_MAX) {
        at = watch->n;
        (void)idset_put(watch->known, key.s, key.len, at);
        *vec_add(watch) = (struct cache_watched){.kind = kind, .name = arena_dup_n(&watch->arena, name, strlen(name))};
    }
    str_clear(&key);
    return at;
}

static void count(void *context, const char *kind, const char *name) {
    struct watch *watch = context;
    size_t at = find(watch, kind, *name ? name : "(empty)");
    watch->items[at].n++;
}

struct watch *watch_new(const struct page *page) {
    struct watch *watch = mem_new(sizeof *watch);
    watch->known = idset_new();
    for (size_t i = 0; i < page->n; i++) {
        wire_watch(page->items[i], count, watch);
    }
    if (watch->n > 0) {
        return watch;
    }
    watch_free(watch);
    return NULL;
}

void watch_free(struct watch *watch) {
    if (watch) {
        arena_clear(&watch->arena);
        free(watch->items);
        idset_free(watch->known);
        free(watch);
    }
}

void watch_put(const struct watch *watch, struct cache *cache, int64_t now) {
    if (watch) {
        enum err code = cache_watch_add(cache, watch->items, watch->n, now, NULL);
        (void)code; /* figures only */
    }
}
