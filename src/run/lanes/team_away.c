#include "team_away.h"
#include "team_side.h"

#include "base/mem.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, FILE_MAX_BYTES = 64 << 20, LINE_BYTES = 4096 };

/* Held by whoever has the descriptor. Who waited for the lock may have got a file that is merged and gone by then: it
 * is opened again. -1 with errno. */
static int open_away_locked(const char *path, int flags) {
    struct stat info;
    for (;;) {
        int fd = open(path, flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0)
            return -1;
        if (!path_lock(fd, LOCK_EX) || fstat(fd, &info) != 0) {
            (void)close(fd);
            return -1;
        }
        if (info.st_nlink > 0)
            return fd;
        (void)close(fd);
    }
}

/* The line is there whole, or not at all: one that was cut short is ended first, and one that failed is taken back. */
static bool add_away_line(int fd, struct str *line) {
    struct stat info;
    char last = '\n';
    if (fstat(fd, &info) != 0 || (info.st_size > 0 && pread(fd, &last, 1, info.st_size - 1) != 1))
        return false;
    if (last != '\n' && !path_write_all(fd, "\n", 1))
        return false;
    if (path_write_all(fd, line->s, line->len) && fsync(fd) == 0)
        return true;
    int code = errno;
    if (ftruncate(fd, info.st_size) != 0)
        (void)path_write_all(fd, "\n", 1);
    errno = code;
    return false;
}

enum err team_away_add(const char *folder, const char *profile, const char *name, const char *prints,
                       struct error *error) {
    struct str path, line;
    str_init(&path, PATH_BYTES);
    str_init(&line, LINE_BYTES);
    enum err err = team_file_path(folder, "team-away-", profile, &path, error);
    int fd = err == ERR_OK ? open_away_locked(path.s, O_CREAT | O_APPEND) : -1;
    str_addf(&line, "%s %s\n", name, prints);
    if (err == ERR_OK && (fd < 0 || !add_away_line(fd, &line)))
        err = error_set(error, ERR_FILE, "%s: %s; nothing is sent without it", path.s, strerrordesc_np(errno));
    if (fd >= 0)
        (void)close(fd);
    str_clear(&line);
    str_clear(&path);
    return err;
}

/* What is left is a new file: whole, whenever this is stopped. Who waits for the lock of the old one opens it anew. */
static enum err keep_left(const char *path, const struct str *left, struct error *error) {
    if (left->len == 0 && unlink(path) == 0)
        return ERR_OK;
    return path_replace(path, left->s, left->len, error);
}

static bool read_all(int fd, struct str *out) {
    char bytes[1 << 14];
    ssize_t n;
    while ((n = read(fd, bytes, sizeof bytes)) > 0)
        str_add_n(out, bytes, (size_t)n);
    return n == 0 && !out->truncated;
}

/* One that cannot be merged keeps none behind it; the first such is told. */
static enum err merge_lines(char *text, team_away_fn *merge, void *context, struct str *left, struct error *error) {
    enum err err = ERR_OK;
    for (char *line; (line = strsep(&text, "\n")) != NULL;) {
        char *prints = strchr(line, ' ');
        bool merged = false;
        if (!prints)
            continue; /* the end, or a line that was cut short: its write was never sent */
        *prints = '\0';
        enum err one = merge(context, line, prints + 1, &merged, err == ERR_OK ? error : NULL);
        err = err == ERR_OK ? one : err;
        if (!merged)
            str_addf(left, "%s %s\n", line, prints + 1);
    }
    return err;
}

enum err team_away_each(const char *folder, const char *profile, team_away_fn *merge, void *context,
                        struct error *error) {
    struct str path, text, left;
    str_init(&path, PATH_BYTES);
    enum err err = team_file_path(folder, "team-away-", profile, &path, error);
    if (err != ERR_OK || access(path.s, F_OK) != 0) {
        str_clear(&path);
        return err;
    }
    str_init(&text, FILE_MAX_BYTES);
    str_init(&left, FILE_MAX_BYTES);
    int fd = open_away_locked(path.s, 0);
    if (fd < 0 && errno == ENOENT) {
        err = ERR_OK; /* another merged it */
    } else if (fd >= 0 && read_all(fd, &text)) {
        size_t before = text.len;
        err = merge_lines(text.s, merge, context, &left, error);
        if (left.len != before) {
            enum err kept = keep_left(path.s, &left, err == ERR_OK ? error : NULL);
            err = err == ERR_OK ? kept : err;
        }
    } else {
        err = error_set(error, ERR_FILE, "%s: %s", path.s, strerrordesc_np(errno));
    }
    if (fd >= 0)
        (void)close(fd);
    str_clear(&left);
    str_clear(&text);
    str_clear(&path);
    return err;
}

static enum err is_line_dropped(void *context, const char *name, const char *prints, bool *merged,
                                struct error *error) {
    (void)prints;
    (void)error;
    *merged = strcmp(name, *(const char *const *)context) == 0;
    return ERR_OK;
}

enum err team_away_drop(const char *folder, const char *profile, const char *name, struct error *error) {
    return team_away_each(folder, profile, is_line_dropped, &name, error);
}
