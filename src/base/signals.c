#include "base/signals.h"

#include "base/linux.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { STACK_BYTES = 64 << 10 };

static int pipe_ends[2] = {-1, -1};
static struct signals kept; /* read at a prompt, kept for the loop that runs after it */
static int input_ended;
static void (*restore_terminal)(void);
static atomic_int ending;

static const int REPORTED[] = {SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGWINCH, SIGCONT, SIGTSTP};
static const int FATAL[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGXCPU};
/* Signals whose default action ends the program and which nothing here uses: they come from a limit, a timer or another
 * program's mistake. A write beyond a limit fails with EFBIG, a write that nobody reads with EPIPE, and both are
 * handled where they happen. */
static const int IGNORED[] = {SIGPIPE,   SIGXFSZ, SIGUSR1, SIGUSR2, SIGALRM,
                              SIGVTALRM, SIGPROF, SIGIO,   SIGPWR,  SIGSTKFLT};

static void signals_report(int number) {
    int saved = errno;
    if (number != SIGWINCH && number != SIGCONT && number != SIGTSTP)
        atomic_store(&ending, number);
    unsigned char byte = (unsigned char)number;
    ssize_t written = write(pipe_ends[1], &byte, 1);
    (void)written;
    errno = saved;
}

void signals_die(int number) {
    sigset_t mask;
    (void)signal(number, SIG_DFL);
    (void)sigemptyset(&mask);
    (void)sigaddset(&mask, number);
    (void)sigprocmask(SIG_UNBLOCK, &mask, NULL);
    (void)raise(number);
}

static void fatal(int number) {
    if (restore_terminal)
        restore_terminal();
    signals_die(number);
}

static void handle(int number, void (*handler)(int), int flags) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART | flags};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(number, &action, NULL);
}

/* A handler needs a stack of its own: after a stack overflow there is no room for it. */
static void set_stack(void) {
    static char bytes[STACK_BYTES];
    stack_t stack = {.ss_sp = bytes, .ss_size = sizeof bytes};
    (void)sigaltstack(&stack, NULL);
}

/* A sanitizer reports faults itself. */
static bool has_sanitizer(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#else
    return false;
#endif
}

void signals_begin(void (*restore)(void)) {
    sigset_t none;
    restore_terminal = restore;
    mem_on_fatal(restore);
    if (!has_sanitizer())
        set_stack();
    for (size_t i = 0; i < COUNT_OF(FATAL); i++)
        handle(FATAL[i], fatal, SA_ONSTACK);
    for (size_t i = 0; i < COUNT_OF(IGNORED); i++)
        handle(IGNORED[i], SIG_IGN, 0);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        handle(number, SIG_IGN, 0);
    /* Where it was inherited as ignored, the end of a child could not be waited for. */
    handle(SIGCHLD, SIG_DFL, 0);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* SIGHUP stays ignored under nohup: reading the terminal shows that it is gone. */
static bool is_left_alone(int number) {
    struct sigaction old;
    return number == SIGHUP && sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN;
}

enum err signals_open(int *fd, struct error *error) {
    if (pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return error_set(error, ERR_SYSTEM, "no pipe for signals: %s", strerrordesc_np(errno));
    kept = (struct signals){0};
    for (size_t i = 0; i < COUNT_OF(REPORTED); i++)
        if (!is_left_alone(REPORTED[i]))
            handle(REPORTED[i], signals_report, 0);
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
    for (size_t i = 0; i < COUNT_OF(REPORTED); i++)
        if (!is_left_alone(REPORTED[i]))
            (void)signal(REPORTED[i], SIG_DFL);
    for (size_t i = 0; i < COUNT_OF(pipe_ends); i++) {
        if (pipe_ends[i] >= 0) {
            close(pipe_ends[i]);
            pipe_ends[i] = -1;
        }
    }
}

static void drain(int fd, struct signals *out) {
    unsigned char bytes[64];
    ssize_t n;
    while (fd >= 0 && (n = read(fd, bytes, sizeof bytes)) > 0) {
        for (ssize_t i = 0; i < n; i++)
            if (bytes[i] == SIGWINCH || bytes[i] == SIGCONT)
                out->resized = true;
            else if (bytes[i] == SIGTSTP)
                out->stopped = true;
            else if (out->end == 0)
                out->end = bytes[i];
    }
}

void signals_read(int fd, struct signals *out) {
    drain(fd, out);
    out->end = out->end ? out->end : kept.end;
    out->resized = out->resized || kept.resized;
    kept = (struct signals){0};
}

int signals_ending(void) {
    return atomic_load(&ending);
}

ssize_t signals_input(int fd, void *bytes, size_t len) {
    for (;;) {
        struct pollfd watches[] = {{.fd = fd, .events = POLLIN}, {.fd = pipe_ends[0], .events = POLLIN}};
        (void)poll(watches, COUNT_OF(watches), -1);
        drain(pipe_ends[0], &kept);
        if (kept.end) {
            input_ended = kept.end;
            errno = EINTR;
            return -1;
        }
        if (kept.stopped) {
            kept.stopped = false;
            signals_stop(false);
        }
        ssize_t n = watches[0].revents ? read(fd, bytes, len) : -1;
        if (watches[0].revents && (n >= 0 || (errno != EINTR && errno != EAGAIN)))
            return n;
    }
}

int signals_input_ended(void) {
    return input_ended;
}
