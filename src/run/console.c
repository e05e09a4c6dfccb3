#include "console.h"

#include "app/notes.h"
#include "app/own_action.h"
#include "base/clock.h"
#include "base/command.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/signals.h"
#include "run/files/notes_watch.h"
#include "run/loop.h"

#include "ui/screen.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REPORT_MAX = 64 << 10 };

struct console {
    struct screen *screen;
    struct canvas *canvas;
    struct shell *shell;
    struct loop *loop;
    const struct profile *profile;
    struct theme_watch *theme_watch;
    struct notes_watch notes_watch;
    enum theme_depth depth;
    bool ended; /* the terminal is gone */
};

static void run_console_update(void *self, struct event *event, struct effects *effects) {
    shell_event(((struct console *)self)->shell, event, effects);
}

static bool run_console_is_finished(const void *self) {
    return shell_is_finished(((const struct console *)self)->shell);
}

static void run_console_fit(struct console *console) {
    int rows, cols;
    screen_size(console->screen, &rows, &cols);
    canvas_resize(console->canvas, rows, cols);
    shell_resize(console->shell, rows, cols, loop_effects(console->loop));
}

static void suspend(struct console *console, bool group) {
    screen_leave(console->screen);
    signals_stop(group);
    screen_return(console->screen);
    run_console_fit(console);
}

/* A token command may ask for a passphrase, so it gets the terminal; what it wrote there is told again once the screen
 * covers it. */
static void run_console_reload_token(struct console *console) {
    struct error error = {0};
    struct secret *token;
    struct str said;
    str_init(&said, ERROR_TEXT_MAX);
    screen_leave(console->screen);
    enum err err = config_token_heard(console->profile, &token, &said, &error);
    screen_return(console->screen);
    run_console_fit(console);
    struct token_read read = {.failure = err == ERR_OK ? NULL : error.text,
                              .said = said.s,
                              .changed = err == ERR_OK && loop_token(console->loop, token)};
    struct event event = {.kind = EVENT_TOKEN, .now = clock_now(), .payload = payload_of(token_read, &read)};
    run_console_update(console, &event, loop_effects(console->loop));
    str_clear(&said);
}

/* It may ask something, so it gets the terminal; its environment and descriptors are those of base/command.h. */
static void run_console_run_own(struct console *console, const struct own_ask *ask) {
    struct command_output *output = mem_new(sizeof *output);
    struct error error = {0};
    screen_leave(console->screen);
    enum err err = command_run_whole(ask->argv.items, COMMAND_TIMEOUT_MS, output, &error);
    screen_return(console->screen);
    run_console_fit(console);
    struct own_done done = {ask->name, output->bytes, err == ERR_OK ? output->len : 0, output->cut, &error};
    struct event event = {.kind = EVENT_OWN, .now = clock_now(), .payload = payload_of(own_done, &done)};
    run_console_update(console, &event, loop_effects(console->loop));
    free(output);
}

static bool run_console_perform(void *self, const struct effect *effect) {
    struct console *console = self;
    if (effect->kind == EFFECT_SUSPEND) {
        suspend(console, true);
    } else if (effect->kind == EFFECT_MOUSE_ON || effect->kind == EFFECT_MOUSE_OFF) {
        screen_mouse(console->screen, effect->kind == EFFECT_MOUSE_ON);
    } else if (effect->kind == EFFECT_REDRAW) {
        screen_resize(console->screen);
        screen_redraw(console->screen);
        run_console_fit(console);
    } else if (effect->kind == EFFECT_TOKEN) {
        run_console_reload_token(console);
    } else if (effect->kind == EFFECT_OWN) {
        run_console_run_own(console, effect_get(effect, own_ask));
    } else if (effect->kind == EFFECT_COPY) {
        const struct copy_ask *copy = effect_get(effect, copy_ask);
        return screen_copy(console->screen, copy->text, strlen(copy->text));
    }
    return true;
}

static void run_console_show(struct console *console) {
    bool dirty = shell_is_dirty(console->shell);
    if (dirty)
        shell_draw(console->shell, console->canvas);
    if (dirty || screen_is_late(console->screen)) {
        screen_show(console->screen, console->canvas);
        if (!screen_is_late(console->screen) && shell_shown(console->shell, clock_now()))
            screen_drop_typed(console->screen);
    }
}

static void run_console_read_keys(struct console *console) {
    struct input input;
    while (!run_console_is_finished(console) && screen_read(console->screen, &input, &console->ended)) {
        shell_input(console->shell, &input, clock_now(), loop_effects(console->loop));
        input_clear(&input);
        loop_perform(console->loop);
    }
    if (!run_console_is_finished(console) && screen_unreadable(console->screen)) {
        input = (struct input){.kind = INPUT_KEY, .key = INPUT_UNREADABLE};
        shell_input(console->shell, &input, clock_now(), loop_effects(console->loop));
    }
}

static void take_theme_watch(struct console *console) {
    struct str report;
    str_init(&report, REPORT_MAX);
    enum theme_watch_change change = theme_watch_changed(console->theme_watch, &report);
    if (change == THEME_NEW)
        screen_theme(console->screen, theme_watch_theme(console->theme_watch), console->depth);
    if (change != THEME_SAME) {
        report.s[strcspn(report.s, "\n")] = '\0';
        struct theme_read read = {change == THEME_KEPT ? report.s : NULL};
        struct event event = {.kind = EVENT_THEME, .now = clock_now(), .payload = payload_of(theme_read, &read)};
        run_console_update(console, &event, loop_effects(console->loop));
    }
    str_clear(&report);
}

static void take_notes_watch(struct console *console) {
    struct notes_watched changed = notes_watch_take(&console->notes_watch);
    if (changed.notes)
        (void)effects_notes(loop_effects(console->loop), NULL);
    if (changed.views)
        effects_add(loop_effects(console->loop), EFFECT_VIEWS);
}

static void turn(struct console *console) {
    struct net_watch watches[4] = {{.fd = STDIN_FILENO}};
    size_t n = 1, theme_watch = 0, notes_watch = 0;
    clock_look_again(clock_mono());
    run_console_show(console);
    if (theme_watch_fd(console->theme_watch) >= 0) {
        theme_watch = n;
        watches[n++].fd = theme_watch_fd(console->theme_watch);
    }
    if (console->notes_watch.fd >= 0) {
        notes_watch = n;
        watches[n++].fd = console->notes_watch.fd;
    }
    /* The rest of a frame is written as soon as the terminal takes it. */
    if (screen_waits_for(console->screen) >= 0)
        watches[n++] = (struct net_watch){.fd = screen_waits_for(console->screen), .for_writing = true};
    loop_wait(console->loop, watches, n, screen_timeout(console->screen));
    if (theme_watch > 0 && watches[theme_watch].readable)
        take_theme_watch(console);
    if (notes_watch > 0 && watches[notes_watch].readable)
        take_notes_watch(console);
    if (watches[0].readable || screen_timeout(console->screen) >= 0)
        run_console_read_keys(console);
    if (loop_resized(console->loop)) {
        screen_resize(console->screen);
        run_console_fit(console);
    }
    if (loop_stopped(console->loop))
        suspend(console, false);
    loop_perform(console->loop);
}

static enum err open_all(struct console *console, const struct console_options *options, struct error *error) {
    struct screen_options screen = {.in = STDIN_FILENO,
                                    .out = STDOUT_FILENO,
                                    .theme = theme_watch_theme(options->theme_watch),
                                    .depth = options->depth};
    struct loop_options loop = {.profile = options->shell.profile,
                                .token = options->token,
                                .control = options->control,
                                .folder = options->folder,
                                .read_only = options->shell.read_only};
    console->profile = options->shell.profile;
    console->theme_watch = options->theme_watch;
    console->notes_watch = notes_watch_open(options->folder, options->shell.profile);
    console->depth = options->depth;
    enum err err = loop_new(&loop, &console->loop, error);
    if (err == ERR_OK)
        err = screen_open(&screen, &console->screen, error);
    if (err != ERR_OK)
        return err;
    console->canvas = canvas_new(1, 1);
    console->shell = shell_new(&options->shell);
    run_console_fit(console);
    run_console_show(console);
    err = loop_connect(console->loop, error);
    if (err == ERR_OK)
        loop_share_notes(console->loop);
    return err;
}

static void tell_lost(const struct console *console) {
    const char *why = console->shell ? shell_unkept(console->shell) : NULL;
    if (why)
        out_say(stderr, "bursar: a form that was not sent could not be kept: %s\n", why);
}

static bool run_console_can_ask(const struct console *console) {
    return !console->ended && loop_signal(console->loop) == 0;
}

/* Typed text is stored on the disk, and the answer is waited for, up to a limit: where it could not be stored, the
 * operator is asked before the console ends. */
static bool leaves(struct console *console) {
    enum { KEEP_MS = 5000, SLICE_MS = 50 };
    if (run_console_can_ask(console) && !run_console_is_finished(console))
        return false;
    int64_t end = clock_mono() + KEEP_MS;
    shell_end(console->shell, loop_effects(console->loop));
    loop_perform(console->loop);
    while (shell_is_keeping(console->shell) && clock_mono() < end)
        loop_wait(console->loop, NULL, 0, SLICE_MS);
    return !run_console_can_ask(console) || shell_may_leave(console->shell);
}

enum err console_run(const struct console_options *options, int *signal, struct error *error) {
    struct console console = {.notes_watch = {.fd = -1}};
    struct client client = {.self = &console,
                            .walks_with_team = true,
                            .update = run_console_update,
                            .is_finished = run_console_is_finished,
                            .perform = run_console_perform};
    enum err err = open_all(&console, options, error);
    if (err == ERR_OK) {
        loop_client(console.loop, &client);
        shell_start(console.shell, clock_now(), loop_effects(console.loop));
        loop_perform(console.loop);
    }
    while (err == ERR_OK && !leaves(&console))
        turn(&console);
    *signal = console.ended ? SIGHUP : err == ERR_OK ? loop_signal(console.loop) : 0;
    screen_close(console.screen);
    if (console.notes_watch.fd >= 0)
        (void)close(console.notes_watch.fd);
    tell_lost(&console);
    loop_free(console.loop);
    shell_free(console.shell);
    canvas_free(console.canvas);
    return err;
}
