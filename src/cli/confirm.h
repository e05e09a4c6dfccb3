#ifndef CLI_CONFIRM_H
#define CLI_CONFIRM_H
/* The confirmation of a write without the console. */

#include "cli/cli.h"

/* Called before anything is read: ERR_READ_ONLY for a read-only profile; else as confirm_asked. */
enum err confirm_early(const struct cli *cli, bool terminal, struct error *error) MUST_CHECK;
/* Confirmed by --yes, or because a terminal will be asked. `terminal`: it can be asked, since standard input is not
 * used for anything else. undone: what else is said, as "nothing was sent". */
enum err confirm_asked(const struct cli *cli, bool terminal, const char *undone, struct error *error) MUST_CHECK;
/* Asks for a word on the terminal. ERR_UNCONFIRMED where another is typed. */
enum err confirm_word(const struct cli *cli, const char *word, const char *what, const char *undone,
                      struct error *error) MUST_CHECK;
#define CONFIRM_UNSENT "nothing was sent"
/* The word of this profile: "yes" in a sandbox, else its environment. */
const char *confirm_word_of(const struct cli *cli);

#endif
