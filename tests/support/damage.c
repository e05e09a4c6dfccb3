#include "support/damage.h"

#include "base/mem.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PAGE = 4096, BITS = 8, MANY_BITS = 20, RANGE_MAX = 20000 };

struct bytes bytes_read(const char *path) {
    struct bytes bytes = {0};
    size_t room = PAGE;
    ssize_t n = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return bytes;
    bytes.s = mem_new(room);
    bytes.there = true;
    while ((n = read(fd, bytes.s + bytes.len, room - bytes.len)) > 0) { /* what /proc has tells no size */
        bytes.len += (size_t)n;
        room *= 2;
        bytes.s = mem_resize(bytes.s, room, 1);
    }
    assert_int_equal(n, 0);
    close(fd);
    return bytes;
}

bool file_holds(const char *path, const char *text) {
    struct bytes bytes = bytes_read(path);
    bool holds = bytes.there && memmem(bytes.s, bytes.len, text, strlen(text));
    free(bytes.s);
    return holds;
}

void bytes_write(const char *path, const struct bytes *bytes) {
    if (!bytes->there) {
        unlink(path);
        return;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes->s, bytes->len), (ssize_t)bytes->len);
    close(fd);
}

static uint64_t state = 20260615;

void chance_seed(unsigned long long seed) {
    state = seed;
}

size_t chance_below(size_t n) {
    enum { GOOD_BITS = 33 };
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return n > 0 ? (size_t)(state >> GOOD_BITS) % n : 0;
}

int number_or(const char *variable, int otherwise) {
    const char *text = getenv(variable);
    int number = text ? atoi(text) : 0;
    return number > 0 ? number : otherwise;
}

static void flip_bit(struct bytes *bytes) {
    size_t at = chance_below(bytes->len);
    bytes->s[at] = (char)(bytes->s[at] ^ 1 << chance_below(BITS));
}

static void flip_bits(struct bytes *bytes) {
    for (int i = 0; i < MANY_BITS; i++)
        flip_bit(bytes);
}

static void zero_range(struct bytes *bytes) {
    size_t at = chance_below(bytes->len), len = 1 + chance_below(RANGE_MAX);
    memset(bytes->s + at, 0, len < bytes->len - at ? len : bytes->len - at);
}

/* Somewhere in the file; NULL: it has no whole page. */
static char *any_page(const struct bytes *bytes) {
    return bytes->len < PAGE ? NULL : bytes->s + chance_below(bytes->len / PAGE) * PAGE;
}

static void fill_page(struct bytes *bytes) {
    char *page = any_page(bytes);
    for (size_t i = 0; page && i < PAGE; i++)
        page[i] = (char)chance_below(256);
}

static void zero_page(struct bytes *bytes) {
    char *page = any_page(bytes);
    if (page)
        memset(page, 0, PAGE);
}

static void swap_pages(struct bytes *bytes) {
    char kept[PAGE], *a = any_page(bytes), *b = any_page(bytes);
    if (!a || a == b)
        return;
    memcpy(kept, a, PAGE);
    memcpy(a, b, PAGE);
    memcpy(b, kept, PAGE);
}

static void copy_page(struct bytes *bytes) {
    const char *from = any_page(bytes);
    char *to = any_page(bytes);
    if (from)
        memmove(to, from, PAGE);
}

static void cut(struct bytes *bytes) {
    bytes->len = chance_below(bytes->len);
}

static void cut_pages(struct bytes *bytes) {
    bytes->len = chance_below(bytes->len / PAGE) * PAGE;
}

static void add_junk(struct bytes *bytes) {
    size_t more = 1 + chance_below(RANGE_MAX);
    bytes->s = mem_resize(bytes->s, bytes->len + more, 1);
    for (size_t i = 0; i < more; i++)
        bytes->s[bytes->len + i] = (char)chance_below(256);
    bytes->len += more;
}

static void take_away(struct bytes *bytes) {
    bytes->there = false;
}

static const struct {
    const char *name;
    void (*damage)(struct bytes *bytes);
} KINDS[] = {
    {"a bit", flip_bit},          {"twenty bits", flip_bits},    {"a zeroed range", zero_range}, {"a page", fill_page},
    {"a zeroed page", zero_page}, {"swapped pages", swap_pages}, {"a copied page", copy_page},   {"cut", cut},
    {"cut at a page", cut_pages}, {"junk behind", add_junk},     {"removed", take_away},
};

const char *damage_do(struct bytes *bytes) {
    size_t kind = chance_below(COUNT_OF(KINDS));
    if (bytes->there && bytes->len > 0)
        KINDS[kind].damage(bytes);
    return KINDS[kind].name;
}
