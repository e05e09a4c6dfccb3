/* `intents show`: out of the cache alone. */
#include "cached_list.h"
#include "one.h"

#include "cli/output.h"
#include "wire/page.h"

enum { TEXT_MAX = 64 << 20 };

static enum err print_intent(const struct cli *cli, const struct intent *intent, struct error *error) {
    struct str text;
    if (cli->args.format == OUTPUT_TABLE) {
        str_init(&text, TEXT_MAX);
        wire_pretty(&text, intent->raw, intent->raw_len);
        str_add(&text, "\n");
        return output_whole(cli->out, &text, ERR_OK, error);
    }
    struct output_options options = {.format = cli->args.format,
                                     .out = cli->out,
                                     .terminal = cli->out_is_terminal,
                                     .utf8 = cli->utf8,
                                     .money = profile_money(cli->profile)};
    struct output *output = output_new(&options);
    enum err err = output_intent(output, intent, error);
    err = err == ERR_OK ? output_end(output, error) : err;
    err = err == ERR_OK ? output_check(output, error) : err;
    output_free(output);
    return err;
}

enum err cli_intents_show(struct cli *cli, struct error *error) {
    struct intent *intent = NULL;
    enum err err = cli_one_intent(cli, cli->args.operands[0], &intent, error);
    if (err == ERR_OK)
        err = print_intent(cli, intent, error);
    if (err == ERR_OK)
        cli_say_findings(cli, intent);
    intent_free(intent);
    return err == ERR_OK ? output_flush(cli->out, error) : err;
}
