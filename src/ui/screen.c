#include "ui/screen_state.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

enum {
    ESCAPE_DELAY_MS = 50,
    ESCAPE_DELAY_MAX = 5000,
    TERM_NAME_MAX = 64,
    BELL_MS = 500,
    LATE_MS = 100,
    FILLS_MAX = 64
};

static bool is_plain_name(const char *name) {
    size_t len = strlen(name);

    return len > 0 && len <= TERM_NAME_MAX &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-") == len;
}

/* Everything that can be checked before a byte is written: initscr would exit the process where this refuses. */
static enum err check_terminal(const struct screen_options *options, bool *ansi, struct error *error) {
    const char *name = getenv("TERM"), *address;
    int status;
    bool known, usable;

    if (!isatty(options->in) || !isatty(options->out)) {
        return error_set(error, ERR_TERMINAL,
                         "the console needs a terminal for input and output; without one use a command, see: "
                         "bursar help");
    }
    if (!name || name[0] == '\0') {
        return error_set(error, ERR_TERMINAL,
                         "TERM is not set, so the kind of terminal is not known; try: "
                         "TERM=xterm-256color bursar");
    }
    known = is_plain_name(name) && setupterm(name, options->out, &status) == OK;
    if (!known) {
        return error_set(error, ERR_TERMINAL,
                         "the terminal type \"%s\" (TERM) is not known on this machine; install its description "
                         "(package ncurses-term, or the terminal's own), or try: TERM=xterm-256color bursar",
                         name);
    }
    address = tigetstr("cup");
    usable = address && address != (const char *)-1; /* NOLINT: terminfo's own mark */
    *ansi = usable && strstr(address, "\033[");
    (void)del_curterm(cur_term);
    if (!usable) {
        return error_set(error, ERR_TERMINAL,
                         "the terminal type \"%s\" (TERM) cannot place the cursor; if the terminal is better than "
                         "that, try: TERM=xterm-256color bursar",
                         name);
    }
    return ERR_OK;
}

enum err screen_check(int in, int out, struct error *error) {
    struct screen_options options = {.in = in, .out = out};
    bool ansi;
    return check_terminal(&options, &ansi, error);
}

static int escape_delay(void) {
    const char *text = getenv("ESCDELAY");
    long long n;

    if (!text || !str_to_int64(text, strlen(text), &n) || n < 0)
        return ESCAPE_DELAY_MS;
    return n > ESCAPE_DELAY_MAX ? ESCAPE_DELAY_MAX : (int)n;
}

/* LINES and COLUMNS of the environment are not used, and the terminal's answer only where it makes sense: curses
 * accepts any size and allocates memory for it. */
static void choose_size_source(int out) {
    struct winsize size = {0};

    use_env(false);
    use_tioctl(ioctl(out, TIOCGWINSZ, &size) != 0 ||
               (size.ws_row <= SCREEN_SIDE_MAX && size.ws_col <= SCREEN_SIDE_MAX));
}

/* newterm would handle signals that have their default action; they belong to the program's own loop. */
static SCREEN *newterm_without_signals(FILE *out, FILE *in) {
    static const int signals[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
    struct sigaction before[COUNT_OF(signals)];
    SCREEN *made;

    for (size_t i = 0; i < COUNT_OF(signals); i++)
        (void)sigaction(signals[i], NULL, &before[i]);
    made = newterm(NULL, out, in);
    for (size_t i = 0; i < COUNT_OF(signals); i++)
        (void)sigaction(signals[i], &before[i], NULL);
    return made;
}

static FILE *open_copy(int fd, const char *mode) {
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    FILE *file = copy < 0 ? NULL : fdopen(copy, mode);

    if (!file && copy >= 0)
        (void)close(copy);
    return file;
}

static int clamp_side(int n, int usual) {
    return n <= 0 ? usual : n > SCREEN_SIDE_MAX ? SCREEN_SIDE_MAX : n;
}

/* The size comes only from the terminal: LINES and COLUMNS may say anything. */
static void read_size(const struct screen *screen, int *rows, int *cols) {
    struct winsize size = {0};

    if (ioctl(screen->out, TIOCGWINSZ, &size) != 0)
        size = (struct winsize){0};
    *rows = clamp_side(size.ws_row, 24);
    *cols = clamp_side(size.ws_col, 80);
}

static void take_size(struct screen *screen) {
    int rows, cols;

    read_size(screen, &rows, &cols);
    if (rows != LINES || cols != COLS)
        (void)resizeterm(rows, cols);
    canvas_resize(screen->shown, LINES, COLS);
    screen->row = mem_resize(screen->row, (size_t)COLS + 1, sizeof *screen->row);
    screen->repaint = true;
}

static void set_up_curses(void) {
    (void)raw();
    (void)noecho();
    (void)nonl();
    (void)typeahead(-1);
    (void)idlok(stdscr, true);
    (void)leaveok(stdscr, false);
    (void)scrollok(stdscr, false);
    if (has_colors() && start_color() == OK)
        (void)use_default_colors();
    (void)curs_set(0);
}

static enum theme_depth possible_depth(enum theme_depth depth) {
    if (!has_colors() || COLORS < 8)
        return THEME_MONO;
    return COLORS < 256 && depth > THEME_16 ? THEME_16 : depth;
}

static enum err screen_start(struct screen *screen, const struct screen_options *options, struct error *error) {
    struct termios before;

    screen->file_in = open_copy(options->in, "r");
    screen->file_out = open_copy(options->out, "w");
    if (!screen->file_in || !screen->file_out || tcgetattr(options->in, &before) != 0)
        return error_set(error, ERR_TERMINAL, "cannot use the terminal: %s", strerror(errno));
    choose_size_source(options->out);
    modes_reset(screen);
    screen->curses = newterm_without_signals(screen->file_out, screen->file_in);
    if (!screen->curses)
        return error_set(error, ERR_TERMINAL, "the terminal could not be set up");
    modes_learn(screen);
    modes_arm(screen, &before);
    set_up_curses();
    take_size(screen);
    modes_on(screen);
    return ERR_OK;
}

enum err screen_open(const struct screen_options *options, struct screen **out, struct error *error) {
    struct screen *screen = NULL;
    bool ansi = false;
    enum err err = check_terminal(options, &ansi, error);

    *out = NULL;
    if (err != ERR_OK)
        return err;
    screen = mem_new(sizeof *screen);
    screen->in = options->in;
    screen->out = options->out;
    screen->ansi = ansi;
    screen->mouse = options->mouse;
    screen->utf8 = screen->input.utf8 = utf8_locale();
    screen->input.escape_delay = escape_delay();
    paste_init(&screen->input);
    update_open(screen);
    screen->shown = canvas_new(0, 0);
    err = screen_start(screen, options, error);
    if (err != ERR_OK) {
        screen_close(screen);
        return err;
    }
    place_learn(screen);
    screen_theme(screen, options->theme, options->depth);
    *out = screen;
    return ERR_OK;
}

void screen_close(struct screen *screen) {
    if (!screen)
        return;
    if (screen->curses) {
        screen_leave(screen);
        delscreen(screen->curses);
    }
    if (screen->file_in)
        (void)fclose(screen->file_in);
    if (screen->file_out)
        (void)fclose(screen->file_out);
    update_close(screen);
    str_clear(&screen->input.paste);
    canvas_free(screen->shown);
    style_forget(screen);
    free(screen->row);
    free(screen);
}

void screen_theme(struct screen *screen, const struct theme *theme, enum theme_depth depth) {
    screen->theme = theme;
    screen->depth = possible_depth(depth);
    theme_use_symbols(theme, !screen->utf8);
    style_forget(screen);
    screen->repaint = true;
}

void screen_size(const struct screen *screen, int *rows, int *cols) {
    (void)screen;
    *rows = LINES;
    *cols = COLS;
}

void screen_resize(struct screen *screen) {
    int rows, cols;

    read_size(screen, &rows, &cols);
    if (rows != LINES || cols != COLS)
        take_size(screen);
}

void screen_redraw(struct screen *screen) {
    /* Another program may have changed the modes while this one was stopped from outside. */
    (void)reset_prog_mode();
    modes_on(screen);
    screen_resize(screen);
    screen->repaint = true;
}

void screen_bell(struct screen *screen) {
    int64_t now = clock_mono();

    if (screen->last_bell == 0 || now - screen->last_bell >= BELL_MS) {
        screen->last_bell = now;
        update_write(screen, "\a", 1);
    }
}

void screen_leave(struct screen *screen) {
    modes_off(screen);
    bool held = update_begin(screen);
    (void)endwin();
    if (held) {
        update_end(screen);
        update_drain(screen);
    }
    modes_disarm();
}

void screen_return(struct screen *screen) {
    /* Modes that the shell set meanwhile are restored at the end. */
    (void)def_shell_mode();
    modes_rearm(screen);
    (void)reset_prog_mode();
    (void)doupdate();
    modes_on(screen);
    take_size(screen);
    screen_redraw(screen);
}

/* Reads what is there, without waiting; false where there is nothing. */
static bool screen_fill(struct screen *screen, int64_t now) {
    struct screen_input *input = &screen->input;
    struct pollfd ready = {.fd = screen->in, .events = POLLIN};
    ssize_t n;

    if (input->n == SCREEN_PENDING_MAX || poll(&ready, 1, 0) <= 0)
        return false;
    n = read(screen->in, input->bytes + input->n, SCREEN_PENDING_MAX - input->n);
    if (n > 0) {
        input->alone = input->alone || (input->n == 1 && input->bytes[0] == '\033');
        input->n += (size_t)n;
        input->waiting_since = now;
    } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
        input->ended = true;
    }
    return n > 0;
}

bool screen_read(struct screen *screen, struct input *out, bool *ended) {
    struct screen_input *input = &screen->input;
    int fills = 0;

    *ended = false;
    /* What is overdue may have arrived while the program was busy. */
    if (decode_timeout(input, clock_mono()) == 0)
        (void)screen_fill(screen, clock_mono());
    while (fills < FILLS_MAX) {
        int64_t now = clock_mono();
        enum decode_result result = decode_next(input, now, out);
        if (result == DECODE_KEY || result == DECODE_PASTE || result == DECODE_MOUSE)
            return true;
        if (result != DECODE_SKIP && (fills++, !screen_fill(screen, now)))
            break;
    }
    *ended = input->ended;
    return false;
}

bool screen_unreadable(struct screen *screen) {
    bool any = screen->input.unreadable;
    screen->input.unreadable = false;
    return any;
}

void screen_drop_typed(struct screen *screen) {
    struct screen_input *input = &screen->input;
    (void)tcflush(screen->in, TCIFLUSH);
    if (!input->pasting)
        input->n = 0;
}

bool screen_is_late(const struct screen *screen) {
    return screen->late || screen->update.at < screen->update.len;
}

int screen_waits_for(const struct screen *screen) {
    return screen_is_late(screen) ? screen->update.fd : -1;
}

int screen_timeout(const struct screen *screen) {
    int timeout = decode_timeout(&screen->input, clock_mono());

    return screen_is_late(screen) && (timeout < 0 || timeout > LATE_MS) ? LATE_MS : timeout;
}
