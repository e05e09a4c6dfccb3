#include "panes/activity/activity.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "model/service_error.h"
#include "ui/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_COLS = 13 }; /* the longest and its gap */

/* Broken to the width: a request's id at the end of a line is what support asks for. */
static void activity_detail_add(struct activity_pane *pane, const char *label, const char *text) {
    int cols = label ? pane->wrap - LABEL_COLS : pane->wrap;
    struct str clean;
    str_init(&clean, 64 << 10);
    utf8_sanitise(&clean, text ? text : "", text ? strlen(text) : 0);
    for (size_t at = 0, skip; at < clean.len; at += skip) {
        size_t len = lines_wrap(clean.s + at, cols, &skip);
        struct text_line *line = vec_add(&pane->lines);
        *line =
            (struct text_line){.label = label, .text = arena_dup_n(&pane->arena, clean.s + at, len), .role = ROLE_TEXT};
        label = label ? "" : NULL;
    }
    str_clear(&clean);
}

static void activity_detail_add_event(struct shell *shell, const struct outcome_event *event) {
    struct activity_pane *pane = activity_of(shell);
    struct str text;
    str_init(&text, 4096);
    clock_format(&text, event->at, shell_zone(shell) == CLOCK_LOCAL ? CLOCK_LOCAL : CLOCK_UTC, shell_now(shell));
    (void)clock_format_ahead(&text, ", ", event->at, shell_now(shell));
    str_addf(&text, "  %s", outcome_name(event->outcome));
    if (event->status)
        str_addf(&text, "  %d", event->status);
    if (event->who)
        str_addf(&text, "  by %s", event->who);
    activity_detail_add(pane, "", text.s);
    activity_detail_add(pane, "", event->message);
    activity_detail_add(pane, "", event->note);
    str_clear(&text);
}

static const char *how_to_find_out(const struct outcome_record *record) {
    return str_equal(record->operation, "webhook.register")
               ? "How to find out: at the endpoint, by the events that come. The service cannot be asked, and "
                 "registering the very same again is safe."
               : "How to find out: by its tag at the service, in your own database, with the service's support.";
}

static void activity_detail_add_record(struct shell *shell, const struct outcome_record *record) {
    struct activity_pane *pane = activity_of(shell);
    struct str text;
    str_init(&text, 4096);
    if (record->n < 0)
        str_addf(&text, "of the team, %s", record->team);
    else
        str_addf(&text, "%lld", (long long)record->n);
    activity_detail_add(pane, "record", text.s);
    str_reset(&text);
    str_addf(&text, "%s: %s%s", outcome_name(record->last.outcome), outcome_sentence(record->last.outcome),
             record->settled ? " (settled by the operator)" : "");
    activity_detail_add(pane, "outcome", text.s);
    activity_detail_add(pane, "id", record->last.response_id);
    activity_detail_add(pane, "operation", record->operation);
    activity_detail_add(pane, "environment", record->environment);
    activity_detail_add(pane, "profile", record->profile);
    activity_detail_add(pane, "origin", record->origin);
    activity_detail_add(pane, "operator", record->who);
    activity_detail_add(pane, "machine", record->host);
    if (record->released)
        activity_detail_add(pane, "agreed", record->released);
    if (record->twice)
        activity_detail_add(pane, "twice", record->twice);
    activity_detail_add(pane, "url", record->url);
    activity_detail_add(pane, "import", record->import);
    activity_detail_add(pane, "key", record->idempotency);
    for (size_t i = 0; i < record->n_fields; i++)
        activity_detail_add(pane, i == 0 ? "sent" : "", record->fields[i]);
    activity_detail_add(pane, NULL, " ");
    for (size_t i = 0; i < record->n_events; i++)
        activity_detail_add_event(shell, &record->events[i]);
    if (record->last.outcome == OUTCOME_UNKNOWN) {
        activity_detail_add(pane, NULL, " ");
        activity_detail_add(pane, NULL, how_to_find_out(record));
        str_reset(&text);
        str_addf(&text, "Then %s settles it, with a note. It is never sent again by itself.",
                 shell_key_of(shell, ACTION_SETTLE));
        activity_detail_add(pane, NULL, text.s);
    }
    str_clear(&text);
}

static void activity_detail_fill(struct shell *shell) {
    struct activity_pane *pane = activity_of(shell);
    arena_clear(&pane->arena);
    pane->lines.n = 0;
    if (pane->shown && pane->shown->records.n > 0)
        activity_detail_add_record(shell, &pane->shown->records.items[0]);
    else
        activity_detail_add(pane, NULL, pane->shown ? "there is no such record" : "reading the record ...");
}

void activity_detail_stale(struct shell *shell) {
    activity_of(shell)->wrap = 0;
}

void activity_detail_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct activity_pane *pane = activity_of(shell);
    int wrap = area.cols - 1 > 1 ? area.cols - 1 : 1; /* the scroll bar */
    if (pane->wrap != wrap) {
        bool resized = pane->wrap != 0;
        pane->wrap = wrap;
        activity_detail_fill(shell);
        pager_set(&pane->pager, pane->lines.items, pane->lines.n, resized);
    }
    pager_draw(&pane->pager, canvas, area, true);
}

const struct outcome_record *activity_record(const struct activity_pane *pane) {
    /* The list may have changed since the detail was opened. */
    const struct journal_answer *of = pane->open ? pane->shown : pane->list;
    size_t at = pane->open ? 0 : pane->table.cursor;
    return of && at < of->records.n ? &of->records.items[at] : NULL;
}

/* The id that the service gave, or else that of its request; on the heap, NULL where it gave neither. */
static char *activity_detail_id_of(const struct outcome_record *record, const char **what) {
    const char *given = record ? record->last.response_id : NULL;
    *what = given ? "the id" : "the request's id";
    return given ? mem_dup(given) : record ? service_error_line_id(record->last.message) : NULL;
}

bool activity_has_id(const struct outcome_record *record) {
    const char *what;
    char *id = activity_detail_id_of(record, &what);
    bool has = id != NULL;
    free(id);
    return has;
}

void activity_copy(struct shell *shell, struct effects *effects) {
    const char *what;
    char *id = activity_detail_id_of(activity_record(activity_of(shell)), &what);
    if (id)
        effects_copy(effects, what, id);
    else
        shell_message(shell, ROLE_INFO, "there is no id to copy: the service gave none");
    free(id);
}

/* ---- The operator's word ---- */

static const enum outcome WORDS[] = {OUTCOME_DONE, OUTCOME_REFUSED, OUTCOME_NOT_SENT};

/* Asks for unknown records where none is on show: there may be some that are older than the list goes back, or that the
 * filter hides, and while a long journal is being checked their number is not known. */
static void ask_for_unknown(struct shell *shell, struct effects *effects) {
    activity_of(shell)->unknown_ticket = activity_ask_list(OUTCOME_UNKNOWN, effects);
    shell_message(shell, ROLE_INFO, "looking for writes of unknown outcome in the whole journal ...");
}

static const struct outcome_record *next_unknown(struct shell *shell, struct effects *effects) {
    struct activity_pane *pane = activity_of(shell);
    const struct outcome_records *records = pane->list ? &pane->list->records : NULL;
    size_t rows = records && records->items ? records->n : 0;
    for (size_t i = 1; i <= rows; i++) {
        size_t at = (pane->table.cursor + i) % rows;
        const struct outcome_record *record = &records->items[at];
        if (record->last.outcome == OUTCOME_UNKNOWN) {
            pane->open = false;
            table_move(&pane->table, rows, (long)at - (long)pane->table.cursor);
            char number[OUTCOME_NUMBER_MAX];
            shell_message(shell, ROLE_INFO, "%s is the next of unknown outcome",
                          outcome_number_text(record->n, number));
            return record;
        }
    }
    ask_for_unknown(shell, effects);
    return NULL;
}

/* The record on show, or the next one that has to be settled. */
static const struct outcome_record *to_settle(struct shell *shell, struct effects *effects) {
    struct activity_pane *pane = activity_of(shell);
    const struct outcome_record *record = activity_record(pane);
    bool read = pane->open ? pane->shown != NULL : pane->list != NULL;
    return read && !(record && record->last.outcome == OUTCOME_UNKNOWN) ? next_unknown(shell, effects) : record;
}

static void ask_what_became(struct shell *shell, const struct outcome_record *record) {
    static const char *const LABELS[] = {"it was done", "it was refused, or does not exist", "it never left"};
    struct activity_pane *pane = activity_of(shell);
    for (size_t i = 0; i < COUNT_OF(LABELS); i++)
        pane->settle.choices[i] = (struct choice){.label = LABELS[i], .role = ROLE_TEXT};
    pane->settle.n = record->n;
    pane->settle.stage = SETTLE_PICK;
    char number[OUTCOME_NUMBER_MAX];
    (void)snprintf(pane->settle.title, sizeof pane->settle.title, "What became of %s?",
                   outcome_number_text(record->n, number));
    picker_init(&pane->settle.picker, pane->settle.title, pane->settle.choices, COUNT_OF(LABELS), false);
}

void activity_settle_open(struct shell *shell, struct effects *effects) {
    const struct outcome_record *record = to_settle(shell, effects);
    if (record)
        ask_what_became(shell, record);
}

void activity_settle_listed(struct shell *shell, struct event *event) {
    const struct journal_answer *answer = event_get(event, journal_answer);
    struct activity_pane *pane = activity_of(shell);
    pane->unknown_ticket = 0;
    if (answer->error.code != ERR_OK) {
        shell_message(shell, ROLE_ERROR, "%s", answer->error.text);
    } else if (answer->records.n == 0) {
        shell_message(shell, ROLE_INFO, "no write is of unknown outcome: there is nothing to settle");
    } else {
        pane->only = OUTCOME_UNKNOWN;
        pane->open = false;
        table_first(&pane->table);
        activity_take_list(shell, event_take(event, journal_answer));
        shell_message(shell, ROLE_INFO, "those of unknown outcome are listed; %s shows others",
                      shell_key_of(shell, ACTION_OUTCOMES));
        ask_what_became(shell, &pane->list->records.items[0]);
    }
}

static void activity_detail_send(struct shell *shell, struct effects *effects) {
    struct activity_pane *pane = activity_of(shell);
    if (pane->settle.note.text.s[strspn(pane->settle.note.text.s, " ")] == '\0') {
        shell_message(shell, ROLE_WARN, "a note is needed: how was it found out?");
        return;
    }
    struct journal_ask *ask = journal_ask_new(JOURNAL_SETTLE);
    ask->n = pane->settle.n;
    ask->outcome = pane->settle.outcome;
    ask->note = mem_dup(pane->settle.note.text.s);
    pane->settle_ticket = effects_journal(effects, ask);
    pane->settle.stage = SETTLE_NONE;
}

static void activity_detail_pick_key(struct shell *shell, int32_t key) {
    struct activity_pane *pane = activity_of(shell);
    enum dialog_result result = picker_key(&pane->settle.picker, key);
    if (result == DIALOG_DONE && pane->settle.picker.cursor < COUNT_OF(WORDS)) {
        pane->settle.outcome = WORDS[pane->settle.picker.cursor];
        picker_clear(&pane->settle.picker);
        edit_set(&pane->settle.note, "");
        pane->settle.stage = SETTLE_NOTE;
    } else if (result == DIALOG_CANCELLED || key == KEY_CTRL('C')) {
        picker_clear(&pane->settle.picker);
        pane->settle.stage = SETTLE_NONE;
    }
}

bool activity_settle_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct activity_pane *pane = activity_of(shell);
    if (pane->settle.stage == SETTLE_PICK)
        activity_detail_pick_key(shell, key);
    else if (key == INPUT_ESCAPE || key == KEY_CTRL('C'))
        pane->settle.stage = SETTLE_NONE;
    else if (key == INPUT_ENTER)
        activity_detail_send(shell, effects);
    else
        (void)shell_edit_key(shell, &pane->settle.note, key);
    shell_redraw(shell);
    return true;
}

void activity_settle_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct activity_pane *pane = activity_of(shell);
    if (pane->settle.stage == SETTLE_PICK) {
        picker_draw(&pane->settle.picker, canvas, area);
    } else if (pane->settle.stage == SETTLE_NOTE) {
        struct rect box = dialog_box(canvas, area, 3, 64, "How was it found out? Enter settles", ROLE_TITLE);
        char number[OUTCOME_NUMBER_MAX];
        canvas_textf(canvas, box, 1, 0, ROLE_DIM, "%s: %s", outcome_number_text(pane->settle.n, number),
                     outcome_name(pane->settle.outcome));
        edit_draw(&pane->settle.note, canvas, rect_take_rows(&box, 1), ROLE_FIELD, true);
    }
}
