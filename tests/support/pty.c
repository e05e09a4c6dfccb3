#include "support/pty.h"

#include "support/rest.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>
#include <vterm.h>

#include <cmocka.h>

enum { SLICE_MS = 20, PATIENCE_S = 30, SETTLE_S = 30, GLYPH_MAX = 32 };
enum { FINGERS_MS = 60 };

struct pty {
    int master, slave; /* the slave stays open here: its settings outlive the program */
    pid_t pid;
    bool reaped;
    int status;
    struct rusage usage;
    VTerm *term;
    VTermScreen *screen;
    int rows, cols;
    char *bytes;
    size_t n, cap, marked;
    double heard;
    double escaped; /* when a lone Escape was fed last; 0: another key came after it */
    char *text;     /* of pty_row and pty_screen */
    bool visible, alternate;
    int mouse, bells;
    char title[256];
    char held[16]; /* an escape sequence that is not whole yet */
    size_t n_held;
    char last; /* the last character that was shown */
};

double pty_now(void) {
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *grown(void *block, size_t size) {
    void *out = realloc(block, size);

    if (!out)
        fail_msg("no memory");
    return out;
}

static int on_property(VTermProp property, VTermValue *value, void *user) {
    struct pty *pty = user;

    if (property == VTERM_PROP_CURSORVISIBLE)
        pty->visible = value->boolean != 0;
    else if (property == VTERM_PROP_ALTSCREEN)
        pty->alternate = value->boolean != 0;
    else if (property == VTERM_PROP_MOUSE)
        pty->mouse = value->number;
    else if (property == VTERM_PROP_TITLE)
        (void)snprintf(pty->title, sizeof pty->title, "%s", value->string);
    return 1;
}

static int on_bell(void *user) {
    ((struct pty *)user)->bells++;
    return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_property, .bell = on_bell};

static struct pty *make(const struct pty_options *options) {
    struct pty *pty = grown(NULL, sizeof *pty);
    struct winsize size = {0};

    *pty = (struct pty){.pid = -1, .visible = true};
    pty->rows = options->rows > 0 ? options->rows : 24;
    pty->cols = options->cols > 0 ? options->cols : 80;
    size.ws_row = (unsigned short)pty->rows;
    size.ws_col = (unsigned short)pty->cols;
    if (openpty(&pty->master, &pty->slave, NULL, NULL, &size) != 0)
        fail_msg("no pseudo-terminal: %s", strerror(errno));
    (void)fcntl(pty->master, F_SETFD, FD_CLOEXEC);
    (void)fcntl(pty->slave, F_SETFD, FD_CLOEXEC);
    (void)fcntl(pty->master, F_SETFL, O_NONBLOCK);
    pty->term = vterm_new(pty->rows, pty->cols);
    vterm_set_utf8(pty->term, 1);
    pty->screen = vterm_obtain_screen(pty->term);
    vterm_screen_set_callbacks(pty->screen, &callbacks, pty);
    vterm_screen_enable_altscreen(pty->screen, 1);
    vterm_screen_reset(pty->screen, 1);
    return pty;
}

static void set_environment(const struct pty_options *options) {
    static const char *const drop[] = {"LINES", "COLUMNS", "NO_COLOR", "COLORTERM", "TMUX", "STY", "ESCDELAY"};

    for (size_t i = 0; i < sizeof drop / sizeof *drop; i++)
        (void)unsetenv(drop[i]);
    (void)setenv("TERM", "xterm-256color", 1);
    (void)setenv("LC_ALL", "C.UTF-8", 1);
    for (const char *const *item = options->env; item && *item; item++) {
        const char *equals = strchr(*item, '=');
        char name[128];
        size_t len = !equals ? strlen(*item) : (size_t)(equals - *item);
        (void)snprintf(name, sizeof name, "%.*s", (int)len, *item);
        if (!equals)
            (void)unsetenv(name);
        else
            (void)setenv(name, equals + 1, 1);
    }
}

/* In the child: the terminal becomes its controlling one, on descriptors 0 to 2. */
static void enter(struct pty *pty, const struct pty_options *options) {
    int slave = fcntl(pty->slave, F_DUPFD, 3);

    if (login_tty(slave) != 0)
        _exit(126);
    (void)close(pty->master);
    (void)signal(SIGHUP, options->ignore_hangup ? SIG_IGN : SIG_DFL);
    set_environment(options);
    if (options->folder && chdir(options->folder) != 0)
        _exit(126);
}

struct pty *pty_spawn(const char *const *argv, const struct pty_options *options) {
    struct pty *pty;

    options = !options ? &(struct pty_options){0} : options;
    pty = make(options);
    pty->pid = fork();
    if (pty->pid == 0) {
        enter(pty, options);
        (void)execvp(argv[0], (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    return pty;
}

struct pty *pty_fork(pty_child_fn *child, void *context, const struct pty_options *options) {
    struct pty *pty;

    options = !options ? &(struct pty_options){0} : options;
    pty = make(options);
    pty->pid = fork();
    if (pty->pid == 0) {
        enter(pty, options);
        (void)close(pty->slave);
        _exit(child(context));
    }
    return pty;
}

void pty_free(struct pty *pty) {
    if (!pty)
        return;
    if (!pty->reaped && pty->pid > 0) {
        (void)kill(pty->pid, SIGKILL);
        (void)waitpid(pty->pid, NULL, 0);
    }
    if (pty->master >= 0)
        (void)close(pty->master);
    (void)close(pty->slave);
    vterm_free(pty->term);
    free(pty->bytes);
    free(pty->text);
    free(pty);
}

pid_t pty_pid(const struct pty *pty) {
    return pty->pid;
}

/* A whole escape sequence that begins like a repetition (CSI n b): libvterm 0.1.4 loses what follows one that reaches
 * the last column, so it is spelt out here. */
static void show_held(struct pty *pty) {
    if (pty->n_held > 3 && pty->held[pty->n_held - 1] == 'b')
        for (long n = strtol(pty->held + 2, NULL, 10); n > 0; n--)
            (void)vterm_input_write(pty->term, &pty->last, 1);
    else
        (void)vterm_input_write(pty->term, pty->held, pty->n_held);
    pty->n_held = 0;
}

static void hold(struct pty *pty, char c) {
    pty->held[pty->n_held++] = c;
    bool goes_on = pty->n_held == 1 || (pty->n_held == 2 ? c == '[' : c >= '0' && c <= '9');
    if (!goes_on || pty->n_held == sizeof pty->held)
        show_held(pty);
}

static void show(struct pty *pty, const char *bytes, size_t len) {
    size_t from = 0;
    for (size_t i = 0; i < len; i++) {
        if (pty->n_held > 0 || bytes[i] == '\033') {
            (void)vterm_input_write(pty->term, bytes + from, i - from);
            hold(pty, bytes[i]);
            from = i + 1;
        } else if (bytes[i] >= ' ') {
            pty->last = bytes[i];
        }
    }
    (void)vterm_input_write(pty->term, bytes + from, len - from);
}

static void record(struct pty *pty, const char *bytes, size_t len) {
    if (pty->n + len + 1 > pty->cap) {
        pty->cap = (pty->n + len + 1) * 2;
        pty->bytes = grown(pty->bytes, pty->cap);
    }
    memcpy(pty->bytes + pty->n, bytes, len);
    pty->n += len;
    pty->bytes[pty->n] = '\0';
    show(pty, bytes, len);
}

/* Reads what is there within `ms`; false where nothing came. */
static bool pump(struct pty *pty, int ms) {
    struct pollfd ready = {.fd = pty->master, .events = POLLIN};
    char bytes[16384];
    ssize_t n;

    if (pty->master < 0) {
        (void)poll(NULL, 0, ms);
        return false;
    }
    if (poll(&ready, 1, ms) <= 0)
        return false;
    n = read(pty->master, bytes, sizeof bytes);
    if (n > 0) {
        pty->heard = pty_now();
        record(pty, bytes, (size_t)n);
    }
    return n > 0;
}

void pty_feed_n(struct pty *pty, const char *bytes, size_t len) {
    double end = pty_now() + PATIENCE_S;

    /* Nobody's fingers are faster, and closer together the two would be one key with Alt: for the program, that is,
     * which has given up waiting for more once it rests so long. */
    if (pty->escaped > 0 && len > 0 && !strchr("[O]P_", bytes[0]))
        pty_settle(pty, FINGERS_MS);
    pty->escaped = len == 1 && bytes[0] == '\033' ? pty_now() : 0;
    while (len > 0) {
        ssize_t n = write(pty->master, bytes, len);
        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        } else if (errno != EAGAIN && errno != EINTR) {
            fail_msg("cannot feed the terminal: %s", strerror(errno));
        } else {
            if (pty_now() > end)
                fail_msg("the program takes no more keys");
            (void)pump(pty, 1);
        }
    }
}

void pty_feed(struct pty *pty, const char *keys) {
    pty_feed_n(pty, keys, strlen(keys));
}

/* Bytes fed and not yet read by the program. What was written to the other end is carried over by a worker of the
 * kernel, which a poll waits for. */
static int untaken(struct pty *pty) {
    struct pollfd fed = {.fd = pty->slave, .events = POLLIN};
    int n = 0;

    (void)poll(&fed, 1, 0);
    return ioctl(pty->slave, FIONREAD, &n) == 0 ? n : 0;
}

bool pty_taken(struct pty *pty, double seconds) {
    double end = pty_now() + seconds;

    while (untaken(pty) > 0) {
        if (pty_now() >= end)
            return false;
        (void)pump(pty, 1);
    }
    return true;
}

void pty_read(struct pty *pty, int ms) {
    while (pump(pty, ms))
        ms = 0;
}

static size_t add_cell(struct pty *pty, char *out, int row, int col) {
    VTermScreenCell cell;
    size_t len = 0;

    if (vterm_screen_get_cell(pty->screen, (VTermPos){row, col}, &cell) == 0 || cell.chars[0] == (uint32_t)-1)
        return 0;
    if (cell.chars[0] == 0) {
        out[0] = ' ';
        return 1;
    }
    for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i] != 0; i++) {
        uint32_t c = cell.chars[i];
        if (c < 0x80) {
            out[len++] = (char)c;
        } else if (c < 0x800) {
            out[len++] = (char)(0xc0 | c >> 6);
            out[len++] = (char)(0x80 | (c & 0x3f));
        } else if (c < 0x10000) {
            out[len++] = (char)(0xe0 | c >> 12);
            out[len++] = (char)(0x80 | (c >> 6 & 0x3f));
            out[len++] = (char)(0x80 | (c & 0x3f));
        } else {
            out[len++] = (char)(0xf0 | (c >> 18 & 7));
            out[len++] = (char)(0x80 | (c >> 12 & 0x3f));
            out[len++] = (char)(0x80 | (c >> 6 & 0x3f));
            out[len++] = (char)(0x80 | (c & 0x3f));
        }
    }
    return len;
}

static size_t add_row(struct pty *pty, char *out, int row) {
    size_t len = 0;

    for (int col = 0; col < pty->cols; col++)
        len += add_cell(pty, out + len, row, col);
    while (len > 0 && out[len - 1] == ' ')
        len--;
    out[len] = '\0';
    return len;
}

const char *pty_row(struct pty *pty, int row) {
    pty->text = grown(pty->text, (size_t)pty->cols * GLYPH_MAX + 2);
    (void)add_row(pty, pty->text, row);
    return pty->text;
}

const char *pty_screen(struct pty *pty) {
    size_t len = 0;

    pty->text = grown(pty->text, (size_t)pty->rows * ((size_t)pty->cols * GLYPH_MAX + 2) + 1);
    pty->text[0] = '\0';
    for (int row = 0; row < pty->rows; row++) {
        len += add_row(pty, pty->text + len, row);
        pty->text[len++] = '\n';
        pty->text[len] = '\0';
    }
    return pty->text;
}

bool pty_shows(struct pty *pty, const char *text) {
    return strstr(pty_screen(pty), text) != NULL;
}

static bool wait_for_text(struct pty *pty, const char *text, double seconds, bool there) {
    double end = pty_now() + seconds;

    for (;;) {
        while (pump(pty, 0)) {
        }
        if (pty_shows(pty, text) == there)
            return true;
        if (pty_now() >= end) {
            (void)fprintf(stderr, "%s \"%s\" after %.1f s; the screen:\n%s", there ? "no" : "still", text, seconds,
                          pty_screen(pty));
            return false;
        }
        (void)pump(pty, SLICE_MS);
    }
}

bool pty_expect(struct pty *pty, const char *text, double seconds) {
    return wait_for_text(pty, text, seconds, true);
}

bool pty_expect_gone(struct pty *pty, const char *text, double seconds) {
    return wait_for_text(pty, text, seconds, false);
}

bool pty_wrote(struct pty *pty, const char *bytes, size_t len) {
    return pty->n > 0 && memmem(pty->bytes, pty->n, bytes, len);
}

bool pty_expect_bytes(struct pty *pty, const char *bytes, double seconds) {
    double end = pty_now() + seconds;

    while (!pty_wrote(pty, bytes, strlen(bytes))) {
        if (!pump(pty, SLICE_MS) && pty_now() >= end) {
            (void)fprintf(stderr, "the bytes did not come in %.1f s; the screen:\n%s", seconds, pty_screen(pty));
            return false;
        }
    }
    return true;
}

/* All that was fed is taken, and nothing of the program runs. Its input goes first: taking it makes it run. */
static bool rests(struct pty *pty, uint64_t *runs) {
    int fed = untaken(pty);
    *runs = 0;
    enum rest rest = rest_of(pty->pid, runs);
    return rest == REST_GONE || (rest == REST_WAITING && fed == 0);
}

/* Rest is believed at the second look: a thread that ran only between the first's looks at two others may have woken
 * one of them. */
void pty_settle(struct pty *pty, int quiet_ms) {
    double begun = pty_now(), busy = begun;
    uint64_t before = UINT64_MAX, runs;

    do {
        bool came = pump(pty, SLICE_MS < quiet_ms ? SLICE_MS : quiet_ms), rested = !came && rests(pty, &runs);
        if (rested && runs == before && (pty_now() - busy) * 1000 >= quiet_ms) {
            if (!pump(pty, 0))
                return;
            rested = false;
        }
        if (!rested)
            busy = pty_now();
        before = rested ? runs : UINT64_MAX;
    } while (pty_now() < begun + SETTLE_S);
    (void)fprintf(stderr, "not at rest after %d s\n", SETTLE_S);
}

double pty_heard(const struct pty *pty) {
    return pty->heard;
}

const char *pty_bytes(struct pty *pty, size_t *len) {
    *len = pty->n;
    return pty->n > 0 ? pty->bytes : "";
}

const char *pty_bytes_since(struct pty *pty, size_t *len) {
    *len = pty->n - pty->marked;
    return pty->n > 0 ? pty->bytes + pty->marked : "";
}

void pty_mark(struct pty *pty) {
    pty->marked = pty->n;
}

static int palette(const VTermColor *colour, bool is_default) {
    if (is_default)
        return -1;
    return VTERM_COLOR_IS_INDEXED(colour) ? colour->indexed.idx : -2;
}

struct pty_cell pty_cell(struct pty *pty, int row, int col) {
    struct pty_cell out = {.fg = -1, .bg = -1};
    VTermScreenCell cell;
    size_t len = add_cell(pty, out.text, row, col);

    out.text[len] = '\0';
    if (vterm_screen_get_cell(pty->screen, (VTermPos){row, col}, &cell) == 0)
        return out;
    out.width = cell.width;
    out.fg = palette(&cell.fg, VTERM_COLOR_IS_DEFAULT_FG(&cell.fg));
    out.bg = palette(&cell.bg, VTERM_COLOR_IS_DEFAULT_BG(&cell.bg));
    out.bold = cell.attrs.bold != 0;
    out.underline = cell.attrs.underline != 0;
    out.italic = cell.attrs.italic != 0;
    out.reverse = cell.attrs.reverse != 0;
    out.blink = cell.attrs.blink != 0;
    return out;
}

void pty_cursor(struct pty *pty, int *row, int *col, bool *visible) {
    VTermPos pos;

    vterm_state_get_cursorpos(vterm_obtain_state(pty->term), &pos);
    *row = pos.row;
    *col = pos.col;
    *visible = pty->visible;
}

bool pty_is_alternate(struct pty *pty) {
    return pty->alternate;
}

int pty_mouse(struct pty *pty) {
    return pty->mouse;
}

int pty_bells(struct pty *pty) {
    return pty->bells;
}

const char *pty_title(struct pty *pty) {
    return pty->title;
}

void pty_modes(const struct pty *pty, struct termios *out) {
    if (tcgetattr(pty->slave, out) != 0)
        fail_msg("no terminal settings: %s", strerror(errno));
}

bool pty_same_modes(const struct termios *a, const struct termios *b) {
    return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag &&
           a->c_lflag == b->c_lflag && memcmp(a->c_cc, b->c_cc, sizeof a->c_cc) == 0;
}

void pty_resize(struct pty *pty, int rows, int cols) {
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};

    pty->rows = rows > 0 ? rows : 24;
    pty->cols = cols > 0 ? cols : 80;
    vterm_set_size(pty->term, pty->rows, pty->cols);
    if (ioctl(pty->master, TIOCSWINSZ, &size) != 0)
        fail_msg("cannot resize: %s", strerror(errno));
}

void pty_close_master(struct pty *pty) {
    (void)close(pty->master);
    pty->master = -1;
}

void pty_signal(struct pty *pty, int signal) {
    (void)kill(pty->pid, signal);
}

bool pty_wait(struct pty *pty, double seconds, int *status) {
    double end = pty_now() + seconds;

    while (!pty->reaped) {
        pid_t got = wait4(pty->pid, &pty->status, WNOHANG, &pty->usage);
        pty->reaped = got == pty->pid;
        if (!pty->reaped && pty_now() >= end)
            return false;
        (void)pump(pty, pty->reaped ? 0 : SLICE_MS);
    }
    while (pump(pty, 0)) {
    }
    *status = pty->status;
    return true;
}

long pty_cpu_ms(const struct pty *pty) {
    return (pty->usage.ru_utime.tv_sec + pty->usage.ru_stime.tv_sec) * 1000 +
           (pty->usage.ru_utime.tv_usec + pty->usage.ru_stime.tv_usec) / 1000;
}

bool pty_is_stopped(struct pty *pty, double seconds) {
    double end = pty_now() + seconds;

    for (;;) {
        int status;
        if (waitpid(pty->pid, &status, WNOHANG | WUNTRACED) == pty->pid) {
            if (WIFSTOPPED(status))
                return true;
            pty->reaped = true;
            pty->status = status;
            return false;
        }
        if (pty_now() >= end)
            return false;
        (void)pump(pty, SLICE_MS);
    }
}
