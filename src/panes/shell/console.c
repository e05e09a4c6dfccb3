#include "panes/shell/shell_state.h"

#include "app/file.h"
#include "base/utf8.h"

#include <stdlib.h>

/* What panes and overlays can use of the console. */

int64_t shell_now(const struct shell *shell) {
    return shell->now;
}

enum clock_zone shell_zone(const struct shell *shell) {
    return shell->zone;
}

const struct shell_options *shell_options(const struct shell *shell) {
    return &shell->options;
}

const struct profile *shell_profile(const struct shell *shell) {
    return shell->options.profile;
}

bool shell_is_read_only(const struct shell *shell) {
    return shell->read_only;
}

int shell_rows(const struct shell *shell) {
    return shell->rows;
}

int shell_cols(const struct shell *shell) {
    return shell->cols;
}

bool shell_is_framed(const struct shell *shell) {
    return shell->framed;
}

bool shell_is_too_small(const struct shell *shell) {
    return shell->rows < SHELL_ROWS_MIN || shell->cols < SHELL_COLS_MIN;
}

void shell_redraw(struct shell *shell) {
    shell->dirty = true;
}

/* ---- Messages ---- */

void shell_message(struct shell *shell, enum role role, const char *format, ...) {
    struct str text, line;
    str_init(&text, ERROR_TEXT_MAX * 2);
    str_init(&line, ERROR_TEXT_MAX * 2);
    va_list args;
    va_start(args, format);
    str_vaddf(&line, format, args);
    va_end(args);
    utf8_sanitise(&text, line.s, line.len);
    str_clear(&line);
    free(shell->message.text);
    shell->message.text = str_take(&text);
    shell->message.role = role;
    shell->message.of_link = shell->message.held = false;
    shell->message.at = shell->now;
    shell->dirty = true;
}

void shell_message_clear(struct shell *shell) {
    free(shell->message.text);
    shell->message.text = NULL;
    shell->dirty = true;
}

void shell_message_outdated(struct shell *shell) {
    bool held = shell->message.held && shell->now - shell->message.at < SHELL_READING;
    if (!shell->message.of_link && !held)
        shell_message_clear(shell);
}

void shell_message_of_link(struct shell *shell) {
    shell->message.of_link = true;
}

void shell_message_link_clear(struct shell *shell) {
    if (shell->message.of_link)
        shell_message_clear(shell);
}

bool shell_has_message(const struct shell *shell) {
    return shell->message.text != NULL;
}

bool shell_message_may_go(const struct shell *shell) {
    return !shell->message.text || shell->message.of_link || shell->message.role == ROLE_INFO;
}

bool shell_message_is_new(const struct shell *shell) {
    return shell->message.text && !shell->message.of_link && shell->now - shell->message.at < SHELL_READING;
}

/* ---- Keys and text ---- */

const struct keymap *shell_keymap(const struct shell *shell) {
    return shell->keymap;
}

const char *shell_key_of(const struct shell *shell, int action) {
    return shell->key_names[action];
}

void shell_hint(const struct shell *shell, int action, const char *does, struct str *out) {
    str_addf(out, "%s%s %s", out->len > 0 ? ", " : "", shell_key_of(shell, action), does);
}

const char *shell_section_title(const struct shell *shell, const char *section) {
    return str_equal(section, "global") ? "Everywhere"
           : str_equal(section, "list") ? "Lists"
                                        : shell_pane(shell)->title;
}

void shell_place(const struct shell *shell, const char *name, struct str *out) {
    const char *folder = shell->options.folder;
    if (folder && name[0] != '/' && !str_starts(name, "~/"))
        str_addf(out, "%s%s", folder, str_equal(folder, "/") ? "" : "/");
    str_add(out, name);
}

void shell_new_file(const struct shell *shell, const char *what, struct str *out) {
    struct str at;
    str_init(&at, 64);
    clock_format_iso(&at, shell_now(shell));
    str_addf(out, "bursar-%s-%s-", shell_profile(shell)->name, what);
    for (size_t i = 0; i < at.len && at.s[i] != '.' && at.s[i] != 'Z'; i++)
        if (at.s[i] != ':' && at.s[i] != '-')
            str_add_char(out, at.s[i] == 'T' ? '-' : at.s[i]);
    str_add(out, ".csv");
    str_clear(&at);
}

uint64_t shell_write_table(struct shell *shell, const char *what, char *text, char **place, struct effects *effects) {
    enum { PATH_BYTES = 1024, PLACE_BYTES = 8192 };
    struct str path, at;
    str_init(&path, PATH_BYTES);
    str_init(&at, PLACE_BYTES);
    shell_new_file(shell, what, &path);
    shell_place(shell, path.s, &at);
    struct file_ask *ask = file_ask_new(FILE_NEW, path.s);
    ask->text = text;
    shell_message(shell, ROLE_INFO, "writing %s", at.s);
    free(*place);
    *place = str_take(&at);
    str_clear(&path);
    return effects_file(effects, ask);
}

void shell_unbound(struct shell *shell, int32_t key) {
    struct str name;
    if (shell->message.text) /* an error on show is more important */
        return;
    str_init(&name, 64);
    input_key_name(key, &name);
    shell_message(shell, ROLE_INFO, "%s does nothing here; %s lists the keys", name.s,
                  shell_key_of(shell, ACTION_HELP));
    str_clear(&name);
}

void shell_paste_refused(struct shell *shell, const struct edit *edit, const char *text) {
    struct str why;
    str_init(&why, ERROR_TEXT_MAX);
    edit_refusal(edit, text, "field", &why);
    shell_message(shell, ROLE_WARN, "%s", why.s);
    str_clear(&why);
}

bool shell_paste_into(struct shell *shell, struct edit *edit, const char *text) {
    if (edit_paste(edit, text) == EDIT_REFUSED) {
        shell_paste_refused(shell, edit, text);
        return false;
    }
    return true;
}

enum edit_result shell_edit_key(struct shell *shell, struct edit *edit, int32_t key) {
    enum edit_result result = edit_key(edit, key);
    if (result == EDIT_REFUSED) {
        shell_paste_refused(shell, edit, "");
        shell->message.held = true;
    }
    return result;
}
