#include "unknown_fields.h"

#include "app/idset.h"
#include "wire/unknown_fields.h"

#include <stdlib.h>
#include <string.h>

enum { KINDS_MAX = 500 }; /* different names in one page; further ones are counted together */

struct unknown_fields {
    struct arena arena;
    struct cache_read_unknown_fields *items;
    size_t n, cap;
    struct idset *known; /* kind and name to item */
};

static size_t lanes_unknown_fields_find(struct unknown_fields *unknown_fields, const char *kind, const char *name) {
    struct str key;
    str_init(&key, WIRE_UNKNOWN_NAME_MAX * 8);
    str_addf(&key, "%s %s", kind, name);
    size_t at = idset_find(unknown_fields->known, key.s, key.len);
    if (at == SIZE_MAX && unknown_fields->n >= KINDS_MAX && *name) {
        at = lanes_unknown_fields_find(unknown_fields, kind, "");
    } else if (at == SIZE_MAX) {
        at = unknown_fields->n;
        (void)idset_put(unknown_fields->known, key.s, key.len, at);
        *vec_add(unknown_fields) = (struct cache_read_unknown_fields){
            .kind = kind, .name = arena_dup_n(&unknown_fields->arena, name, strlen(name))};
    }
    str_clear(&key);
    return at;
}

static void lanes_unknown_fields_count(void *context, const char *kind, const char *name) {
    struct unknown_fields *unknown_fields = context;
    size_t at = lanes_unknown_fields_find(unknown_fields, kind, *name ? name : "(empty)");
    unknown_fields->items[at].n++;
}

struct unknown_fields *unknown_fields_new(const struct page *page) {
    struct unknown_fields *unknown_fields = mem_new(sizeof *unknown_fields);
    unknown_fields->known = idset_new();
    for (size_t i = 0; i < page->n; i++)
        wire_unknown_fields(page->items[i], lanes_unknown_fields_count, unknown_fields);
    if (unknown_fields->n > 0)
        return unknown_fields;
    unknown_fields_free(unknown_fields);
    return NULL;
}

void unknown_fields_free(struct unknown_fields *unknown_fields) {
    if (unknown_fields) {
        arena_clear(&unknown_fields->arena);
        free(unknown_fields->items);
        idset_free(unknown_fields->known);
        free(unknown_fields);
    }
}

void unknown_fields_put(const struct unknown_fields *unknown_fields, struct cache *cache, int64_t now) {
    if (unknown_fields) {
        enum err err = cache_unknown_fields_add(cache, unknown_fields->items, unknown_fields->n, now, NULL);
        (void)err; /* only statistics */
    }
}
