#include "purge.h"

#include "base/clock.h"
#include "base/path.h"
#include "store/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, DEPTH_MAX = 8 };
static const enum path_home HOMES[] = {PATH_CACHE, PATH_STATE};

typedef enum err file_fn(const char *path, void *context, struct error *error);

/* Regular files of a folder, not of the folders in it. */
static enum err each_file(enum path_home home, file_fn *visit, void *context, struct error *error) {
    struct str path;
    struct stat info;
    struct dirent *entry;
    str_init(&path, PATH_BYTES);
    enum err err = path_home(home, NULL, &path, error);
    size_t len = path.len;
    DIR *dir = err == ERR_OK ? opendir(path.s) : NULL;
    while (dir && err == ERR_OK && (entry = readdir(dir)) != NULL) {
        str_delete(&path, len, path.len - len);
        str_addf(&path, "/%s", entry->d_name);
        if (!path.truncated && lstat(path.s, &info) == 0 && S_ISREG(info.st_mode))
            err = visit(path.s, context, error);
    }
    if (dir)
        (void)closedir(dir);
    str_clear(&path);
    return err;
}

/* A program that has a database open holds a lock on it. */
static enum err check_free(const char *path, void *context, struct error *error) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    size_t len = strlen(path);
    (void)context;
    if (len < 3 || strcmp(path + len - 3, ".db") != 0)
        return ERR_OK;
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    bool held = fd >= 0 && fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    if (fd >= 0)
        (void)close(fd);
    return held
               ? error_set(error, ERR_STORE, "%s is in use by process %ld; nothing was removed", path, (long)lock.l_pid)
               : ERR_OK;
}

/* A journal that cannot be read cannot say whether its writes are settled: removing it is left to the operator. */
static enum err check_settled(struct error *error) {
    struct journal_opening opening;
    struct str path;
    int64_t counts[JOURNAL_OUTCOME_COUNT] = {0};
    str_init(&path, PATH_BYTES);
    enum err err = path_home(PATH_STATE, "journal.db", &path, error);
    bool there = err == ERR_OK && access(path.s, F_OK) == 0;
    str_clear(&path);
    if (!there)
        return err;
    struct journal *journal = journal_open(NULL, clock_now(), &opening);
    if (!journal)
        return error_set(error, ERR_STORE, "%s; nothing was removed", opening.error.text);
    err = journal_counts(journal, counts, error);
    journal_close(journal);
    int64_t open = counts[JOURNAL_OUTCOME_UNKNOWN] + counts[JOURNAL_OUTCOME_SENDING];
    if (err == ERR_OK && open > 0) {
        err = error_set(error, ERR_STORE,
                        "%lld write%s of unknown outcome: bursar activity resolve settles; nothing was removed",
                        (long long)open, open == 1 ? " is" : "s are");
    }
    return err;
}

/* What could not be removed is named, and the rest is removed all the same. */
struct removal {
    struct str *out;
    int failed;
};

static void remove_one(struct removal *removal, const char *path, bool folder) {
    if ((folder ? rmdir(path) : unlink(path)) == 0) {
        if (!folder)
            str_addf(removal->out, "%s removed\n", path);
    } else if (errno != ENOENT) {
        str_addf(removal->out, "not removed: %s: %s\n", path, strerrordesc_np(errno));
        removal->failed++;
    }
}

static bool is_own_name(const char *name) {
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/* Everything under a folder that belongs to the program: drafts, history, views, notes, indexes, files set aside, and
 * what a killed program left unfinished. A link is removed, never what it leads to. */
static void remove_under(struct removal *removal, const char *folder, int depth) {
    struct str path;
    struct stat info;
    struct dirent *entry;
    DIR *dir = opendir(folder);
    str_init(&path, PATH_BYTES);
    if (!dir && errno != ENOENT) {
        str_addf(removal->out, "not removed: %s: %s\n", folder, strerrordesc_np(errno));
        removal->failed++;
    }
    while (dir && (entry = readdir(dir)) != NULL) {
        str_reset(&path);
        str_addf(&path, "%s/%s", folder, entry->d_name);
        if (!is_own_name(entry->d_name) || path.truncated || lstat(path.s, &info) != 0)
            continue;
        bool inner = S_ISDIR(info.st_mode);
        if (inner && depth < DEPTH_MAX)
            remove_under(removal, path.s, depth + 1);
        remove_one(removal, path.s, inner);
    }
    if (dir)
        (void)closedir(dir);
    str_clear(&path);
}

static enum err remove_all(struct str *out, struct error *error) {
    struct removal removal = {.out = out};
    enum err err = ERR_OK;
    for (size_t i = 0; i < sizeof HOMES / sizeof *HOMES && err == ERR_OK; i++) {
        struct str folder;
        str_init(&folder, PATH_BYTES);
        err = path_home(HOMES[i], NULL, &folder, error);
        if (err == ERR_OK)
            remove_under(&removal, folder.s, 0);
        str_clear(&folder);
    }
    if (removal.failed > 0) {
        err = error_set(error, ERR_FILE, "%d could not be removed: they are named in the list, remove them by hand",
                        removal.failed);
    }
    str_add(out, "the configuration stays; exports, import results and backups are not reached, nor is what the\n"
                 "clipboard, the disk or the file system still holds of what was removed\n");
    return err;
}

enum err purge_all(struct str *out, struct error *error) {
    enum err err = ERR_OK;
    for (size_t i = 0; i < sizeof HOMES / sizeof *HOMES && err == ERR_OK; i++)
        err = each_file(HOMES[i], check_free, NULL, error);
    if (err == ERR_OK)
        err = check_settled(error);
    if (err == ERR_OK)
        err = remove_all(out, error);
    return err;
}
