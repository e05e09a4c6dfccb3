#include "support/rest.h"

#include "base/linux.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PATH_CAP = 64, TEXT_CAP = 4096 };

/* "" where it cannot be read: a thread that has just ended, or of a program that lets nobody look. */
static const char *read_of(long pid, long thread, const char *what, char text[TEXT_CAP]) {
    char path[PATH_CAP];
    (void)snprintf(path, sizeof path, "/proc/%ld/task/%ld/%s", pid, thread, what);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, TEXT_CAP - 1);
    if (fd >= 0)
        (void)close(fd);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

static uint64_t count_of(const char *status, const char *name) {
    const char *at = strstr(status, name);
    return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

/* Asleep, but in the midst of its work. Which call it is in may be kept from us: then it counts as waiting. */
static bool is_in_own_wait(long pid) {
    static const long OWN[] = {SYS_futex, SYS_nanosleep, SYS_clock_nanosleep, SYS_flock, SYS_fcntl};
    char text[TEXT_CAP];
    const char *call = read_of(pid, pid, "syscall", text);
    for (size_t i = 0; isdigit((unsigned char)*call) && i < sizeof OWN / sizeof *OWN; i++)
        if (strtol(call, NULL, 10) == OWN[i])
            return true;
    return false;
}

static enum rest worse(enum rest a, enum rest b) {
    return a < b ? a : b;
}

static enum rest rest_of_thread(long pid, long thread, uint64_t *runs) {
    char text[TEXT_CAP];
    const char *status = read_of(pid, thread, "status", text), *state = strstr(status, "State:\t");
    if (!state)
        return REST_GONE;
    *runs += count_of(status, "\nvoluntary_ctxt_switches:") + count_of(status, "nonvoluntary_ctxt_switches:");
    char letter = state[strlen("State:\t")];
    if (strchr("TtZX", letter))
        return REST_GONE;
    return letter != 'S' || (thread == pid && is_in_own_wait(pid)) ? REST_BUSY : REST_WAITING;
}

static enum rest rest_of_children(long pid, long thread, uint64_t *runs) {
    char text[TEXT_CAP], *at = text;
    enum rest out = REST_GONE;
    (void)read_of(pid, thread, "children", text);
    for (long child = strtol(at, &at, 10); child > 0; child = strtol(at, &at, 10))
        out = worse(out, rest_of((pid_t)child, runs));
    return out;
}

enum rest rest_of(pid_t pid, uint64_t *runs) {
    char path[PATH_CAP];
    enum rest out = REST_GONE;
    (void)snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    DIR *threads = opendir(path);
    for (struct dirent *entry = NULL; threads && (entry = readdir(threads));) {
        long thread = strtol(entry->d_name, NULL, 10);
        if (thread <= 0)
            continue;
        out = worse(out, rest_of_thread(pid, thread, runs));
        out = worse(out, rest_of_children(pid, thread, runs));
    }
    if (threads)
        (void)closedir(threads);
    return out;
}
