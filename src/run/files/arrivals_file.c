#include "arrivals_file.h"

#include "session.h"

#include "base/clock.h"
#include "base/path.h"
#include "wire/arrival.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, DIGITS = 12, DAY_MS = 24 * 3600 * 1000, MEGABYTE = 1 << 20 };
enum { FILE_MAX = WIRE_ARRIVAL_HEAD_MAX + ARRIVAL_BODY_MAX };

static const char FOLDER[] = "events", LOCK[] = ".lock";

struct arrivals_place arrivals_place_of(const char *folder, const struct profile *profile) {
    return (struct arrivals_place){.folder = folder,
                                   .profile = profile->name,
                                   .origin = profile->origin,
                                   .account = profile->account ? profile->account : "",
                                   .days = profile->events_days,
                                   .limit_mb = profile->events_limit_mb};
}

/* Whose event it is, as it stands in its file. */
static void arrivals_file_whose(const struct arrivals_place *place, struct str *out) {
    str_addf(out, "%s %s", place->origin, place->account);
}

static void arrivals_file_path(const char *folder, int64_t n, struct str *out) {
    str_reset(out);
    str_addf(out, "%s/%0*lld", folder, DIGITS, (long long)n);
}

/* ---- the folder's files ---- */

struct stored {
    int64_t n, bytes, written; /* written: ms */
};
struct stored_list {
    struct stored *items;
    size_t n, cap;
    int64_t bytes;
};

static int stored_order(const void *a, const void *b) {
    const struct stored *left = a, *right = b;
    return left->n < right->n ? -1 : left->n > right->n;
}

static enum err stored_read(const char *folder, struct stored_list *out, struct error *error) {
    DIR *dir = opendir(folder);
    struct dirent *entry;
    struct stat info;
    long long n = 0;
    if (!dir)
        return errno == ENOENT ? ERR_OK : error_set(error, ERR_FILE, "%s: %s", folder, strerrordesc_np(errno));
    while ((entry = readdir(dir)) != NULL) {
        if (!str_to_int64(entry->d_name, strlen(entry->d_name), &n) || n <= 0 ||
            fstatat(dirfd(dir), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode))
            continue;
        *vec_add(out) = (struct stored){n, info.st_size, (int64_t)info.st_mtime * 1000};
        out->bytes += info.st_size;
    }
    (void)closedir(dir);
    if (out->n > 0)
        qsort(out->items, out->n, sizeof *out->items, stored_order);
    return ERR_OK;
}

static bool stored_remove(const char *folder, int64_t n) {
    struct str path;
    str_init(&path, PATH_BYTES);
    arrivals_file_path(folder, n, &path);
    bool removed = unlink(path.s) == 0;
    str_clear(&path);
    return removed;
}

/* ---- adding ---- */

/* Numbers are given under a lock, so that several programs can receive. */
static enum err arrivals_file_lock(const char *folder, int *fd, struct error *error) {
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

static enum err arrivals_file_make_room(const struct arrivals_place *place, const char *folder,
                                        const struct arrival *arrival, struct stored_list *list, struct error *error) {
    int64_t limit = (int64_t)place->limit_mb * MEGABYTE;
    int64_t more = (int64_t)arrival->body_len;
    if (limit == 0 || list->bytes + more <= limit)
        return ERR_OK;
    if (!arrival_counts(arrival)) {
        return error_set(error, ERR_LIMIT,
                         "the stored events take %d MB (events_limit_mb), and none that verify give way to one that "
                         "does not",
                         place->limit_mb);
    }
    for (size_t i = 0; i < list->n && list->bytes + more > limit; i++)
        if (stored_remove(folder, list->items[i].n))
            list->bytes -= list->items[i].bytes;
    return ERR_OK;
}

static enum err arrivals_file_write(const struct arrivals_place *place, const char *folder, struct arrival *arrival,
                                    struct error *error) {
    struct str path, text, whose;
    str_init(&path, PATH_BYTES);
    str_init(&text, FILE_MAX);
    str_init(&whose, PATH_BYTES);
    arrivals_file_whose(place, &whose);
    arrivals_file_path(folder, arrival->n, &path);
    wire_arrival_store(arrival, whose.s, &text);
    enum err err = text.truncated ? error_set(error, ERR_LIMIT, "it is larger than an event can be")
                                  : path_write_new(path.s, text.s, text.len, error);
    str_clear(&path);
    str_clear(&text);
    str_clear(&whose);
    return err;
}

static enum err arrivals_file_add_in(const struct arrivals_place *place, const char *folder, struct arrival *arrival,
                                     struct error *error) {
    struct stored_list list = {0};
    int fd = -1;
    enum err err = arrivals_file_lock(folder, &fd, error);
    if (err == ERR_OK)
        err = stored_read(folder, &list, error);
    int64_t last = list.n > 0 ? list.items[list.n - 1].n : 0;
    if (err == ERR_OK)
        err = arrivals_file_make_room(place, folder, arrival, &list, error);
    arrival->n = last + 1;
    if (err == ERR_OK)
        err = arrivals_file_write(place, folder, arrival, error);
    if (err != ERR_OK)
        arrival->n = 0;
    if (fd >= 0)
        (void)close(fd);
    free(list.items);
    return err;
}

enum err arrivals_file_add(const struct arrivals_place *place, struct arrival *arrival, struct error *error) {
    struct str folder;
    str_init(&folder, PATH_BYTES);
    enum err err = session_place(place->folder, FOLDER, place->profile, &folder, error);
    if (err == ERR_OK)
        err = path_make_private(folder.s, error);
    if (err == ERR_OK)
        err = arrivals_file_add_in(place, folder.s, arrival, error);
    str_clear(&folder);
    return err;
}

/* ---- reading ---- */

/* The line, and the body too where it is wanted. */
static enum err arrivals_file_text(const char *path, bool whole, struct str *out, struct error *error) {
    char *at = NULL;
    if (whole)
        return path_read(path, FILE_MAX, true, out, error);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t n = fd < 0 ? -1 : 0;
    while (fd >= 0 && !at && !out->truncated) {
        char bytes[8192];
        n = read(fd, bytes, sizeof bytes);
        if (n <= 0)
            break;
        str_add_n(out, bytes, (size_t)n);
        at = memchr(out->s, '\n', out->len);
    }
    if (fd >= 0)
        (void)close(fd);
    return n < 0 ? error_set(error, ERR_FILE, "%s: %s", path, strerrordesc_np(errno)) : ERR_OK;
}

/* *ours: it came for this origin and account. */
static enum err arrivals_file_load(const struct arrivals_place *place, const char *path, bool whole,
                                   struct arrival *out, bool *ours, struct error *error) {
    struct str text, whose;
    char *place_of = NULL;
    str_init(&text, FILE_MAX + 1);
    str_init(&whose, PATH_BYTES);
    arrivals_file_whose(place, &whose);
    enum err err = arrivals_file_text(path, whole, &text, error);
    if (err == ERR_OK)
        err = wire_arrival_load(text.s, text.len, out, &place_of, error);
    *ours = err == ERR_OK && str_equal(place_of, whose.s);
    if (err == ERR_OK && whole) {
        const char *body = (const char *)memchr(text.s, '\n', text.len) + 1;
        out->body_len = text.len - (size_t)(body - text.s);
        out->body = mem_dup_n(body, out->body_len);
    }
    free(place_of);
    str_clear(&text);
    str_clear(&whose);
    return err;
}

void arrivals_file_list(const struct arrivals_place *place, struct arrivals *out) {
    struct stored_list list = {0};
    struct str folder, path;
    str_init(&folder, PATH_BYTES);
    str_init(&path, PATH_BYTES);
    enum err err = session_place(place->folder, FOLDER, place->profile, &folder, &out->error);
    if (err == ERR_OK)
        err = stored_read(folder.s, &list, &out->error);
    for (size_t i = 0; err == ERR_OK && i < list.n; i++) {
        struct arrival *arrival = arrival_new();
        bool ours = false;
        arrivals_file_path(folder.s, list.items[i].n, &path);
        bool sound = arrivals_file_load(place, path.s, false, arrival, &ours, NULL) == ERR_OK;
        arrival->n = list.items[i].n;
        out->damaged += !sound;
        out->elsewhere += sound && !ours;
        if (ours)
            *vec_add(out) = arrival;
        else
            arrival_free(arrival);
    }
    free(list.items);
    str_clear(&folder);
    str_clear(&path);
}

enum err arrivals_file_read(const struct arrivals_place *place, int64_t n, struct arrival **out, struct error *error) {
    struct str folder, path;
    bool ours = false;
    str_init(&folder, PATH_BYTES);
    str_init(&path, PATH_BYTES);
    struct arrival *arrival = arrival_new();
    enum err err = session_place(place->folder, FOLDER, place->profile, &folder, error);
    arrivals_file_path(folder.s, n, &path);
    if (err == ERR_OK && access(path.s, F_OK) != 0 && errno == ENOENT)
        err = error_set(error, ERR_USAGE, "there is no stored event %lld", (long long)n);
    bool there = err == ERR_OK;
    if (there)
        err = arrivals_file_load(place, path.s, true, arrival, &ours, error);
    if (there && err != ERR_OK && error)
        error_prefix(error, "the stored event cannot be read");
    if (err == ERR_OK && !ours)
        err = error_set(error, ERR_USAGE, "event %lld came for another origin or account", (long long)n);
    str_clear(&folder);
    str_clear(&path);
    arrival->n = n;
    if (err == ERR_OK)
        *out = arrival;
    else
        arrival_free(arrival);
    return err;
}

/* ---- removing ---- */

size_t arrivals_file_retain(const struct arrivals_place *place, int64_t now) {
    struct stored_list list = {0};
    struct str folder;
    size_t removed = 0;
    str_init(&folder, PATH_BYTES);
    enum err err = session_place(place->folder, FOLDER, place->profile, &folder, NULL);
    if (err == ERR_OK && place->days > 0)
        err = stored_read(folder.s, &list, NULL);
    for (size_t i = 0; err == ERR_OK && i < list.n; i++)
        if (now - list.items[i].written > (int64_t)place->days * DAY_MS)
            removed += stored_remove(folder.s, list.items[i].n);
    free(list.items);
    str_clear(&folder);
    return removed;
}

static int arrivals_file_purge_one(const char *folder, struct error *error) {
    struct stored_list list = {0};
    int removed = 0;
    enum err err = stored_read(folder, &list, error);
    for (size_t i = 0; err == ERR_OK && i < list.n; i++) {
        bool gone = stored_remove(folder, list.items[i].n);
        removed += gone;
        if (!gone)
            err = error_set(error, ERR_FILE, "an event in %s was not removed: %s", folder, strerrordesc_np(errno));
    }
    free(list.items);
    return err == ERR_OK ? removed : -1;
}

static int arrivals_file_purge_all(const char *folder, struct error *error) {
    struct str path;
    int removed = 0;
    DIR *dir = opendir(folder);
    struct dirent *entry;
    str_init(&path, PATH_BYTES);
    while (dir && removed >= 0 && (entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        str_reset(&path);
        str_addf(&path, "%s/%s", folder, entry->d_name);
        int n = arrivals_file_purge_one(path.s, error);
        removed = n < 0 ? n : removed + n;
    }
    if (dir)
        (void)closedir(dir);
    str_clear(&path);
    return removed;
}

int arrivals_file_purge(const char *folder, const char *profile, struct error *error) {
    struct str path;
    int removed = -1;
    str_init(&path, PATH_BYTES);
    if (session_place(folder, FOLDER, profile, &path, error) == ERR_OK)
        removed = profile ? arrivals_file_purge_one(path.s, error) : arrivals_file_purge_all(path.s, error);
    str_clear(&path);
    return removed;
}
