/* The layouts are those of https://www.sqlite.org/walformat.html and fileformat2.html, section 4. */
#include "wal.h"

#include "base/mem.h"
#include "base/str.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, HEAD_BYTES = 32, FRAME_BYTES = 24, PAGE_MIN = 512, PAGE_MAX = 65536, SALT_BYTES = 8 };
enum { LITTLE_SUMS = 0x377f0682, BIG_SUMS = 0x377f0683, INDEX_VERSION = 3007000 };

struct sums {
    uint32_t a, b;
};

/* The first 48 bytes of the index, in the machine's own order; a second copy follows. */
struct index_head {
    uint32_t version, unused, change;
    uint8_t made, big_sums;
    uint16_t page_size;
    uint32_t frames, pages;
    struct sums last;
    unsigned char salt[SALT_BYTES];
    struct sums header_sums;
};

static uint32_t wal_big_endian(const unsigned char *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static uint32_t little_endian(const unsigned char *at) {
    return (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

/* len: a multiple of eight. */
static void wal_add_sums(struct sums *sums, bool big, const unsigned char *bytes, size_t len) {
    for (size_t i = 0; i < len; i += 2 * sizeof(uint32_t)) {
        const unsigned char *second = bytes + i + sizeof(uint32_t);
        sums->a += (big ? wal_big_endian(bytes + i) : little_endian(bytes + i)) + sums->b;
        sums->b += (big ? wal_big_endian(second) : little_endian(second)) + sums->a;
    }
}

static bool are(const struct sums *sums, const unsigned char *stored) {
    return sums->a == wal_big_endian(stored) && sums->b == wal_big_endian(stored + sizeof(uint32_t));
}

static bool read_at(int fd, size_t at, void *out, size_t len) {
    return pread(fd, out, len, (off_t)at) == (ssize_t)len;
}

static int open_beside(const char *path, const char *suffix) {
    struct str name;
    struct stat st;
    str_init(&name, PATH_BYTES);
    str_addf(&name, "%s%s", path, suffix);
    int fd = name.truncated ? -1 : open(name.s, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    str_clear(&name);
    if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
        close(fd);
        return -1;
    }
    return fd;
}

/* False: there is none that can be judged by. */
static bool read_index(const char *path, struct index_head *out) {
    struct index_head copies[2];
    struct sums sums = {0};
    const uint16_t one = 1;
    bool big = *(const unsigned char *)&one == 0;
    int fd = open_beside(path, "-shm");
    bool whole = fd >= 0 && read_at(fd, 0, copies, sizeof copies);
    if (fd >= 0)
        close(fd);
    if (!whole || memcmp(&copies[0], &copies[1], sizeof copies[0]) != 0)
        return false;
    wal_add_sums(&sums, big, (const unsigned char *)copies, offsetof(struct index_head, header_sums));
    *out = copies[0];
    return out->version == INDEX_VERSION && out->made && out->frames > 0 && sums.a == out->header_sums.a &&
           sums.b == out->header_sums.b;
}

struct log {
    int fd;
    bool big;
    size_t page_size;
    struct sums sums;
    unsigned char salt[SALT_BYTES];
};

/* False: it is no log, or another one than the index is of. */
static bool wal_read_head(struct log *log, const struct index_head *index) {
    unsigned char head[HEAD_BYTES];
    if (!read_at(log->fd, 0, head, sizeof head))
        return false;
    uint32_t kind = wal_big_endian(head);
    log->big = kind == BIG_SUMS;
    log->page_size = wal_big_endian(head + 8);
    memcpy(log->salt, head + 16, SALT_BYTES);
    wal_add_sums(&log->sums, log->big, head, FRAME_BYTES);
    return (kind == LITTLE_SUMS || kind == BIG_SUMS) && log->page_size >= PAGE_MIN && log->page_size <= PAGE_MAX &&
           are(&log->sums, head + FRAME_BYTES) && memcmp(log->salt, index->salt, SALT_BYTES) == 0;
}

static bool wal_is_whole(struct log *log, const struct index_head *index) {
    size_t len = FRAME_BYTES + log->page_size;
    unsigned char *frame = mem_new(len);
    bool whole = true;
    for (size_t i = 0; i < index->frames && whole; i++) {
        whole = read_at(log->fd, HEAD_BYTES + i * len, frame, len) && memcmp(frame + 8, log->salt, SALT_BYTES) == 0;
        wal_add_sums(&log->sums, log->big, frame, 8);
        wal_add_sums(&log->sums, log->big, frame + FRAME_BYTES, log->page_size);
        whole = whole && are(&log->sums, frame + 16);
    }
    free(frame);
    return whole && memcmp(&log->sums, &index->last, sizeof log->sums) == 0;
}

bool wal_is_damaged(const char *path) {
    struct index_head index, after;
    if (!read_index(path, &index))
        return false;
    struct log log = {.fd = open_beside(path, "-wal")};
    bool damaged = log.fd >= 0 && wal_read_head(&log, &index) && !wal_is_whole(&log, &index);
    if (log.fd >= 0)
        close(log.fd);
    /* A log that another program began anew meanwhile is no damaged one. */
    return damaged && read_index(path, &after) && memcmp(after.salt, index.salt, SALT_BYTES) == 0;
}
