/* The writes on show as a new file. The journal holds nothing personal in clear; what people and services wrote in
 * their own words is left out unless asked for. */
#include "panes/activity/activity.h"

#include "panes/shell/ask.h"

#include "app/file.h"
#include "base/csv.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { EXPORT_BYTES_MAX = 64 << 20, PATH_BYTES = 1024, PLACE_BYTES = 8192, TIME_BYTES = 64 };
enum { BUTTON_CANCEL, BUTTON_MASKED, BUTTON_ALL };

static void activity_export_add_cell(struct str *out, const char *text) {
    csv_add_value(out, text ? text : "", text ? strlen(text) : 0);
    csv_end_cell(out);
}

static void activity_export_add_number(struct str *out, int64_t number) {
    struct str digits;
    str_init(&digits, TIME_BYTES);
    str_addf(&digits, "%lld", (long long)number);
    csv_add_number(out, digits.s, digits.len);
    csv_end_cell(out);
    str_clear(&digits);
}

static void activity_export_add_record(struct str *out, const struct outcome_record *record, bool masked) {
    struct str at;
    str_init(&at, TIME_BYTES);
    clock_format_iso(&at, record->at);
    activity_export_add_number(out, record->n);
    activity_export_add_cell(out, at.s);
    activity_export_add_cell(out, record->who);
    activity_export_add_cell(out, record->profile);
    activity_export_add_cell(out, record->environment);
    activity_export_add_cell(out, record->operation);
    activity_export_add_cell(out, outcome_name(record->last.outcome));
    activity_export_add_number(out, record->last.status);
    activity_export_add_cell(out, record->last.response_id);
    if (!masked) {
        activity_export_add_cell(out, record->last.message);
        activity_export_add_cell(out, record->last.note);
    }
    csv_end_row(out);
    str_clear(&at);
}

static void activity_export_answered(struct shell *shell, int button, struct effects *effects) {
    struct activity_pane *pane = activity_of(shell);
    struct str text, path, place;
    if (button != BUTTON_MASKED && button != BUTTON_ALL)
        return;
    str_init(&text, EXPORT_BYTES_MAX);
    str_init(&path, PATH_BYTES);
    str_init(&place, PLACE_BYTES);
    shell_new_file(shell, "activity", &path);
    str_addf(&text, "n,at,who,profile,environment,operation,outcome,status,id%s\r\n",
             button == BUTTON_ALL ? ",message,note" : "");
    for (size_t i = 0; pane->list && i < pane->list->records.n; i++)
        activity_export_add_record(&text, &pane->list->records.items[i], button == BUTTON_MASKED);
    struct file_ask *ask = file_ask_new(FILE_NEW, path.s);
    ask->text = str_take(&text);
    pane->export_ticket = effects_file(effects, ask);
    shell_place(shell, path.s, &place);
    shell_message(shell, ROLE_INFO, "writing %s", place.s);
    free(pane->export_path);
    pane->export_path = str_take(&place);
    str_clear(&path);
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
