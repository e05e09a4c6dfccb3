#ifndef CLI_LOCAL_H
#define CLI_LOCAL_H
/* What the commands over app/local_store.h share. Private to the folder. */

#include "cli/cli.h"

#include "base/str.h"

/* The context of a local_asker. */
struct local_printer {
    const struct cli *cli;
    size_t listed; /* records of the portions so far */
};
void local_notice(void *printer, const char *text); /* on standard error */
/* `2026-03-01 10:00 UTC`, and that it lies ahead where it does. */
void local_add_time(struct str *out, int64_t ms);

/* One line that is typed, or comes on standard input. False: there was none. */
bool cli_notes_read_line(const struct cli *cli, const char *prompt, char *line, size_t size);
/* --since; 0 where it was not given. */
enum err local_since(const struct cli *cli, int64_t *since, struct error *error) MUST_CHECK;
/* Prints records of the team, as activity list does those of this machine. */
enum err local_list_team(struct cli *cli, struct error *error) MUST_CHECK;
/* Every record of the team, newest first. */
enum err local_team_records(struct cli *cli, struct outcome_records *out, struct error *error) MUST_CHECK;

#endif
