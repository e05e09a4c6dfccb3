#include "support/proc.h"

#include "base/clock.h"
#include "base/linux.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { POLL_STEP = 10, OUTPUT_MAX = 256 << 20, FILE_MAX = 256 << 20 };

static void child_environment(const char *const env[]) {
    for (size_t i = 0; env && env[i]; i++) {
        const char *equal = strchr(env[i], '=');
        if (!equal) {
            (void)unsetenv(env[i]);
            continue;
        }
        char *name = mem_dup_n(env[i], (size_t)(equal - env[i]));
        (void)setenv(name, equal + 1, 1);
        free(name);
    }
}

static void child_run(const char *const argv[], const char *const env[], const int out[2], const int err[2]) {
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null < 0 || dup2(null, 0) < 0 || dup2(out[1], 1) < 0 || dup2(err[1], 2) < 0)
        _exit(127);
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    child_environment(env);
    size_t n = 0;
    while (argv[n])
        n++;
    char **copy = mem_new_array(n + 1, sizeof *copy);
    for (size_t i = 0; i < n; i++)
        copy[i] = mem_dup(argv[i]);
    (void)execv(copy[0], copy);
    _exit(127);
}

bool proc_start(struct proc *proc, const char *const argv[], const char *const env[]) {
    memset(proc, 0, sizeof *proc);
    proc->out_fd = proc->err_fd = -1;
    str_init(&proc->out, OUTPUT_MAX);
    str_init(&proc->err, OUTPUT_MAX);
    int out[2];
    int err[2];
    if (pipe2(out, O_CLOEXEC) != 0)
        return false;
    if (pipe2(err, O_CLOEXEC) != 0) {
        (void)close(out[0]);
        (void)close(out[1]);
        return false;
    }
    (void)fflush(NULL);
    proc->pid = fork();
    if (proc->pid == 0)
        child_run(argv, env, out, err);
    (void)close(out[1]);
    (void)close(err[1]);
    proc->out_fd = out[0];
    proc->err_fd = err[0];
    return proc->pid > 0;
}

static void drain(int *fd, struct str *into) {
    char buffer[65536];
    ssize_t n = read(*fd, buffer, sizeof buffer);
    if (n > 0) {
        str_add_n(into, buffer, (size_t)n);
    } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
        (void)close(*fd);
        *fd = -1;
    }
}

/* One step of collecting, at most POLL_STEP long: poll skips descriptors that are -1. */
static void collect(struct proc *proc) {
    struct pollfd fds[2] = {{.fd = proc->out_fd, .events = POLLIN}, {.fd = proc->err_fd, .events = POLLIN}};
    if (poll(fds, 2, POLL_STEP) <= 0)
        return;
    if (fds[0].revents != 0)
        drain(&proc->out_fd, &proc->out);
    if (fds[1].revents != 0)
        drain(&proc->err_fd, &proc->err);
}

static void reap(struct proc *proc, int flags) {
    int status = 0;
    if (proc->pid > 0 && waitpid(proc->pid, &status, flags) == proc->pid) {
        proc->pid = 0;
        proc->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
}

/* A grandchild may hold the pipes open after the program's end, so the end is what waitpid says; what is already in
 * the pipes then is still read. */
bool proc_wait(struct proc *proc, int deadline_ms) {
    int64_t end = clock_mono() + deadline_ms;
    reap(proc, WNOHANG);
    while (proc->pid > 0 && clock_mono() < end) {
        collect(proc);
        reap(proc, WNOHANG);
    }
    int64_t grace = clock_mono() + 1000;
    while (proc->pid == 0 && (proc->out_fd >= 0 || proc->err_fd >= 0) && clock_mono() < grace)
        collect(proc);
    return proc->pid == 0;
}

static bool seen(const struct proc *proc, const char *text) {
    return memmem(proc->out.s, proc->out.len, text, strlen(text)) ||
           memmem(proc->err.s, proc->err.len, text, strlen(text));
}

bool proc_expect(struct proc *proc, const char *text, int deadline_ms) {
    int64_t end = clock_mono() + deadline_ms;
    while (!seen(proc, text) && proc->pid > 0 && clock_mono() < end) {
        collect(proc);
        reap(proc, WNOHANG);
    }
    if (proc->pid == 0)
        (void)proc_wait(proc, 0);
    return seen(proc, text);
}

int proc_run(struct proc *proc, const char *const argv[], const char *const env[], int deadline_ms) {
    if (!proc_start(proc, argv, env))
        return -1;
    if (!proc_wait(proc, deadline_ms)) {
        (void)kill(proc->pid, SIGKILL);
        reap(proc, 0);
        return -1;
    }
    return proc->status;
}

int proc_end(struct proc *proc) {
    if (proc->pid > 0) {
        (void)kill(proc->pid, SIGTERM);
        if (!proc_wait(proc, PROC_DEADLINE)) {
            (void)kill(proc->pid, SIGKILL);
            reap(proc, 0);
        }
    }
    int status = proc->status;
    if (proc->out.s) {
        if (proc->out_fd >= 0)
            (void)close(proc->out_fd);
        if (proc->err_fd >= 0)
            (void)close(proc->err_fd);
        str_clear(&proc->out);
        str_clear(&proc->err);
    }
    memset(proc, 0, sizeof *proc);
    return status;
}

static int64_t unserved_ms(const char *path) {
    long long ran, unserved = 0;
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%lld %lld", &ran, &unserved) != 2)
        unserved = 0;
    if (file)
        (void)fclose(file);
    return unserved / 1000000;
}

int64_t proc_clock(pid_t other) {
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%ld/task/%ld/schedstat", (long)other, (long)other);
    return clock_mono() - unserved_ms("/proc/thread-self/schedstat") - (other > 0 ? unserved_ms(path) : 0);
}

enum proc_build proc_build(void) {
    char *program = proc_program("");
    enum proc_build build = strstr(program, "/asan/") ? PROC_ASAN : strstr(program, "/tsan/") ? PROC_TSAN : PROC_PLAIN;
    free(program);
    return build;
}

int proc_starts(int plain, int sanitized) {
    return proc_build() == PROC_PLAIN ? plain : sanitized;
}

int64_t proc_bar(int64_t ms) {
    return proc_build() == PROC_PLAIN ? ms : INT64_MAX;
}

int64_t proc_best_of(proc_round_fn *round, void *context, int64_t bar) {
    int64_t best = INT64_MAX;
    for (int i = 0; i < 3 && (i == 0 || best > bar); i++) {
        int64_t took = round(context);
        best = took < best ? took : best;
    }
    return best;
}

bool proc_wait_file(const char *path, int deadline_ms) {
    int64_t end = clock_mono() + deadline_ms;
    struct stat st;
    while (stat(path, &st) != 0 || st.st_size == 0) {
        if (clock_mono() >= end)
            return false;
        (void)poll(NULL, 0, POLL_STEP);
    }
    return true;
}

int proc_read_port(const char *path, int deadline_ms) {
    if (!proc_wait_file(path, deadline_ms))
        return 0;
    char *text = proc_read_file(path);
    long port = !text ? 0 : strtol(text, NULL, 10);
    free(text);
    return port > 0 && port < 65536 ? (int)port : 0;
}

char *proc_read_file(const char *path) {
    FILE *file = fopen(path, "rbe");
    if (!file)
        return NULL;
    struct str all;
    str_init(&all, FILE_MAX);
    char buffer[65536];
    size_t n = 0;
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
        str_add_n(&all, buffer, n);
    (void)fclose(file);
    return str_take(&all);
}

int text_times(const char *text, const char *what) {
    int n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        n++;
    return n;
}

bool proc_write_file(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    size_t len = strlen(text);
    bool ok = write(fd, text, len) == (ssize_t)len;
    return close(fd) == 0 && ok;
}

char *proc_program(const char *name) {
    struct str path;
    str_init(&path, 8192);
    const char *out = getenv("BURSAR_OUT");
    if (out) {
        str_addf(&path, "%s/%s", out, name);
        return str_take(&path);
    }
    char self[4096] = "";
    if (readlink("/proc/self/exe", self, sizeof self - 1) > 0) {
        char *tests = strstr(self, "/tests/");
        for (char *next = tests; next; next = strstr(next + 1, "/tests/"))
            tests = next;
        str_add_n(&path, self, !tests ? 0 : (size_t)(tests - self));
    }
    str_addf(&path, "/%s", name);
    return str_take(&path);
}

char *proc_folder_new(void) {
    const char *tmp = getenv("TMPDIR");
    struct str path;
    str_init(&path, 4096);
    str_addf(&path, "%s/bursar-test-XXXXXX", !tmp ? "/tmp" : tmp);
    if (!mkdtemp(path.s))
        mem_fatal("a test folder could not be made");
    return str_take(&path);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *walk) {
    (void)st;
    (void)kind;
    (void)walk;
    return remove(path);
}

void proc_folder_remove(char *folder) {
    if (folder) {
        (void)nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
        free(folder);
    }
}
