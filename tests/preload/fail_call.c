/* One system call of a program fails, or the program is killed in its place: for trying what a write to the service
 * does at each of them. Preloaded. FAIL_AT=N counts the calls below from 1, over all threads; FAIL_WITH is EIO, ENOSPC,
 * EINTR, ENOLCK, KILL or WAIT (the call is made once the file exists that FAIL_UNTIL names); FAIL_ON set: every call
 * from then on fails (EINTR once). FAIL_FROM=answer begins to count when
 * the first bytes of an answer were read from a socket. FAIL_KINDS: only calls of these kinds, of w (writing), r
 * (reading), o (opening), l (locks), f (folders), n (network). FAIL_COUNT names a file for how many calls there were.
 */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;
static atomic_int counting = -1;

static int number_of(const char *name) {
    return strcmp(name, "ENOSPC") == 0   ? ENOSPC
           : strcmp(name, "EINTR") == 0  ? EINTR
           : strcmp(name, "ENOLCK") == 0 ? ENOLCK
                                         : EIO;
}

static void wait_for_file(const char *path) {
    enum { STEP_US = 2000 };
    while (path && access(path, F_OK) != 0)
        (void)usleep(STEP_US);
}

/* Zero: the call is made. */
static int fault(char kind) {
    const char *kinds = getenv("FAIL_KINDS");
    if (kinds && !strchr(kinds, kind))
        return 0;
    const char *at = getenv("FAIL_AT"), *with = getenv("FAIL_WITH"), *from = getenv("FAIL_FROM");
    if (atomic_load(&counting) < 0)
        atomic_store(&counting, from == NULL);
    if (atomic_load(&counting) == 0)
        return 0;
    long n = atomic_fetch_add(&calls, 1) + 1, wanted = at ? strtol(at, NULL, 10) : 0;
    if (wanted == 0 || !with || (getenv("FAIL_ON") ? n < wanted : n != wanted))
        return 0;
    if (strcmp(with, "KILL") == 0)
        (void)kill(getpid(), SIGKILL);
    if (strcmp(with, "WAIT") == 0) {
        wait_for_file(getenv("FAIL_UNTIL"));
        return 0;
    }
    return number_of(with) == EINTR && n != wanted ? 0 : number_of(with);
}

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("FAIL_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        (void)fprintf(file, "%ld\n", atomic_load(&calls));
        (void)fclose(file);
    }
}

#define REAL(type, name, ...)         \
    static type (*real)(__VA_ARGS__); \
    if (!real)                        \
        *(void **)&real = dlsym(RTLD_NEXT, #name);
#define FAILS(kind)              \
    do {                         \
        int error = fault(kind); \
        if (error != 0) {        \
            errno = error;       \
            return -1;           \
        }                        \
    } while (0)

ssize_t write(int fd, const void *bytes, size_t n) {
    REAL(ssize_t, write, int, const void *, size_t)
    struct stat info;
    if (fd > 2 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink > 0) /* no screen, no wake */
        FAILS('w');
    return real(fd, bytes, n);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at) {
    REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)
    FAILS('w');
    return real(fd, bytes, n, at);
}

ssize_t pread64(int fd, void *bytes, size_t n, off64_t at) {
    REAL(ssize_t, pread64, int, void *, size_t, off64_t)
    FAILS('r');
    return real(fd, bytes, n, at);
}

int fsync(int fd) {
    REAL(int, fsync, int)
    FAILS('w');
    return real(fd);
}

int fdatasync(int fd) {
    REAL(int, fdatasync, int)
    FAILS('w');
    return real(fd);
}

int ftruncate64(int fd, off64_t len) {
    REAL(int, ftruncate64, int, off64_t)
    FAILS('w');
    return real(fd, len);
}

int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *)
    FAILS('f');
    return real(from, to);
}

int unlink(const char *path) {
    REAL(int, unlink, const char *)
    FAILS('f');
    return real(path);
}

int mkdir(const char *path, mode_t mode) {
    REAL(int, mkdir, const char *, mode_t)
    FAILS('f');
    return real(path, mode);
}

static mode_t mode_in(int flags, va_list args) {
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(args, mode_t) : 0;
}

/* Not what the loader and the C library read for themselves. */
static int is_own(const char *path) {
    return strncmp(path, "/usr", 4) != 0 && strncmp(path, "/etc", 4) != 0 && strncmp(path, "/lib", 4) != 0 &&
           strncmp(path, "/proc", 5) != 0 && strncmp(path, "/sys", 4) != 0 && strncmp(path, "/dev", 4) != 0;
}

#define OPEN(name)                               \
    int name(const char *path, int flags, ...) { \
        REAL(int, name, const char *, int, ...)  \
        va_list args;                            \
        va_start(args, flags);                   \
        mode_t mode = mode_in(flags, args);      \
        va_end(args);                            \
        if (is_own(path)) {                      \
            FAILS('o');                          \
        }                                        \
        return real(path, flags, mode);          \
    }
OPEN(open)
OPEN(open64)

#define CONTROL(name)                            \
    int name(int fd, int what, ...) {            \
        REAL(int, name, int, int, ...)           \
        va_list args;                            \
        va_start(args, what);                    \
        void *with = va_arg(args, void *);       \
        va_end(args);                            \
        if (what == F_SETLK || what == F_SETLKW) \
            FAILS('l');                          \
        return real(fd, what, with);             \
    }
CONTROL(fcntl)
CONTROL(fcntl64)

int connect(int fd, const struct sockaddr *address, socklen_t len) {
    REAL(int, connect, int, const struct sockaddr *, socklen_t)
    FAILS('n');
    return real(fd, address, len);
}

static int is_service(int fd) {
    struct sockaddr_storage address;
    socklen_t len = sizeof address;
    return getpeername(fd, (struct sockaddr *)&address, &len) == 0 && address.ss_family == AF_INET;
}

ssize_t send(int fd, const void *bytes, size_t n, int flags) {
    REAL(ssize_t, send, int, const void *, size_t, int)
    if (is_service(fd))
        FAILS('n');
    return real(fd, bytes, n, flags);
}

ssize_t recv(int fd, void *bytes, size_t n, int flags) {
    REAL(ssize_t, recv, int, void *, size_t, int)
    if (is_service(fd))
        FAILS('n');
    ssize_t got = real(fd, bytes, n, flags);
    if (got > 0 && is_service(fd))
        atomic_store(&counting, 1);
    return got;
}
