#include "demo.h"

#include "base/command.h"
#include "base/linux.h"
#include "base/mem.h"
#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { START_WITHIN = 10000, PATH_CAP = 4096, PORT_CAP = 32 };

#define DEMO_INTENTS "2000"
#define DEMO_TICK "4000"
#define FOLDER "bursar-demo-"
#define UNIQUE "XXXXXX"
#define LOCK "in-use"

struct demo {
    char *folder, *port_file, *token_file, *control_file, *program;
    char *tls_folder, *ca_file, *secret_file, *receiver_port_file, *receiver;
    struct secret *control;
    pid_t child, listener;
    int lock; /* held while the console runs; its children do not inherit it */
    struct profile *profile;
};

static char *in_folder(const char *folder, const char *name) {
    struct str text;
    str_init(&text, PATH_CAP);
    str_addf(&text, "%s/%s", folder, name);
    return str_take(&text);
}

/* The sandbox that was built or installed with this program, so that both have the same version. */
static char *find_program(void) {
    char self[PATH_CAP];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    if (len > 0) {
        self[len] = '\0';
        char *slash = strrchr(self, '/');
        *slash = '\0';
        char *beside = in_folder(self, "bursar-sandbox");
        if (access(beside, X_OK) == 0)
            return beside;
        free(beside);
    }
    return mem_dup("bursar-sandbox");
}

static void remove_tree(const char *folder) {
    DIR *dir = opendir(folder);
    if (!dir)
        return;
    const struct dirent *entry;
    while ((entry = readdir(dir)) != NULL) {
        if (str_equal(entry->d_name, ".") || str_equal(entry->d_name, ".."))
            continue;
        char *path = in_folder(folder, entry->d_name);
        if (unlink(path) != 0)
            remove_tree(path);
        free(path);
    }
    (void)closedir(dir);
    (void)rmdir(folder);
}

/* A console that runs holds the lock of its folder; one that was killed holds none. A folder that was just made is not
 * locked yet. */
static bool is_left_behind(const char *folder) {
    enum { JUST_MADE_S = 3600 };
    struct stat info;
    if (lstat(folder, &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid())
        return false;
    char *path = in_folder(folder, LOCK);
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool made = fd < 0 && errno == ENOENT && info.st_mtime < time(NULL) - JUST_MADE_S;
    bool left = fd >= 0 ? flock(fd, LOCK_EX | LOCK_NB) == 0 : made;
    if (fd >= 0)
        (void)close(fd);
    free(path);
    return left;
}

static void clear_left_behind(const char *base) {
    DIR *dir = opendir(base);
    const struct dirent *entry;
    while (dir && (entry = readdir(dir)) != NULL) {
        if (str_starts(entry->d_name, FOLDER) && strlen(entry->d_name) == strlen(FOLDER UNIQUE)) {
            char *path = in_folder(base, entry->d_name);
            if (is_left_behind(path))
                remove_tree(path);
            free(path);
        }
    }
    if (dir)
        (void)closedir(dir);
}

static bool take_lock(struct demo *demo) {
    char *path = in_folder(demo->folder, LOCK);
    demo->lock = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    free(path);
    return demo->lock >= 0 && flock(demo->lock, LOCK_EX | LOCK_NB) == 0;
}

static enum err demo_make_folder(struct demo *demo, struct error *error) {
    const char *base = getenv("TMPDIR");
    base = base && *base == '/' ? base : "/tmp";
    clear_left_behind(base);
    char *name = in_folder(base, FOLDER UNIQUE);
    if (!mkdtemp(name)) {
        enum err err = error_set(error, ERR_FILE, "no folder for the demo: %s", strerror(errno));
        free(name);
        return err;
    }
    demo->folder = name;
    if (!take_lock(demo))
        return error_set(error, ERR_FILE, "the demo's folder %s cannot be locked: %s", name, strerror(errno));
    demo->port_file = in_folder(name, "port");
    demo->token_file = in_folder(name, "token");
    demo->control_file = in_folder(name, "control");
    demo->tls_folder = in_folder(name, "tls");
    demo->ca_file = in_folder(name, "tls/ca.pem");
    demo->secret_file = in_folder(name, "secret");
    demo->receiver_port_file = in_folder(name, "receiver-port");
    return ERR_OK;
}

/* Runs between fork and exec: allocates nothing and takes no lock. */
_Noreturn static void run_child(const struct demo *demo, const char *const args[], int out, char *const variables[]) {
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    (void)setpgid(0, 0); /* Ctrl-C and Ctrl-Z are for the console only */
    int nothing = open("/dev/null", O_RDWR);
    (void)dup2(nothing, STDIN_FILENO);
    (void)dup2(out, STDOUT_FILENO);
    (void)dup2(nothing, STDERR_FILENO);
    command_become_plain();
    (void)execvpe(demo->program, (char *const *)args, variables);
    _exit(127);
}

/* The sandbox's first line says that it listens. */
static enum err wait_for_line(int in, struct error *error) {
    struct pollfd ready = {.fd = in, .events = POLLIN};
    char byte;
    do {
        if (poll(&ready, 1, START_WITHIN) <= 0 || read(in, &byte, 1) != 1)
            return error_set(error, ERR_SYSTEM, "the demo's sandbox did not start: is bursar-sandbox beside bursar?");
    } while (byte != '\n');
    return ERR_OK;
}

static enum err start_child(const struct demo *demo, const char *const args[], pid_t *child, struct error *error) {
    int ends[2];
    char *variables[COMMAND_VARIABLES_MAX + 1];
    command_environment(variables);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_set(error, ERR_SYSTEM, "no pipe for the demo: %s", strerror(errno));
    *child = fork();
    if (*child == 0)
        run_child(demo, args, ends[1], variables);
    close(ends[1]);
    enum err err = *child < 0 ? error_set(error, ERR_SYSTEM, "no process for the demo: %s", strerror(errno))
                              : wait_for_line(ends[0], error);
    close(ends[0]);
    return err;
}

static enum err start_listener(struct demo *demo, struct error *error) {
    const char *const args[] = {"bursar-sandbox", "listen",
                                "--port",         "0",
                                "--port-file",    demo->receiver_port_file,
                                "--tls-dir",      demo->tls_folder,
                                "--secret-file",  demo->secret_file,
                                "--quiet",        NULL};
    return start_child(demo, args, &demo->listener, error);
}

static enum err start_sandbox(struct demo *demo, struct error *error) {
    const char *const args[] = {"bursar-sandbox",
                                "serve",
                                "--listen",
                                "127.0.0.1:0",
                                "--port-file",
                                demo->port_file,
                                "--token-file",
                                demo->token_file,
                                "--control-token-file",
                                demo->control_file,
                                "--deliver-ca",
                                demo->ca_file,
                                "--intents",
                                DEMO_INTENTS,
                                "--tick",
                                DEMO_TICK,
                                NULL};
    return start_child(demo, args, &demo->child, error);
}

static enum err demo_read_line(const char *path, size_t max, bool private, struct str *out, struct error *error) {
    str_init(out, max);
    enum err err = path_read(path, max, private, out, error);
    if (out->len > 0 && out->s[out->len - 1] == '\n')
        str_delete(out, out->len - 1, 1);
    return err;
}

static enum err find_receiver(struct demo *demo, struct error *error) {
    struct str port, token, url;
    str_init(&url, PATH_CAP);
    enum err err = demo_read_line(demo->receiver_port_file, PORT_CAP, false, &port, error);
    str_addf(&url, "https://localhost:%s/hook", port.s);
    demo->receiver = str_take(&url);
    str_clear(&port);
    str_init(&token, PATH_CAP);
    if (err == ERR_OK)
        err = demo_read_line(demo->control_file, PATH_CAP, true, &token, error);
    if (err == ERR_OK)
        demo->control = secret_new(token.s, token.len);
    secret_clear_str(&token);
    return err;
}

static enum err make_profile(struct demo *demo, struct error *error) {
    struct str port, url;
    str_init(&port, PORT_CAP);
    str_init(&url, PATH_CAP);
    enum err err = path_read(demo->port_file, PORT_CAP, false, &port, error);
    if (err == ERR_OK) {
        str_addf(&url, "http://127.0.0.1:%ld", strtol(port.s, NULL, 10));
        demo->profile = profile_new("demo", "sandbox", url.s);
        free(demo->profile->token_file);
        demo->profile->token_file = mem_dup(demo->token_file);
    }
    str_clear(&port);
    str_clear(&url);
    return err;
}

enum err demo_start(struct demo **out, struct error *error) {
    struct demo *demo = mem_new(sizeof *demo);
    demo->program = find_program();
    demo->lock = -1;
    enum err err = demo_make_folder(demo, error);
    if (err == ERR_OK)
        err = start_listener(demo, error); /* first, since the sandbox trusts its certificate */
    if (err == ERR_OK)
        err = start_sandbox(demo, error);
    if (err == ERR_OK)
        err = make_profile(demo, error);
    if (err == ERR_OK)
        err = find_receiver(demo, error);
    if (err != ERR_OK) {
        demo_stop(demo);
        return err;
    }
    *out = demo;
    return ERR_OK;
}

static void end_child(pid_t child) {
    if (child > 0) {
        (void)kill(child, SIGTERM);
        (void)waitpid(child, NULL, 0);
    }
}

void demo_stop(struct demo *demo) {
    if (!demo)
        return;
    end_child(demo->child);
    end_child(demo->listener);
    if (demo->folder)
        remove_tree(demo->folder);
    if (demo->lock >= 0)
        (void)close(demo->lock);
    profile_free(demo->profile);
    free(demo->folder);
    free(demo->port_file);
    free(demo->token_file);
    free(demo->control_file);
    free(demo->program);
    free(demo->tls_folder);
    free(demo->ca_file);
    free(demo->secret_file);
    free(demo->receiver_port_file);
    free(demo->receiver);
    secret_free(demo->control);
    free(demo);
}

const struct profile *demo_profile(const struct demo *demo) {
    return demo->profile;
}

void demo_set_timezone(struct demo *demo, const char *name) {
    profile_set_timezone(demo->profile, name);
}

const char *demo_folder(const struct demo *demo) {
    return demo->folder;
}

const struct secret *demo_control(const struct demo *demo) {
    return demo->control;
}

const char *demo_receiver(const struct demo *demo) {
    return demo->receiver;
}

const char *demo_ca_file(const struct demo *demo) {
    return demo->ca_file;
}

const char *demo_secret_file(const struct demo *demo) {
    return demo->secret_file;
}
