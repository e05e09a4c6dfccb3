#include "files.h"

#include "base/linux.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { PATH_BYTES = 8192, ASIDE_MAX = 10000 };

static const char *const SUFFIXES[] = {"", "-wal", "-shm", "-journal"};

void files_look(const char *path, struct file_look *out) {
    *out = (struct file_look){.state = FILE_UNREADABLE, .why = "cannot be looked at"};
    struct stat st;
    if (lstat(path, &st) != 0) {
        out->state = errno == ENOENT ? FILE_ABSENT : FILE_UNREADABLE;
        return;
    }
    out->dev = st.st_dev;
    out->ino = st.st_ino;
    out->why = S_ISLNK(st.st_mode)       ? "is a link"
               : !S_ISREG(st.st_mode)    ? "is not a file"
               : st.st_uid != geteuid()  ? "belongs to another user"
               : st.st_nlink != 1        ? "has another name beside this one"
               : (st.st_mode & 077) == 0 ? ""
               : chmod(path, 0600) == 0  ? ""
               : (st.st_mode & 022) != 0 ? "can be written by other users, and cannot be closed to them"
                                         : "can be read by other users, and cannot be closed to them";
    bool plain = S_ISREG(st.st_mode) && st.st_uid == geteuid() && st.st_nlink == 1;
    out->state = !*out->why ? FILE_THERE : plain && (st.st_mode & 022) == 0 ? FILE_OPEN : FILE_UNSAFE;
}

/* Opening the file to ask its locks would drop our own at closing; the kernel's list needs no file. It names who took
 * the lock: one that has ended handed it to a child, which nobody can tell. */
static long holder_of(FILE *locks, ino_t ino) {
    char line[256];
    while (fgets(line, sizeof line, locks)) {
        long pid;
        unsigned major, minor;
        unsigned long long inode;
        if (sscanf(line, "%*s %*s %*s WRITE %ld %x:%x:%llu", &pid, &major, &minor, &inode) == 4 &&
            inode == (unsigned long long)ino && pid > 0 && pid != getpid() &&
            (kill((pid_t)pid, 0) == 0 || errno == EPERM))
            return pid;
    }
    return 0;
}

static void read_name(long pid, char *name, size_t size) {
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%ld/comm", pid);
    FILE *comm = fopen(path, "re");
    name[0] = '\0';
    if (comm && fgets(name, (int)size, comm))
        name[strcspn(name, "\n")] = '\0';
    if (comm)
        (void)fclose(comm);
}

static long holder_with(const char *path, const char *suffix) {
    struct str name;
    struct stat st;
    str_init(&name, PATH_BYTES);
    str_addf(&name, "%s%s", path, suffix);
    long pid = 0;
    FILE *locks = !name.truncated && stat(name.s, &st) == 0 ? fopen("/proc/locks", "re") : NULL;
    if (locks) {
        pid = holder_of(locks, st.st_ino);
        (void)fclose(locks);
    }
    str_clear(&name);
    return pid;
}

long files_holder(const char *path, char *name, size_t size) {
    long pid = holder_with(path, "");
    pid = pid ? pid : holder_with(path, "-shm");
    name[0] = '\0';
    if (pid)
        read_name(pid, name, size);
    return pid;
}

bool files_lock_refused(const char *folder) {
    int fd = open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
    bool refused = fcntl(fd, F_SETLK, &lock) != 0 && errno != EINTR;
    close(fd);
    return refused;
}

int files_lock(const char *folder) {
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (path_lock(fd, LOCK_EX))
        return fd;
    int kept = errno;
    close(fd);
    errno = kept;
    return -1;
}

void files_unlock(int fd) {
    if (fd >= 0)
        close(fd);
}

static void store_files_join(struct str *out, const char *path, const char *suffix) {
    str_reset(out);
    str_add(out, path);
    str_add(out, suffix);
}

static bool move_with(const char *path, const char *to, const char *suffix) {
    struct str from, target;
    str_init(&from, PATH_BYTES);
    str_init(&target, PATH_BYTES);
    store_files_join(&from, path, suffix);
    store_files_join(&target, to, suffix);
    bool ok = !from.truncated && !target.truncated && (rename(from.s, target.s) == 0 || errno == ENOENT);
    str_clear(&from);
    str_clear(&target);
    return ok;
}

/* The log is moved first: a database without its log is sound, a log beside another database is not. */
static bool store_files_move_all(const char *path, const char *to) {
    return move_with(path, to, "-wal") && move_with(path, to, "-shm") && move_with(path, to, "-journal") &&
           move_with(path, to, "");
}

char *files_set_aside(const char *path) {
    struct str name;
    str_init(&name, PATH_BYTES);
    char *result = NULL;
    for (int n = 1; n < ASIDE_MAX && !result; n++) {
        str_reset(&name);
        str_addf(&name, "%s.damaged-%d", path, n);
        if (name.truncated)
            break;
        if (access(name.s, F_OK) != 0 && errno == ENOENT) {
            if (!store_files_move_all(path, name.s))
                break;
            result = mem_dup(name.s);
        }
    }
    str_clear(&name);
    return result;
}

static bool store_files_remove_each(const char *path, const char *const *suffixes, size_t n) {
    struct str name;
    str_init(&name, PATH_BYTES);
    bool gone = true;
    for (size_t i = 0; i < n; i++) {
        store_files_join(&name, path, suffixes[i]);
        gone = !name.truncated && (unlink(name.s) == 0 || errno == ENOENT) && gone;
    }
    str_clear(&name);
    return gone;
}

/* What is being written goes too: it finds no file to give its name to. */
bool files_remove_index(const char *path) {
    static const char *const INDEXES[] = {FILES_INDEX ".new", FILES_INDEX};
    return store_files_remove_each(path, INDEXES, COUNT_OF(INDEXES));
}

bool files_remove(const char *path) {
    bool gone = store_files_remove_each(path, SUFFIXES, COUNT_OF(SUFFIXES));
    return files_remove_index(path) && gone;
}

static size_t remove_matching(DIR *folder, const char *prefix, bool *whole) {
    size_t n = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (!str_starts(entry->d_name, prefix))
            continue;
        if (unlinkat(dirfd(folder), entry->d_name, 0) == 0)
            n++;
        else
            *whole = false;
    }
    return n;
}

size_t files_remove_aside(const char *path, bool *whole) {
    const char *slash = strrchr(path, '/');
    struct str folder, prefix;
    str_init(&folder, PATH_BYTES);
    str_init(&prefix, PATH_BYTES);
    str_add_n(&folder, path, slash ? (size_t)(slash - path) : 0);
    str_addf(&prefix, "%s.damaged-", slash ? slash + 1 : path);
    DIR *dir = opendir(folder.len > 0 ? folder.s : ".");
    *whole = dir != NULL;
    size_t n = dir ? remove_matching(dir, prefix.s, whole) : 0;
    if (dir)
        closedir(dir);
    str_clear(&folder);
    str_clear(&prefix);
    return n;
}

/* Without this a name given just now may be gone after a power failure. */
static bool store_files_sync_folder(const char *path) {
    char *folder = mem_dup(path), *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder ? 1 : 0] = '\0';
    int fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0)
        close(fd);
    free(folder);
    return ok;
}

bool files_publish(const char *from, const char *path) {
    int failed = path_rename_new(from, path);
    return (failed == 0 || failed == EEXIST) && store_files_sync_folder(path);
}

int64_t files_size(const char *path, const char *suffix) {
    struct str name;
    str_init(&name, PATH_BYTES);
    store_files_join(&name, path, suffix);
    struct stat st;
    int64_t size = !name.truncated && stat(name.s, &st) == 0 ? (int64_t)st.st_size : 0;
    str_clear(&name);
    return size;
}
