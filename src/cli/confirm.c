#include "confirm.h"

#include "base/out.h"
#include "base/signals.h"

#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { WORD_BYTES = 128, PROMPT_BYTES = 256 };

const char *confirm_word_of(const struct cli *cli) {
    return profile_is_sandbox(cli->profile) ? "yes" : cli->profile->environment;
}

enum err confirm_early(const struct cli *cli, bool terminal, struct error *error) {
    if (cli->profile->read_only || cli->args.read_only)
        return error_set(error, ERR_READ_ONLY, "the profile %s is read-only: " CONFIRM_UNSENT, cli->profile->name);
    return confirm_asked(cli, terminal, CONFIRM_UNSENT, error);
}

enum err confirm_asked(const struct cli *cli, bool terminal, const char *undone, struct error *error) {
    const char *yes = cli->args.yes, *word = cli->profile->environment;
    bool sandbox = profile_is_sandbox(cli->profile);
    if (yes && (str_equal(yes, word) || (sandbox && !*yes)))
        return ERR_OK;
    if (yes) {
        return error_set(error, ERR_USAGE, "this profile's environment is %s: --yes%s%s confirms it; %s", word,
                         sandbox ? "" : "=", sandbox ? "" : word, undone);
    }
    if (terminal && isatty(STDIN_FILENO) && out_is_terminal(cli->err))
        return ERR_OK;
    return error_set(error, ERR_USAGE, "without a terminal --yes%s%s is needed: %s", sandbox ? "" : "=",
                     sandbox ? "" : word, undone);
}

bool cli_read_line(char *line, size_t size) {
    size_t len = 0;
    char byte = '\0';
    while (signals_input(STDIN_FILENO, &byte, 1) == 1 && byte != '\n')
        if (len + 1 < size)
            line[len++] = byte;
    len -= len > 0 && line[len - 1] == '\r';
    line[signals_input_ended() ? 0 : len] = '\0';
    return byte == '\n' && !signals_input_ended();
}

/* Before the prompt is written, not after it: what is typed later was typed by somebody who could read it. */
static void drop_typed_ahead(void) {
    if (isatty(STDIN_FILENO))
        (void)tcflush(STDIN_FILENO, TCIFLUSH);
}

bool cli_prompt(const struct cli *cli, const char *prompt, char *line, size_t size) {
    (void)fflush(cli->err);
    drop_typed_ahead();
    out_say(cli->err, "%s", prompt);
    if (cli_read_line(line, size))
        return true;
    line[0] = '\0'; /* half a word at the end of the input was not confirmed by Enter */
    out_say(cli->err, "\n");
    return false;
}

enum err confirm_word(const struct cli *cli, const char *word, const char *what, const char *undone,
                      struct error *error) {
    char line[WORD_BYTES] = "", prompt[PROMPT_BYTES];
    (void)snprintf(prompt, sizeof prompt, "Type %s to %s: ", word, what);
    cli_prompt(cli, prompt, line, sizeof line);
    return strcmp(line, word) == 0 ? ERR_OK : error_set(error, ERR_UNCONFIRMED, "not confirmed: %s", undone);
}
