#include "arrivals_file.h"

#include "arrivals_folder.h"
#include "session.h"

#include "base/clock.h"
#include "base/path.h"
#include "wire/arrival.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, DAY_MS = 24 * 3600 * 1000, UNFINISHED_MS = 60 * 1000, SETTLED_S = 2 };
static const int64_t NANOS = 1000000000;
enum { FILE_MAX = WIRE_ARRIVAL_HEAD_MAX + ARRIVAL_BODY_MAX };

static const char FOLDER[] = "events";

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

/* ---- adding ---- */

static size_t arrivals_file_kept(const struct arrival *arrival) {
    bool cut = !arrival_counts(arrival) && arrival->body_len > ARRIVALS_REFUSED_BODY_MAX;
    return cut ? ARRIVALS_REFUSED_BODY_MAX : arrival->body_len;
}

static enum err arrivals_file_write(const struct arrivals_place *place, const char *folder, struct arrival *arrival,
                                    struct stored *stored, struct error *error) {
    struct str path, text, whose;
    size_t over = arrival->body_len - arrivals_file_kept(arrival);
    str_init(&path, PATH_BYTES);
    str_init(&text, FILE_MAX);
    str_init(&whose, PATH_BYTES);
    arrivals_file_whose(place, &whose);
    arrivals_folder_path(folder, arrival->n, !arrival_counts(arrival), &path);
    wire_arrival_store(arrival, whose.s, &text);
    enum err err = text.truncated ? error_set(error, ERR_LIMIT, "it is larger than an event can be")
                                  : path_write_new(path.s, text.s, text.len - over, error);
    stored->n = arrival->n;
    stored->bytes = (int64_t)(text.len - over);
    stored->written = clock_now() / 1000 * 1000;
    str_clear(&path);
    str_clear(&text);
    str_clear(&whose);
    return err;
}

/* A number whose file could not be written is given again: it would count as one that was removed. */
static enum err arrivals_file_number(const struct arrivals_place *place, const char *folder, int lock,
                                     struct stored_list *known, struct stored *stored, struct arrival *arrival,
                                     struct error *error) {
    enum err err = arrivals_folder_number(lock, known, &arrival->n, error);
    if (err != ERR_OK)
        return err;
    err = arrivals_file_write(place, folder, arrival, stored, error);
    if (err != ERR_OK)
        arrivals_folder_number_back(folder, lock, stored);
    return err;
}

static enum err arrivals_file_add_in(const struct arrivals_place *place, const char *folder, struct stored_list *known,
                                     struct arrival *arrival, struct error *error) {
    struct stored more = {.bytes = (int64_t)arrivals_file_kept(arrival), .refused = !arrival_counts(arrival)};
    int lock = -1;
    enum err err = arrivals_folder_lock(folder, &lock, error);
    if (err == ERR_OK)
        err = arrivals_folder_refresh(folder, lock, known, error);
    if (err == ERR_OK)
        err = arrivals_folder_make_room(folder, place->limit_mb, &more, known, error);
    if (err == ERR_OK)
        err = arrivals_file_number(place, folder, lock, known, &more, arrival, error);
    if (err == ERR_OK)
        arrivals_folder_added(folder, &more, known);
    else
        arrival->n = known->stamp = 0;
    if (lock >= 0)
        (void)close(lock);
    return err;
}

enum err arrivals_file_add(const struct arrivals_place *place, struct stored_list *known, struct arrival *arrival,
                           struct error *error) {
    struct str folder;
    str_init(&folder, PATH_BYTES);
    enum err err = session_place(place->folder, FOLDER, place->profile, &folder, error);
    if (err == ERR_OK)
        err = path_make_private(folder.s, error);
    if (err == ERR_OK)
        err = arrivals_file_add_in(place, folder.s, known, arrival, error);
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
        size_t came = out->body_len;
        out->body_len = text.len - (size_t)(body - text.s);
        out->body = mem_dup_n(body, out->body_len);
        if (out->user_unread)
            wire_arrival_read_user(out);
        if (out->body_len < came)
            err = error_set(error, ERR_FILE, "only the first %zu of its %zu bytes are stored", out->body_len, came);
    }
    free(place_of);
    str_clear(&text);
    str_clear(&whose);
    return err;
}

/* ---- all of them ---- */

struct arrivals_memory {
    pthread_mutex_t lock;
    struct str whose; /* for whom they were read */
    struct stored_list files;
    struct remembered {
        int64_t n;
        bool refused;
        struct arrival *arrival; /* NULL: it came for another origin or account */
    } * items;
    size_t n, cap;
};

struct arrivals_memory *arrivals_memory_new(void) {
    struct arrivals_memory *memory = mem_new(sizeof *memory);
    (void)pthread_mutex_init(&memory->lock, NULL);
    str_init(&memory->whose, PATH_BYTES);
    return memory;
}

static void arrivals_memory_empty(struct arrivals_memory *memory) {
    for (size_t i = 0; i < memory->n; i++)
        arrival_free(memory->items[i].arrival);
    free(memory->items);
    memory->items = NULL;
    memory->n = memory->cap = 0;
}

void arrivals_memory_free(struct arrivals_memory *memory) {
    if (memory) {
        arrivals_memory_empty(memory);
        free(memory->files.items);
        str_clear(&memory->whose);
        (void)pthread_mutex_destroy(&memory->lock);
        free(memory);
    }
}

/* What was read for another origin, or from another folder, is forgotten. */
static void arrivals_memory_for(struct arrivals_memory *memory, const struct arrivals_place *place,
                                const char *folder) {
    struct str whose;
    str_init(&whose, PATH_BYTES);
    arrivals_file_whose(place, &whose);
    str_addf(&whose, " %s", folder);
    if (!str_equal(whose.s, memory->whose.s)) {
        arrivals_memory_empty(memory);
        memory->files.n = 0;
        str_reset(&memory->whose);
        str_add(&memory->whose, whose.s);
    }
    str_clear(&whose);
}

/* Of one that an earlier version stored: its body is read this once. */
static void arrivals_file_read_user(const struct arrivals_place *place, const char *path, struct arrival *arrival) {
    struct arrival *whole = arrival_new();
    bool ours = false;
    if (arrivals_file_load(place, path, true, whole, &ours, NULL) == ERR_OK) {
        arrival->user = whole->user;
        whole->user = NULL;
    }
    arrival_free(whole);
}

static bool arrivals_file_remember(const struct arrivals_place *place, const char *folder, const struct stored *stored,
                                   struct remembered *out) {
    struct str path;
    bool ours = false;
    struct arrival *arrival = arrival_new();
    str_init(&path, PATH_BYTES);
    arrivals_folder_path(folder, stored->n, stored->refused, &path);
    bool sound = arrivals_file_load(place, path.s, false, arrival, &ours, NULL) == ERR_OK;
    if (sound && ours && arrival->user_unread)
        arrivals_file_read_user(place, path.s, arrival);
    str_clear(&path);
    headers_clear(&arrival->headers);
    arrival->n = stored->n;
    *out = (struct remembered){stored->n, stored->refused, sound && ours ? arrival : NULL};
    if (!out->arrival)
        arrival_free(arrival);
    return sound;
}

/* Both are by number: what is remembered of a file that is gone is passed over. */
static void arrivals_memory_take_in(struct arrivals_memory *memory, const struct arrivals_place *place,
                                    const char *folder, struct arrivals *out) {
    struct remembered *before = memory->items;
    size_t n = memory->n, at = 0;
    memory->items = NULL;
    memory->n = memory->cap = 0;
    for (size_t i = 0; i < memory->files.n; i++) {
        const struct stored *stored = &memory->files.items[i];
        struct remembered one;
        while (at < n && before[at].n < stored->n)
            arrival_free(before[at++].arrival);
        bool known = at < n && before[at].n == stored->n && before[at].refused == stored->refused;
        if (known)
            one = before[at++];
        if (known || arrivals_file_remember(place, folder, stored, &one))
            *vec_add(memory) = one;
        else
            out->damaged++; /* it may be mended in its place */
    }
    while (at < n)
        arrival_free(before[at++].arrival);
    free(before);
}

/* From where on none is missing. */
static void arrivals_file_reach(const struct arrivals_memory *memory, struct arrivals *out) {
    const struct stored_list *files = &memory->files;
    int64_t first = out->given + 1;
    for (size_t i = files->n; i-- > 0 && files->items[i].n == first - 1;)
        first--;
    out->removed = out->given > (int64_t)files->n ? (size_t)(out->given - (int64_t)files->n) : 0;
    for (size_t i = 0; i < out->n && out->since == CLOCK_NONE; i++)
        if (out->items[i]->n >= first)
            out->since = out->items[i]->at;
}

static void arrivals_memory_tell(const struct arrivals_memory *memory, struct arrivals *out) {
    for (size_t i = 0; i < memory->n; i++) {
        const struct arrival *arrival = memory->items[i].arrival;
        out->elsewhere += !arrival;
        if (arrival)
            *vec_add(out) = arrival_dup(arrival);
    }
    out->stored = out->n;
}

void arrivals_file_list(const struct arrivals_place *place, struct arrivals_memory *memory, struct arrivals *out) {
    struct str folder;
    str_init(&folder, PATH_BYTES);
    (void)pthread_mutex_lock(&memory->lock);
    enum err err = session_place(place->folder, FOLDER, place->profile, &folder, &out->error);
    if (err == ERR_OK) {
        arrivals_memory_for(memory, place, folder.s);
        out->read_at = clock_now();
        err = arrivals_folder_survey(folder.s, &memory->files, &out->given, &out->error);
    }
    if (err == ERR_OK) {
        arrivals_memory_take_in(memory, place, folder.s, out);
        arrivals_memory_tell(memory, out);
        arrivals_file_reach(memory, out);
    }
    (void)pthread_mutex_unlock(&memory->lock);
    str_clear(&folder);
}

int64_t arrivals_file_stamp(const struct arrivals_place *place, int64_t now) {
    struct str folder;
    int64_t stamp = 0;
    str_init(&folder, PATH_BYTES);
    if (session_place(place->folder, FOLDER, place->profile, &folder, NULL) == ERR_OK)
        stamp = arrivals_folder_stamp(folder.s);
    str_clear(&folder);
    return now / 1000 - stamp / NANOS > SETTLED_S ? stamp : 0;
}

/* Where the event stands, whichever of its names the file has. */
static enum err arrivals_file_find(const char *folder, int64_t n, struct str *path, struct error *error) {
    arrivals_folder_path(folder, n, false, path);
    if (access(path->s, F_OK) == 0 || errno != ENOENT)
        return ERR_OK;
    arrivals_folder_path(folder, n, true, path);
    if (access(path->s, F_OK) == 0 || errno != ENOENT)
        return ERR_OK;
    return error_set(error, ERR_USAGE, "there is no stored event %lld", (long long)n);
}

enum err arrivals_file_read(const struct arrivals_place *place, int64_t n, struct arrival **out, struct error *error) {
    struct str folder, path;
    bool ours = false;
    str_init(&folder, PATH_BYTES);
    str_init(&path, PATH_BYTES);
    struct arrival *arrival = arrival_new();
    enum err err = session_place(place->folder, FOLDER, place->profile, &folder, error);
    if (err == ERR_OK)
        err = arrivals_file_find(folder.s, n, &path, error);
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

static size_t arrivals_file_retain_in(const char *folder, int days, int64_t now) {
    struct stored_list list = {0};
    size_t removed = 0;
    enum err err = days > 0 ? arrivals_folder_read(folder, &list, NULL) : ERR_OK;
    arrivals_folder_clean(folder, now - UNFINISHED_MS);
    for (size_t i = 0; err == ERR_OK && i < list.n; i++)
        if (now - list.items[i].written > (int64_t)days * DAY_MS)
            removed += arrivals_folder_remove(folder, &list.items[i]);
    free(list.items);
    return removed;
}

size_t arrivals_file_retain(const struct arrivals_place *place, int64_t now) {
    struct str folder;
    size_t removed = 0;
    int lock = -1;
    str_init(&folder, PATH_BYTES);
    if (session_place(place->folder, FOLDER, place->profile, &folder, NULL) == ERR_OK &&
        arrivals_folder_lock(folder.s, &lock, NULL) == ERR_OK)
        removed = arrivals_file_retain_in(folder.s, place->days, now);
    if (lock >= 0)
        (void)close(lock);
    str_clear(&folder);
    return removed;
}

static int arrivals_file_purge_one(const char *folder, struct error *error) {
    struct stored_list list = {0};
    int removed = 0, lock = -1;
    if (access(folder, F_OK) != 0 && errno == ENOENT)
        return 0;
    enum err err = arrivals_folder_lock(folder, &lock, error);
    if (err == ERR_OK)
        err = arrivals_folder_read(folder, &list, error);
    if (err == ERR_OK)
        arrivals_folder_clean(folder, INT64_MAX);
    for (size_t i = 0; err == ERR_OK && i < list.n; i++) {
        bool gone = arrivals_folder_remove(folder, &list.items[i]);
        removed += gone;
        if (!gone)
            err = error_set(error, ERR_FILE, "an event in %s was not removed: %s", folder, strerrordesc_np(errno));
    }
    if (lock >= 0)
        (void)close(lock);
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
