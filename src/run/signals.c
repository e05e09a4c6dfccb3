#include "signals.h"

#include "base/mem.h"
#include "ui/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int pipe_ends[2] = {-1, -1};

static const int REPORTED[] = {SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGWINCH, SIGCONT, SIGTSTP};
static const int FATAL[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

static void report(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    ssize_t written = write(pipe_ends[1], &byte, 1);
    (void)written;
    errno = saved;
}

static void fatal(int number) {
    screen_restore_unsafe();
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static void handle(int number, void (*handler)(int)) {
    struct sigaction old, action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN && number == SIGHUP) {
        return; /* started under nohup: the end of the terminal is seen by reading it */
    }
    (void)sigaction(number, &action, NULL);
}

enum err signals_open(int *fd, struct error *error) {
    if (pipe(pipe_ends) != 0) {
        return error_set(error, ERR_SYSTEM, "no pipe for signals: %s", strerror(errno));
    }
    for (size_t i = 0; i < COUNT_OF(pipe_ends); i++) {
        (void)fcntl(pipe_ends[i], F_SETFL, O_NONBLOCK);
        (void)fcntl(pipe_ends[i], F_SETFD, FD_CLOEXEC);
    }
    for (size_t i = 0; i < COUNT_OF(REPORTED); i++) {
        handle(REPORTED[i], report);
    }
    for (size_t i = 0; i < COUNT_OF(FATAL); i++) {
        handle(FATAL[i], fatal);
    }
    handle(SIGPIPE, SIG_IGN);
    mem_on_fatal(screen_restore_unsafe);
    *fd = pipe_ends[0];
    return ERR_OK;
}

void signals_stop(bool group) {
    struct sigaction plain = {.sa_handler = SIG_DFL}, before;
    sigset_t stop, mask;
    (void)sigemptyset(&stop);
    (void)sigaddset(&stop, SIGTSTP);
    (void)sigaction(SIGTSTP, &plain, &before);
    (void)pthread_sigmask(SIG_UNBLOCK, &stop, &mask);
    (void)kill(group ? 0 : getpid(), SIGTSTP);
    (void)pthread_sigmask(SIG_SETMASK, &mask, NULL);
    (void)sigaction(SIGTSTP, &before, NULL);
}

void signals_close(void) {
    for (size_t i = 0; i < COUNT_OF(REPORTED); i++) {
        (void)signal(REPORTED[i], SIG_DFL);
    }
    for (size_t i = 0; i < COUNT_OF(pipe_ends); i++) {
        if (pipe_ends[i] >= 0) {
            close(pipe_ends[i]);
            pipe_ends[i] = -1;
        }
    }
}

void signals_read(int fd, struct signals *out) {
    unsigned char bytes[64];
    ssize_t n;
    while ((n = read(fd, bytes, sizeof bytes)) > 0) {
        for (ssize_t i = 0; i < n; i++) {
            if (bytes[i] == SIGWINCH || bytes[i] == SIGCONT) {
                out->resized = true;
            } else if (bytes[i] == SIGTSTP) {
                out->stopped = true;
            } else if (out->end == 0) {
                out->end = bytes[i];
            }
        }
    }
}
