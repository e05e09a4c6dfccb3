#include "journal_head.h"

#include "store/files.h"

#include "base/linux.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SLOT_BYTES = 256, SLOTS = 2, SLOT_GAP = 4096, LOCK_TRIES = 1000, LOCK_STEP_NS = 2000000, OWNER_MS = 600000 };

static const char LIVE[] = "live:";
static const off_t RAISING = (off_t)1 << 40, LIVING = (off_t)1 << 41, PLACES = (off_t)1 << 48;

static void journal_head_render(const struct journal_head_note *note, char out[SLOT_BYTES]) {
    struct str text;
    str_init(&text, SLOT_BYTES - 1);
    str_addf(&text, "bursar journal head 1\nentries %019" PRId64 "\nwrites %019" PRId64 "\nlink ", note->seq, note->n);
    digest_hex(&text, note->link, DIGEST_LEN);
    str_addf(&text, "\ncheck %016" PRIx64 "\n", digest_short(text.s, text.len));
    memset(out, '\n', SLOT_BYTES);
    memcpy(out, text.s, text.len);
    str_clear(&text);
}

static bool parse_hex(const char *text, unsigned char *out, size_t len) {
    for (size_t i = 0; i < len; i++) {
        unsigned byte;
        if (sscanf(text + 2 * i, "%2x", &byte) != 1)
            return false;
        out[i] = (unsigned char)byte;
    }
    return true;
}

/* What was read is made again and compared: a slot holds these bytes and no others. */
static bool journal_head_parse(const char slot[SLOT_BYTES], struct journal_head_note *out) {
    char text[SLOT_BYTES + 1], again[SLOT_BYTES], link[2 * DIGEST_LEN + 1];
    memcpy(text, slot, SLOT_BYTES);
    text[SLOT_BYTES] = '\0';
    if (sscanf(text, "bursar journal head 1\nentries %" SCNd64 "\nwrites %" SCNd64 "\nlink %64[0-9a-f]", &out->seq,
               &out->n, link) != 3 ||
        strlen(link) != 2 * (size_t)DIGEST_LEN || !parse_hex(link, out->link, DIGEST_LEN))
        return false;
    journal_head_render(out, again);
    return memcmp(again, slot, SLOT_BYTES) == 0;
}

/* The newer of the sound slots; *older: where the next note goes. False: neither is sound. */
static bool read_slots(int fd, struct journal_head_note *out, int *older) {
    bool sound = false;
    for (int i = 0; i < SLOTS; i++) {
        char slot[SLOT_BYTES];
        struct journal_head_note note;
        bool is_whole =
            pread(fd, slot, SLOT_BYTES, (off_t)i * SLOT_GAP) == SLOT_BYTES && journal_head_parse(slot, &note);
        if (is_whole && (!sound || note.seq > out->seq)) {
            *out = note;
            *older = 1 - i;
            sound = true;
        }
    }
    return sound;
}

static bool write_slot(int fd, int index, const struct journal_head_note *note) {
    char slot[SLOT_BYTES];
    journal_head_render(note, slot);
    return lseek(fd, (off_t)index * SLOT_GAP, SEEK_SET) >= 0 && path_write_all(fd, slot, SLOT_BYTES);
}

static bool sync_data(int fd) {
    int rc;
    do
        rc = fdatasync(fd);
    while (rc != 0 && errno == EINTR);
    return rc == 0;
}

enum head_state head_open(struct journal_head *head, const char *path, bool reading, struct journal_head_note *out,
                          struct error *error) {
    struct stat st;
    int older;
    snprintf(head->path, sizeof head->path, "%s", path);
    int fd = open(path, (reading ? O_RDONLY : O_RDWR) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT)
        return HEAD_ABSENT;
    if (fd < 0) {
        error_set(error, ERR_STORE, "%s: cannot be opened: %s", path, strerrordesc_np(errno));
        return errno == ELOOP ? HEAD_UNSAFE : HEAD_UNREADABLE;
    }
    bool safe = path_is_ours(fd, NULL, &st);
    if (!safe || !read_slots(fd, out, &older)) {
        close(fd);
        error_set(error, ERR_STORE, safe ? "%s: cannot be read as what it was" : "%s: not a plain file of this user",
                  path);
        return safe ? HEAD_DAMAGED : HEAD_UNSAFE;
    }
    head->fd = fd;
    return HEAD_SOUND;
}

enum err head_make(const char *path, struct error *error) {
    static const struct journal_head_note none;
    struct str temp;
    int fd = -1;
    str_init(&temp, sizeof((struct journal_head *)NULL)->path + 64);
    str_addf(&temp, "%s.new-", path);
    secret_random_hex(&temp, 8);
    enum err err = path_create_new(temp.s, &fd, error);
    if (err == ERR_OK) {
        bool ok = write_slot(fd, 0, &none) && write_slot(fd, 1, &none) && fsync(fd) == 0;
        int why = errno;
        close(fd);
        errno = why;
        if (!ok || !files_publish(temp.s, path))
            err = error_set(error, ERR_STORE, "%s: cannot be made: %s", path, strerrordesc_np(errno));
        unlink(temp.s);
    }
    str_clear(&temp);
    return err;
}

static struct flock lock_at(off_t start, short type) {
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = 1};
}

/* Held by others for one small write; not waited for without end, since one of them may have been stopped. */
static bool lock_raising(int fd) {
    for (int i = 0; i < LOCK_TRIES; i++) {
        struct flock lock = lock_at(RAISING, F_WRLCK);
        if (fcntl(fd, F_OFD_SETLK, &lock) == 0)
            return true;
        if (errno != EAGAIN && errno != EACCES && errno != EINTR)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = LOCK_STEP_NS}, NULL);
    }
    return false;
}

enum err head_raise(struct journal_head *head, const struct journal_head_note *note, struct error *error) {
    struct journal_head_note now = {0};
    int older = 0;
    if (!lock_raising(head->fd))
        return error_set(error, ERR_STORE, "%s: cannot be locked: %s", head->path, strerrordesc_np(errno));
    bool sound = read_slots(head->fd, &now, &older);
    enum err err = ERR_OK;
    if (!sound)
        err = error_set(error, ERR_STORE, "%s: was damaged while this program runs", head->path);
    else if (note->seq > now.seq && !(write_slot(head->fd, older, note) && sync_data(head->fd)))
        err = error_set(error, ERR_STORE, "%s: cannot be written: %s", head->path, strerrordesc_np(errno));
    struct flock lock = lock_at(RAISING, F_UNLCK);
    (void)fcntl(head->fd, F_OFD_SETLK, &lock);
    return err;
}

bool head_is_in_place(const struct journal_head *head) {
    struct stat named, open;
    return lstat(head->path, &named) == 0 && fstat(head->fd, &open) == 0 && named.st_dev == open.st_dev &&
           named.st_ino == open.st_ino;
}

void head_close(struct journal_head *head) {
    if (head->fd > 0)
        close(head->fd);
    head->fd = 0;
}

enum err head_live(struct journal_head *head, struct str *owner, struct error *error) {
    for (int i = 0; i < SLOTS * SLOTS; i++) {
        off_t place;
        secret_random(&place, sizeof place);
        place &= PLACES - 1;
        struct flock lock = lock_at(LIVING + place, F_WRLCK);
        if (fcntl(head->fd, F_OFD_SETLK, &lock) == 0) {
            str_reset(owner);
            str_addf(owner, "%s%" PRIx64, LIVE, (uint64_t)place);
            return ERR_OK;
        }
        if (errno != EAGAIN && errno != EACCES)
            break;
    }
    return error_set(error, ERR_STORE, "%s: cannot be locked: %s", head->path, strerrordesc_np(errno));
}

bool head_has_ended(const struct journal_head *head, const char *owner, int64_t began, int64_t now) {
    bool is_old = now - began > OWNER_MS || now < began - OWNER_MS;
    if (!owner || !str_starts(owner, LIVE))
        return is_old;
    char *end;
    errno = 0;
    uint64_t place = strtoull(owner + sizeof LIVE - 1, &end, 16);
    struct flock lock = lock_at(LIVING + (off_t)(place & (uint64_t)(PLACES - 1)), F_WRLCK);
    if (*end != '\0' || errno != 0 || fcntl(head->fd, F_OFD_GETLK, &lock) != 0)
        return is_old;
    return lock.l_type == F_UNLCK;
}
