#include "counts.h"

#include "app/file.h"
#include "base/mem.h"

#include <stdlib.h>

/* The counts on show as a new CSV file, with a line for each of them and its exact sums. */

enum { COUNTS_BYTES_MAX = 64 << 20 };

void counts_export(struct shell *shell, struct effects *effects) {
    struct counts *counts = counts_of(shell);
    struct str text;
    if (!counts->found || counts->stats.lines.n == 0) {
        shell_message(shell, ROLE_WARN, "there are no counts to export yet");
        return;
    }
    str_init(&text, COUNTS_BYTES_MAX);
    bool declines = counts->ask.by.field == QUERY_DECLINE_FIELD;
    stats_csv(&counts->stats, declines ? shell_options(shell)->reasons : NULL, &text);
    counts->export_ticket = shell_write_table(shell, "counts", str_take(&text), &counts->export_path, effects);
}

/* A file of counts outlives the screen that told of how many intents they are: the message says it once more. */
bool counts_export_event(struct shell *shell, const struct event *event) {
    struct counts *counts = counts_of(shell);
    struct str reach;
    if (event->kind != EVENT_FILE || counts->export_ticket == 0 || event->ticket != counts->export_ticket)
        return false;
    const struct file_answer *answer = event_get(event, file_answer);
    counts->export_ticket = 0;
    str_init(&reach, 512);
    enum role role = counts->found ? intents_reach_text(shell, counts->found, &reach) : ROLE_INFO;
    if (answer->error.code != ERR_OK)
        shell_message(shell, ROLE_ERROR, "not exported: %s", answer->error.text);
    else
        shell_message(shell, role == ROLE_WARN ? role : ROLE_INFO, "exported to %s, open to you alone: counts of %s",
                      counts->export_path, reach.s);
    str_clear(&reach);
    return true;
}
