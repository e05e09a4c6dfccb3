#include "ui/screen_state.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

enum { RESTORE_MAX = 256, STUCK_MS = 1000 };

static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";
/* kitty's key reports: the pushed ones taken off, the flags cleared; xterm's modifyOtherKeys off. */
static const char keys_plain[] = "\033[<u\033[=0u\033[>4;0m";
static const char mouse_on[] = "\033[?1000h\033[?1006h", mouse_off[] = "\033[?1006l\033[?1000l";

/* Read by a signal handler: filled before `armed` is set. */
static struct {
    volatile sig_atomic_t armed;
    int in, out;
    size_t len;
    char bytes[RESTORE_MAX];
    struct termios before;
} restore;

static int screen_modes_collect(int c) {
    if (restore.len < RESTORE_MAX)
        restore.bytes[restore.len++] = (char)c;
    return c;
}

static void collect_text(const char *text) {
    for (; *text != '\0'; text++)
        (void)screen_modes_collect((unsigned char)*text);
}

static void collect_capability(const char *name) {
    const char *text = tigetstr(name);

    if (text && text != (const char *)-1) /* NOLINT: terminfo's own mark for "no such name" */
        (void)tputs(text, 1, screen_modes_collect);
}

void modes_learn(struct screen *screen) {
    restore.len = 0;
    collect_capability("sgr0");
    if (screen->ansi) {
        collect_text(mouse_off);
        collect_text(paste_off);
    }
    collect_capability("rmkx");
    collect_capability("cnorm");
    collect_capability("rmcup");
}

void modes_arm(struct screen *screen, const struct termios *before) {
    restore.in = screen->in;
    restore.out = screen->out;
    restore.before = *before;
    restore.armed = 1;
}

void modes_disarm(void) {
    if (restore.armed)
        (void)tcsetattr(restore.in, TCSANOW, &restore.before);
    restore.armed = 0;
}

void modes_rearm(struct screen *screen) {
    (void)tcgetattr(screen->in, &restore.before);
    restore.armed = 1;
}

ssize_t modes_write_some(int fd, const char *bytes, size_t len) {
    ssize_t n;

    do {
        n = write(fd, bytes, len);
    } while (n < 0 && errno == EINTR);
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? 0 : n;
}

/* Gives up on a terminal that takes no bytes, since leaving must not hang. */
void modes_write(int fd, const char *bytes, size_t len) {
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);
        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        } else if (n < 0 && errno == EAGAIN) {
            struct pollfd poll_out = {.fd = fd, .events = POLLOUT};
            if (poll(&poll_out, 1, STUCK_MS) <= 0)
                return;
        } else if (n < 0 && errno != EINTR) {
            return;
        }
    }
}

/* A terminal keeps these modes for each of its two screens, so they are reset on both. The Linux console has no such
 * keys, and prints sequences that it does not know. */
void modes_reset(struct screen *screen) {
    const char *name = getenv("TERM");

    if (screen->ansi && name && strcmp(name, "linux") != 0)
        update_write(screen, keys_plain, sizeof keys_plain - 1);
}

void modes_on(struct screen *screen) {
    if (!screen->ansi)
        return;
    /* Also clears mouse modes that an earlier program left on. */
    modes_reset(screen);
    update_write(screen, mouse_off, sizeof mouse_off - 1);
    update_write(screen, paste_on, sizeof paste_on - 1);
    if (screen->mouse)
        update_write(screen, mouse_on, sizeof mouse_on - 1);
}

void modes_off(struct screen *screen) {
    if (screen->ansi) {
        update_drain(screen);
        update_write(screen, mouse_off, sizeof mouse_off - 1);
        update_write(screen, paste_off, sizeof paste_off - 1);
    }
}

void screen_mouse(struct screen *screen, bool on) {
    if (screen->ansi && screen->mouse != on)
        update_write(screen, on ? mouse_on : mouse_off, on ? sizeof mouse_on - 1 : sizeof mouse_off - 1);
    screen->mouse = on;
}

void screen_restore_unsafe(void) {
    sigset_t block, before;

    if (!restore.armed)
        return;
    restore.armed = 0;
    /* From the background, tcsetattr would stop the process instead of returning. */
    (void)sigemptyset(&block);
    (void)sigaddset(&block, SIGTTOU);
    (void)sigprocmask(SIG_BLOCK, &block, &before);
    if (write(restore.out, restore.bytes, restore.len) < 0)
        errno = 0;
    (void)tcsetattr(restore.in, TCSANOW, &restore.before);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
}
