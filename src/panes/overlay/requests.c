#include "app/requests.h"
#include "base/mem.h"
#include "panes/shell/detail.h"
#include "panes/shell/pane.h"

/* What was sent in this session, newest first. */

enum { LINE_MAX = 2048, MS = 1000, METHOD_COLS = 4, WIDE = 160 /* a request and its id fit into a line */ };

struct session {
    struct requests sent;
    struct detail body;
};

static struct session *session_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_REQUESTS);
}

static void overlay_requests_init(struct shell *shell) {
    detail_init(&session_of(shell)->body);
}

static void overlay_requests_clear(struct shell *shell) {
    requests_clear(&session_of(shell)->sent);
    detail_clear(&session_of(shell)->body);
}

static void add_end(const struct request_seen *seen, struct str *out) {
    if (seen->status > 0)
        str_addf(out, "%d ", seen->status);
    if (seen->failure != ERR_OK)
        str_addf(out, "%s ", err_name(seen->failure));
}

static void add_request(struct shell *shell, const struct request_seen *seen) {
    struct detail *body = &session_of(shell)->body;
    struct str text, at;
    str_init(&text, LINE_MAX);
    str_init(&at, 64);
    clock_format(&at, seen->at, shell_zone(shell), shell_now(shell));
    str_addf(&text, "%-*s ", METHOD_COLS, seen->method);
    add_end(seen, &text);
    str_addf(&text, " %lld ms  ", (long long)(seen->took_us / MS));
    money_group_count(&text, seen->bytes);
    str_addf(&text, " bytes  %s", seen->path);
    if (seen->proxy)
        str_addf(&text, "  through the proxy %s", seen->proxy);
    bool beside = seen->id && shell_cols(shell) >= WIDE;
    if (beside)
        str_addf(&text, "  %s", seen->id);
    enum role role = seen->failure != ERR_OK || seen->status >= 400 ? ROLE_ERROR : ROLE_TEXT;
    detail_add(body, arena_dup_n(&body->arena, at.s, at.len), text.s, role);
    if (seen->id && !beside)
        detail_add(body, "", seen->id, ROLE_DIM);
    str_clear(&text);
    str_clear(&at);
}

static void overlay_requests_fill(struct shell *shell, bool keep) {
    struct detail *body = &session_of(shell)->body;
    detail_empty(body);
    for (size_t i = 0; i < requests_kept(&session_of(shell)->sent); i++)
        add_request(shell, requests_at(&session_of(shell)->sent, i));
    if (session_of(shell)->sent.total == 0)
        detail_add(body, NULL, "nothing was sent in this session yet", ROLE_DIM);
    else if (session_of(shell)->sent.total > REQUESTS_MAX)
        detail_add(body, NULL, "older ones are in the log file", ROLE_DIM);
    detail_done(body, keep);
    shell_redraw(shell);
}

static bool open_requests(struct shell *shell, const void *argument, struct effects *effects) {
    (void)argument;
    (void)effects;
    overlay_requests_fill(shell, false);
    return true;
}

static bool overlay_requests_event(struct shell *shell, struct event *given, struct effects *effects) {
    (void)effects;
    if (given->kind != EVENT_REQUEST)
        return false;
    requests_add(&session_of(shell)->sent, event_get(given, request_seen));
    if (shell_shows(shell, OVERLAY_REQUESTS))
        overlay_requests_fill(shell, true);
    return true;
}

static void overlay_requests_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    struct detail *body = &session_of(shell)->body;
    struct str title;
    str_init(&title, 128);
    str_add(&title, "Requests of this session, newest first: ");
    money_group_count(&title, session_of(shell)->sent.total);
    struct rect box = dialog_box(canvas, within, within.rows, within.cols, title.s, ROLE_TITLE);
    pager_draw(&body->pager, canvas, box, true);
    str_clear(&title);
}

static void overlay_requests_every_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct pager *pager = &session_of(shell)->body.pager;
    int action = pager->searching ? -1 : keymap_find(shell_keymap(shell), "global", key);
    enum dialog_result result = pager_key(pager, key);
    if (result == DIALOG_DONE || result == DIALOG_CANCELLED || (result == DIALOG_IGNORED && action == ACTION_REQUESTS))
        shell_close(shell);
    else if (result == DIALOG_IGNORED && action == ACTION_QUIT)
        shell_leave(shell, effects);
    else if (result == DIALOG_IGNORED)
        shell_unbound(shell, key);
}

const struct pane requests_overlay = {.size = sizeof(struct session),
                                      .init = overlay_requests_init,
                                      .clear = overlay_requests_clear,
                                      .open = open_requests,
                                      .event = overlay_requests_event,
                                      .draw = overlay_requests_draw,
                                      .every_key = overlay_requests_every_key};
