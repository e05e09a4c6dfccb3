/* The screen on a real pseudo-terminal: a child drives it, the test reads what an emulator shows and every byte. */
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
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROWS = 1000, PATIENCE = 10, EXIT_ENDED = 3, EXIT_REFUSED = 4 };

/* The program under test: a list, and a row that tells what came in. */
struct console {
    bool quiet; /* no such row: for counting bytes */
    bool mouse;
    struct screen *screen;
    struct canvas *canvas;
    struct table table;
    struct str told;
    int events;
};

static const struct table_column columns[] = {
    {"created", 8, 19, 0, false, 0}, {"st", 2, 2, 0, false, 0},    {"dir", 3, 3, 3, false, 0},
    {"amount", 10, 14, 0, true, 0},  {"cur", 3, 3, 0, false, 0},   {"user", 10, 24, 2, false, 0},
    {"rail", 4, 6, 4, false, 0},     {"bank", 8, 24, 5, false, 1}, {"flags", 5, 8, 6, false, 0},
};

static void draw_cell(void *context, size_t row, int column, struct table_cell *out) {
    static const char *const letters[] = {"A", "D", "P", "C"};
    static const enum role roles[] = {ROLE_STATUS_APPROVED, ROLE_STATUS_DECLINED, ROLE_STATUS_PENDING,
                                      ROLE_STATUS_CREATED};

    (void)context;
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
        str_addf(out->text, "Northern Example Bank %zu", row % 9);
        break;
    default:
        str_add(out->text, column == 2 ? "in" : column == 4 ? "EUR" : column == 6 ? "card" : "");
    }
}

static void draw(struct console *console) {
    struct rect rest = canvas_rect(console->canvas), title = rect_take_rows(&rest, 1);
    const struct table_source source = {.rows = ROWS, .cell = draw_cell};

    canvas_fill(console->canvas, canvas_rect(console->canvas), ROLE_TEXT);
    (void)canvas_text(console->canvas, title, 0, 0, ROLE_ENV_SANDBOX, " SANDBOX ");
    (void)canvas_text(console->canvas, title, 0, 10, ROLE_TEXT, "ready");
    if (!console->quiet) {
        struct rect told = rect_take_rows(&rest, -2);
        (void)canvas_textf(console->canvas, told, 0, 0, ROLE_TEXT, "#%d %s", console->events, console->told.s);
    }
    table_draw(&console->table, console->canvas, rest, &source, true);
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
    case 'q':
        return false;
    case 's':
        screen_suspend(console->screen);
        resize(console);
        str_reset(&console->told);
        str_add(&console->told, "continued");
        return true;
    case 'y':
        str_addf(&console->told, " copied %d", screen_copy(console->screen, "id_1", 4));
        return true;
    case 'b':
        for (int i = 0; i < 50; i++) {
            screen_bell(console->screen);
        }
        return true;
    case 'r':
        screen_redraw(console->screen);
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
        for (size_t i = 0; head[i] != '\0'; i++) {
            str_add_char(&console->told, head[i] == '\n' ? '/' : head[i]);
        }
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
    if (write(winch_pipe[1], "w", 1) != 1) {
        _exit(EXIT_REFUSED);
    }
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
        if (ready[1].revents != 0 && read(winch_pipe[0], &byte, 1) == 1) {
            resize(console);
        }
        while (screen_read(console->screen, &input, &ended)) {
            if (!take(console, &input)) {
                return 0;
            }
        }
        if (ended) {
            return EXIT_ENDED;
        }
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

/* A shell with one job, since a program without a shell above it is never stopped: when the job stops, the shell takes
 * the terminal back and stops as well, which the test can see; continued, it continues the job. */
static int run_under_a_shell(void *context) {
    pid_t job = fork();
    int status = 0;

    if (job == 0) {
        (void)setpgid(0, 0);
        (void)signal(SIGTTOU, SIG_IGN);
        (void)tcsetpgrp(STDIN_FILENO, getpid());
        (void)signal(SIGTTOU, SIG_DFL);
        _exit(run_console(context));
    }
    (void)signal(SIGTTOU, SIG_IGN);
    while (waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status)) {
        (void)tcsetpgrp(STDIN_FILENO, getpid());
        (void)raise(SIGSTOP);
        (void)tcsetpgrp(STDIN_FILENO, job);
        (void)kill(-job, SIGCONT);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
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

static void quitting_gives_the_terminal_back_as_it_was(void **state) {
    struct termios before, during, after;
    struct pty *pty;
    int row, col, status;
    bool visible;

    (void)state;
    pty = start_with((struct console){.mouse = true}, (struct pty_options){0});
    assert_true(pty_expect(pty, "ready", PATIENCE));
    pty_modes(pty, &during);
    assert_false((during.c_lflag & (ICANON | ECHO | ISIG)) != 0);
    assert_true(pty_is_alternate(pty));
    assert_true(pty_wrote(pty, "\033[?2004h", 8));
    assert_int_not_equal(pty_mouse(pty), 0);
    pty_feed(pty, "q");
    assert_true(pty_wait(pty, PATIENCE, &status));
    pty_modes(pty, &after);
    {
        struct pty *fresh = pty_spawn((const char *const[]){"true", NULL}, NULL);
        pty_modes(fresh, &before);
        assert_true(pty_wait(fresh, PATIENCE, &status));
        pty_free(fresh);
    }
    assert_true(pty_same_modes(&before, &after));
    assert_false(pty_is_alternate(pty));
    assert_true(pty_wrote(pty, "\033[?2004l", 8));
    assert_int_equal(pty_mouse(pty), 0);
    pty_cursor(pty, &row, &col, &visible);
    assert_true(visible);
    pty_free(pty);
}

static void a_crash_gives_the_terminal_back_too(void **state) {
    static const struct {
        const char *keys;
        int signal;
    } cases[] = {{"X", SIGSEGV}, {NULL, SIGTERM}};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct termios after, before;
        struct pty *pty = start(), *fresh;
        int status, row, col;
        bool visible;

        if (cases[i].keys != NULL) {
            pty_feed(pty, cases[i].keys);
        } else {
            pty_signal(pty, cases[i].signal);
        }
        assert_true(pty_wait(pty, PATIENCE, &status));
        assert_false(pty_is_alternate(pty));
        pty_cursor(pty, &row, &col, &visible);
        assert_true(visible);
        assert_true(pty_wrote(pty, "\033[?2004l", 8));
        pty_modes(pty, &after);
        fresh = pty_spawn((const char *const[]){"true", NULL}, NULL);
        pty_modes(fresh, &before);
        assert_true(pty_wait(fresh, PATIENCE, &status));
        assert_true(pty_same_modes(&before, &after));
        pty_free(fresh);
        pty_free(pty);
    }
}

static void keys_arrive_by_name(void **state) {
    static const struct {
        const char *bytes, *name;
    } cases[] = {
        {"\033[A", "Up"},      {"\033OB", "Down"},         {"\033[5~", "PgUp"},     {"\033[1;5C", "Right"},
        {"\033OH", "Home"},    {"\033[8~", "End"},         {"\033[Z", "Shift-Tab"}, {"\033OP", "F1"},
        {"\033[24~", "F12"},   {"\033[[B", "F2"},          {"\r", "Enter"},         {"\n", "Enter"},
        {"\177", "Backspace"}, {"\b", "Backspace"},        {"\t", "Tab"},           {"\004", "Ctrl-D"},
        {"\037", "Ctrl-_"},    {"\003", "Ctrl-C"},         {"\032", "Ctrl-Z"},      {"\xc3\xa9", "\u00e9"},
        {" ", "Space"},        {"\xe6\x97\xa5", "\u65e5"}, {"\033[3~", "Del"},      {"\033Op", "0"},
    };
    struct pty *pty = start();

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char want[64];
        (void)snprintf(want, sizeof want, "#%zu key %s", i + 1, cases[i].name);
        pty_feed(pty, cases[i].bytes);
        assert_true(pty_expect(pty, want, PATIENCE));
    }
    quit(pty);
}

static void a_lone_escape_arrives_without_another_key(void **state) {
    struct pty *pty = start();

    (void)state;
    pty_feed(pty, "\033");
    assert_true(pty_expect(pty, "#1 key Esc", PATIENCE));
    pty_feed(pty, "\033k");
    assert_true(pty_expect(pty, "#3 key k", PATIENCE));
    quit(pty);
}

static void unknown_sequences_are_swallowed_whole(void **state) {
    struct pty *pty = start();

    (void)state;
    pty_feed(pty, "\033[99;99x\033[?1;2c\033[I\033[57~\xff\xc3(k");
    assert_true(pty_expect(pty, "#2 key k", PATIENCE));
    quit(pty);
}

/* Bytes one at a time, each after the program has looked at the last: as a slow line delivers them. */
static void feed_split(struct pty *pty, const char *bytes) {
    for (; *bytes != '\0'; bytes++) {
        pty_feed_n(pty, bytes, 1);
        pty_settle(pty, 10);
    }
}

static void a_key_split_over_reads_is_one_key(void **state) {
    struct pty *pty = start();

    (void)state;
    feed_split(pty, "\033[6~");
    assert_true(pty_expect(pty, "#1 key PgDn", PATIENCE));
    feed_split(pty, "\xe6\x97\xa5");
    assert_true(pty_expect(pty, "#2 key \u65e5", PATIENCE));
    quit(pty);
}

static void the_rest_of_a_key_after_its_escape_is_not_text(void **state) {
    struct pty *pty = start();

    (void)state;
    pty_feed(pty, "\033");
    assert_true(pty_expect(pty, "#1 key Esc", PATIENCE));
    pty_feed(pty, "[A");
    assert_true(pty_expect(pty, "#2 key Up", PATIENCE));
    pty_feed(pty, "[");
    assert_true(pty_expect(pty, "#3 key [", PATIENCE));
    quit(pty);
}

static void a_paste_is_one_piece_of_text(void **state) {
    struct pty *pty = start();

    (void)state;
    pty_feed(pty, "\033[200~abc\r\nqyd\rw\tx\033[201~");
    assert_true(pty_expect(pty, "#1 paste 11 cut 0 [abc/qyd/w x]", PATIENCE));
    feed_split(pty, "\033[200~qq\033[201~");
    assert_true(pty_expect(pty, "#2 paste 2 cut 0 [qq]", PATIENCE));
    quit(pty);
}

static void escapes_in_a_paste_are_no_keys(void **state) {
    struct pty *pty = start();

    (void)state;
    pty_feed(pty, "\033[200~a\033q\003\x9b\xff"
                  "b\033[201~");
    assert_true(pty_expect(pty, "#1 paste", PATIENCE));
    assert_true(pty_shows(pty, "[aq"));
    quit(pty);
}

static void a_paste_without_its_end_mark_recovers(void **state) {
    struct pty *pty = start();

    (void)state;
    pty_feed(pty, "\033[200~lost end");
    assert_true(pty_expect(pty, "#1 paste 8 cut 1 [lost end]", PATIENCE));
    pty_feed(pty, "k");
    assert_true(pty_expect(pty, "#2 key k", PATIENCE));
    quit(pty);
}

static void a_paste_beyond_the_cap_is_cut_and_its_rest_is_no_key(void **state) {
    size_t len = INPUT_PASTE_MAX + 5000;
    char *text = malloc(len + 1);
    struct pty *pty = start();

    (void)state;
    assert_non_null(text);
    memset(text, 'q', len);
    text[len] = '\0';
    pty_feed(pty, "\033[200~");
    pty_feed_n(pty, text, len);
    pty_feed(pty, "\033[201~");
    assert_true(pty_expect(pty, "#1 paste 65536 cut 1", PATIENCE));
    pty_feed(pty, "k");
    assert_true(pty_expect(pty, "#2 key k", PATIENCE));
    free(text);
    quit(pty);
}

static void a_paste_of_the_cap_without_end_recovers(void **state) {
    char *text = malloc(INPUT_PASTE_MAX + 1);
    struct pty *pty = start();

    (void)state;
    assert_non_null(text);
    memset(text, 'q', INPUT_PASTE_MAX);
    pty_feed(pty, "\033[200~");
    pty_feed_n(pty, text, INPUT_PASTE_MAX);
    assert_true(pty_expect(pty, "#1 paste 65536 cut 1", PATIENCE));
    pty_feed(pty, "\033");
    assert_true(pty_expect(pty, "key Esc", PATIENCE));
    free(text);
    quit(pty);
}

static void a_burst_with_lines_is_a_paste_where_none_is_marked(void **state) {
    struct pty *pty = start();

    (void)state;
    pty_feed(pty, "first line of a text that somebody pasted\rqqq second line of the same text, with words");
    assert_true(pty_expect(pty, "#1 paste 86 cut 0 [first line", PATIENCE));
    quit(pty);
}

static void a_flood_of_one_key_is_not_a_paste(void **state) {
    char flood[3001];
    struct pty *pty = start();

    (void)state;
    memset(flood, 'j', 3000);
    flood[3000] = '\0';
    pty_feed(pty, flood);
    assert_true(pty_expect(pty, "#3000 key j", PATIENCE));
    quit(pty);
}

static void the_mouse_speaks_only_when_asked(void **state) {
    struct pty *pty = start();

    (void)state;
    assert_int_equal(pty_mouse(pty), 0);
    pty_feed(pty, "m");
    assert_true(pty_expect_bytes(pty, "\033[?1006h", PATIENCE));
    pty_feed(pty, "\033[<0;5;3M");
    assert_true(pty_expect(pty, "#2 mouse 1 at 2,4", PATIENCE));
    pty_feed(pty, "\033[<0;5;3m\033[<65;1;1M");
    assert_true(pty_expect(pty, "#3 mouse 5 at 0,0", PATIENCE));
    quit(pty);
}

static void a_closed_terminal_ends_the_program(void **state) {
    struct pty *pty = start_with((struct console){0}, (struct pty_options){.ignore_hangup = true});
    int status;

    (void)state;
    assert_true(pty_expect(pty, "ready", PATIENCE));
    pty_close_master(pty);
    assert_true(pty_wait(pty, 2, &status));
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), EXIT_ENDED);
    assert_true(pty_cpu_ms(pty) < 1000);
    pty_free(pty);
}

static void suspending_stops_restored_and_comes_back_whole(void **state) {
    struct termios stopped, fresh_modes;
    struct pty *pty = pty_fork(run_under_a_shell, &(struct console){0}, NULL), *fresh;
    int status;

    (void)state;
    fresh = pty_spawn((const char *const[]){"true", NULL}, NULL);
    pty_modes(fresh, &fresh_modes);
    assert_true(pty_wait(fresh, PATIENCE, &status));
    pty_free(fresh);
    assert_true(pty_expect(pty, "ready", PATIENCE));
    for (int i = 1; i <= 5; i++) {
        char told[32];
        size_t len;
        pty_feed(pty, "s");
        assert_true(pty_is_stopped(pty, PATIENCE));
        pty_settle(pty, 30);
        pty_modes(pty, &stopped);
        assert_true(pty_same_modes(&stopped, &fresh_modes));
        assert_false(pty_is_alternate(pty));
        pty_mark(pty);
        pty_settle(pty, 30);
        (void)pty_bytes_since(pty, &len);
        assert_int_equal(len, 0);
        pty_signal(pty, SIGCONT);
        (void)snprintf(told, sizeof told, "#%d continued", i);
        assert_true(pty_expect(pty, told, PATIENCE));
        assert_true(pty_is_alternate(pty));
        assert_true(pty_shows(pty, "ready"));
    }
    quit(pty);
}

static void every_size_is_safe(void **state) {
    static const int sizes[][2] = {{1, 1}, {5, 20}, {0, 0}, {50, 200}, {3, 7}, {200, 500}, {24, 80}};
    struct pty *pty = start();

    (void)state;
    for (int round = 0; round < 40; round++) {
        const int *size = sizes[(size_t)round % COUNT_OF(sizes)];
        pty_resize(pty, size[0], size[1]);
        pty_settle(pty, 2);
    }
    pty_resize(pty, 30, 90);
    assert_true(pty_expect(pty, "ready", PATIENCE));
    pty_feed(pty, "r");
    assert_true(pty_expect(pty, "key r", PATIENCE));
    quit(pty);
}

static void starts_in_any_size(void **state) {
    static const int sizes[][2] = {{1, 1}, {1, 80}, {5, 20}, {2, 2}, {200, 500}, {3000, 3000}};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct pty *pty =
            start_with((struct console){0}, (struct pty_options){.rows = sizes[i][0], .cols = sizes[i][1]});
        assert_true(pty_expect_bytes(pty, "\033[?2004h", PATIENCE));
        pty_settle(pty, 20);
        quit(pty);
    }
}

static void the_size_in_the_environment_is_not_obeyed(void **state) {
    static const char *const env[] = {"LINES=30000", "COLUMNS=30000", NULL};
    struct pty *pty = start_with((struct console){0}, (struct pty_options){.env = env, .rows = 10, .cols = 60});

    (void)state;
    assert_true(pty_expect(pty, "ready", PATIENCE));
    assert_string_equal(pty_row(pty, 0), " SANDBOX  ready");
    quit(pty);
}

static void a_terminal_that_will_not_do_is_named_before_a_byte(void **state) {
    static const struct {
        const char *env[2];
        const char *told;
    } cases[] = {
        {{"TERM", NULL}, "TERM is not set"},
        {{"TERM=", NULL}, "TERM is not set"},
        {{"TERM=xterm-nosuch", NULL}, "\"xterm-nosuch\" (TERM) is not known"},
        {{"TERM=../../etc/passwd", NULL}, "is not known"},
        {{"TERM=dumb", NULL}, "cannot place the cursor"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct pty *pty = start_with((struct console){0}, (struct pty_options){.env = cases[i].env, .cols = 300});
        int status;
        assert_true(pty_wait(pty, PATIENCE, &status));
        assert_int_equal(WEXITSTATUS(status), EXIT_REFUSED);
        assert_true(pty_expect(pty, cases[i].told, 1));
        assert_true(pty_shows(pty, "TERM=xterm-256color"));
        assert_false(pty_wrote(pty, "\033", 1));
        pty_free(pty);
    }
}

static void other_terminals_work_too(void **state) {
    static const char *const terms[] = {"TERM=vt100", "TERM=linux", "TERM=screen-256color", "TERM=rxvt", "TERM=tmux"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(terms); i++) {
        const char *const env[] = {terms[i], NULL};
        struct pty *pty = start_with((struct console){0}, (struct pty_options){.env = env});
        assert_true(pty_expect(pty, "ready", PATIENCE));
        quit(pty);
    }
}

static void without_utf8_everything_is_ascii(void **state) {
    static const char *const env[] = {"LC_ALL=C", NULL};
    struct pty *pty = start_with((struct console){0}, (struct pty_options){.env = env});
    const char *bytes;
    size_t len;

    (void)state;
    assert_true(pty_expect(pty, "ready", PATIENCE));
    pty_feed(pty, "\xc3\xa9k");
    assert_true(pty_expect(pty, "key k", PATIENCE));
    bytes = pty_bytes(pty, &len);
    for (size_t i = 0; i < len; i++) {
        assert_true((unsigned char)bytes[i] < 0x80);
    }
    quit(pty);
}

static void no_color_leaves_attributes_only(void **state) {
    static const char *const env[] = {"NO_COLOR=1", NULL};
    struct pty *pty = start_with((struct console){0}, (struct pty_options){.env = env});
    struct pty_cell cell;

    (void)state;
    assert_true(pty_expect(pty, "ready", PATIENCE));
    cell = pty_cell(pty, 0, 1);
    assert_true(cell.reverse);
    for (int row = 0; row < 24; row++) {
        for (int col = 0; col < 80; col++) {
            cell = pty_cell(pty, row, col);
            assert_int_equal(cell.fg, -1);
            assert_int_equal(cell.bg, -1);
        }
    }
    quit(pty);
}

static void bells_are_few(void **state) {
    struct pty *pty = start();

    (void)state;
    pty_feed(pty, "b");
    assert_true(pty_expect(pty, "key b", PATIENCE));
    assert_int_equal(pty_bells(pty), 1);
    quit(pty);
}

static void copies_are_encoded_and_wrapped(void **state) {
    static const char *const tmux[] = {"TMUX=/x,1,0", NULL}, *const gnu[] = {"STY=1.x", NULL};
    struct pty *pty = start();

    (void)state;
    pty_feed(pty, "y");
    assert_true(pty_expect_bytes(pty, "\033]52;c;aWRfMQ==\a", PATIENCE));
    assert_true(pty_expect(pty, "copied 1", PATIENCE));
    quit(pty);
    pty = start_with((struct console){0}, (struct pty_options){.env = tmux});
    assert_true(pty_expect(pty, "ready", PATIENCE));
    pty_feed(pty, "y");
    assert_true(pty_expect_bytes(pty, "\033Ptmux;\033\033]52;c;aWRfMQ==\a\033\\", PATIENCE));
    quit(pty);
    pty = start_with((struct console){0}, (struct pty_options){.env = gnu});
    assert_true(pty_expect(pty, "ready", PATIENCE));
    pty_feed(pty, "y");
    assert_true(pty_expect_bytes(pty, "\033P\033]52;c;aWRfMQ==\a\033\\", PATIENCE));
    quit(pty);
}

static size_t cost(struct pty *pty, const char *keys) {
    size_t len;

    pty_settle(pty, 60);
    pty_mark(pty);
    pty_feed(pty, keys);
    pty_settle(pty, 60);
    (void)pty_bytes_since(pty, &len);
    return len;
}

static void moving_costs_few_bytes(void **state) {
    struct pty *pty = start_with((struct console){.quiet = true}, (struct pty_options){.rows = 50, .cols = 200});
    size_t move, scroll;

    (void)state;
    assert_true(pty_expect(pty, "ready", PATIENCE));
    move = cost(pty, "j");
    print_message("cursor down at 200x50: %zu bytes\n", move);
    assert_in_range(move, 1, 420);
    assert_int_equal(cost(pty, "n"), 0);
    for (int i = 0; i < 60; i++) {
        pty_feed(pty, "j");
        pty_settle(pty, 5);
    }
    scroll = cost(pty, "j");
    print_message("scroll by a line at 200x50: %zu bytes\n", scroll);
    assert_in_range(scroll, 1, 450);
    quit(pty);
}

static void the_cursor_is_parked_on_the_row_and_hidden(void **state) {
    struct pty *pty = start();
    int row, col;
    bool visible;

    (void)state;
    pty_feed(pty, "jj");
    assert_true(pty_expect(pty, "#2", PATIENCE));
    pty_settle(pty, 20);
    pty_cursor(pty, &row, &col, &visible);
    assert_int_equal(row, 4);
    assert_false(visible);
    quit(pty);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quitting_gives_the_terminal_back_as_it_was),
        cmocka_unit_test(a_crash_gives_the_terminal_back_too),
        cmocka_unit_test(keys_arrive_by_name),
        cmocka_unit_test(a_lone_escape_arrives_without_another_key),
        cmocka_unit_test(unknown_sequences_are_swallowed_whole),
        cmocka_unit_test(a_key_split_over_reads_is_one_key),
        cmocka_unit_test(the_rest_of_a_key_after_its_escape_is_not_text),
        cmocka_unit_test(a_paste_is_one_piece_of_text),
        cmocka_unit_test(escapes_in_a_paste_are_no_keys),
        cmocka_unit_test(a_paste_without_its_end_mark_recovers),
        cmocka_unit_test(a_paste_beyond_the_cap_is_cut_and_its_rest_is_no_key),
        cmocka_unit_test(a_paste_of_the_cap_without_end_recovers),
        cmocka_unit_test(a_burst_with_lines_is_a_paste_where_none_is_marked),
        cmocka_unit_test(a_flood_of_one_key_is_not_a_paste),
        cmocka_unit_test(the_mouse_speaks_only_when_asked),
        cmocka_unit_test(a_closed_terminal_ends_the_program),
        cmocka_unit_test(suspending_stops_restored_and_comes_back_whole),
        cmocka_unit_test(every_size_is_safe),
        cmocka_unit_test(starts_in_any_size),
        cmocka_unit_test(the_size_in_the_environment_is_not_obeyed),
        cmocka_unit_test(a_terminal_that_will_not_do_is_named_before_a_byte),
        cmocka_unit_test(other_terminals_work_too),
        cmocka_unit_test(without_utf8_everything_is_ascii),
        cmocka_unit_test(no_color_leaves_attributes_only),
        cmocka_unit_test(bells_are_few),
        cmocka_unit_test(copies_are_encoded_and_wrapped),
        cmocka_unit_test(moving_costs_few_bytes),
        cmocka_unit_test(the_cursor_is_parked_on_the_row_and_hidden),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
