#include "cli/cli.h"
#include "cli/output.h"

#include "app/actions.h"
#include "base/mem.h"
#include "base/out.h"
#include "config/own.h"
#include "ui/keymap.h"

#include <string.h>

enum { TEXT_MAX = 256 << 10, KEYS_MAX = 256 };

struct keymap *cli_keymap(struct str *report) {
    struct str text;
    str_init(&text, OWN_FILE_MAX + 1);
    (void)own_read("keys", &text, report);
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
