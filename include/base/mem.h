#ifndef BASE_MEM_H
#define BASE_MEM_H
/* Memory that is there or ends the program: no caller checks for NULL. Before the end the hook restores the terminal.
 * An arena gives many small blocks that are freed together (the strings of one intent). Any thread. */

#include <stddef.h>

void *mem_new(size_t size);                 /* zeroed; never NULL */
void *mem_new_array(size_t n, size_t size); /* zeroed; n * size checked for overflow */
void *mem_resize(void *block, size_t n, size_t size);
char *mem_dup(const char *text);               /* NULL gives NULL */
char *mem_dup_n(const char *text, size_t len); /* always NUL-terminated */

/* From now on freed memory stays with the allocator for the next request: returning the columns of a lookup to the
 * system and getting them back costs more, in fresh pages, than the lookup itself. Once, at the start. */
void mem_keep(void);

/* Runs once, before a fatal end; async-signal-safe work only. */
void mem_on_fatal(void (*hook)(void));
_Noreturn void mem_fatal(const char *reason);

struct arena_block;
struct arena {
    struct arena_block *head;
    size_t used; /* bytes handed out, for caps and figures */
};
void arena_clear(struct arena *arena);
void *arena_new(struct arena *arena, size_t size); /* zeroed, aligned for any type */
char *arena_dup_n(struct arena *arena, const char *text, size_t len);

/* A vector is any struct with the members `items`, `n`, `cap`; vec_add gives the address of a new zeroed item. */
void *vec_grow(void *items, size_t n, size_t *cap, size_t size);
#define vec_add(v) ((v)->items = vec_grow((v)->items, (v)->n, &(v)->cap, sizeof *(v)->items), &(v)->items[(v)->n++])

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#endif
