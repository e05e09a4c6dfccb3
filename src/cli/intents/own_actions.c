/* `actions list` and `actions run`: programs of the operator's own, as in the console. */
#include "one.h"

#include "app/own_action.h"
#include "base/command.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/secret.h"
#include "base/signals.h"
#include "base/utf8.h"
#include "cli/confirm.h"
#include "cli/output.h"
#include "wire/user.h"

#include <stdlib.h>
#include <string.h>

enum { REPORT_BYTES = 64 << 10, NAMES_BYTES = 8192, PRINTED_BYTES = 4 * COMMAND_OUTPUT_MAX };

static bool actions_json(const struct cli *cli) {
    return cli->args.format == OUTPUT_JSON || cli->args.format == OUTPUT_NDJSON;
}

/* Those that can be used; what is wrong with the file is said. */
struct actions_file {
    struct own_actions actions;
    bool there, faulty;
};

static void actions_read(const struct cli *cli, struct actions_file *file) {
    struct str report;
    *file = (struct actions_file){0};
    str_init(&report, REPORT_BYTES);
    file->there = own_actions_load(&file->actions, &report);
    file->faulty = report.len > 0;
    if (file->faulty)
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
    str_add_char(out, '{');
    wire_add_member(out, "action", action->name);
    str_addf(out, ",\"reads\":%s,", action->reads ? "true" : "false");
    wire_add_member(out, "personal", action->personal);
    str_add_char(out, ',');
    actions_add_arguments(out, action->argv, action->n);
    str_add_char(out, '}');
}

static void actions_add_line(struct str *out, const struct own_action *action) {
    str_addf(out, "%s (%s):", action->name, action->reads ? "reads" : "may change");
    for (size_t i = 0; i < action->n; i++)
        str_addf(out, " %s", action->argv[i]);
    str_add_char(out, '\n');
}

static void actions_add(struct str *out, enum output_format format, const struct own_actions *actions) {
    for (size_t i = 0; i < actions->n; i++) {
        if (format == OUTPUT_TABLE) {
            actions_add_line(out, &actions->items[i]);
            continue;
        }
        str_add(out, output_list_before(format, i == 0));
        actions_add_json(out, &actions->items[i]);
        str_add(out, output_list_after(format));
    }
    if (format != OUTPUT_TABLE)
        str_add(out, output_list_end(format, actions->n > 0));
}

enum err cli_actions_list(struct cli *cli, struct error *error) {
    struct actions_file file;
    struct str text;
    str_init(&text, OWN_QUESTION_BYTES);
    actions_read(cli, &file);
    actions_add(&text, cli->args.format, &file.actions);
    if (!file.there)
        out_say(cli->err, "bursar: " OWN_ACTIONS_NONE "\n");
    own_actions_clear(&file.actions);
    enum err err = output_whole(cli->out, &text, ERR_OK, error);
    if (err == ERR_OK && file.faulty)
        err = error_set(error, ERR_CHECK_FAILED, "the file actions has faults; the rest of it applies");
    return err;
}

/* ---- run ---- */

static const struct own_action *actions_find(const struct own_actions *actions, const char *name) {
    for (size_t i = 0; i < actions->n; i++)
        if (str_equal(actions->items[i].name, name))
            return &actions->items[i];
    return NULL;
}

static enum err actions_unknown(const struct actions_file *file, const char *name, struct error *error) {
    struct str names;
    if (!file->there)
        return error_set(error, ERR_USAGE, OWN_ACTIONS_NONE);
    str_init(&names, NAMES_BYTES);
    for (size_t i = 0; i < file->actions.n; i++)
        str_addf(&names, "%s%s", i > 0 ? ", " : "", file->actions.items[i].name);
    enum err err =
        error_set(error, ERR_USAGE, "no action %s that can be used; there are: %s", name, names.len ? names.s : "none");
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
static void actions_add_run(struct str *out, const struct cli *cli, const struct intent *intent,
                            const struct own_argv *argv, const struct command_output *output) {
    struct str printed;
    str_init(&printed, PRINTED_BYTES);
    if (output)
        utf8_sanitise_lines(&printed, output->bytes, output->len);
    str_add_char(out, '{');
    wire_add_member(out, "action", cli->args.operands[0]);
    str_add_char(out, ',');
    wire_add_member(out, "id", intent_field_exact(intent, INTENT_FIELD_ID));
    str_add_char(out, ',');
    actions_add_arguments(out, argv->items, argv->n - 1);
    str_addf(out, ",\"run\":%s,\"cut\":%s,", output ? "true" : "false", output && output->cut ? "true" : "false");
    wire_add_member(out, "output", output ? printed.s : NULL);
    str_add(out, "}\n");
    str_clear(&printed);
}

static enum err actions_print(const struct cli *cli, const struct intent *intent, const struct own_argv *argv,
                              const struct command_output *output, struct error *error) {
    struct str text;
    if (!actions_json(cli) && output) {
        (void)out_data(cli->out, output->bytes, output->len);
        return output_flush(cli->out, error);
    }
    str_init(&text, OWN_QUESTION_BYTES);
    for (char *const *at = argv->items; *at && !actions_json(cli); at++)
        str_addf(&text, "%s\n", *at);
    if (actions_json(cli))
        actions_add_run(&text, cli, intent, argv, output);
    return output_whole(cli->out, &text, ERR_OK, error);
}

static enum err actions_start(struct cli *cli, const struct intent *intent, const struct own_argv *argv,
                              struct error *error) {
    struct command_output *output = mem_new(sizeof *output);
    struct error failed = {0};
    enum err ran = command_run_whole(argv->items, COMMAND_TIMEOUT_MS, output, &failed);
    enum err err = ran == ERR_OK ? actions_print(cli, intent, argv, output, error)
                                 : error_set(error, ERR_SYSTEM, "%s: %s", cli->args.operands[0], failed.text);
    if (ran == ERR_OK && output->cut)
        out_say(cli->err, "bursar: it printed more than %d bytes: what was printed here is the beginning\n",
                COMMAND_OUTPUT_MAX);
    cli->signal = signals_ending();
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
    struct actions_file file;
    actions_read(cli, &file);
    const struct own_action *action = actions_find(&file.actions, cli->args.operands[0]);
    enum err err = action ? actions_gate(cli, action, error) : actions_unknown(&file, cli->args.operands[0], error);
    if (err == ERR_OK && action)
        err = actions_run(cli, action, error);
    own_actions_clear(&file.actions);
    return err;
}
