#include "panes/shell/detail.h"
#include "panes/shell/pane.h"
#include "panes/shell/signs.h"
#include "ui/keymap.h"

#include <stdlib.h>
#include <string.h>

/* What the keys of the pane on show do, and what its signs mean. */

static struct detail *help_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_HELP);
}

static void overlay_help_init(struct shell *shell) {
    detail_init(help_of(shell));
}

static void overlay_help_clear(struct shell *shell) {
    detail_clear(help_of(shell));
}

static void overlay_help_add_line(void *help, const char *label, const char *text, enum role role) {
    struct detail *to = help;
    detail_add(to, label ? arena_dup_n(&to->arena, label, strlen(label)) : NULL, text, role);
}

/* The keys of a view that are for one job; NULL: for none. */
static void add_keys(struct shell *shell, const char *section, const char *title, const char *job) {
    size_t n, before = help_of(shell)->lines.n;
    const struct action *table = keymap_actions(shell_keymap(shell), &n);
    struct str text;
    str_init(&text, 256);
    str_addf(&text, "%s%s%s", title, job ? ": " : "", job ? job : "");
    overlay_help_add_line(help_of(shell), NULL, arena_dup_n(&help_of(shell)->arena, text.s, text.len), ROLE_HEADER);
    for (size_t i = 0; i < n; i++) {
        str_reset(&text);
        keymap_keys(shell_keymap(shell), table[i].id, &text);
        if (str_equal(table[i].section, section) && str_equal(action_job(table[i].id), job) && text.len > 0)
            overlay_help_add_line(help_of(shell), text.s, table[i].help, ROLE_TEXT);
    }
    overlay_help_add_line(help_of(shell), NULL, "", ROLE_TEXT);
    if (help_of(shell)->lines.n == before + 2)
        help_of(shell)->lines.n = before;
    str_clear(&text);
}

static void overlay_help_add_section(struct shell *shell, const char *section) {
    size_t n;
    const char *const *jobs = action_jobs(&n), *title = shell_section_title(shell, section);
    for (size_t i = 0; i < n; i++)
        add_keys(shell, section, title, jobs[i]);
    add_keys(shell, section, title, NULL);
}

static void add_sign(struct shell *shell, const char *sign, const char *meaning) {
    overlay_help_add_line(help_of(shell), sign, meaning, ROLE_TEXT);
}

static void add_signs(struct shell *shell) {
    bool intents = shell_is_on(shell, PANE_INTENTS);
    overlay_help_add_line(help_of(shell), NULL, intents ? "Signs of the list and the detail" : "Signs", ROLE_HEADER);
    if (intents)
        signs_list(shell, false, add_sign);
    signs_list(shell, true, add_sign);
    overlay_help_add_line(help_of(shell), NULL, "", ROLE_TEXT);
    if (shell_pane(shell)->names)
        shell_pane(shell)->names(shell, overlay_help_add_line, help_of(shell));
}

static bool open_help(struct shell *shell, const void *argument, struct effects *effects) {
    (void)argument;
    (void)effects;
    struct detail *help = help_of(shell);
    const struct pane *current = shell_pane(shell);
    detail_empty(help);
    for (size_t i = 0; i < COUNT_OF(current->sections) && current->sections[i]; i++)
        overlay_help_add_section(shell, current->sections[i]);
    overlay_help_add_section(shell, "global");
    add_signs(shell);
    overlay_help_add_line(help, "/ n N", "Search in a text such as this one: forward, next, previous", ROLE_TEXT);
    detail_done(help, false);
    return true;
}

static void overlay_help_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    enum { HELP_COLS = 76 };
    struct rect box = dialog_box(canvas, within, (int)help_of(shell)->lines.n + 2, HELP_COLS,
                                 "Keys: / searches, Esc closes", ROLE_TITLE);
    pager_draw(&help_of(shell)->pager, canvas, box, true);
}

static void overlay_help_every_key(struct shell *shell, int32_t key, struct effects *effects) {
    bool searching = help_of(shell)->pager.searching;
    enum dialog_result result = pager_key(&help_of(shell)->pager, key);
    int action = searching ? -1 : keymap_find(shell_keymap(shell), "global", key);
    if (result == DIALOG_DONE || result == DIALOG_CANCELLED || (result == DIALOG_IGNORED && action == ACTION_HELP)) {
        shell_close(shell);
    } else if (result == DIALOG_IGNORED && action == ACTION_QUIT) {
        shell_close(shell);
        shell_leave(shell, effects);
    } else if (result == DIALOG_IGNORED) {
        shell_unbound(shell, key);
    }
}

const struct pane help_overlay = {.size = sizeof(struct detail),
                                  .init = overlay_help_init,
                                  .clear = overlay_help_clear,
                                  .open = open_help,
                                  .draw = overlay_help_draw,
                                  .every_key = overlay_help_every_key};
