#include "cli/cli.h"
#include "cli/output.h"

#include "app/actions.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/path.h"
#include "ui/keymap.h"

#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 256 << 10, FILE_MAX = 64 << 10, PLACE_MAX = 4096, KEYS_MAX = 256 };

/* The operator's file; a fault of the file itself is a line of report, and no file is an empty one. */
static void read_file(struct str *text, struct str *report) {
    struct error error = {0};
    struct str path;
    str_init(&path, PLACE_MAX);
    if (path_home(PATH_CONFIG, "keys", &path, NULL) == ERR_OK && access(path.s, F_OK) == 0) {
        enum err err = path_check_unwritable(path.s, &error);
        if (err == ERR_OK)
            err = path_read(path.s, FILE_MAX, false, text, &error);
        if (err != ERR_OK)
            str_addf(report, "%s\n", error.text);
    }
    str_clear(&path);
}

struct keymap *cli_keymap(struct str *report) {
    struct str text;
    str_init(&text, FILE_MAX + 1);
    read_file(&text, report);
    struct keymap *keymap = keymap_load(action_table(), text.s, text.len, "keys", report);
    str_clear(&text);
    return keymap;
}

static enum err setup_keys_choose(const struct cli *cli, struct keymap **out, struct str *report, struct error *error) {
    const char *name = cli->args.n_operands > 0 ? cli->args.operands[0] : NULL;
    const char *text = name ? actions_preset(name) : NULL;
    if (name && !text)
        return error_set(error, ERR_USAGE, "no preset %s; they are: %s", name, command_of(COMMAND_KEYS_LIST)->choices);
    *out = name ? keymap_load(action_table(), text, strlen(text), name, report) : cli_keymap(report);
    return ERR_OK;
}

static size_t longest(const struct keymap *keymap) {
    size_t most = 0, n;
    const struct action *table = keymap_actions(keymap, &n);
    for (size_t i = 0; i < n; i++) {
        struct str keys;
        str_init(&keys, KEYS_MAX);
        keymap_keys(keymap, table[i].id, &keys);
        if (keys.len > most)
            most = keys.len;
        str_clear(&keys);
    }
    return most;
}

static void add_actions(const struct keymap *keymap, struct str *text) {
    size_t n;
    const struct action *table = keymap_actions(keymap, &n);
    struct str keys;
    str_init(&keys, KEYS_MAX);
    int width = (int)longest(keymap);
    str_addf(text, "%-9s  %-*s  %-18s  %s\n", "view", width, "keys", "action", "what it does");
    for (size_t i = 0; i < n; i++) {
        str_reset(&keys);
        keymap_keys(keymap, table[i].id, &keys);
        str_addf(text, "%-9s  %-*s  %-18s  %s\n", table[i].section, width, keys.s, table[i].name, table[i].help);
    }
    str_clear(&keys);
}

enum err cli_keys_list(struct cli *cli, struct error *error) {
    struct keymap *keymap = NULL;
    struct str text, report;
    str_init(&text, TEXT_MAX);
    str_init(&report, TEXT_MAX);
    enum err err = setup_keys_choose(cli, &keymap, &report, error);
    if (err == ERR_OK)
        add_actions(keymap, &text);
    err = output_whole(cli->out, &text, err, error);
    if (err == ERR_OK && report.len > 0) {
        out_say(cli->err, "%s", report.s);
        err = error_set(error, ERR_CONFIG, "the key map file has faults; the keys above are what is in force");
    }
    keymap_free(keymap);
    str_clear(&report);
    return err;
}
