#include "base/mem.h"

#include "base/out.h"

#include <malloc.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    ARENA_BLOCK_MIN = 1024,
    ARENA_BLOCK_MAX = 64 * 1024,
    VECTOR_MIN = 8,
    KEPT_BLOCK = 32 * 1024 * 1024, /* glibc takes no more */
    KEPT_IN_ALL = 128 * 1024 * 1024,
};

void mem_keep(void) {
#ifdef __GLIBC__
    /* Only advice: without it all works, slower. */
    (void)mallopt(M_MMAP_THRESHOLD, KEPT_BLOCK);
    (void)mallopt(M_TRIM_THRESHOLD, KEPT_IN_ALL);
#endif
}

static void (*_Atomic fatal_hook)(void);

void mem_on_fatal(void (*hook)(void)) {
    atomic_store(&fatal_hook, hook);
}

_Noreturn void mem_fatal(const char *reason) {
    /* Taken out first: a hook that fails must not run again. */
    void (*hook)(void) = atomic_exchange(&fatal_hook, NULL);
    if (hook)
        hook();
    out_last_words("bursar: cannot go on: ");
    out_last_words(reason);
    out_last_words("\n");
    abort();
}

static size_t product(size_t n, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes) || bytes > PTRDIFF_MAX)
        mem_fatal("more memory asked for than there can be");
    return bytes ? bytes : 1;
}

static void *mem_there(void *block) {
    if (!block)
        mem_fatal("out of memory");
    return block;
}

void *mem_new(size_t size) {
    return mem_new_array(1, size);
}

void *mem_new_array(size_t n, size_t size) {
    return mem_there(calloc(1, product(n, size)));
}

void *mem_resize(void *block, size_t n, size_t size) {
    return mem_there(realloc(block, product(n, size)));
}

char *mem_dup(const char *text) {
    return text ? mem_dup_n(text, strlen(text)) : NULL;
}

char *mem_dup_n(const char *text, size_t len) {
    char *copy = mem_there(malloc(product(len + 1, 1)));
    if (len)
        memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

struct arena_block {
    struct arena_block *next;
    size_t used, cap;
    alignas(max_align_t) unsigned char bytes[];
};

void arena_clear(struct arena *arena) {
    struct arena_block *block = arena->head;
    while (block) {
        struct arena_block *next = block->next;
        free(block);
        block = next;
    }
    *arena = (struct arena){0};
}

/* Each block is twice as large as the last, so that the arena of a small intent stays small and that of a page needs
 * few calls. */
static struct arena_block *block_add(struct arena *arena, size_t size) {
    size_t cap = arena->head ? arena->head->cap * 2 : ARENA_BLOCK_MIN;
    if (cap > ARENA_BLOCK_MAX)
        cap = ARENA_BLOCK_MAX;
    if (cap < size)
        cap = size;
    if (cap > PTRDIFF_MAX - sizeof(struct arena_block))
        mem_fatal("more memory asked for than there can be");
    struct arena_block *block = mem_new(sizeof *block + cap);
    block->cap = cap;
    block->next = arena->head;
    arena->head = block;
    return block;
}

static void *mem_take(struct arena *arena, size_t size, size_t align) {
    struct arena_block *block = arena->head;
    size_t at = block ? (block->used + align - 1) & ~(align - 1) : 0;
    if (!block || at > block->cap || size > block->cap - at) {
        block = block_add(arena, size);
        at = 0;
    }
    block->used = at + size;
    arena->used += size;
    return block->bytes + at;
}

void *arena_new(struct arena *arena, size_t size) {
    return mem_take(arena, size, alignof(max_align_t));
}

char *arena_dup_n(struct arena *arena, const char *text, size_t len) {
    char *copy = mem_take(arena, len + 1, 1);
    if (len)
        memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

void *vec_grow(void *items, size_t n, size_t *cap, size_t size) {
    if (n >= *cap) {
        *cap = *cap ? *cap * 2 : VECTOR_MIN;
        items = mem_resize(items, *cap, size);
    }
    memset((char *)items + n * size, 0, size);
    return items;
}
