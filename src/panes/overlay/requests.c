#include "panes/shell/state.h"

#include "base/mem.h"

/* What was sent in this session, newest first. */

enum { LINE_MAX = 2048, MS = 1000, METHOD_COLS = 4, WIDE = 160 /* a request and its id fit into a line */ };

static void add_end(const struct request_seen *seen, struct str *out) {
    if (seen->status > 0) {
        str_addf(out, "%d ", seen->status);
    }
    if (seen->failure != ERR_OK) {
        str_addf(out, "%s ", err_name(seen->failure));
    }
}

static void add_request(struct shell *shell, const struct request_seen *seen) {
    struct detail *body = &shell->requests_body;
    struct str text, at;
    str_init(&text, LINE_MAX);
    str_init(&at, 64);
    clock_format(&at, seen->at, shell_zone(shell), shell_now(shell));
    str_addf(&text, "%-*s ", METHOD_COLS, seen->method);
    add_end(seen, &text);
    str_addf(&text, " %lld ms  ", (long long)(seen->took_us / MS));
    money_group_count(&text, seen->bytes);
    str_addf(&text, " bytes  %s", seen->path);
    if (seen->proxy) {
        str_addf(&text, "  through the proxy %s", seen->proxy);
    }
    bool beside = seen->id && shell_cols(shell) >= WIDE;
    if (beside) {
        str_addf(&text, "  %s", seen->id);
    }
    enum role role = seen->failure != ERR_OK || seen->status >= 400 ? ROLE_ERROR : ROLE_TEXT;
    detail_add(body, arena_dup_n(&body->arena, at.s, at.len), text.s, role);
    if (seen->id && !beside) {
        detail_add(body, "", seen->id, ROLE_DIM);
    }
    str_clear(&text);
    str_clear(&at);
}

static void fill(struct shell *shell, bool keep) {
    struct detail *body = &shell->requests_body;
    body->lines.n = 0;
    arena_clear(&body->arena);
    for (size_t i = 0; i < requests_kept(&shell->requests); i++) {
        add_request(shell, requests_at(&shell->requests, i));
    }
    if (shell->requests.total == 0) {
        detail_add(body, NULL, "nothing was sent in this session yet", ROLE_DIM);
    } else if (shell->requests.total > REQUESTS_MAX) {
        detail_add(body, NULL, "older ones are in the log file", ROLE_DIM);
    }
    pager_set(&body->pager, body->lines.items, body->lines.n, keep);
    shell_redraw(shell);
}

void requests_open(struct shell *shell) {
    fill(shell, false);
    shell->overlay = OVERLAY_REQUESTS;
}

bool requests_event(struct shell *shell, const struct event *event) {
    if (event->kind != EVENT_REQUEST) {
        return false;
    }
    requests_add(&shell->requests, event->request);
    if (shell_shows(shell, OVERLAY_REQUESTS)) {
        fill(shell, true);
    }
    return true;
}

void requests_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    struct detail *body = &shell->requests_body;
    struct str title;
    str_init(&title, 128);
    str_add(&title, "Requests of this session, newest first: ");
    money_group_count(&title, shell->requests.total);
    struct rect box = dialog_box(canvas, within, within.rows, within.cols, title.s, ROLE_TITLE);
    pager_draw(&body->pager, canvas, box, true);
    str_clear(&title);
}

void requests_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct pager *pager = &shell->requests_body.pager;
    int action = pager->searching ? -1 : keymap_find(shell_keymap(shell), "global", key);
    enum dialog_result result = pager_key(pager, key);
    if (result == DIALOG_DONE || result == DIALOG_CANCELLED ||
        (result == DIALOG_IGNORED && action == ACTION_REQUESTS)) {
        shell_close(shell);
    } else if (result == DIALOG_IGNORED && action == ACTION_QUIT) {
        shell_leave(shell, effects);
    } else if (result == DIALOG_IGNORED) {
        shell_unbound(shell, key);
    }
}
