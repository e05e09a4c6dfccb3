#ifndef CLI_HELP_H
#define CLI_HELP_H
/* Help, completions and the generated parts of the manual pages, from the tables of args.h, config/profile.h and
 * app/actions.h. Pure: each appends to a string. */

#include "cli/args.h"

#include "base/str.h"

void help_overview(struct str *out);
void help_command(enum command_id id, struct str *out);
/* What it does, with the names that its row has made; the caller frees. NULL: nothing more to say. */
char *help_command_text(const struct command *command);
/* By words: a command, a group of commands or a topic. ERR_USAGE names the nearest. */
enum err help_topic(const char *const *words, size_t n, struct str *out, struct error *error) MUST_CHECK;

/* "bash", "zsh" or "fish"; ERR_USAGE names them. */
enum err completion_script(const char *shell, struct str *out, struct error *error) MUST_CHECK;

/* Sections in man(7) markup that stand in the pages as they are: "synopsis", "commands", "options", "keys",
 * "exit-status", "environment" of bursar(1); "configuration" of bursar-config(5). False: no such part. */
bool manual_part(const char *name, struct str *out);

#endif
