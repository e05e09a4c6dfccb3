#include "purge.h"

#include "drafts.h"

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

enum { PATH_BYTES = 4096 };
static const enum path_home HOMES[] = {PATH_CACHE, PATH_STATE};

typedef enum err file_fn(const char *path, void *context, struct error *error);

/* Plain files of a folder, not of those in it. */
static enum err each_file(enum path_home home, file_fn *visit, void *context, struct error *error) {
    struct str path;
    struct stat info;
    struct dirent *entry;
    str_init(&path, PATH_BYTES);
    enum err code = path_home(home, NULL, &path, error);
    size_t len = path.len;
    DIR *dir = code == ERR_OK ? opendir(path.s) : NULL;
    while (dir && code == ERR_OK && (entry = readdir(dir)) != NULL) {
        str_delete(&path, len, path.len - len);
        str_addf(&path, "/%s", entry->d_name);
        if (!path.full && lstat(path.s, &info) == 0 && S_ISREG(info.st_mode)) {
            code = visit(path.s, context, error);
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
    str_clear(&path);
    return code;
}

/* A program that has a database open holds a lock on it. */
static enum err check_free(const char *path, void *context, struct error *error) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    size_t len = strlen(path);
    (void)context;
    if (len < 3 || strcmp(path + len - 3, ".db") != 0) {
        return ERR_OK;
    }
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    bool held = fd >= 0 && fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    if (fd >= 0) {
        (void)close(fd);
    }
    return held
               ? error_set(error, ERR_STORE, "%s is in use by process %ld; nothing was removed", path, (long)lock.l_pid)
               : ERR_OK;
}

/* A journal that cannot be read says nothing of its writes: it is left to the operator. */
static enum err check_settled(struct error *error) {
    struct journal_opening opening;
    struct str path;
    int64_t counts[JOURNAL_OUTCOME_COUNT] = {0};
    str_init(&path, PATH_BYTES);
    enum err code = path_home(PATH_STATE, "journal.db", &path, error);
    bool there = code == ERR_OK && access(path.s, F_OK) == 0;
    str_clear(&path);
    if (!there) {
        return code;
    }
    struct journal *journal = journal_open(NULL, clock_now(), &opening);
    if (!journal) {
        return error_set(error, ERR_STORE, "%s; nothing was removed", opening.error.text);
    }
    code = journal_counts(journal, counts, error);
    journal_close(journal);
    int64_t open = counts[JOURNAL_OUTCOME_UNKNOWN] + counts[JOURNAL_OUTCOME_SENDING];
    if (code == ERR_OK && open > 0) {
        code = error_set(error, ERR_STORE,
                         "%lld write%s of unknown outcome: bursar activity resolve settles; nothing was removed",
                         (long long)open, open == 1 ? " is" : "s are");
    }
    return code;
}

static enum err remove_file(const char *path, void *context, struct error *error) {
    if (unlink(path) != 0 && errno != ENOENT) {
        return error_set(error, ERR_FILE, "%s could not be removed: %s", path, strerror(errno));
    }
    str_addf(context, "%s removed\n", path);
    return ERR_OK;
}

enum err purge_all(struct str *out, struct error *error) {
    enum err code = ERR_OK;
    for (size_t i = 0; i < sizeof HOMES / sizeof *HOMES && code == ERR_OK; i++) {
        code = each_file(HOMES[i], check_free, NULL, error);
    }
    if (code == ERR_OK) {
        code = check_settled(error);
    }
    if (code == ERR_OK) {
        int kept = 0, n = drafts_purge(NULL, &kept, error);
        code = n < 0 ? ERR_FILE : ERR_OK;
        str_addf(out, "%d draft%s removed\n", n < 0 ? 0 : n, n == 1 ? "" : "s");
        if (kept > 0) {
            str_addf(out, "%d kept: the outcome of %s write is not known (bursar activity resolve settles it)\n", kept,
                     kept == 1 ? "its" : "their");
        }
    }
    for (size_t i = 0; i < sizeof HOMES / sizeof *HOMES && code == ERR_OK; i++) {
        code = each_file(HOMES[i], remove_file, out, error);
    }
    if (code == ERR_OK) {
        str_add(out, "the configuration stays; exports, import results and backups are not reached, nor is what the\n"
                     "disk or the file system still holds of removed files\n");
    }
    return code;
}
