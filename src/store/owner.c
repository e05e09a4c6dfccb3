#include "owner.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { TEXT_BYTES = 2048, FOREIGN_MS = 600000, STATE_FIELD = 3, START_FIELD = 22 };

static void read_first_line(const char *path, char *out, size_t size) {
    out[0] = '\0';
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    ssize_t n = read(fd, out, size - 1);
    close(fd);
    out[n > 0 ? n : 0] = '\0';
    out[strcspn(out, "\n")] = '\0';
}

/* Start in clock ticks since boot; the name in brackets may hold blanks and brackets itself. "": no such process, or
 * one that was killed and that nobody has waited for yet. */
static void start_of(long pid, char *out, size_t size) {
    char path[64], line[TEXT_BYTES];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    read_first_line(path, line, sizeof line);
    char *at = strrchr(line, ')');
    out[0] = '\0';
    /* After the bracket comes the state. */
    for (int field = STATE_FIELD - 1; at && field < START_FIELD; field++) {
        at = strchr(at + 1, ' ');
        if (at && field == STATE_FIELD - 1 && (at[1] == 'Z' || at[1] == 'X'))
            at = NULL;
    }
    if (at)
        snprintf(out, size, "%.*s", (int)strcspn(at + 1, " "), at + 1);
}

/* Boot, machine's name and process namespace: where numbers of processes mean the same. */
static void place(struct str *out) {
    char boot[64];
    read_first_line("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    char space[64] = "";
    ssize_t n = readlink("/proc/self/ns/pid", space, sizeof space - 1);
    space[n > 0 ? n : 0] = '\0';
    struct utsname name;
    bool named = uname(&name) == 0;
    str_addf(out, "%s|%s|%s", named ? name.nodename : "", boot, space);
}

void owner_self(struct str *out) {
    char start[32];
    start_of((long)getpid(), start, sizeof start);
    place(out);
    str_addf(out, "|%ld|%s", (long)getpid(), start);
}

static bool runs(const char *process) {
    char start[32], *end;
    long pid = strtol(process, &end, 10);
    if (pid <= 0 || *end != '|')
        return false;
    start_of(pid, start, sizeof start);
    return start[0] != '\0' && strcmp(start, end + 1) == 0;
}

/* Up to and with the nth bar; 0: fewer. */
static size_t upto_bar(const char *text, int n) {
    const char *at = text;
    for (; n > 0 && (at = strchr(at, '|')) != NULL; n--)
        at++;
    return at ? (size_t)(at - text) : 0;
}

bool owner_has_ended(const char *owner, int64_t began, int64_t now) {
    struct str here;
    str_init(&here, TEXT_BYTES);
    place(&here);
    str_add_char(&here, '|');
    size_t machine = upto_bar(here.s, 1), boot = upto_bar(here.s, 2);
    bool ended;
    if (strncmp(owner, here.s, here.len) == 0)
        ended = !runs(owner + here.len);
    else if (strncmp(owner, here.s, machine) == 0 && strncmp(owner, here.s, boot) != 0)
        ended = true; /* this machine, before it was started again */
    else
        ended = now - began > FOREIGN_MS || now < began - FOREIGN_MS;
    str_clear(&here);
    return ended;
}
