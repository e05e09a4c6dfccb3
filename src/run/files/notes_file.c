#include "notes_file.h"
#include "run/lanes/job.h"
#include "run/lanes/journal_lane.h"
#include "session.h"

#include "base/digest.h"
#include "base/mem.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, HEAD_BYTES = 8192, OPEN_TRIES = 5 };
static const char NOTES_FOLDER[] = "notes";

struct notes_place notes_place_of(const char *folder, const struct profile *profile) {
    return (struct notes_place){folder, profile->name, profile->origin, profile->account ? profile->account : ""};
}

enum err notes_file_folder(const char *folder, struct str *out, struct error *error) {
    enum err err = session_place(folder, NOTES_FOLDER, NULL, out, error);
    return err == ERR_OK ? path_make_private(out->s, error) : err;
}

/* The first line, which says whose notes they are. */
static void notes_file_head(const struct notes_place *place, struct str *out) {
    str_addf(out, "bursar notes 1\t%s\t%s\n", place->origin, place->account);
}

static enum err notes_file_lock(int fd, int how, struct error *error) {
    if (path_lock(fd, how))
        return ERR_OK;
    return error_set(error, ERR_FILE, "the file of notes cannot be locked: %s", strerrordesc_np(errno));
}

/* Between opening and locking, a purge may have removed the file: what is written to it then would be lost. */
static bool notes_file_is_there(int fd, const char *path) {
    struct stat info;
    return path_is_ours(fd, path, &info);
}

static enum err notes_file_is_safe(int fd, const char *path, struct error *error) {
    struct stat info;
    if (path_is_ours(fd, NULL, &info) && (info.st_mode & 077) == 0)
        return ERR_OK;
    return error_set(error, ERR_FILE, "%s is not a private file of yours", path);
}

static enum err notes_file_open(const char *path, int *out, struct error *error) {
    enum err err = ERR_FILE;
    for (int i = 0; i < OPEN_TRIES; i++) {
        *out = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, S_IRUSR | S_IWUSR);
        if (*out < 0)
            return error_set(error, ERR_FILE, "%s: %s", path, strerrordesc_np(errno));
        err = notes_file_is_safe(*out, path, error);
        err = err == ERR_OK ? notes_file_lock(*out, LOCK_EX, error) : err;
        if (err != ERR_OK || notes_file_is_there(*out, path))
            break;
        (void)close(*out);
        *out = -1;
    }
    return *out >= 0 ? err : error_set(error, ERR_FILE, "%s is removed again and again", path);
}

static enum err notes_file_check_head(const struct notes_place *place, const char *text, size_t len,
                                      struct error *error) {
    struct str head;
    str_init(&head, HEAD_BYTES);
    notes_file_head(place, &head);
    bool ours = len >= head.len && memcmp(text, head.s, head.len) == 0;
    str_clear(&head);
    return ours
               ? ERR_OK
               : error_set(error, ERR_STORE,
                           "the file of notes of profile %s belongs to another origin or account, or is damaged in its "
                           "first line; bursar purge --notes removes it",
                           place->profile);
}

/* What has to stand before new lines: the head, or the end of a line that was cut. */
static enum err notes_file_begin(const struct notes_place *place, int fd, off_t size, struct str *out,
                                 struct error *error) {
    char last = '\n', head[HEAD_BYTES];
    if (size == 0) {
        notes_file_head(place, out);
        return ERR_OK;
    }
    if (size > NOTES_FILE_MAX / 2)
        return error_set(error, ERR_LIMIT, "the file of notes is full; bursar purge --notes removes it");
    ssize_t n = pread(fd, head, sizeof head, 0);
    if (n < 0 || pread(fd, &last, 1, size - 1) != 1)
        return error_set(error, ERR_FILE, "the file of notes cannot be read: %s", strerrordesc_np(errno));
    if (last != '\n')
        str_add_char(out, '\n');
    return notes_file_check_head(place, head, (size_t)n, error);
}

/* All lines or none. */
static enum err notes_file_append(const struct notes_place *place, int fd, const struct notes_ask *ask, const char *who,
                                  const struct str *there, struct error *error) {
    struct stat info;
    struct str text;
    if (fstat(fd, &info) != 0)
        return error_set(error, ERR_FILE, "the file of notes: %s", strerrordesc_np(errno));
    str_init(&text, HEAD_BYTES + ask->n * 4 * (NOTE_TEXT_MAX + NOTE_ID_MAX + NOTE_WHO_MAX));
    enum err err = notes_file_begin(place, fd, info.st_size, &text, error);
    for (size_t i = 0; i < ask->n; i++) {
        struct note note = ask->items[i];
        note.who = who;
        note.at = notes_time_after(there->s, there->len, &note);
        note.at = notes_time_after(text.s, text.len, &note);
        notes_print(&note, &text);
    }
    if (err == ERR_OK && (!path_write_all(fd, text.s, text.len) || fsync(fd) != 0)) {
        err = error_set(error, ERR_FILE, "the file of notes could not be written: %s", strerrordesc_np(errno));
        if (ftruncate(fd, info.st_size) != 0)
            error_prefix(error, "half written");
    }
    str_clear(&text);
    return err;
}

static enum err notes_file_add(const struct notes_place *place, const char *path, const struct notes_ask *ask,
                               const char *who, struct error *error) {
    struct str folder, there;
    int fd = -1;
    str_init(&folder, PATH_BYTES);
    str_init(&there, NOTES_FILE_MAX + 1);
    enum err err = notes_file_folder(place->folder, &folder, error);
    err = err == ERR_OK ? notes_file_open(path, &fd, error) : err;
    err = err == ERR_OK ? path_read(path, NOTES_FILE_MAX, true, &there, error) : err;
    err = err == ERR_OK ? notes_file_append(place, fd, ask, who, &there, error) : err;
    if (fd >= 0)
        (void)close(fd);
    str_clear(&there);
    str_clear(&folder);
    return err;
}

/* Under a lock, since a line that is being written would look damaged. */
static enum err notes_file_read_text(const char *path, struct str *text, struct error *error) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return errno == ENOENT ? ERR_OK : error_set(error, ERR_FILE, "%s: %s", path, strerrordesc_np(errno));
    (void)notes_file_lock(fd, LOCK_SH, NULL); /* where nothing locks, it is read all the same */
    enum err err = path_read(path, NOTES_FILE_MAX, true, text, error);
    (void)close(fd);
    return err;
}

/* What was handed over is compared with this name. */
static void notes_file_name_me(struct notes *notes) {
    struct str who;
    str_init(&who, NOTE_WHO_MAX);
    journal_who(&who);
    notes_set_me(notes, who.s);
    str_clear(&who);
}

static enum err notes_file_read(const struct notes_place *place, const char *path, struct notes_answer *out,
                                struct error *error) {
    struct str text;
    str_init(&text, NOTES_FILE_MAX + 1);
    enum err err = notes_file_read_text(path, &text, error);
    err = err == ERR_OK && text.len > 0 ? notes_file_check_head(place, text.s, text.len, error) : err;
    if (err == ERR_OK) {
        size_t head = text.len > 0 ? (size_t)((const char *)memchr(text.s, '\n', text.len) - text.s) + 1 : 0;
        out->notes = notes_new();
        out->damaged = notes_parse(out->notes, text.s + head, text.len - head);
        notes_file_name_me(out->notes);
    }
    str_clear(&text);
    return err;
}

void notes_file_answer(const struct notes_place *place, const struct notes_ask *ask, const char *who,
                       struct notes_answer *out) {
    struct str path;
    str_init(&path, PATH_BYTES);
    enum err err = session_place(place->folder, NOTES_FOLDER, place->profile, &path, &out->error);
    if (err == ERR_OK && ask && ask->n > 0) {
        err = notes_file_add(place, path.s, ask, who, &out->error);
        out->added = err == ERR_OK ? ask->n : 0;
    }
    struct error unread = {0};
    if (path.len > 0 && notes_file_read(place, path.s, out, &unread) != ERR_OK && err == ERR_OK)
        out->error = unread;
    str_clear(&path);
}

enum err notes_file_path(const struct notes_place *place, struct str *out, struct error *error) {
    return session_place(place->folder, NOTES_FOLDER, place->profile, out, error);
}

enum err notes_file_text(const struct notes_place *place, struct str *text, struct error *error) {
    struct str path;
    str_init(&path, PATH_BYTES);
    enum err err = session_place(place->folder, NOTES_FOLDER, place->profile, &path, error);
    if (err == ERR_OK)
        err = notes_file_read_text(path.s, text, error);
    if (err == ERR_OK && text->len > 0)
        err = notes_file_check_head(place, text->s, text->len, error);
    str_clear(&path);
    return err;
}

/* Lines by a number each, sorted. */
struct line_set {
    struct line_known {
        uint64_t line;
        bool known;
    } * items;
    size_t n, cap;
};

static int by_line_number(const void *a, const void *b) {
    uint64_t x = ((const struct line_known *)a)->line, y = ((const struct line_known *)b)->line;
    return (x > y) - (x < y);
}

static struct line_known *line_of_set(const struct line_set *set, const char *line, size_t len) {
    const struct line_known key = {.line = digest_of_run(line, len)};
    return set->n > 0 ? bsearch(&key, set->items, set->n, sizeof key, by_line_number) : NULL;
}

/* Of a line that is there twice in the set, either may be found: such a pair is kept as one. */
static void sort_line_set(struct line_set *set) {
    size_t n = 0;
    if (set->n > 0)
        qsort(set->items, set->n, sizeof *set->items, by_line_number);
    for (size_t i = 0; i < set->n; i++)
        if (n == 0 || by_line_number(&set->items[n - 1], &set->items[i]) != 0)
            set->items[n++] = set->items[i];
    set->n = n;
}

/* The file is gone through once, however many lines came; one that came twice is added once. */
static void notes_file_leave_known(const struct str *there, const char *lines, struct str *out) {
    struct line_set set = {0};
    const char *end = there->s ? there->s + there->len : NULL, *stop;
    for (const char *at = lines; (stop = strchr(at, '\n')) != NULL; at = stop + 1)
        *vec_add(&set) = (struct line_known){.line = digest_of_run(at, (size_t)(stop - at))};
    sort_line_set(&set);
    for (const char *at = there->s; at < end && (stop = memchr(at, '\n', (size_t)(end - at))); at = stop + 1) {
        struct line_known *line = line_of_set(&set, at, (size_t)(stop - at));
        if (line)
            line->known = true;
    }
    for (const char *at = lines; (stop = strchr(at, '\n')) != NULL; at = stop + 1) {
        struct line_known *line = line_of_set(&set, at, (size_t)(stop - at));
        if (line && !line->known)
            str_add_n(out, at, (size_t)(stop - at) + 1);
        if (line)
            line->known = true;
    }
    free(set.items);
}

static enum err notes_file_take_open(const struct notes_place *place, int fd, const struct str *there,
                                     const char *lines, struct error *error) {
    struct stat info;
    struct str text, fresh;
    if (fstat(fd, &info) != 0)
        return error_set(error, ERR_FILE, "the file of notes: %s", strerrordesc_np(errno));
    str_init(&text, NOTES_FILE_MAX);
    str_init(&fresh, NOTES_FILE_MAX);
    notes_file_leave_known(there, lines, &fresh);
    enum err err = fresh.len > 0 ? notes_file_begin(place, fd, info.st_size, &text, error) : ERR_OK;
    str_add_n(&text, fresh.s ? fresh.s : "", fresh.len);
    if (err == ERR_OK && fresh.len > 0 && (!path_write_all(fd, text.s, text.len) || fsync(fd) != 0)) {
        err = error_set(error, ERR_FILE, "the file of notes could not be written: %s", strerrordesc_np(errno));
        if (ftruncate(fd, info.st_size) != 0)
            error_prefix(error, "half written");
    }
    str_clear(&fresh);
    str_clear(&text);
    return err;
}

enum err notes_file_take(const struct notes_place *place, const char *lines, struct error *error) {
    struct str folder, path, there;
    int fd = -1;
    str_init(&folder, PATH_BYTES);
    str_init(&path, PATH_BYTES);
    str_init(&there, NOTES_FILE_MAX + 1);
    enum err err = notes_file_folder(place->folder, &folder, error);
    err = err == ERR_OK ? session_place(place->folder, NOTES_FOLDER, place->profile, &path, error) : err;
    err = err == ERR_OK ? notes_file_open(path.s, &fd, error) : err;
    err = err == ERR_OK ? path_read(path.s, NOTES_FILE_MAX, true, &there, error) : err;
    err = err == ERR_OK ? notes_file_take_open(place, fd, &there, lines, error) : err;
    if (fd >= 0)
        (void)close(fd);
    str_clear(&there);
    str_clear(&path);
    str_clear(&folder);
    return err;
}

int notes_file_purge(const char *folder, const char *profile, struct error *error) {
    struct str path;
    if (!profile)
        return session_purge(folder, NOTES_FOLDER, error);
    str_init(&path, PATH_BYTES);
    enum err err = session_place(folder, NOTES_FOLDER, profile, &path, error);
    int removed = err == ERR_OK && unlink(path.s) == 0;
    if (err == ERR_OK && !removed && errno != ENOENT)
        err = error_set(error, ERR_FILE, "%s: %s", path.s, strerrordesc_np(errno));
    str_clear(&path);
    return err == ERR_OK ? removed : -1;
}

/* ---- As an effect ---- */

struct notes_work {
    char *folder;
    const struct profile *profile; /* of the program's whole life */
    struct notes_ask *ask;
    struct str who;
};
PAYLOAD_TYPE(notes_work)

static void notes_work_free(struct notes_work *work) {
    free(work->folder);
    notes_ask_free(work->ask);
    str_clear(&work->who);
    free(work);
}
PAYLOAD_OWNED(notes_work, notes_work_free);

static void notes_file_run(struct job *job, void *lane_state) {
    struct notes_work *work = job_work(job, notes_work);
    struct notes_place place = notes_place_of(work->folder, work->profile);
    struct notes_answer *answer = notes_answer_new();
    (void)lane_state;
    notes_file_answer(&place, work->ask, work->who.s, answer);
    job_answer(job, EVENT_NOTES, payload_of(notes_answer, answer));
}

void perform_notes(struct performer *performer, struct effect *effect) {
    struct notes_work *work = mem_new(sizeof *work);
    *work = (struct notes_work){.folder = mem_dup(performer->options->folder),
                                .profile = performer->options->profile,
                                .ask = effect_take(effect, notes_ask)};
    str_init(&work->who, NOTE_WHO_MAX);
    journal_who(&work->who);
    lane_push(performer->pages, job_of(notes_file_run, effect->ticket, payload_of(notes_work, work), performer->tell));
}
