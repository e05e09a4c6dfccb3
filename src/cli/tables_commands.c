#include "cli/cli.h"
#include "cli/help.h"
#include "cli/output.h"

#include "panes/actions.h"

#include <string.h>

enum { TEXT_MAX = 256 << 10, KEYS_MAX = 256 };

enum err cli_version(struct cli *cli, struct error *error) {
    struct str text;
    str_init(&text, TEXT_MAX);
    str_add(&text, "bursar " BURSAR_VERSION "\n");
    return output_whole(cli->out, &text, ERR_OK, error);
}

enum err cli_help(struct cli *cli, struct error *error) {
    struct str text;
    str_init(&text, TEXT_MAX);
    enum err err = help_topic(cli->args.operands, cli->args.n_operands, &text, error);
    return output_whole(cli->out, &text, err, error);
}

enum err cli_completion(struct cli *cli, struct error *error) {
    struct str text;
    str_init(&text, TEXT_MAX);
    enum err err = completion_script(cli->args.operands[0], &text, error);
    return output_whole(cli->out, &text, err, error);
}

static size_t longest(const struct action *table, size_t n, const struct keymap *keymap) {
    size_t most = 0;
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

enum err cli_keys_list(struct cli *cli, struct error *error) {
    size_t n;
    const struct action *table = actions(&n);
    struct keymap *keymap = keymap_new(table, n);
    struct str text, keys;
    str_init(&text, TEXT_MAX);
    str_init(&keys, KEYS_MAX);
    int width = (int)longest(table, n, keymap);
    str_addf(&text, "%-9s  %-*s  %-15s  %s\n", "view", width, "keys", "action", "what it does");
    for (size_t i = 0; i < n; i++) {
        str_reset(&keys);
        keymap_keys(keymap, table[i].id, &keys);
        str_addf(&text, "%-9s  %-*s  %-15s  %s\n", table[i].view, width, keys.s, table[i].name, table[i].help);
    }
    str_clear(&keys);
    keymap_free(keymap);
    return output_whole(cli->out, &text, ERR_OK, error);
}
