#include "base/spool.h"

#include "base/linux.h"
#include "base/mem.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 256 << 10, FOLDER_MAX = 4096 };

struct spool {
    int fd;      /* -1: there is no file */
    bool failed; /* it takes no more */
    size_t memory_max;
    uint64_t written; /* bytes of the file; the tail stands behind them */
    char *tail;
    size_t n, cap;
};

struct spool *spool_new(size_t memory_max) {
    struct spool *spool = mem_new(sizeof *spool);
    spool->fd = -1;
    spool->memory_max = memory_max;
    return spool;
}

void spool_free(struct spool *spool) {
    if (!spool)
        return;
    if (spool->fd >= 0)
        close(spool->fd);
    free(spool->tail);
    free(spool);
}

/* Only in the folder that may hold what the service said of people. */
static int open_nameless(void) {
    struct str folder;
    int fd = -1;
    str_init(&folder, FOLDER_MAX);
    if (path_home(PATH_CACHE, NULL, &folder, NULL) == ERR_OK && path_make_private(folder.s, NULL) == ERR_OK)
        fd = open(folder.s, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    str_clear(&folder);
    return fd;
}

/* Where the disk takes a piece only in part, all of it stays in the tail, and is written over there. */
static bool spool_write(const struct spool *spool) {
    return lseek(spool->fd, (off_t)spool->written, SEEK_SET) == (off_t)spool->written &&
           path_write_all(spool->fd, spool->tail, spool->n);
}

static void spool_put_away(struct spool *spool) {
    if (spool->fd < 0)
        spool->fd = open_nameless();
    spool->failed = spool->fd < 0 || !spool_write(spool);
    if (spool->failed)
        return;
    spool->written += spool->n;
    spool->n = 0;
}

void spool_add(struct spool *spool, const void *bytes, size_t len) {
    if (spool->n + len > spool->cap) {
        size_t cap = spool->n + len > PIECE ? (spool->n + len) / 2 * 3 : PIECE;
        spool->tail = mem_resize(spool->tail, cap, 1);
        spool->cap = cap;
    }
    if (len > 0)
        memcpy(spool->tail + spool->n, bytes, len);
    spool->n += len;
    if (spool->n >= PIECE && !spool->failed)
        spool_put_away(spool);
}

uint64_t spool_len(const struct spool *spool) {
    return spool->written + spool->n;
}

bool spool_is_full(const struct spool *spool) {
    return spool->failed && spool->n > spool->memory_max;
}

/* The disk may have room again. */
void spool_reset(struct spool *spool) {
    spool->written = 0;
    spool->n = 0;
    spool->failed = spool->fd >= 0 && ftruncate(spool->fd, 0) != 0;
}

void spool_window_clear(struct spool_window *window) {
    free(window->bytes);
    *window = (struct spool_window){0};
}

static bool fill_window(const struct spool *spool, struct spool_window *window, uint64_t at, size_t len) {
    uint64_t left = spool->written - at;
    size_t want = len > PIECE ? len : left < PIECE ? (size_t)left : PIECE;
    if (want > window->cap) {
        window->bytes = mem_resize(window->bytes, want, 1);
        window->cap = want;
    }
    window->at = at;
    window->n = 0;
    while (window->n < want) {
        ssize_t n = pread(spool->fd, window->bytes + window->n, want - window->n, (off_t)(at + window->n));
        if (n == 0 || (n < 0 && errno != EINTR))
            break;
        window->n += n > 0 ? (size_t)n : 0;
    }
    return window->n >= len;
}

const char *spool_see(const struct spool *spool, struct spool_window *window, uint64_t at, size_t len) {
    if (len > spool_len(spool) || at > spool_len(spool) - len)
        return NULL;
    if (at >= spool->written)
        return spool->tail + (at - spool->written);
    /* Records lie whole in the file or whole in the tail, unless whoever put them asks for two at once. */
    if (at + len > spool->written)
        return NULL;
    bool seen = window->bytes && at >= window->at && at + len <= window->at + window->n;
    return seen || fill_window(spool, window, at, len) ? window->bytes + (at - window->at) : NULL;
}
