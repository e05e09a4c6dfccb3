#include "panes/intents/intents.h"

/* R where the list can be read in parts: several walks into the cache, beside the list on show, which stays as it is
 * meanwhile and is read again once all is there. Elsewhere R is one walk, whose rows come into the list. */

static bool intents_mirror_can(const struct shell *shell) {
    const struct browse *browse = intents_browse(shell);
    const struct profile *profile = shell_profile(shell);
    return profile->mirror_walks > 1 && mirror_can_split(profile, browse->chain.walk.total) && browse->use_cache &&
           server_filter_is_empty(&browse->filter);
}

static void say_paused(struct shell *shell) {
    shell_message(shell, ROLE_INFO, "paused; %s goes on, %s stops", shell_key_of(shell, ACTION_CRAWL),
                  shell_key_of(shell, ACTION_BACK));
}

static void say_progress(struct shell *shell) {
    struct mirror *mirror = &intents_of(shell)->mirror;
    struct str text;
    str_init(&text, 512);
    mirror_progress(mirror, shell_now(shell), &text);
    if (mirror_wait_text(mirror, shell_now(shell), &text)) {
        str_reset(&text);
        (void)mirror_wait_text(mirror, shell_now(shell), &text);
        str_add(&text, "; it goes on by itself at ");
        clock_format_today(&text, mirror->wake, shell_zone(shell), shell_now(shell));
    }
    shell_message(shell, ROLE_INFO, "%s; %s pauses, %s stops", text.s, shell_key_of(shell, ACTION_CRAWL),
                  shell_key_of(shell, ACTION_BACK));
    str_clear(&text);
}

static void say_end(struct shell *shell, struct effects *effects) {
    struct mirror *mirror = &intents_of(shell)->mirror;
    struct str text;
    if (mirror->state != MIRROR_DONE) {
        shell_message(shell, ROLE_ERROR, "%s goes on from here. %s", shell_key_of(shell, ACTION_CRAWL),
                      mirror->error.text);
        return;
    }
    str_init(&text, 1024);
    money_group_count(&text, (size_t)mirror->held);
    str_add(&text, mirror->held == 1 ? " intent in the cache: " : " intents in the cache: ");
    coverage_text(&mirror->coverage, COVERAGE_FULL, shell_now(shell), &text);
    shell_message(shell, coverage_is_whole(&mirror->coverage) ? ROLE_OK : ROLE_WARN, "%s", text.s);
    str_clear(&text);
    browse_start(intents_browse(shell), effects); /* the list knows then that all was read */
}

bool intents_mirror_crawl(struct shell *shell, struct effects *effects) {
    struct mirror *mirror = &intents_of(shell)->mirror;
    if (mirror_is_busy(mirror)) {
        mirror_pause(mirror, !mirror->paused, shell_now(shell), effects);
        if (mirror->paused)
            say_paused(shell);
        else
            say_progress(shell);
        return true;
    }
    if (!intents_mirror_can(shell))
        return false;
    mirror_start(mirror, 0, false, effects);
    shell_message(shell, ROLE_INFO, "reading every page, several at once; %s stops", shell_key_of(shell, ACTION_BACK));
    return true;
}

bool intents_mirror_stop(struct shell *shell, struct effects *effects) {
    struct mirror *mirror = &intents_of(shell)->mirror;
    bool busy = mirror_is_busy(mirror);
    if (busy) {
        mirror_cancel(mirror, effects);
        shell_message(shell, ROLE_INFO, "stopped; %s goes on from here", shell_key_of(shell, ACTION_CRAWL));
    }
    return busy;
}

bool intents_mirror_event(struct shell *shell, struct event *event, struct effects *effects) {
    struct mirror *mirror = &intents_of(shell)->mirror;
    if (!mirror_update(mirror, event, effects))
        return false;
    shell_redraw(shell);
    if (mirror->state == MIRROR_DONE || mirror->state == MIRROR_STOPPED)
        say_end(shell, effects);
    else if (mirror->state == MIRROR_READING && !mirror->paused)
        say_progress(shell);
    return true;
}
