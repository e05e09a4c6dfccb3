#include "base/log.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/str.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOG_MAX = 1024 * 1024, LOG_FILES = 3, LINE_MAX_BYTES = 4096, LOG_MODE = 0600 };

static struct {
    pthread_mutex_t lock;
    char *path;
    int fd;
} sink = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

static int log_open_file(const char *path) {
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, LOG_MODE);
    struct stat info;
    if (fd < 0)
        return -1;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && fchmod(fd, LOG_MODE) == 0)
        return fd;
    close(fd);
    errno = EPERM;
    return -1;
}

static void shut(void) {
    if (sink.fd >= 0)
        close(sink.fd);
    free(sink.path);
    sink.path = NULL;
    sink.fd = -1;
}

enum err log_open(const char *path, struct error *error) {
    int fd = log_open_file(path);
    if (fd < 0)
        return error_set(error, ERR_FILE, "%s: the log cannot be opened: %s", path, strerrordesc_np(errno));
    pthread_mutex_lock(&sink.lock);
    shut();
    sink.path = mem_dup(path);
    sink.fd = fd;
    pthread_mutex_unlock(&sink.lock);
    return ERR_OK;
}

void log_close(void) {
    pthread_mutex_lock(&sink.lock);
    shut();
    pthread_mutex_unlock(&sink.lock);
}

/* Another console may have rotated the file away meanwhile. */
static bool is_current(off_t *size) {
    struct stat ours, named;
    if (fstat(sink.fd, &ours) != 0 || lstat(sink.path, &named) != 0)
        return false;
    *size = ours.st_size;
    return ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}

static void reopen(void) {
    int fd = log_open_file(sink.path);
    if (fd < 0)
        return;
    close(sink.fd);
    sink.fd = fd;
}

/* path.1 becomes path.2, path becomes path.1. */
static void shift_files(void) {
    size_t size = strlen(sink.path) + 4;
    struct str from, to;
    str_init(&from, size);
    str_init(&to, size);
    for (int i = LOG_FILES - 1; i > 0; i--) {
        str_reset(&from);
        str_reset(&to);
        str_add(&from, sink.path);
        if (i > 1)
            str_addf(&from, ".%d", i - 1);
        str_addf(&to, "%s.%d", sink.path, i);
        (void)rename(from.s, to.s);
    }
    str_clear(&from);
    str_clear(&to);
}

/* The lock is on the file itself, so that of two consoles only one rotates it. */
static void log_make_room(size_t len) {
    off_t size = 0;
    if (!is_current(&size)) {
        reopen();
        return;
    }
    if (size + (off_t)len <= LOG_MAX || flock(sink.fd, LOCK_EX) != 0)
        return;
    if (is_current(&size))
        shift_files();
    (void)flock(sink.fd, LOCK_UN);
    reopen();
}

static void write_line(const struct str *line) {
    pthread_mutex_lock(&sink.lock);
    if (sink.fd >= 0) {
        log_make_room(line->len);
        /* A full disk must not stop the program: the line is lost. */
        if (write(sink.fd, line->s, line->len) < 0)
            errno = 0;
    }
    pthread_mutex_unlock(&sink.lock);
}

static bool log_is_open(void) {
    pthread_mutex_lock(&sink.lock);
    bool open = sink.fd >= 0;
    pthread_mutex_unlock(&sink.lock);
    return open;
}

void log_line(const char *format, ...) {
    if (!log_is_open())
        return;
    struct str raw, line;
    va_list args;
    str_init(&raw, 16 * (size_t)LINE_MAX_BYTES);
    str_init(&line, LINE_MAX_BYTES);
    va_start(args, format);
    str_vaddf(&raw, format, args);
    va_end(args);
    secret_redact(&raw);
    clock_format_iso(&line, clock_now());
    str_add_char(&line, ' ');
    line.max--; /* room for the line's end where the text is cut */
    utf8_sanitise(&line, raw.s, raw.len);
    line.max++;
    str_add_char(&line, '\n');
    write_line(&line);
    str_clear(&raw);
    str_clear(&line);
}
