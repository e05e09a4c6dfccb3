#include "panes/intents/intents.h"

/* In the title row: how the service answers, how many requests are left, whether live updates come. */

static enum role add_link(struct str *out, const struct shell *shell) {
    static const struct {
        const char *word;
        enum role role;
    } LINKS[] = {
        [BROWSE_NEVER] = {"no answer yet", ROLE_DIM},     [BROWSE_ONLINE] = {"online", ROLE_OK},
        [BROWSE_OFFLINE] = {"OFFLINE", ROLE_ERROR},       [BROWSE_DENIED] = {"NOT AUTHORISED", ROLE_ERROR},
        [BROWSE_THROTTLED] = {"told to wait", ROLE_WARN}, [BROWSE_FAULT] = {"service fault", ROLE_ERROR},
    };
    const struct browse *browse = intents_browse(shell);
    str_add(out, LINKS[browse->link].word);
    if (browse->last_answer != CLOCK_NONE) {
        str_add(out, ", last answer ");
        clock_format_today(out, browse->last_answer, shell_zone(shell), shell_now(shell));
    }
    return LINKS[browse->link].role;
}

/* Shown only once it is low, since other tools share the quota (variations D7). */
static void add_quota(struct str *out, const struct shell *shell) {
    enum { LOW = 100, TENTH = 10 };
    int64_t left = intents_browse(shell)->quota_left;
    if (left >= 0 && (left < LOW || left < shell_profile(shell)->requests_per_hour / TENTH)) {
        money_group_count(out, (size_t)left);
        str_add(out, left == 1 ? " request left" : " requests left");
    }
}

int intents_status(const struct shell *shell, struct canvas *canvas, struct rect row, int x) {
    enum role role;
    struct str text;
    str_init(&text, 512);
    role = add_link(&text, shell);
    x += canvas_text(canvas, row, 0, x, role, text.s) + 1;
    str_reset(&text);
    add_quota(&text, shell);
    x += canvas_text(canvas, row, 0, x, ROLE_WARN, text.s) + (text.len > 0);
    str_reset(&text);
    if (team_walk_is_away(&intents_of(shell)->team))
        x += canvas_text(canvas, row, 0, x, ROLE_WARN, "TEAM STORE AWAY") + 1;
    intents_live_text(shell, &text, &role);
    x += canvas_text(canvas, row, 0, x, role, text.s) + 1;
    str_clear(&text);
    return x;
}
