#include "base/command.h"

#include "command_said.h"

#include "base/clock.h"
#include "base/linux.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAIT_STEP_MS = 10 };

/* The variables that password and clipboard programs need to find their store, agent and display. A name that ends in
 * '*' stands for all that begin with it. */
static const char *const passed_on[] = {
    "HOME",
    "PATH",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "COLORTERM",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "TZ",
    "TMPDIR",
    "XDG_*",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "DBUS_SESSION_BUS_ADDRESS",
    "SSH_AUTH_SOCK",
    "GPG_TTY",
    "GNUPGHOME",
    "PASSWORD_STORE_*",
};

static bool is_passed_on(const char *variable) {
    size_t len = strcspn(variable, "=");
    for (size_t i = 0; i < COUNT_OF(passed_on); i++) {
        const char *name = passed_on[i];
        size_t n = strlen(name);
        if (name[n - 1] == '*' ? len >= n - 1 && memcmp(variable, name, n - 1) == 0
                               : len == n && memcmp(variable, name, n) == 0)
            return true;
    }
    return false;
}

struct names {
    char *const *items;
    size_t n;
};

static bool command_is_named(const char *variable, const struct names *names) {
    size_t len = strcspn(variable, "=");
    for (size_t i = 0; i < names->n; i++)
        if (strlen(names->items[i]) == len && memcmp(variable, names->items[i], len) == 0)
            return true;
    return false;
}

static void clean_environment(char *out[COMMAND_VARIABLES_MAX + 1], const struct names *names) {
    size_t n = 0;
    for (char **at = environ; at && *at && n < COMMAND_VARIABLES_MAX; at++)
        if (is_passed_on(*at) || command_is_named(*at, names))
            out[n++] = *at;
    out[n] = NULL;
}

void command_environment(char *out[COMMAND_VARIABLES_MAX + 1]) {
    clean_environment(out, &(struct names){0});
}

void command_become_plain(void) {
    sigset_t none;
    for (int signal = 1; signal < NSIG; signal++)
        (void)sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)close_range(STDERR_FILENO + 1, ~0U, 0);
}

/* What stands in for the standard descriptors; -1 leaves the terminal's. */
struct ends {
    int fds[3];
    bool own_session;
    struct names names; /* names of variables beside the usual ones */
};

static int connect_ends(posix_spawn_file_actions_t *actions, const struct ends *ends) {
    int result = 0;
    for (int fd = 0; fd < (int)COUNT_OF(ends->fds) && result == 0; fd++)
        if (ends->fds[fd] >= 0)
            result = posix_spawn_file_actions_adddup2(actions, ends->fds[fd], fd);
    return result != 0 ? result : posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
}

/* 0 or an errno. The child has the default signals: this program may have ignored or blocked some. */
static int spawn(char *const argv[], const struct ends *ends, pid_t *pid) {
    char *environment[COMMAND_VARIABLES_MAX + 1];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, standard;
    clean_environment(environment, &ends->names);
    (void)sigemptyset(&none);
    (void)sigfillset(&standard);
    (void)sigdelset(&standard, SIGKILL);
    (void)sigdelset(&standard, SIGSTOP);
    int result = posix_spawn_file_actions_init(&actions);
    if (result != 0)
        return result;
    result = posix_spawnattr_init(&attributes);
    if (result != 0)
        goto out;
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    (void)posix_spawnattr_setsigdefault(&attributes, &standard);
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (ends->own_session ? POSIX_SPAWN_SETSID : 0);
    (void)posix_spawnattr_setflags(&attributes, (short)flags);
    result = connect_ends(&actions, ends);
    if (result == 0)
        result = posix_spawnp(pid, argv[0], &actions, &attributes, argv, environment);
    (void)posix_spawnattr_destroy(&attributes);
out:
    (void)posix_spawn_file_actions_destroy(&actions);
    return result;
}

static int remaining(int64_t deadline) {
    int64_t left = deadline - clock_mono();
    return left > 0 ? (int)left : 0;
}

struct run {
    const char *name;
    int fd;
    int child; /* a descriptor of the process that is readable once it has ended; -1: none could be had */
    int64_t deadline;
    char *out;
    size_t size, len;
    bool late;
    bool drains, cut; /* drains: what does not fit is read and dropped, and the program goes on */
    int signal;       /* that ends this program, and with it that one */
    struct said said;
};

/* One byte more than fits is read, to tell "exactly full" from "too much". */
static enum err read_step(struct run *run, bool *end, struct error *error) {
    char more[4096];
    bool full = run->len == run->size;
    ssize_t n = full ? read(run->fd, more, sizeof more) : read(run->fd, run->out + run->len, run->size - run->len);
    if (n < 0 && errno != EINTR)
        return error_set(error, ERR_CONFIG, "command %s: its output cannot be read: %s", run->name,
                         strerrordesc_np(errno));
    if (n > 0 && full && run->drains) {
        run->cut = true;
        return ERR_OK;
    }
    if (n > 0 && full)
        return error_set(error, ERR_CONFIG, "command %s printed more than %zu bytes", run->name, run->size);
    *end = n == 0;
    run->len += n > 0 ? (size_t)n : 0;
    return ERR_OK;
}

/* Reads what the program says; when it falls silent it may wait for somebody who has to read that. */
static void hear(struct run *run) {
    said_hear(&run->said);
    if (said_wait(&run->said) == 0)
        said_show(&run->said, run->out, run->len);
}

/* Ctrl-C reaches the program itself, as one of the terminal's, and it may have a use for it. */
static void look_for_signal(struct run *run) {
    int signal = signals_ending();
    run->signal = signal == SIGINT ? run->signal : signal;
}

/* Until the end of its output or, where a child of it that goes on holds that open, until its own end: what it printed
 * until then is in the pipe. */
static enum err read_output(struct run *run, struct error *error) {
    bool end = false;
    enum err err = ERR_OK;
    while (!end && err == ERR_OK && !run->late && !run->signal) {
        struct pollfd wait[] = {{.fd = run->fd, .events = POLLIN},
                                {.fd = run->said.ended ? -1 : run->said.fd, .events = POLLIN},
                                {.fd = run->child, .events = POLLIN}};
        int left = remaining(run->deadline), quiet = said_wait(&run->said);
        (void)poll(wait, COUNT_OF(wait), quiet >= 0 && quiet < left ? quiet : left);
        hear(run);
        look_for_signal(run);
        if (wait[0].revents)
            err = read_step(run, &end, error);
        else if (wait[2].revents)
            end = true;
        else
            run->late = remaining(run->deadline) == 0;
    }
    return err;
}

/* Reaps the child; one that is late, or not wanted any more, first gets SIGTERM, then SIGKILL. */
static int reap(struct run *run, pid_t pid, bool end_it) {
    int status = 0;
    int64_t patience = clock_mono() + 500;
    if (end_it)
        (void)kill(pid, SIGTERM);
    for (;;) {
        pid_t got = waitpid(pid, &status, WNOHANG);
        hear(run); /* its last words are in the pipe by now */
        look_for_signal(run);
        if (got == pid || (got < 0 && errno != EINTR))
            return status;
        if (!end_it && (run->signal || remaining(run->deadline) == 0)) {
            run->late = !run->signal;
            end_it = true;
            patience = clock_mono() + 500;
            (void)kill(pid, SIGTERM);
        } else if (end_it && remaining(patience) == 0) {
            (void)kill(pid, SIGKILL);
        }
        (void)poll(NULL, 0, WAIT_STEP_MS);
    }
}

static enum err command_judge(const struct run *run, int status, int timeout_ms, struct error *error) {
    if (run->signal)
        return error_set(error, ERR_INCOMPLETE, "command %s was ended: a signal came", run->name);
    if (run->late)
        return error_set(error, ERR_CONFIG, "command %s did not end within %d s", run->name, (timeout_ms + 999) / 1000);
    const char *words = *run->said.last ? "; it said: " : "";
    if (WIFSIGNALED(status))
        return error_set(error, ERR_CONFIG, "command %s was ended by signal %d%s%s", run->name, WTERMSIG(status), words,
                         run->said.last);
    if (WEXITSTATUS(status) != 0)
        return error_set(error, ERR_CONFIG, "command %s ended with status %d%s%s", run->name, WEXITSTATUS(status),
                         words, run->said.last);
    return ERR_OK;
}

static enum err cannot_run(char *const argv[], int failed, struct error *error) {
    return error_set(error, ERR_CONFIG, "command %s cannot be run: %s", argv[0], strerrordesc_np(failed));
}

enum err command_find_program(const char *name, struct error *error) {
    const char *path = getenv("PATH");
    if (strchr(name, '/'))
        return access(name, X_OK) == 0
                   ? ERR_OK
                   : error_set(error, ERR_CONFIG, "command %s cannot be run: %s", name, strerrordesc_np(errno));
    bool found = false;
    for (const char *at = path ? path : "/bin:/usr/bin"; *at && !found;) {
        size_t len = strcspn(at, ":");
        struct str place;
        str_init(&place, 8192);
        str_addf(&place, "%.*s/%s", (int)len, at, name);
        found = access(place.s, X_OK) == 0;
        str_clear(&place);
        at += len + (at[len] == ':');
    }
    return found ? ERR_OK : error_set(error, ERR_CONFIG, "command %s is not found by PATH", name);
}

/* Pipes for its stdout and its stderr; reading the latter does not block. */
static bool pipes(int ends[2], int words[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    if (pipe2(words, O_CLOEXEC) == 0 && fcntl(words[0], F_SETFL, O_NONBLOCK) == 0)
        return true;
    (void)close(ends[0]);
    (void)close(ends[1]);
    return false;
}

static enum err command_run_as(char *const argv[], const struct names *names, bool drains, int timeout_ms,
                               struct command_output *output, struct error *error) {
    int ends[2], words[2];
    pid_t pid = 0;
    if (!pipes(ends, words))
        return error_set(error, ERR_SYSTEM, "no pipe for command %s: %s", argv[0], strerrordesc_np(errno));
    int failed = spawn(argv, &(struct ends){.fds = {-1, ends[1], words[1]}, .names = *names}, &pid);
    (void)close(ends[1]);
    (void)close(words[1]);
    struct run run = {.name = argv[0],
                      .fd = ends[0],
                      .child = failed ? -1 : pidfd_open(pid, 0),
                      .deadline = clock_mono() + timeout_ms,
                      .out = output->bytes,
                      .size = sizeof output->bytes,
                      .drains = drains};
    said_init(&run.said, words[0]);
    enum err err = failed ? cannot_run(argv, failed, error) : read_output(&run, error);
    (void)close(ends[0]);
    if (run.child >= 0)
        (void)close(run.child);
    if (!failed) {
        int status = reap(&run, pid, err != ERR_OK || run.late || run.signal);
        said_show(&run.said, run.out, run.len);
        err = err != ERR_OK ? err : command_judge(&run, status, timeout_ms, error);
    }
    output->len = run.len;
    output->cut = run.cut;
    memcpy(output->said, run.said.last, sizeof output->said);
    said_clear(&run.said);
    return err;
}

enum err command_run(char *const argv[], int timeout_ms, struct command_output *output, struct error *error) {
    return command_run_as(argv, &(struct names){0}, false, timeout_ms, output, error);
}

enum err command_run_whole(char *const argv[], int timeout_ms, struct command_output *output, struct error *error) {
    return command_run_as(argv, &(struct names){0}, true, timeout_ms, output, error);
}

enum err command_run_with(char *const argv[], char *const *names, size_t n, int timeout_ms,
                          struct command_output *output, struct error *error) {
    return command_run_as(argv, &(struct names){names, n}, false, timeout_ms, output, error);
}

/* A file in memory, at its beginning: a program that reads slowly, or not at all, holds up nobody. */
static int memory_of(const char *text, size_t len) {
    int fd = memfd_create("text", MFD_CLOEXEC);
    if (fd >= 0 && (!path_write_all(fd, text, len) || lseek(fd, 0, SEEK_SET) != 0)) {
        (void)close(fd);
        fd = -1;
    }
    return fd;
}

enum err command_feed(char *const argv[], const char *text, size_t len, int timeout_ms, struct error *error) {
    pid_t pid = 0;
    enum err err = ERR_OK;
    struct run run = {.name = argv[0], .child = -1, .deadline = clock_mono() + timeout_ms};
    said_init(&run.said, -1);
    int in = memory_of(text, len), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (in < 0 || nowhere < 0) {
        err = error_set(error, ERR_SYSTEM, "no input for command %s: %s", argv[0], strerrordesc_np(errno));
        goto out;
    }
    int failed = spawn(argv, &(struct ends){.fds = {in, nowhere, nowhere}, .own_session = true}, &pid);
    if (failed) {
        err = cannot_run(argv, failed, error);
        goto out;
    }
    int status = reap(&run, pid, false);
    err = command_judge(&run, status, timeout_ms, error);
out:
    if (in >= 0)
        (void)close(in);
    if (nowhere >= 0)
        (void)close(nowhere);
    return err;
}
