#include "cli/cli.h"
#include "cli/help.h"
#include "cli/output.h"

enum { TEXT_MAX = 256 << 10 };

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
