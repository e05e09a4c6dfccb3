#include "team_away.h"

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

static enum err away_path(const char *folder, const char *profile, struct str *out, struct error *error) {
    enum err err = ERR_OK;
    if (folder)
        str_add(out, folder);
    else
        err = path_home(PATH_STATE, NULL, out, error);
    if (err == ERR_OK)
        err = path_make_private(out->s, error);
    str_add(out, "/team-away-");
    path_add_name(out, profile);
    return err;
}

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

enum err team_away_add(const char *folder, const char *profile, const char *name, const char *prints,
                       struct error *error) {
    struct str path, line;
    str_init(&path, PATH_BYTES);
    str_init(&line, LINE_BYTES);
    enum err err = away_path(folder, profile, &path, error);
    int fd = err == ERR_OK ? open_away_locked(path.s, O_CREAT | O_APPEND) : -1;
    str_addf(&line, "%s %s\n", name, prints);
    if (err == ERR_OK && (fd < 0 || !path_write_all(fd, line.s, line.len) || fsync(fd) != 0))
        err = error_set(error, ERR_FILE, "%s: %s; nothing is sent without it", path.s, strerrordesc_np(errno));
    if (fd >= 0)
        (void)close(fd);
    str_clear(&line);
    str_clear(&path);
    return err;
}

/* What is left is written back in place: under the lock, and a line that is merged twice is one. */
static enum err keep_left(int fd, const char *path, const struct str *left, struct error *error) {
    if (left->len == 0 && unlink(path) == 0)
        return ERR_OK;
    if (lseek(fd, 0, SEEK_SET) != 0 || ftruncate(fd, 0) != 0 || !path_write_all(fd, left->s, left->len) ||
        fsync(fd) != 0)
        return error_set(error, ERR_FILE, "%s: %s", path, strerrordesc_np(errno));
    return ERR_OK;
}

static bool read_all(int fd, struct str *out) {
    char bytes[1 << 14];
    ssize_t n;
    while ((n = read(fd, bytes, sizeof bytes)) > 0)
        str_add_n(out, bytes, (size_t)n);
    return n == 0 && !out->truncated;
}

static enum err merge_lines(char *text, team_away_fn *merge, void *context, struct str *left, struct error *error) {
    enum err err = ERR_OK;
    for (char *line; (line = strsep(&text, "\n")) != NULL;) {
        char *prints = strchr(line, ' ');
        bool merged = false;
        if (!prints)
            continue; /* the end, or a line that was cut short: its write was never sent */
        *prints = '\0';
        if (err == ERR_OK)
            err = merge(context, line, prints + 1, &merged, error);
        if (!merged)
            str_addf(left, "%s %s\n", line, prints + 1);
    }
    return err;
}

enum err team_away_each(const char *folder, const char *profile, team_away_fn *merge, void *context,
                        struct error *error) {
    struct str path, text, left;
    str_init(&path, PATH_BYTES);
    enum err err = away_path(folder, profile, &path, error);
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
            enum err kept = keep_left(fd, path.s, &left, err == ERR_OK ? error : NULL);
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
