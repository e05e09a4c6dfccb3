#include "arrivals_folder.h"

#include "base/mem.h"
#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, DIGITS = 12, NUMBER_BYTES = DIGITS + 1, MEGABYTE = 1 << 20 };
enum { FILES_MAX = 50000, REFUSED_SHARE = 10 };

static const int64_t NUMBER_MAX = INT64_C(999999999999);
static const char LOCK[] = ".lock", REFUSED[] = ".refused", UNFINISHED[] = ".tmp";

void arrivals_folder_path(const char *folder, int64_t n, bool refused, struct str *out) {
    str_reset(out);
    str_addf(out, "%s/%0*lld%s", folder, DIGITS, (long long)n, refused ? REFUSED : "");
}

enum err arrivals_folder_lock(const char *folder, int *fd, struct error *error) {
    struct str path;
    str_init(&path, PATH_BYTES);
    str_addf(&path, "%s/%s", folder, LOCK);
    *fd = open(path.s, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, S_IRUSR | S_IWUSR);
    bool locked = *fd >= 0 && path_lock(*fd, LOCK_EX);
    enum err err =
        locked ? ERR_OK : error_set(error, ERR_FILE, "%s: cannot be locked: %s", path.s, strerrordesc_np(errno));
    str_clear(&path);
    return err;
}

/* ---- its files ---- */

static int stored_order(const void *a, const void *b) {
    const struct stored *left = a, *right = b;
    return left->n < right->n ? -1 : left->n > right->n;
}

static bool stored_number(const char *digits, size_t len, int64_t *out) {
    long long n = 0;
    bool valid = str_to_int64(digits, len, &n) && n > 0 && n < NUMBER_MAX;
    *out = valid ? n : 0;
    return valid;
}

static bool stored_ends_in(const char *name, const char *end) {
    size_t len = strlen(name), end_len = strlen(end);
    return len > end_len && strcmp(name + len - end_len, end) == 0;
}

static bool stored_name(const char *name, struct stored *out) {
    out->refused = stored_ends_in(name, REFUSED);
    return stored_number(name, strlen(name) - (out->refused ? strlen(REFUSED) : 0), &out->n);
}

static bool stored_is_file(DIR *dir, const char *name, struct stat *info) {
    return fstatat(dirfd(dir), name, info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info->st_mode);
}

/* Files are written once: what was found of one by an earlier reading holds. */
static bool stored_know(const struct stored_list *known, struct stored *stored) {
    const struct stored *found =
        known->n > 0 ? bsearch(stored, known->items, known->n, sizeof *known->items, stored_order) : NULL;
    if (!found || found->refused != stored->refused)
        return false;
    *stored = *found;
    return true;
}

static bool stored_look(DIR *dir, const char *name, struct stored *stored) {
    struct stat info;
    if (!stored_is_file(dir, name, &info))
        return false;
    stored->bytes = info.st_size;
    stored->written = (int64_t)info.st_mtime * 1000;
    return true;
}

enum err arrivals_folder_read(const char *folder, struct stored_list *out, struct error *error) {
    const struct stored_list known = *out;
    DIR *dir = opendir(folder);
    struct dirent *entry;
    *out = (struct stored_list){.given = known.given};
    enum err err =
        dir || errno == ENOENT ? ERR_OK : error_set(error, ERR_FILE, "%s: %s", folder, strerrordesc_np(errno));
    while (dir && (entry = readdir(dir)) != NULL) {
        struct stored stored = {0};
        if (stored_name(entry->d_name, &stored) &&
            (stored_know(&known, &stored) || stored_look(dir, entry->d_name, &stored)))
            *vec_add(out) = stored;
    }
    if (dir)
        (void)closedir(dir);
    free(known.items);
    if (out->n > 0)
        qsort(out->items, out->n, sizeof *out->items, stored_order);
    return err;
}

int64_t arrivals_folder_stamp(const char *folder) {
    struct stat info;
    return stat(folder, &info) == 0 ? (int64_t)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec : 0;
}

bool arrivals_folder_remove(const char *folder, const struct stored *stored) {
    struct str path;
    str_init(&path, PATH_BYTES);
    arrivals_folder_path(folder, stored->n, stored->refused, &path);
    bool removed = unlink(path.s) == 0 || errno == ENOENT;
    str_clear(&path);
    return removed;
}

void arrivals_folder_clean(const char *folder, int64_t before) {
    DIR *dir = opendir(folder);
    struct dirent *entry;
    struct stat info;
    while (dir && (entry = readdir(dir)) != NULL)
        if (stored_ends_in(entry->d_name, UNFINISHED) && stored_is_file(dir, entry->d_name, &info) &&
            (int64_t)info.st_mtime * 1000 < before)
            (void)unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        (void)closedir(dir);
}

/* ---- the next one ---- */

static int64_t stored_given(int lock) {
    char text[DIGITS];
    int64_t given = 0;
    if (pread(lock, text, DIGITS, 0) == DIGITS)
        (void)stored_number(text, DIGITS, &given);
    return given;
}

static int64_t stored_last(const struct stored_list *list, int64_t given) {
    int64_t last = list->n > 0 ? list->items[list->n - 1].n : 0;
    return given > last ? given : last;
}

/* Without the lock: others may have added while it was read. Those beyond the number are left for the next reading, and
 * the last one may still be in the writing. */
static int64_t stored_settled(struct stored_list *list, int64_t given) {
    while (given > 0 && list->n > 0 && list->items[list->n - 1].n > given)
        list->n--;
    bool written = list->n > 0 && list->items[list->n - 1].n == given;
    return given > 0 && !written ? given - 1 : stored_last(list, given);
}

enum err arrivals_folder_survey(const char *folder, struct stored_list *list, int64_t *given, struct error *error) {
    struct str path;
    str_init(&path, PATH_BYTES);
    str_addf(&path, "%s/%s", folder, LOCK);
    int fd = open(path.s, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool locked = fd >= 0 && path_lock(fd, LOCK_SH);
    *given = fd >= 0 ? stored_given(fd) : 0;
    enum err err = arrivals_folder_read(folder, list, error);
    *given = locked ? stored_last(list, *given) : stored_settled(list, *given);
    if (fd >= 0)
        (void)close(fd);
    str_clear(&path);
    return err;
}

/* The stamp is as coarse as the clock's tick: the number tells of another program that added in the same one. */
enum err arrivals_folder_refresh(const char *folder, int lock, struct stored_list *list, struct error *error) {
    int64_t stamp = arrivals_folder_stamp(folder), given = stored_given(lock);
    if (list->stamp != 0 && list->stamp == stamp && list->given == given)
        return ERR_OK;
    list->given = given;
    return arrivals_folder_read(folder, list, error);
}

void arrivals_folder_added(const char *folder, const struct stored *stored, struct stored_list *list) {
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        if (!list->items[i].gone)
            list->items[n++] = list->items[i];
    list->n = n;
    *vec_add(list) = *stored;
    list->stamp = arrivals_folder_stamp(folder);
}

static bool stored_give(int lock, int64_t n) {
    char text[32];
    (void)snprintf(text, sizeof text, "%0*lld\n", DIGITS, (long long)n);
    return lseek(lock, 0, SEEK_SET) == 0 && path_write_all(lock, text, NUMBER_BYTES);
}

enum err arrivals_folder_number(int lock, struct stored_list *list, int64_t *n, struct error *error) {
    *n = stored_last(list, stored_given(lock)) + 1;
    list->given = *n;
    if (stored_give(lock, *n))
        return ERR_OK;
    return error_set(error, ERR_FILE, "the event's number: %s", strerrordesc_np(errno));
}

/* Where something else has the name, the next event could not be stored either. */
void arrivals_folder_number_back(const char *folder, int lock, const struct stored *stored) {
    struct str path;
    struct stat info;
    str_init(&path, PATH_BYTES);
    arrivals_folder_path(folder, stored->n, stored->refused, &path);
    if (lstat(path.s, &info) != 0 && errno == ENOENT)
        (void)stored_give(lock, stored->n - 1);
    str_clear(&path);
}

/* ---- room ---- */

struct sum {
    int64_t bytes, files;
};

struct room {
    const char *folder;
    int64_t limit; /* in bytes; 0: none */
    struct stored_list *list;
    struct sum all, refused; /* with the one that is to come */
};

static void room_count(struct room *room, const struct stored *stored, int sign) {
    room->all.bytes += sign * stored->bytes;
    room->all.files += sign;
    if (stored->refused) {
        room->refused.bytes += sign * stored->bytes;
        room->refused.files += sign;
    }
}

static bool room_is_over(const struct room *room, const struct sum *sum, int share) {
    return (room->limit > 0 && sum->bytes > room->limit / share) || sum->files > FILES_MAX / share;
}

/* The oldest go, or the oldest of those that did not verify, until the sum is within its share. */
static void room_make(struct room *room, const struct sum *sum, int share, bool refused) {
    for (size_t i = 0; i < room->list->n && room_is_over(room, sum, share); i++) {
        struct stored *stored = &room->list->items[i];
        if (stored->gone || (refused && !stored->refused) || !arrivals_folder_remove(room->folder, stored))
            continue;
        stored->gone = true;
        room_count(room, stored, -1);
    }
}

enum err arrivals_folder_make_room(const char *folder, int limit_mb, const struct stored *more,
                                   struct stored_list *list, struct error *error) {
    struct room room = {.folder = folder, .limit = (int64_t)limit_mb * MEGABYTE, .list = list};
    room_count(&room, more, 1);
    for (size_t i = 0; i < list->n; i++)
        room_count(&room, &list->items[i], 1);
    if (more->refused)
        room_make(&room, &room.refused, REFUSED_SHARE, true);
    room_make(&room, &room.all, 1, true);
    if (!room_is_over(&room, &room.all, 1))
        return ERR_OK;
    if (more->refused)
        return error_set(error, ERR_LIMIT,
                         "the stored events take all room (events_limit_mb), and none that verify give way to one "
                         "that does not");
    room_make(&room, &room.all, 1, false);
    return ERR_OK;
}
