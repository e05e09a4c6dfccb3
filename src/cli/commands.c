#include "cli/cli.h"

command_fn *cli_command(enum command_id id) {
    static command_fn *const COMMANDS[COMMAND_COUNT] = {
        [COMMAND_USERS_CREATE] = cli_users_create,
        [COMMAND_USERS_IMPORT] = cli_users_import,
        [COMMAND_INTENTS_LIST] = cli_intents_list,
        [COMMAND_INTENTS_SHOW] = cli_intents_show,
        [COMMAND_INTENTS_STATS] = cli_intents_stats,
        [COMMAND_WEBHOOK_SHOW] = cli_webhook_show,
        [COMMAND_WEBHOOK_REGISTER] = cli_webhook_register,
        [COMMAND_WEBHOOK_CHECK] = cli_webhook_check,
        [COMMAND_WEBHOOK_VERIFY] = cli_webhook_verify,
        [COMMAND_CONFIG_INIT] = cli_config_init,
        [COMMAND_CONFIG_CHECK] = cli_config_check,
        [COMMAND_CONFIG_PATH] = cli_config_path,
        [COMMAND_KEYS_LIST] = cli_keys_list,
        [COMMAND_THEME_LIST] = cli_theme_list,
        [COMMAND_THEME_SHOW] = cli_theme_show,
        [COMMAND_THEME_CHECK] = cli_theme_check,
        [COMMAND_COMPLETION] = cli_completion,
        [COMMAND_HELP] = cli_help,
        [COMMAND_VERSION] = cli_version,
    };
    return COMMANDS[id];
}
