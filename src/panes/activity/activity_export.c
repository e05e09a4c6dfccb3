/* The writes on show as a new file. The journal holds nothing personal in clear; what people and services wrote in
 * their own words is left out unless asked for. */
#include "panes/activity/activity.h"

#include "panes/shell/ask.h"

#include "app/file.h"
#include "base/csv.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { EXPORT_BYTES_MAX = 64 << 20, TIME_BYTES = 64 };
enum { BUTTON_CANCEL, BUTTON_MASKED, BUTTON_ALL };

static void activity_export_add_record(struct str *out, const struct outcome_record *record, bool masked) {
    struct str at;
    str_init(&at, TIME_BYTES);
    clock_format_iso(&at, record->at);
    if (record->n > 0)
        csv_add_integer(out, record->n);
    else
        csv_add_cell(out, record->team);
    csv_add_cell(out, at.s);
    csv_add_cell(out, record->who);
    csv_add_cell(out, record->profile);
    csv_add_cell(out, record->environment);
    csv_add_cell(out, record->operation);
    csv_add_cell(out, outcome_name(record->last.outcome));
    csv_add_integer(out, record->last.status);
    csv_add_cell(out, record->last.response_id);
    if (!masked) {
        csv_add_cell(out, record->last.message);
        csv_add_cell(out, record->last.note);
    }
    csv_end_row(out);
    str_clear(&at);
}

static void activity_export_answered(struct shell *shell, int button, struct effects *effects) {
    struct activity_pane *pane = activity_of(shell);
    struct str text;
    if (button != BUTTON_MASKED && button != BUTTON_ALL)
        return;
    str_init(&text, EXPORT_BYTES_MAX);
    csv_begin(&text);
    csv_add_names(&text, "n,at,who,profile,environment,operation,outcome,status,id");
    csv_add_names(&text, button == BUTTON_ALL ? "message,note" : "");
    csv_end_row(&text);
    for (size_t i = 0; pane->list && i < pane->list->records.n; i++)
        activity_export_add_record(&text, &pane->list->records.items[i], button == BUTTON_MASKED);
    pane->export_ticket = shell_write_table(shell, "activity", str_take(&text), &pane->export_path, effects);
}

void activity_export_open(struct shell *shell) {
    static const char *const BUTTONS[] = {"cancel", "masked", "with messages, notes"};
    const struct activity_pane *pane = activity_of(shell);
    if (!pane->list || pane->list->records.n == 0) {
        shell_message(shell, ROLE_WARN, "there are no records to export");
        return;
    }
    struct ask ask = {.confirm = {.title = "Export the records on show?",
                                  .text = "They go to a new CSV file in the folder bursar was started in,\n"
                                          "open to you alone. Masked, messages and notes are left out.",
                                  .buttons = BUTTONS,
                                  .n_buttons = (int)COUNT_OF(BUTTONS),
                                  .selected = BUTTON_MASKED,
                                  .role = ROLE_TITLE},
                      .answered = activity_export_answered};
    ask_open(shell, &ask);
}

bool activity_export_event(struct shell *shell, const struct event *event) {
    struct activity_pane *pane = activity_of(shell);
    if (event->kind != EVENT_FILE || pane->export_ticket == 0 || event->ticket != pane->export_ticket)
        return false;
    const struct file_answer *answer = event_get(event, file_answer);
    pane->export_ticket = 0;
    if (answer->error.code != ERR_OK)
        shell_message(shell, ROLE_ERROR, "not exported: %s", answer->error.text);
    else
        shell_message(shell, ROLE_INFO, "exported to %s, open to you alone", pane->export_path);
    return true;
}
