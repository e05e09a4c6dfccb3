#include "panes/shell/shell_state.h"

#include "base/mem.h"

#include "base/utf8.h"
#include "panes/shell/review.h"
#include <stdio.h>

#include <stdlib.h>
#include <string.h>

enum {
    CANCEL_TWICE = 2000, /* ms between two Ctrl-C that leave */
    MINUTE = 60000,
};

static void name_keys(struct shell *shell) {
    for (int action = 0; action < ACTION_COUNT; action++) {
        struct str name;
        str_init(&name, 64);
        keymap_key(shell->keymap, action, &name);
        if (name.len == 0) {
            keymap_key(shell->keymap, ACTION_PALETTE, &name);
            str_add(&name, action_name(action));
        }
        shell->key_names[action] = str_take(&name);
    }
}

static void init_panes(struct shell *shell) {
    for (int id = 0; id < PANE_COUNT; id++) {
        size_t size = pane_of((enum pane_id)id)->size;
        shell->states[id] = mem_new(size > 0 ? size : 1);
    }
    for (int id = 0; id < PANE_COUNT; id++)
        if (pane_of((enum pane_id)id)->init)
            pane_of((enum pane_id)id)->init(shell);
}

struct shell *shell_new(const struct shell_options *options) {
    size_t n;
    const struct action *table = actions(&n);
    struct shell *shell = mem_new(sizeof *shell);
    shell->options = *options;
    shell->read_only = options->read_only || options->profile->read_only;
    shell->zone = options->zone;
    shell->own_keymap = options->keymap ? NULL : keymap_new(table, n);
    shell->keymap = options->keymap ? options->keymap : shell->own_keymap;
    name_keys(shell);
    shell->rows = 24;
    shell->cols = 80;
    shell->cancel_at = CLOCK_NONE;
    shell->dirty = true;
    shell->overlay = OVERLAY_NONE;
    shell->pane = PANE_FIRST;
    for (int i = 0; i < PANE_NUMBERS; i++)
        shell->stands[i] = (enum pane_id)(PANE_FIRST + i);
    init_panes(shell);
    if (options->notice)
        shell_message(shell, ROLE_WARN, "%s", options->notice);
    return shell;
}

void shell_free(struct shell *shell) {
    if (!shell)
        return;
    for (int id = 0; id < PANE_COUNT; id++)
        if (pane_of((enum pane_id)id)->clear)
            pane_of((enum pane_id)id)->clear(shell);
    for (int id = 0; id < PANE_COUNT; id++)
        free(shell->states[id]);
    for (int action = 0; action < ACTION_COUNT; action++)
        free(shell->key_names[action]);
    keymap_free(shell->own_keymap);
    free(shell->message.text);
    free(shell);
}

bool shell_is_dirty(const struct shell *shell) {
    return shell->dirty;
}

bool shell_is_finished(const struct shell *shell) {
    return shell->finished;
}

/* One timer a minute while an age is on show, none otherwise, so that an idle screen causes no wake-ups. */
static void set_minute(struct shell *shell, struct effects *effects) {
    effects_timer(effects, TIMER_MINUTE, shell->zone == CLOCK_AGE ? shell->now + MINUTE : CLOCK_NONE);
}

/* At midnight the times on an idle screen belong to yesterday. The timer is short, since it does not count the time in
 * which the machine sleeps. */
static void set_day(const struct shell *shell, struct effects *effects) {
    enum { QUARTER = 15 * MINUTE }; /* every zone's midnight is on one */
    effects_timer(effects, TIMER_DAY, (shell->now / QUARTER + 1) * QUARTER);
}

/* Who waits for a moment waits as long as before; the operator is told only where the clock was set back, since times
 * shown before are wrong then. */
static void take_clock_set(struct shell *shell, struct event *event, struct effects *effects) {
    for (int id = 0; id < PANE_COUNT; id++)
        if (pane_of((enum pane_id)id)->clock_set)
            pane_of((enum pane_id)id)->clock_set(shell, event, effects);
    int64_t shift = event_get(event, clock_shifted)->shift;
    calm_clock_set(shell, shift);
    clock_shift(&shell->message.at, shift);
    clock_shift(&shell->cancel_at, shift);
    if (shift <= -MINUTE) {
        struct str text;
        str_init(&text, 128);
        clock_format_span(&text, -shift);
        shell_message(shell, ROLE_WARN,
                      "this machine's clock was set back by %s: times noted before that are ahead of it", text.s);
        str_clear(&text);
    }
    shell->dirty = true;
}

void shell_start(struct shell *shell, int64_t now, struct effects *effects) {
    shell->now = now;
    set_minute(shell, effects);
    set_day(shell, effects);
    for (int i = 0; i < PANE_COUNT; i++) { /* the pane on show comes first */
        const struct pane *pane = pane_of((enum pane_id)((PANE_FIRST + i) % PANE_COUNT));
        if (pane->start)
            pane->start(shell, effects);
    }
    shell->dirty = true;
}

void shell_end(struct shell *shell, struct effects *effects) {
    if (pane_of(shell->pane)->leave)
        pane_of(shell->pane)->leave(shell, effects);
    for (int id = 0; id < PANE_COUNT; id++)
        if (pane_of((enum pane_id)id)->end)
            pane_of((enum pane_id)id)->end(shell, effects);
}

static void shell_set_time(struct shell *shell, struct effects *effects) {
    static const enum clock_zone NEXT[] = {
        [CLOCK_UTC] = CLOCK_LOCAL, [CLOCK_LOCAL] = CLOCK_AGE, [CLOCK_AGE] = CLOCK_UTC};
    shell->zone = NEXT[shell->zone];
    set_minute(shell, effects);
    for (int id = 0; id < PANE_COUNT; id++)
        if (pane_of((enum pane_id)id)->zoned)
            pane_of((enum pane_id)id)->zoned(shell);
}

static bool stop_one(struct shell *shell, struct effects *effects) {
    bool stopped = false;
    for (int id = 0; id < PANE_COUNT && !stopped; id++) {
        const struct pane *pane = pane_of((enum pane_id)id);
        stopped = pane->stop && pane->stop(shell, effects);
    }
    return stopped;
}

static void shell_cancel(struct shell *shell, struct effects *effects) {
    if (stop_one(shell, effects))
        return;
    if (shell->cancel_at != CLOCK_NONE && shell->now - shell->cancel_at <= CANCEL_TWICE) {
        shell_leave(shell, effects);
    } else {
        shell->cancel_at = shell->now;
        shell_message(shell, ROLE_INFO, "nothing is running; %s again leaves", shell_key_of(shell, ACTION_CANCEL));
    }
}

static bool goes_back(struct shell *shell, struct effects *effects) {
    const struct pane *pane = shell_pane(shell);
    return pane->back && pane->back(shell, effects);
}

/* Cancels what runs, else goes one step back; at the root view it only gives a hint. */
static void shell_back(struct shell *shell, struct effects *effects) {
    const struct pane *pane = shell_pane(shell);
    if (pane->stops_back && pane->stops_back(shell))
        shell_cancel(shell, effects);
    else if (goes_back(shell, effects) || shell->message.text)
        shell_message_clear(shell);
    else if (shell->pane != PANE_FIRST)
        shell_go(shell, PANE_FIRST, effects);
    else
        shell_message(shell, ROLE_INFO, "this is the root view; %s leaves", shell_key_of(shell, ACTION_QUIT));
}

static void close_view(struct shell *shell, struct effects *effects) {
    if (goes_back(shell, effects))
        return;
    if (shell->pane != PANE_FIRST)
        shell_go(shell, PANE_FIRST, effects);
    else
        shell_leave(shell, effects);
}

static void next_pane(struct shell *shell, int step, struct effects *effects) {
    bool moved = false;
    for (int id = 0; id < PANE_COUNT; id++) {
        const struct pane *pane = pane_of((enum pane_id)id);
        moved = (pane->focus && pane->focus(shell, step)) || moved;
    }
    if (!moved) {
        int number = ((int)(shell->pane - PANE_FIRST) + step + PANE_NUMBERS) % PANE_NUMBERS;
        shell_go(shell, (enum pane_id)(PANE_FIRST + number), effects);
    }
}

/* The token's command may use the terminal and so hold up the loop: not while a write waits for its answer. */
static void shell_reload_token(struct shell *shell, struct effects *effects) {
    const struct profile *profile = shell->options.profile;
    bool of_variable = profile->token_command.n == 0 && !(profile->token_file && profile->token_file[0]);
    if (shell_is_writing(shell))
        shell_message(shell, ROLE_WARN, "a write is on its way: the token is read again after it");
    else if (of_variable)
        shell_message(shell, ROLE_WARN, "the token came from a variable, which is read once: start bursar again");
    else
        effects_add(effects, EFFECT_TOKEN);
}

static void say_profile(struct shell *shell) {
    const struct profile *profile = shell_profile(shell);
    shell_message(shell, ROLE_INFO, "profile %s at %s; bursar --profile NAME opens another", profile->name,
                  profile->base_url);
}

static bool act_global(struct shell *shell, int action, struct effects *effects) {
    switch (action) {
    case ACTION_PANE_INTENTS:
    case ACTION_PANE_REGISTER:
    case ACTION_PANE_WEBHOOK:
    case ACTION_PANE_ACTIVITY:
    case ACTION_PANE_OVERVIEW:
        shell_go(shell, (enum pane_id)(PANE_FIRST + (action - ACTION_PANE_INTENTS)), effects);
        break;
    case ACTION_NEXT_PANE:
        next_pane(shell, 1, effects);
        break;
    case ACTION_PREVIOUS_PANE:
        next_pane(shell, -1, effects);
        break;
    case ACTION_HELP:
        (void)shell_open(shell, OVERLAY_HELP, NULL, effects);
        break;
    case ACTION_MOUSE:
        mouse_toggle(shell, effects);
        break;
    case ACTION_REQUESTS:
        (void)shell_open(shell, OVERLAY_REQUESTS, NULL, effects);
        break;
    case ACTION_INBOX:
        (void)shell_open(shell, OVERLAY_INBOX, NULL, effects);
        break;
    case ACTION_PALETTE:
        (void)shell_open(shell, OVERLAY_PALETTE, NULL, effects);
        break;
    case ACTION_BACK:
        shell_back(shell, effects);
        break;
    case ACTION_CLOSE:
        close_view(shell, effects);
        break;
    case ACTION_QUIT:
        shell_leave(shell, effects);
        break;
    case ACTION_CANCEL:
        shell_cancel(shell, effects);
        break;
    case ACTION_SUSPEND:
        effects_add(effects, EFFECT_SUSPEND);
        break;
    case ACTION_REDRAW:
        effects_add(effects, EFFECT_REDRAW);
        break;
    case ACTION_TOKEN:
        shell_reload_token(shell, effects);
        break;
    case ACTION_PROFILE:
        say_profile(shell);
        break;
    case ACTION_TIME:
        shell_set_time(shell, effects);
        break;
    default:
        return false;
    }
    return true;
}

bool shell_act(struct shell *shell, int action, struct effects *effects) {
    shell->dirty = true;
    return shell_pane(shell)->act(shell, action, effects) || act_global(shell, action, effects);
}

static void shell_take_timer(struct shell *shell, enum timer timer, struct effects *effects) {
    if (timer == TIMER_MINUTE) {
        set_minute(shell, effects);
        shell->dirty = true;
    } else if (timer == TIMER_DAY) {
        set_day(shell, effects);
        shell->dirty = true;
    } else if (timer == TIMER_LEAVE) {
        shell_leave_in_time(shell);
    }
}

static void take_event(struct shell *shell, struct event *event, struct effects *effects) {
    for (int id = 0; id < PANE_COUNT; id++) {
        const struct pane *pane = pane_of((enum pane_id)id);
        if (pane->event && pane->event(shell, event, effects))
            return;
    }
    if (event->kind == EVENT_TIMER)
        shell_take_timer(shell, event_get(event, timer_fired)->timer, effects);
    else
        shell_unclaimed_event(shell, event);
}

void shell_event(struct shell *shell, struct event *event, struct effects *effects) {
    shell->now = event->now;
    if (event->kind == EVENT_CLOCK_SET)
        take_clock_set(shell, event, effects);
    else
        take_event(shell, event, effects);
    for (int id = 0; id < PANE_COUNT; id++)
        if (pane_of((enum pane_id)id)->after_event)
            pane_of((enum pane_id)id)->after_event(shell, effects);
}

void shell_resize(struct shell *shell, int rows, int cols, struct effects *effects) {
    shell->rows = rows;
    shell->cols = cols;
    shell->dirty = true;
    for (int id = 0; id < PANE_COUNT; id++)
        if (pane_of((enum pane_id)id)->resized)
            pane_of((enum pane_id)id)->resized(shell, effects);
    review_resized(shell, !shell_is_too_small(shell), effects);
}

bool shell_shown(struct shell *shell, int64_t now) {
    shell->now = now;
    shell->framed = true;
    return calm_shown(shell);
}

void shell_draw(struct shell *shell, struct canvas *canvas) {
    struct rect rest = canvas_rect(canvas);
    shell->dirty = false;
    canvas_fill(canvas, rest, ROLE_TEXT);
    canvas_cursor(canvas, rest, rest.rows - 1, 0, false);
    if (shell_is_too_small(shell)) {
        shell_draw_small(shell, canvas);
        return;
    }
    chrome_title(shell, canvas, rect_take_rows(&rest, 1));
    struct rect hints = rect_take_rows(&rest, -chrome_hint_rows(shell));
    shell_pane(shell)->draw(shell, canvas, rest);
    chrome_hints(shell, canvas, hints); /* last, since the pane knows what is on show only once it was drawn */
    if (shell_overlay(shell))
        shell_overlay(shell)->draw(shell, canvas, rest);
}
