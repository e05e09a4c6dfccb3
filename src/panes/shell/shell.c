#include "panes/shell/state.h"

#include "base/mem.h"

#include "base/utf8.h"
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
    intents_init(shell);
    register_pane_init(shell);
    import_pane_init(shell);
    webhook_pane_init(shell);
    activity_pane_init(shell);
    pager_init(&shell->help.pager);
    detail_init(&shell->requests_body);
    if (options->notice) {
        shell_message(shell, ROLE_WARN, "%s", options->notice);
    }
    return shell;
}

void shell_free(struct shell *shell) {
    if (!shell) {
        return;
    }
    intents_clear(shell);
    register_pane_clear(shell);
    import_pane_clear(shell);
    webhook_pane_clear(shell);
    activity_pane_clear(shell);
    facets_clear(&shell->facets);
    counts_clear(&shell->counts);
    parts_clear(&shell->parts);
    reader_clear(&shell->reader);
    menu_clear(&shell->menu);
    jump_clear(&shell->jump);
    read_back_clear(&shell->back);
    export_pane_clear(&shell->export);
    views_clear(&shell->views);
    prompt_clear(&shell->prompt);
    help_clear(&shell->help);
    palette_clear(&shell->palette);
    requests_clear(&shell->requests);
    detail_clear(&shell->requests_body);
    for (int action = 0; action < ACTION_COUNT; action++) {
        free(shell->key_names[action]);
    }
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

/* One timer a minute while an age is on show, none otherwise: an idle screen causes no wake-up. */
static void set_minute(struct shell *shell, struct effects *effects) {
    effects_timer(effects, TIMER_MINUTE, shell->zone == CLOCK_AGE ? shell->now + MINUTE : CLOCK_NONE);
}

/* Once the day is another, what stands on an idle screen is of yesterday. A machine that sleeps counts no time. */
static void set_day(const struct shell *shell, struct effects *effects) {
    enum { QUARTER = 15 * MINUTE }; /* every zone's midnight is on one */
    effects_timer(effects, TIMER_DAY, (shell->now / QUARTER + 1) * QUARTER);
}

/* Waits go on as they were; only a clock that was set back makes times that were shown untrue. */
static void take_clock_set(struct shell *shell, struct event *event, struct effects *effects) {
    (void)browse_update(&shell->intents.browse, event, effects);
    (void)import_update(&shell->importing.import, event, effects);
    (void)live_event(&shell->intents.live, event);
    review_clock_set(shell, event->shift);
    clock_shift(&shell->message.at, event->shift);
    clock_shift(&shell->cancel_at, event->shift);
    clock_shift(&shell->intents.view.asked, event->shift);
    if (event->shift <= -MINUTE) {
        struct str text;
        str_init(&text, 128);
        clock_format_span(&text, -event->shift);
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
    views_follow(shell, effects);
    browse_use_cache(&shell->intents.browse, true);
    shell->intents.browse.visit = true;
    shell->intents.browse.catch_up = shell->intents.live.mode == LIVE_ON;
    browse_start(&shell->intents.browse, effects);
    register_pane_start(shell, effects);
    effects_add(effects, EFFECT_HISTORY);
    effects_add(effects, EFFECT_VIEWS);
    shell->dirty = true;
}

void shell_pane(struct shell *shell, enum pane_id id, struct effects *effects) {
    if (id != shell->pane && pane(shell->pane)->leave) {
        pane(shell->pane)->leave(shell, effects);
    }
    if (id != shell->pane) {
        shell_message_outdated(shell);
    }
    bool enters = id != shell->pane && pane(id)->enter;
    shell->pane = id;
    if (enters) {
        pane(id)->enter(shell, effects);
    }
}

void shell_end(struct shell *shell, struct effects *effects) {
    if (pane(shell->pane)->leave) {
        pane(shell->pane)->leave(shell, effects);
    }
    register_keep(&shell->registering.state, effects);
    views_keep(shell, effects);
}

static void set_time(struct shell *shell, struct effects *effects) {
    static const enum clock_zone NEXT[] = {
        [CLOCK_UTC] = CLOCK_LOCAL, [CLOCK_LOCAL] = CLOCK_AGE, [CLOCK_AGE] = CLOCK_UTC};
    shell->zone = NEXT[shell->zone];
    set_minute(shell, effects);
    intents_zone(shell);
    intents_follow(shell);
}

/* What runs in the pane that has the focus; others go on. */
static bool is_busy(const struct shell *shell) {
    const struct browse *browse = &shell->intents.browse;
    bool asked = browse_is_busy(browse) || browse->retry_at != CLOCK_NONE || shell->back.on;
    return shell->pane == PANE_INTENTS && asked && !browse->quiet;
}

static void cancel(struct shell *shell, struct effects *effects) {
    struct browse *browse = &shell->intents.browse;
    if (export_stop(shell, effects)) {
        return;
    }
    if (is_busy(shell)) {
        browse_cancel(browse, effects);
        read_back_stop(shell);
        shell_message(shell, ROLE_INFO, "cancelled");
    } else if (shell->cancel_at != CLOCK_NONE && shell->now - shell->cancel_at <= CANCEL_TWICE) {
        shell_leave(shell, effects);
    } else {
        shell->cancel_at = shell->now;
        shell_message(shell, ROLE_INFO, "nothing is running; %s again leaves", shell_key_of(shell, ACTION_CANCEL));
    }
}

/* What runs is cancelled, else one step back; at the root nothing, with a hint. What is read is the list's: it
 * does not keep the detail open. */
static void back(struct shell *shell, struct effects *effects) {
    bool detail = shell->pane == PANE_INTENTS && (shell->intents.detail_zoomed || shell->intents.detail_focused);
    if (is_busy(shell) && !detail) {
        cancel(shell, effects);
    } else if (pane(shell->pane)->back(shell, effects)) {
        shell_message_clear(shell);
    } else if (shell->message.text) {
        shell_message_clear(shell);
    } else if (shell->pane != PANE_INTENTS) {
        shell_pane(shell, PANE_INTENTS, effects);
    } else {
        shell_message(shell, ROLE_INFO, "this is the root view; %s leaves", shell_key_of(shell, ACTION_QUIT));
    }
}

static void close_view(struct shell *shell, struct effects *effects) {
    if (pane(shell->pane)->back(shell, effects)) {
        return;
    }
    if (shell->pane != PANE_INTENTS) {
        shell_pane(shell, PANE_INTENTS, effects);
    } else {
        shell_leave(shell, effects);
    }
}

static void next_pane(struct shell *shell, int step, struct effects *effects) {
    struct intents *intents = &shell->intents;
    bool split = shell->pane == PANE_INTENTS && (intents->place == DETAIL_RIGHT || intents->place == DETAIL_BELOW);
    if (split && intents->detail_focused == (step < 0)) {
        intents->detail_focused = !intents->detail_focused;
        return;
    }
    intents->detail_focused = false;
    shell_pane(shell, (enum pane_id)(((int)shell->pane + step + PANE_COUNT) % PANE_COUNT), effects);
}

/* Its command may hold the terminal, and with it the loop: not while an answer decides what became of a write. */
static void reload_token(struct shell *shell, struct effects *effects) {
    const struct profile *profile = shell->options.profile;
    bool of_variable = profile->token_command.n == 0 && !(profile->token_file && profile->token_file[0]);
    if (shell_is_writing(shell)) {
        shell_message(shell, ROLE_WARN, "a write is on its way: the token is read again after it");
    } else if (of_variable) {
        shell_message(shell, ROLE_WARN, "the token came from a variable, which is read once: start bursar again");
    } else {
        effects_add(effects, EFFECT_TOKEN);
    }
}

static bool act_global(struct shell *shell, int action, struct effects *effects) {
    switch (action) {
    case ACTION_PANE_INTENTS:
    case ACTION_PANE_REGISTER:
    case ACTION_PANE_WEBHOOK:
    case ACTION_PANE_ACTIVITY:
        shell_pane(shell, (enum pane_id)(action - ACTION_PANE_INTENTS), effects);
        break;
    case ACTION_NEXT_PANE:
        next_pane(shell, 1, effects);
        break;
    case ACTION_PREVIOUS_PANE:
        next_pane(shell, -1, effects);
        break;
    case ACTION_HELP:
        help_open(shell);
        break;
    case ACTION_MOUSE:
        mouse_toggle(shell, effects);
        break;
    case ACTION_REQUESTS:
        requests_open(shell);
        break;
    case ACTION_PALETTE:
        palette_open(shell);
        break;
    case ACTION_BACK:
        back(shell, effects);
        break;
    case ACTION_CLOSE:
        close_view(shell, effects);
        break;
    case ACTION_QUIT:
        shell_leave(shell, effects);
        break;
    case ACTION_CANCEL:
        cancel(shell, effects);
        break;
    case ACTION_SUSPEND:
        effects_add(effects, EFFECT_SUSPEND);
        break;
    case ACTION_REDRAW:
        effects_add(effects, EFFECT_REDRAW);
        break;
    case ACTION_TOKEN:
        reload_token(shell, effects);
        break;
    case ACTION_TIME:
        set_time(shell, effects);
        break;
    default:
        return false;
    }
    return true;
}

bool shell_act(struct shell *shell, int action, struct effects *effects) {
    shell->dirty = true;
    return pane(shell->pane)->act(shell, action, effects) || act_global(shell, action, effects);
}

static void take_timer(struct shell *shell, enum timer timer, struct effects *effects) {
    if (timer == TIMER_MINUTE) {
        set_minute(shell, effects);
        shell->dirty = true;
    } else if (timer == TIMER_DAY) {
        set_day(shell, effects);
        shell->dirty = true;
    } else if (timer == TIMER_FOLLOW) {
        intents_follow(shell);
        shell->dirty = true;
    } else if (timer == TIMER_LEAVE) {
        shell_leave_in_time(shell);
    } else if (timer == TIMER_DEFERRED) {
        intents_deferred(shell, effects);
    } else if (timer == TIMER_COUNTDOWN) {
        intents_changed(shell, effects);
    }
}

static void take_event(struct shell *shell, struct event *event, struct effects *effects) {
    if (requests_event(shell, event) || live_event(&shell->intents.live, event)) {
        return;
    }
    view_page(&shell->intents.view, event, shell->intents.view.answer);
    view_page(&shell->intents.view, event, shell->counts.looked);
    if (browse_update(&shell->intents.browse, event, effects)) {
        intents_changed(shell, effects);
        counts_walked(shell, effects);
        return;
    }
    if (views_event(shell, event, effects) || export_event(shell, event, effects) ||
        prompt_event(shell, event, effects) || counts_event(shell, event, effects) ||
        reader_event(shell, event, effects) || jump_event(shell, event, effects)) {
        return;
    }
    if (view_update(&shell->intents.view, event, effects)) {
        intents_viewed(shell, effects);
        return;
    }
    for (int id = 0; id < PANE_COUNT; id++) {
        if (pane((enum pane_id)id)->event && pane((enum pane_id)id)->event(shell, event, effects)) {
            return;
        }
    }
    if (event->kind == EVENT_TIMER) {
        take_timer(shell, event->timer, effects);
    } else {
        told_event(shell, event, effects);
    }
}

void shell_event(struct shell *shell, struct event *event, struct effects *effects) {
    shell->now = event->now;
    if (event->kind == EVENT_CLOCK_SET) {
        take_clock_set(shell, event, effects);
    } else {
        take_event(shell, event, effects);
    }
    export_follow(shell, effects);
    read_back_follow(shell, effects);
    intents_live(shell, effects);
}

void shell_resize(struct shell *shell, int rows, int cols, struct effects *effects) {
    shell->rows = rows;
    shell->cols = cols;
    shell->dirty = true;
    if (shell->overlay == OVERLAY_ASK) {
        ask_resized(shell, effects);
    }
    review_resized(shell, !shell_is_too_small(shell), effects);
}

bool shell_shown(struct shell *shell, int64_t now) {
    shell->now = now;
    shell->framed = true;
    return review_shown(shell);
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
    pane(shell->pane)->draw(shell, canvas, rest);
    chrome_hints(shell, canvas, hints); /* of what is on show now: the pane knows only after it was drawn */
    if (shell->overlay != OVERLAY_NONE) {
        overlay(shell->overlay)->draw(shell, canvas, rest);
    }
}
