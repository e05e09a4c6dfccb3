#ifndef BASE_SPOOL_H
#define BASE_SPOOL_H
/* Bytes put away one behind the other and read back from anywhere: in a private file without a name in the cache
 * folder, which ends with the program however it ends. What the file does not take, where there is none or the disk is
 * full, stays in memory up to a bound. One thread at a time. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spool;

struct spool *spool_new(size_t memory_max);
void spool_free(struct spool *spool);
/* Behind what is there. Never fails: see spool_is_full. */
void spool_add(struct spool *spool, const void *bytes, size_t len);
uint64_t spool_len(const struct spool *spool); /* where the next bytes will stand */
bool spool_is_full(const struct spool *spool); /* more is in memory than should be */
void spool_reset(struct spool *spool);         /* empty */

/* A place to read at, moved forward: bytes that follow each other are read from the file in large pieces. */
struct spool_window {
    char *bytes;
    size_t n, cap;
    uint64_t at;
};
void spool_window_clear(struct spool_window *window);
/* Good until the window is used again, or something is put; NULL: the file cannot be read. */
const char *spool_see(const struct spool *spool, struct spool_window *window, uint64_t at, size_t len);

#endif
