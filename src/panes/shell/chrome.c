#include "panes/shell/shell_state.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "panes/shell/signs.h"
#include "ui/lines.h"

#include <string.h>

enum { MESSAGE_EDGE = 3 /* a blank and its letter */, MESSAGE_SHARE = 4 /* of the screen, at most */ };
enum { ACCOUNT_COLS = 20, NAME_BESIDE = 4 /* " > " and the edge */ };

void chrome_environment(const struct shell *shell, struct str *word, enum role *role) {
    const struct profile *profile = shell->options.profile;
    for (const char *s = profile->environment; *s; s++)
        str_add_char(word, ascii_upper(*s));
    *role = profile_is_sandbox(profile)                     ? ROLE_ENV_SANDBOX
            : str_equal(profile->environment, "production") ? ROLE_ENV_PRODUCTION
                                                            : ROLE_ENV_OTHER;
}

/* What is said whole or not at all: the pane's title and all to its left go before it. */
static int chrome_asides(const struct shell *shell, struct canvas *canvas, struct rect row, int x, int kept) {
    struct str text;
    str_init(&text, 512);
    for (int id = 0; id < PANE_COUNT; id++) {
        const struct pane *pane = pane_of((enum pane_id)id);
        str_reset(&text);
        if (pane->aside && pane->aside(shell, &text) && x + utf8_cells(text.s, text.len) + 1 + kept < row.cols)
            x += canvas_text(canvas, row, 0, x, ROLE_WARN, text.s) + 1;
    }
    str_clear(&text);
    return x;
}

void chrome_title(struct shell *shell, struct canvas *canvas, struct rect row) {
    struct str text;
    enum role role;
    str_init(&text, 512);
    str_add_char(&text, ' ');
    chrome_environment(shell, &text, &role);
    str_add_char(&text, ' ');
    int x = canvas_text(canvas, row, 0, 0, role, text.s) + 1;
    const struct profile *profile = shell->options.profile;
    x += canvas_text(canvas, row, 0, x, ROLE_TITLE, profile->name) + 1;
    if (profile->account && *profile->account) {
        struct rect room = {row.y, row.x + x, 1, row.cols - x < ACCOUNT_COLS ? row.cols - x : ACCOUNT_COLS};
        x += canvas_text(canvas, room, 0, 0, ROLE_TITLE, profile->account) + 1;
    }
    x += canvas_text(canvas, row, 0, x, ROLE_DIM, sign(shell->read_only ? SIGN_READ_ONLY : SIGN_WRITING)) + 1;
    for (int id = 0; id < PANE_COUNT; id++) {
        const struct pane *pane = pane_of((enum pane_id)id);
        x = pane->status ? pane->status(shell, canvas, row, x) : x;
    }
    str_reset(&text);
    str_addf(&text, "%d %s", (int)(shell->pane - PANE_FIRST) + 1, shell_pane(shell)->title);
    int cols = utf8_cells(text.s, text.len);
    x = chrome_asides(shell, canvas, row, x, cols + 1);
    const char *section = shell_pane(shell)->place ? shell_pane(shell)->place(shell) : "";
    if (*section && x + cols + (int)strlen(section) + NAME_BESIDE < row.cols) {
        str_addf(&text, " > %s", section);
        cols = utf8_cells(text.s, text.len);
    }
    if (x + cols + 1 < row.cols)
        canvas_text(canvas, row, 0, row.cols - cols - 1, ROLE_TITLE, text.s);
    str_clear(&text);
}

/* A message that does not fit in one row takes rows of the pane, but none of an overlay over it. */
int chrome_hint_rows(const struct shell *shell) {
    int rows = 1, most = shell->rows / MESSAGE_SHARE, cols = shell->cols - MESSAGE_EDGE;
    if (shell->message.text && !shell_has_overlay(shell) && cols > 0)
        rows = lines_count(shell->message.text, cols);
    return rows > most ? most : rows < 1 ? 1 : rows;
}

static void message_rows(struct shell *shell, struct canvas *canvas, struct rect area) {
    enum role role = shell->message.role;
    canvas_textf(canvas, area, 0, 1, role, "%s ",
                 sign(role == ROLE_ERROR  ? SIGN_FAULT
                      : role == ROLE_WARN ? SIGN_WARNING
                                          : SIGN_INFORMATION));
    lines_draw(canvas, rect_inset(area, 0, MESSAGE_EDGE, 0, 0), role, shell->message.text);
}

enum { HINTS_MAX = 8 };

static bool is_of_pane(const struct action *action, const struct pane *current) {
    for (size_t i = 0; i < COUNT_OF(current->sections) && current->sections[i]; i++)
        if (str_equal(action->section, current->sections[i]))
            return true;
    return false;
}

static int chrome_hint(const struct shell *shell, struct canvas *canvas, struct rect row, int x,
                       const struct action *action) {
    struct str key;
    str_init(&key, 64);
    keymap_key(shell->keymap, action->id, &key);
    if (key.len > 0 && x + utf8_cells(key.s, key.len) + (int)strlen(action->hint) + 1 < row.cols) {
        x += canvas_text(canvas, row, 0, x, ROLE_KEY, key.s) + 1;
        x += canvas_text(canvas, row, 0, x, ROLE_DIM, action->hint) + 2;
    }
    str_clear(&key);
    return x;
}

/* Ends behind the last key that has room whole: half a word tells of no key. */
static void cut_hints(struct str *text, int cols) {
    const char *more = sign(SIGN_CUT);
    size_t len = text->len;
    while (len > 0 && utf8_cells(text->s, len) + 2 + utf8_cells(more, strlen(more)) > cols) {
        const char *comma = memrchr(text->s, ',', len);
        len = comma ? (size_t)(comma - text->s) : 0;
    }
    if (len == 0)
        return; /* not even the first: what there is room for */
    str_delete(text, len, text->len - len);
    str_addf(text, ", %s", more);
}

static bool own_hint(const struct shell *shell, struct canvas *canvas, struct rect row) {
    struct str text;
    str_init(&text, 512);
    bool has = shell_pane(shell)->hint && shell_pane(shell)->hint(shell, &text);
    if (utf8_cells(text.s, text.len) > row.cols - 1)
        cut_hints(&text, row.cols - 1);
    if (has)
        canvas_text(canvas, row, 0, 1, ROLE_DIM, text.s);
    str_clear(&text);
    return has;
}

/* Whatever has no room, the key that lists all keys has. */
static int help_cols(const struct shell *shell, const struct action *table, size_t n) {
    const char *key = shell_key_of(shell, ACTION_HELP);
    for (size_t i = 0; i < n; i++)
        if (table[i].id == ACTION_HELP)
            return utf8_cells(key, strlen(key)) + 1 + (int)strlen(table[i].hint) + 2;
    return 0;
}

void chrome_hints(struct shell *shell, struct canvas *canvas, struct rect row) {
    if (shell->message.text) {
        message_rows(shell, canvas, row);
        return;
    }
    if (shell_has_overlay(shell)) { /* shows the overlay's keys: those of the pane below do nothing now */
        canvas_text(canvas, row, 0, 1, ROLE_DIM, "Esc goes back");
        return;
    }
    if (own_hint(shell, canvas, row))
        return;
    size_t n;
    const struct action *table = keymap_actions(shell->keymap, &n);
    int x = 1, shown = 0, kept = help_cols(shell, table, n);
    for (int of_pane = 1; of_pane >= 0; of_pane--) {
        for (size_t i = 0; i < n && shown < HINTS_MAX; i++) {
            bool mine = is_of_pane(&table[i], shell_pane(shell));
            bool global = str_equal(table[i].section, "global");
            if (*table[i].hint && (of_pane ? mine : global)) {
                kept = table[i].id == ACTION_HELP ? 0 : kept;
                x = chrome_hint(shell, canvas, rect_inset(row, 0, 0, 0, kept), x, &table[i]);
                shown++;
            }
        }
    }
}
