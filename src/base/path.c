#include "base/path.h"

#include "base/ascii.h"
#include "base/linux.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <pwd.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    PRIVATE_FOLDER = 0700,
    PRIVATE_FILE = 0600,
    OTHERS = 0077,
    OTHERS_WRITE = 0022,
    READ_STEP = 64 * 1024,
    PASSWORD_ENTRY = 16384
};

static enum err path_fail(struct error *error, const char *path, const char *what) {
    return error_set(error, ERR_FILE, "%s: %s", path, what);
}

static enum err fail_errno(struct error *error, const char *path, const char *doing) {
    const char *reason = strerrordesc_np(errno);
    return error_set(error, ERR_FILE, "%s: cannot %s: %s", path, doing, reason ? reason : "unknown reason");
}

static const struct {
    const char *variable, *under_home;
} homes[] = {
    [PATH_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
    [PATH_CACHE] = {"XDG_CACHE_HOME", ".cache"},
    [PATH_STATE] = {"XDG_STATE_HOME", ".local/state"},
};

/* A relative path would depend on the folder in which the program was started. */
static enum err absolute(const char *variable, const char **value, struct error *error) {
    *value = getenv(variable);
    if (*value && !**value)
        *value = NULL;
    if (*value && (*value)[0] != '/')
        return error_set(error, ERR_FILE, "%s is not an absolute path", variable);
    return ERR_OK;
}

static struct {
    pthread_once_t once;
    char *folder; /* NULL: not known */
} of_password_file = {.once = PTHREAD_ONCE_INIT};

static void look_up_home(void) {
    struct passwd entry, *found = NULL;
    char *bytes = mem_new(PASSWORD_ENTRY);
    if (getpwuid_r(geteuid(), &entry, bytes, PASSWORD_ENTRY, &found) == 0 && found && entry.pw_dir &&
        entry.pw_dir[0] == '/')
        of_password_file.folder = mem_dup(entry.pw_dir);
    free(bytes);
}

/* HOME, or where it is not set (a service, a bare `env -i`) the home that the password file names; NULL where there is
 * neither. */
static const char *user_home(void) {
    const char *home = getenv("HOME");
    if (home && *home)
        return home;
    (void)pthread_once(&of_password_file.once, look_up_home);
    return of_password_file.folder;
}

enum err path_home(enum path_home home, const char *name, struct str *out, struct error *error) {
    const char *folder;
    enum err err = absolute(homes[home].variable, &folder, error);
    if (err != ERR_OK)
        return err;
    if (folder) {
        str_add(out, folder);
    } else {
        const char *user_folder = user_home();
        if (!user_folder)
            return error_set(error, ERR_FILE,
                             "neither %s nor HOME is set, and the password file names no home for this user: set HOME",
                             homes[home].variable);
        if (user_folder[0] != '/')
            return error_set(error, ERR_FILE, "HOME is not an absolute path");
        str_addf(out, "%s/%s", user_folder, homes[home].under_home);
    }
    str_add(out, "/bursar");
    if (name)
        str_addf(out, "/%s", name);
    return out->truncated ? error_set(error, ERR_FILE, "the path under %s is too long", homes[home].variable) : ERR_OK;
}

/* The mode is set on the open folder, since the umask may have removed permissions that are needed. */
static enum err path_make_folder(const char *folder, struct error *error) {
    if (mkdir(folder, PRIVATE_FOLDER) != 0)
        return errno == EEXIST ? ERR_OK : fail_errno(error, folder, "make the folder");
    if (chmod(folder, PRIVATE_FOLDER) != 0)
        return fail_errno(error, folder, "make the folder private");
    return ERR_OK;
}

static enum err make_missing(char *folder, struct error *error) {
    struct stat info;
    enum err err = ERR_OK;
    for (char *slash = strchr(folder + 1, '/'); slash && err == ERR_OK; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (stat(folder, &info) != 0)
            err = path_make_folder(folder, error);
        *slash = '/';
    }
    if (err == ERR_OK && lstat(folder, &info) != 0)
        err = path_make_folder(folder, error);
    return err;
}

static enum err check_folder(const char *folder, struct error *error) {
    struct stat info;
    if (lstat(folder, &info) != 0)
        return fail_errno(error, folder, "look at the folder");
    if (S_ISLNK(info.st_mode))
        return path_fail(error, folder, "is a link, where a private folder is needed");
    if (!S_ISDIR(info.st_mode))
        return path_fail(error, folder, "is not a folder");
    if (info.st_uid != geteuid())
        return path_fail(error, folder, "belongs to another user");
    if (info.st_mode & OTHERS)
        return path_fail(error, folder, "is open to other users; close it with chmod 700");
    return ERR_OK;
}

char *path_expand(const char *path) {
    const char *home = user_home();
    if (!path || !str_starts(path, "~/") || !home || home[0] != '/')
        return mem_dup(path);
    struct str out;
    str_init(&out, 8192);
    str_addf(&out, "%s%s", home, path + 1);
    return str_take(&out);
}

void path_here(struct str *out) {
    const char *home = user_home();
    char *here = getcwd(NULL, 0);
    size_t len = home && home[0] == '/' ? strlen(home) : 0;
    bool at_home = here && len > 1 && str_starts(here, home) && (here[len] == '/' || here[len] == '\0');
    const char *rest = at_home ? here + len : here ? here : "";
    str_add(out, at_home ? "~" : "");
    utf8_sanitise(out, rest, strlen(rest));
    free(here);
}

enum err path_make_private(const char *folder, struct error *error) {
    size_t len = strlen(folder);
    while (len > 1 && folder[len - 1] == '/')
        len--;
    if (len == 0)
        return path_fail(error, "(empty)", "is not a folder");
    char *copy = mem_dup_n(folder, len);
    enum err err = make_missing(copy, error);
    if (err == ERR_OK)
        err = check_folder(copy, error);
    free(copy);
    return err;
}

enum err path_create_new(const char *path, int *out, struct error *error) {
    *out = -1;
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, PRIVATE_FILE);
    if (fd < 0)
        return errno == EEXIST ? path_fail(error, path, "is already there") : fail_errno(error, path, "make the file");
    if (fchmod(fd, PRIVATE_FILE) != 0) {
        enum err err = fail_errno(error, path, "make the file private");
        close(fd);
        unlink(path);
        return err;
    }
    *out = fd;
    return ERR_OK;
}

bool path_write_all(int fd, const char *bytes, size_t len) {
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        }
    }
    return true;
}

/* Writes, syncs and closes; a file that cannot be finished is removed. */
static enum err path_fill(int fd, const char *path, const char *bytes, size_t len, struct error *error) {
    enum err err = ERR_OK;
    if (!path_write_all(fd, bytes, len) || fsync(fd) != 0)
        err = fail_errno(error, path, "write");
    if (close(fd) != 0 && err == ERR_OK)
        err = fail_errno(error, path, "write");
    if (err != ERR_OK)
        unlink(path);
    return err;
}

/* So that the new name survives a loss of power. Some file systems cannot sync a folder: the file is renamed all the
 * same. */
static void path_sync_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash ? mem_dup_n(path, slash == path ? 1 : (size_t)(slash - path)) : mem_dup(".");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
    free(folder);
}

static enum err check_target(const char *path, struct error *error) {
    struct stat info;
    if (lstat(path, &info) != 0)
        return errno == ENOENT ? ERR_OK : fail_errno(error, path, "look at the file");
    if (S_ISLNK(info.st_mode))
        return path_fail(error, path, "is a link, which is not written through");
    return S_ISREG(info.st_mode) ? ERR_OK : path_fail(error, path, "is not a regular file");
}

void path_add_name(struct str *out, const char *text) {
    for (const char *p = text; *p; p++) {
        bool plain = ascii_is_word((unsigned char)*p) || *p == '-' || *p == '_' || (*p == '.' && p != text);
        if (plain)
            str_add_char(out, *p);
        else
            str_addf(out, "%%%02X", (unsigned char)*p);
    }
}

int path_rename_new(const char *from, const char *path) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
    return link(from, path) == 0 && unlink(from) == 0 ? 0 : errno;
}

static enum err publish(const char *from, const char *path, struct error *error) {
    errno = path_rename_new(from, path);
    if (errno == 0)
        return ERR_OK;
    enum err err =
        errno == EEXIST ? path_fail(error, path, "is already there") : fail_errno(error, path, "make the file");
    unlink(from);
    return err;
}

static enum err base_path_replace(const char *from, const char *path, struct error *error) {
    if (rename(from, path) == 0)
        return ERR_OK;
    enum err err = fail_errno(error, path, "replace the file");
    unlink(from);
    return err;
}

/* A program that is killed here leaves a file of another name, never half of this one. */
static enum err put_whole(const char *path, const char *bytes, size_t len,
                          enum err (*name)(const char *from, const char *path, struct error *error),
                          struct error *error) {
    struct str temporary;
    int fd;
    str_init(&temporary, strlen(path) + 32);
    str_addf(&temporary, "%s.", path);
    secret_random_hex(&temporary, 6);
    str_add(&temporary, ".tmp");
    enum err err = path_create_new(temporary.s, &fd, error);
    if (err == ERR_OK)
        err = path_fill(fd, temporary.s, bytes, len, error);
    if (err == ERR_OK)
        err = name(temporary.s, path, error);
    if (err == ERR_OK)
        path_sync_folder(path);
    str_clear(&temporary);
    return err;
}

enum err path_replace(const char *path, const char *bytes, size_t len, struct error *error) {
    enum err err = check_target(path, error);
    return err == ERR_OK ? put_whole(path, bytes, len, base_path_replace, error) : err;
}

enum err path_write_new(const char *path, const char *bytes, size_t len, struct error *error) {
    struct stat info;
    if (lstat(path, &info) == 0)
        return path_fail(error, path, "is already there");
    return put_whole(path, bytes, len, publish, error);
}

enum { LOCK_TRIES = 500, LOCK_STEP_NS = 2000000 };

bool path_is_ours(int fd, const char *path, struct stat *info) {
    struct stat named;
    return fstat(fd, info) == 0 && S_ISREG(info->st_mode) && info->st_uid == geteuid() && info->st_nlink == 1 &&
           (!path || (lstat(path, &named) == 0 && named.st_ino == info->st_ino && named.st_dev == info->st_dev));
}

bool path_lock(int fd, int how) {
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (flock(fd, how | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK && errno != EINTR)
            break;
        nanosleep(&(struct timespec){.tv_nsec = LOCK_STEP_NS}, NULL);
    }
    return false;
}

static enum err path_check_file(int fd, const char *path, size_t max, bool private_only, struct error *error) {
    struct stat info;
    if (fstat(fd, &info) != 0)
        return fail_errno(error, path, "look at the file");
    if (!S_ISREG(info.st_mode))
        return path_fail(error, path, "is not a regular file");
    if (private_only && info.st_uid != geteuid())
        return path_fail(error, path, "belongs to another user");
    if (private_only && (info.st_mode & OTHERS))
        return path_fail(error, path, "is open to other users; close it with chmod 600");
    if (info.st_size > 0 && (uintmax_t)info.st_size > max)
        return error_set(error, ERR_FILE, "%s: is larger than %zu bytes", path, max);
    return ERR_OK;
}

/* The size is checked again while reading: the file may grow, and some (in /proc) say 0. */
static enum err path_read_all(int fd, const char *path, size_t max, struct str *out, struct error *error) {
    char *step = mem_new(READ_STEP);
    enum err err = ERR_OK;
    size_t sum = 0;
    ssize_t n;
    while ((n = read(fd, step, READ_STEP)) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            err = fail_errno(error, path, "read");
            break;
        }
        sum += (size_t)n;
        str_add_n(out, step, (size_t)n);
        if (sum > max || out->truncated) {
            err = error_set(error, ERR_FILE, "%s: is larger than %zu bytes", path, max < out->max ? max : out->max);
            break;
        }
    }
    /* What was read may be a token. */
    secret_wipe(step, READ_STEP);
    free(step);
    return err;
}

enum err path_read(const char *path, size_t max, bool private_only, struct str *out, struct error *error) {
    /* Opened without blocking, so that a pipe in the place of the file cannot hold up the program. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (private_only ? O_NOFOLLOW : 0));
    if (fd < 0)
        return errno == ELOOP && private_only ? path_fail(error, path, "is a link, where a private file is needed")
                                              : fail_errno(error, path, "open");
    enum err err = path_check_file(fd, path, max, private_only, error);
    if (err == ERR_OK)
        err = path_read_all(fd, path, max, out, error);
    close(fd);
    return err;
}

enum err path_check_unwritable(const char *path, struct error *error) {
    struct stat info;
    if (stat(path, &info) != 0)
        return fail_errno(error, path, "look at it");
    if (info.st_uid != geteuid() && info.st_uid != 0)
        return path_fail(error, path, "belongs to another user");
    if (info.st_mode & OTHERS_WRITE)
        return path_fail(error, path, "can be written by other users; close it with chmod go-w");
    return ERR_OK;
}

/* In a folder that others may write they can put another file in the place of this one, except where the folder is
 * sticky. */
static enum err check_folder_of(const char *path, struct error *error) {
    char *folder = mem_dup(path);
    char *slash = strrchr(folder, '/');
    struct stat info;
    enum err err = ERR_OK;
    if (slash == folder)
        slash++;
    if (slash)
        *slash = '\0';
    const char *name = slash ? folder : ".";
    if (stat(name, &info) != 0 || !(info.st_mode & S_ISVTX))
        err = path_check_unwritable(name, error);
    free(folder);
    return err;
}

enum err path_check_trusted(const char *path, struct error *error) {
    char *real = realpath(path, NULL);
    enum err err = real ? path_check_unwritable(real, error) : fail_errno(error, path, "open");
    if (err == ERR_OK)
        err = check_folder_of(real, error);
    free(real);
    return err;
}
