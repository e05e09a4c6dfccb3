#ifndef UNIT_UI_CONSOLE_H
#define UNIT_UI_CONSOLE_H
/* The program under test of ui_screen and ui_screen_input: a list, and a row that tells what came in. It runs in a
 * child on a pseudo-terminal. */

#include "ui/screen.h"
#include "ui/table.h"

#include "base/mem.h"
#include "support/pty.h"

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROWS = 1000, PATIENCE = 10, EXIT_ENDED = 3, EXIT_REFUSED = 4 };

struct console {
    bool quiet; /* no such row: for counting bytes */
    bool mouse;
    struct screen *screen;
    struct canvas *canvas;
    struct table table;
    struct str told;
    int events, writes;
    int wording; /* other names in a column, some of them wide; 0: the plain ones */
};

/* How often this program wrote to a terminal; ncurses comes through here too. */
static int writes;
ssize_t write(int fd, const void *bytes, size_t n) {
    int before = errno;
    writes += isatty(fd);
    errno = before;
    return syscall(SYS_write, fd, bytes, n);
}

static const struct table_column columns[] = {
    {"created", 8, 19, 0, false, 0}, {"st", 2, 2, 0, false, 0},    {"dir", 3, 3, 3, false, 0},
    {"amount", 10, 14, 0, true, 0},  {"cur", 3, 3, 0, false, 0},   {"user", 10, 24, 2, false, 0},
    {"rail", 4, 6, 4, false, 0},     {"bank", 8, 24, 5, false, 1}, {"flags", 5, 8, 6, false, 0},
};

static void draw_cell(void *context, size_t row, int column, struct table_cell *out) {
    static const char *const letters[] = {"A", "D", "P", "C"};
    static const enum role roles[] = {ROLE_STATUS_APPROVED, ROLE_STATUS_DECLINED, ROLE_STATUS_PENDING,
                                      ROLE_STATUS_CREATED};

    static const char *const names[] = {"\u65e5\u672c\u9280\u884c",
                                        "\u9280\u884c\u65e5\u672c",
                                        "x\u65e5\u672c y",
                                        "e\u0301e\u0301 \u2026ab",
                                        "\U0001f1e9\U0001f1ea flag",
                                        "\u2026\uff21\uff22",
                                        "a\u65e5b\u672cc",
                                        "\U0001f468\u200d\U0001f469\u200d\U0001f467 three",
                                        ""};
    const struct console *console = context;
    switch (column) {
    case 0:
        str_addf(out->text, "2026-11-%02d 14:%02zu:%02zu", 28, row % 60, row * 7 % 60);
        break;
    case 1:
        str_add(out->text, letters[row * 5 % 4]);
        out->role = roles[row * 5 % 4];
        break;
    case 3:
        str_addf(out->text, "%zu", row * 7919 % 1000000);
        break;
    case 5:
        str_addf(out->text, "usr_%08zx", row * 2654435761U % 0xffffffff);
        break;
    case 7:
        if (console->wording > 0) {
            str_add_repeat(out->text, 'x', row * 3 % 4);
            str_add(out->text, names[(row * 5 + (size_t)console->wording) % COUNT_OF(names)]);
            break;
        }
        str_addf(out->text, "Northern Example Bank %zu", row % 9);
        break;
    default:
        str_add(out->text, column == 2 ? "in" : column == 4 ? "EUR" : column == 6 ? "card" : "");
    }
}

static void draw(struct console *console) {
    struct rect rest = canvas_rect(console->canvas), title = rect_take_rows(&rest, 1);
    const struct table_source source = {.rows = ROWS, .cell = draw_cell, .context = console};

    canvas_fill(console->canvas, canvas_rect(console->canvas), ROLE_TEXT);
    (void)canvas_text(console->canvas, title, 0, 0, ROLE_ENV_SANDBOX, " SANDBOX ");
    (void)canvas_text(console->canvas, title, 0, 10, ROLE_TEXT, "ready");
    if (!console->quiet) {
        struct rect told = rect_take_rows(&rest, -2);
        (void)canvas_textf(console->canvas, told, 0, 0, ROLE_TEXT, "#%d %s", console->events, console->told.s);
    }
    table_draw(&console->table, console->canvas, rest, &source, true);
    console->writes = writes;
    screen_show(console->screen, console->canvas);
}

static void resize(struct console *console) {
    int rows, cols;

    screen_resize(console->screen);
    screen_size(console->screen, &rows, &cols);
    canvas_resize(console->canvas, rows, cols);
}

static void tell_key(struct console *console, int32_t key) {
    str_reset(&console->told);
    str_add(&console->told, "key ");
    input_key_name(key, &console->told);
}

/* False: the end. */
static bool act(struct console *console, int32_t key) {
    switch (key) {
    case 'j':
        table_move(&console->table, ROWS, 1);
        return true;
    case 'k':
        table_move(&console->table, ROWS, -1);
        return true;
    case 'q':
        return false;
    case 's':
        screen_leave(console->screen);
        (void)raise(SIGSTOP);
        screen_return(console->screen);
        resize(console);
        str_reset(&console->told);
        str_add(&console->told, "continued");
        return true;
    case 'y':
        str_addf(&console->told, " copied %d", screen_copy(console->screen, "id_1", 4));
        return true;
    case 'b':
        for (int i = 0; i < 50; i++)
            screen_bell(console->screen);
        return true;
    case 'w':
        console->wording++;
        return true;
    case 'r':
        screen_redraw(console->screen);
        return true;
    case 'c':
        str_addf(&console->told, " after %d writes", writes - console->writes);
        return true;
    case 'm':
        screen_mouse(console->screen, true);
        return true;
    case 'X':
        (void)raise(SIGSEGV);
        return true;
    default:
        return true;
    }
}

static bool take(struct console *console, struct input *input) {
    bool go_on = true;

    console->events++;
    if (input->kind == INPUT_PASTE) {
        char head[41] = "";
        (void)snprintf(head, sizeof head, "%s", input->paste);
        str_reset(&console->told);
        str_addf(&console->told, "paste %zu cut %d [", strlen(input->paste), input->paste_cut);
        for (size_t i = 0; head[i] != '\0'; i++)
            str_add_char(&console->told, head[i] == '\n' ? '/' : head[i]);
        str_add_char(&console->told, ']');
    } else if (input->kind == INPUT_MOUSE) {
        str_reset(&console->told);
        str_addf(&console->told, "mouse %d at %d,%d", input->button, input->row, input->col);
    } else {
        tell_key(console, input->key);
        go_on = act(console, input->key);
    }
    input_clear(input);
    return go_on;
}

static int winch_pipe[2];

static void on_winch(int signal) {
    (void)signal;
    if (write(winch_pipe[1], "w", 1) != 1)
        _exit(EXIT_REFUSED);
}

static void on_crash(int signal) {
    screen_restore_unsafe();
    (void)raise(signal); /* SA_RESETHAND: the default now */
}

static void watch_signals(void) {
    struct sigaction action = {.sa_handler = on_winch};

    assert_int_equal(pipe(winch_pipe), 0);
    (void)sigaction(SIGWINCH, &action, NULL);
    action.sa_handler = on_crash;
    action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
    (void)sigaction(SIGSEGV, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

static int loop(struct console *console) {
    struct input input = {0};
    bool ended = false;

    for (;;) {
        struct pollfd ready[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = winch_pipe[0], .events = POLLIN}};
        char byte;
        draw(console);
        (void)poll(ready, 2, screen_timeout(console->screen));
        if (ready[1].revents != 0 && read(winch_pipe[0], &byte, 1) == 1)
            resize(console);
        while (screen_read(console->screen, &input, &ended))
            if (!take(console, &input))
                return 0;
        if (ended)
            return EXIT_ENDED;
    }
}

static int run_console(void *context) {
    struct console console = *(struct console *)context;
    struct theme_source source = {.name = "terminal", .text = theme_builtin, .len = strlen(theme_builtin)};
    struct str report;
    struct theme *theme;
    struct screen_options options = {.in = STDIN_FILENO, .out = STDOUT_FILENO, .mouse = console.mouse};
    struct error error = {0};
    int status = EXIT_REFUSED;

    (void)setlocale(LC_ALL, "");
    str_init(&report, 4096);
    str_init(&console.told, 4096);
    theme = theme_load(&source, &report);
    options.theme = theme;
    options.depth = screen_depth(NULL);
    watch_signals();
    if (screen_open(&options, &console.screen, &error) == ERR_OK) {
        console.canvas = canvas_new(0, 0);
        table_init(&console.table, columns, (int)COUNT_OF(columns));
        resize(&console);
        status = loop(&console);
        screen_close(console.screen);
        canvas_free(console.canvas);
    } else {
        (void)fprintf(stderr, "%s\n", error.text);
    }
    theme_free(theme);
    str_clear(&console.told);
    str_clear(&report);
    return status;
}

static struct pty *start_with(struct console console, struct pty_options options) {
    return pty_fork(run_console, &console, &options);
}

static struct pty *start(void) {
    struct pty *pty = start_with((struct console){0}, (struct pty_options){0});

    assert_true(pty_expect(pty, "ready", PATIENCE));
    return pty;
}

static void quit(struct pty *pty) {
    int status;

    pty_feed(pty, "q");
    assert_true(pty_wait(pty, PATIENCE, &status));
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    pty_free(pty);
}

#endif
