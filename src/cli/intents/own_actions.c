/* `actions list` and `actions run`: programs of the operator's own, as in the console. */
#include "../confirm.h"
#include "one.h"

#include "app/own_action.h"
#include "base/command.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/secret.h"
#include "cli/output.h"
#include "wire/user.h"

#include <stdlib.h>
#include <string.h>

enum { REPORT_BYTES = 64 << 10, NAMES_BYTES = 8192 };

static bool actions_json(const struct cli *cli) {
    return cli->args.format == OUTPUT_JSON || cli->args.format == OUTPUT_NDJSON;
}

/* A section with faults costs itself; it is said. */
static void actions_read(const struct cli *cli, struct own_actions *out) {
    struct str report;
    str_init(&report, REPORT_BYTES);
    own_actions_load(out, &report);
    if (report.len > 0)
        out_say(cli->err, "%s", report.s);
    str_clear(&report);
}

static void actions_add_arguments(struct str *out, char *const *argv, size_t n) {
    str_add(out, "\"arguments\":[");
    for (size_t i = 0; i < n; i++) {
        str_add(out, i > 0 ? "," : "");
        wire_add_string(out, argv[i]);
    }
    str_add_char(out, ']');
}

static void actions_add_json(struct str *out, const struct own_action *action) {
    str_add(out, out->len == 0 ? "[{" : ",\n{");
    wire_add_member(out, "action", action->name);
    str_addf(out, ",\"reads\":%s,", action->reads ? "true" : "false");
    wire_add_member(out, "personal", action->personal);
    str_add_char(out, ',');
    actions_add_arguments(out, action->argv, action->n);
    str_add_char(out, '}');
}

static void actions_add_lines(struct str *out, const struct own_action *action) {
    str_addf(out, "%s (%s):", action->name, action->reads ? "reads" : "may change");
    for (size_t i = 0; i < action->n; i++)
        str_addf(out, " %s", action->argv[i]);
    str_add_char(out, '\n');
}

enum err cli_actions_list(struct cli *cli, struct error *error) {
    struct own_actions actions = {0};
    struct str text;
    str_init(&text, OWN_QUESTION_BYTES);
    actions_read(cli, &actions);
    for (size_t i = 0; i < actions.n; i++)
        (actions_json(cli) ? actions_add_json : actions_add_lines)(&text, &actions.items[i]);
    if (actions_json(cli))
        str_add(&text, text.len > 0 ? "]\n" : "[]\n");
    if (actions.n == 0)
        out_say(cli->err, "bursar: there are none: bursar config init actions writes a sample of the file\n");
    own_actions_clear(&actions);
    return output_whole(cli->out, &text, ERR_OK, error);
}

/* ---- run ---- */

static enum err actions_find(const struct own_actions *actions, const char *name, const struct own_action **out,
                             struct error *error) {
    struct str names;
    str_init(&names, NAMES_BYTES);
    for (size_t i = 0; i < actions->n; i++) {
        if (str_equal(actions->items[i].name, name)) {
            *out = &actions->items[i];
            str_clear(&names);
            return ERR_OK;
        }
        str_addf(&names, "%s%s", i > 0 ? ", " : "", actions->items[i].name);
    }
    enum err err = actions->n == 0 ? error_set(error, ERR_USAGE,
                                               "there are none: bursar config init actions writes a sample of the file")
                                   : error_set(error, ERR_USAGE, "no action %s; there are: %s", name, names.s);
    str_clear(&names);
    return err;
}

static enum err actions_gate(const struct cli *cli, const struct own_action *action, struct error *error) {
    enum err err = own_action_allowed(action, cli->profile->read_only || cli->args.read_only, error);
    if (err != ERR_OK || action->reads || cli->args.dry_run)
        return err;
    return confirm_asked(cli, true, "nothing was run", error);
}

static enum err actions_confirm(const struct cli *cli, const struct own_action *action, const struct own_argv *argv,
                                struct error *error) {
    struct str question;
    if (action->reads || cli->args.yes)
        return ERR_OK;
    str_init(&question, OWN_QUESTION_BYTES);
    own_argv_question(argv, &question);
    out_say(cli->err, "%s\n", question.s);
    str_clear(&question);
    return confirm_word(cli, confirm_word_of(cli), "run it", "nothing was run", error);
}

/* output: NULL where nothing was run. */
static enum err actions_print(const struct cli *cli, const struct intent *intent, const struct own_argv *argv,
                              const struct command_output *output, struct error *error) {
    struct str text;
    if (!actions_json(cli) && output)
        return out_data(cli->out, output->bytes, output->len) ? ERR_OK : output_flush(cli->out, error);
    str_init(&text, OWN_QUESTION_BYTES);
    for (char *const *at = argv->items; *at && !actions_json(cli); at++)
        str_addf(&text, "%s\n", *at);
    if (actions_json(cli)) {
        char *printed = output ? mem_dup_n(output->bytes, output->len) : NULL;
        str_add_char(&text, '{');
        wire_add_member(&text, "action", cli->args.operands[0]);
        str_add_char(&text, ',');
        wire_add_member(&text, "id", intent->id.text);
        str_add_char(&text, ',');
        actions_add_arguments(&text, argv->items, argv->n - 1);
        str_addf(&text, ",\"run\":%s,", output ? "true" : "false");
        wire_add_member(&text, "output", printed);
        str_add(&text, "}\n");
        free(printed);
    }
    return output_whole(cli->out, &text, ERR_OK, error);
}

static enum err actions_start(const struct cli *cli, const struct intent *intent, const struct own_argv *argv,
                              struct error *error) {
    struct command_output *output = mem_new(sizeof *output);
    struct error failed = {0};
    enum err err = ERR_OK;
    if (command_run(argv->items, COMMAND_TIMEOUT_MS, output, &failed) == ERR_OK)
        err = actions_print(cli, intent, argv, output, error);
    else
        err = error_set(error, ERR_SYSTEM, "%s: %s", cli->args.operands[0], failed.text);
    secret_wipe(output, sizeof *output);
    free(output);
    return err;
}

static enum err actions_run(struct cli *cli, const struct own_action *action, struct error *error) {
    struct intent *intent = NULL;
    struct own_argv argv = {0};
    enum err err = cli_one_intent(cli, cli->args.operands[1], &intent, error);
    if (err == ERR_OK)
        err = own_action_fill(action, intent, &argv, error);
    if (err == ERR_OK && !cli->args.dry_run)
        err = actions_confirm(cli, action, &argv, error);
    if (err == ERR_OK)
        err = cli->args.dry_run ? actions_print(cli, intent, &argv, NULL, error)
                                : actions_start(cli, intent, &argv, error);
    own_argv_clear(&argv);
    intent_free(intent);
    return err;
}

enum err cli_actions_run(struct cli *cli, struct error *error) {
    struct own_actions actions = {0};
    const struct own_action *action = NULL;
    actions_read(cli, &actions);
    enum err err = actions_find(&actions, cli->args.operands[0], &action, error);
    if (err == ERR_OK)
        err = actions_gate(cli, action, error);
    if (err == ERR_OK)
        err = actions_run(cli, action, error);
    own_actions_clear(&actions);
    return err;
}
