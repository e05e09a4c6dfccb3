#include "panes/activity/activity.h"

#include "panes/shell/moves.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "model/user.h"

#include <stdlib.h>
#include <string.h>

enum { RECORDS_MAX = 2000, REMARK_BYTES = 1024 };

enum { OFFSET_COLS = 7 }; /* ` +02:00` behind a local time */

static const struct table_column COLUMNS[ACTIVITY_COLUMN_COUNT] = {
    [ACTIVITY_AT] = {.title = "at", .min = 19, .want = 19, .priority = 0},
    [ACTIVITY_OUTCOME] = {.title = "outcome", .min = 8, .want = 8, .priority = 0},
    [ACTIVITY_STATUS] = {.title = "", .min = 3, .want = 3, .priority = 2, .right = true},
    [ACTIVITY_OPERATION] = {.title = "operation", .min = 16, .want = 16, .priority = 3},
    [ACTIVITY_ID] = {.title = "id", .min = 20, .want = 24, .priority = 1, .grow = 1},
    [ACTIVITY_WHO] = {.title = "operator", .min = 8, .want = 10, .priority = 4},
    [ACTIVITY_PROFILE] = {.title = "profile", .min = 8, .want = 10, .priority = 5},
    [ACTIVITY_N] = {.title = "record", .min = 6, .want = 6, .priority = 6, .right = true},
};

static void pane_activity_init(struct shell *shell) {
    struct activity_pane *pane = activity_of(shell);
    memcpy(pane->columns, COLUMNS, sizeof COLUMNS);
    table_init(&pane->table, pane->columns, ACTIVITY_COLUMN_COUNT);
    pager_init(&pane->pager);
    edit_init(&pane->settle.note, 1000);
    edit_init(&pane->find.tag, USER_TEXT_MAX);
    pane->only = -1;
}

static void pane_activity_clear(struct shell *shell) {
    struct activity_pane *pane = activity_of(shell);
    journal_answer_free(pane->list);
    journal_answer_free(pane->shown);
    pager_clear(&pane->pager);
    arena_clear(&pane->arena);
    free(pane->lines.items);
    if (pane->settle.stage == SETTLE_PICK)
        picker_clear(&pane->settle.picker);
    edit_clear(&pane->settle.note);
    edit_clear(&pane->find.tag);
    free(pane->export_path);
}

static size_t rows_of(const struct activity_pane *pane) {
    return pane->list ? pane->list->records.n : 0;
}

uint64_t activity_ask_list(int only, struct effects *effects) {
    struct journal_ask *ask = journal_ask_new(JOURNAL_LIST);
    ask->only = only;
    ask->limit = RECORDS_MAX;
    return effects_journal(effects, ask);
}

void activity_reload(struct shell *shell, struct effects *effects) {
    activity_of(shell)->list_ticket = activity_ask_list(activity_of(shell)->only, effects);
}

static void pane_activity_enter(struct shell *shell, struct effects *effects) {
    activity_reload(shell, effects);
}

void activity_show(struct shell *shell, int64_t n, struct effects *effects) {
    struct activity_pane *pane = activity_of(shell);
    journal_answer_free(pane->shown);
    pane->shown = NULL; /* the detail of another record: settling must not refer to it */
    activity_detail_stale(shell);
    struct journal_ask *ask = journal_ask_new(JOURNAL_SHOW);
    ask->n = n;
    pane->show_ticket = effects_journal(effects, ask);
    pane->open = true;
}

static void open_record(struct shell *shell, struct effects *effects) {
    const struct activity_pane *pane = activity_of(shell);
    if (!pane->open && pane->table.cursor < rows_of(pane))
        activity_show(shell, pane->list->records.items[pane->table.cursor].n, effects);
}

/* All records, then one outcome after the other: unknown ones first, since the operator has to settle them. */
static void next_filter(struct shell *shell, struct effects *effects) {
    static const int ORDER[] = {-1, OUTCOME_UNKNOWN, OUTCOME_REFUSED, OUTCOME_NOT_SENT, OUTCOME_DONE};
    for (size_t i = 0; i < COUNT_OF(ORDER); i++) {
        if (ORDER[i] == activity_of(shell)->only) {
            activity_of(shell)->only = ORDER[(i + 1) % COUNT_OF(ORDER)];
            break;
        }
    }
    activity_of(shell)->open = false;
    table_first(&activity_of(shell)->table);
    activity_reload(shell, effects);
}

static bool pane_activity_act(struct shell *shell, int action, struct effects *effects) {
    switch (action) {
    case ACTION_RECORD:
        open_record(shell, effects);
        return true;
    case ACTION_OUTCOMES:
        next_filter(shell, effects);
        return true;
    case ACTION_RELOAD:
        activity_reload(shell, effects);
        return true;
    case ACTION_RECORDS_EXPORT:
        activity_export_open(shell);
        return true;
    case ACTION_RECORD_COPY:
        activity_copy(shell, effects);
        return true;
    case ACTION_TAG:
        activity_find_open(shell);
        return true;
    case ACTION_SETTLE:
        activity_settle_open(shell, effects);
        return true;
    default:
        return !activity_of(shell)->open && table_act(&activity_of(shell)->table, rows_of(activity_of(shell)), action);
    }
}

static bool pane_activity_back(struct shell *shell, struct effects *effects) {
    bool was = activity_of(shell)->open;
    (void)effects;
    activity_of(shell)->open = false;
    return was;
}

static bool pane_activity_key(struct shell *shell, int32_t pressed, struct effects *effects) {
    struct activity_pane *pane = activity_of(shell);
    if (pane->settle.stage != SETTLE_NONE)
        return activity_settle_key(shell, pressed, effects);
    if (pane->find.open) {
        activity_find_key(shell, pressed, effects);
        return true;
    }
    int action = keymap_find(shell_keymap(shell), "activity", pressed);
    bool own_key =
        action == ACTION_SETTLE || action == ACTION_BACK || action == ACTION_CLOSE || action == ACTION_CANCEL;
    return pane->open && (pane->pager.searching || !own_key) && pager_key(&pane->pager, pressed) != DIALOG_IGNORED;
}

static bool pane_activity_paste(struct shell *shell, const char *text, struct effects *effects) {
    struct activity_pane *pane = activity_of(shell);
    (void)effects;
    if (pane->settle.stage != SETTLE_NOTE && !pane->find.open)
        return false;
    (void)shell_paste_into(shell, pane->find.open ? &pane->find.tag : &pane->settle.note, text);
    return true;
}

void activity_take_list(struct shell *shell, struct journal_answer *answer) {
    struct activity_pane *pane = activity_of(shell);
    journal_answer_free(pane->list);
    pane->list = answer;
    table_move(&pane->table, rows_of(pane), 0);
}

static bool pane_activity_event(struct shell *shell, struct event *given, struct effects *effects) {
    struct activity_pane *pane = activity_of(shell);
    if (activity_export_event(shell, given) || activity_find_event(shell, given, effects))
        return true;
    if (given->kind != EVENT_JOURNAL || !event_get(given, journal_answer) || given->ticket == 0)
        return false;
    const struct journal_answer *answer = event_get(given, journal_answer);
    if (given->ticket == pane->list_ticket) {
        activity_take_list(shell, event_take(given, journal_answer));
        activity_find_listed(shell, effects);
    } else if (given->ticket == pane->unknown_ticket) {
        activity_settle_listed(shell, given);
    } else if (given->ticket == pane->show_ticket || given->ticket == pane->settle_ticket) {
        if (answer->error.code != ERR_OK)
            shell_message(shell, ROLE_ERROR, "%s", answer->error.text);
        else if (given->ticket == pane->settle_ticket)
            shell_message(shell, ROLE_INFO, "settled");
        journal_answer_free(pane->shown);
        pane->shown = event_take(given, journal_answer);
        activity_detail_stale(shell);
        if (given->ticket == pane->settle_ticket)
            activity_reload(shell, effects);
    } else {
        return false;
    }
    shell_redraw(shell);
    return true;
}

/* ---- Drawing ---- */

static enum role pane_activity_role_of(enum outcome outcome) {
    static const enum role ROLES[OUTCOME_COUNT] = {[OUTCOME_SENDING] = ROLE_INFO,
                                                   [OUTCOME_DONE] = ROLE_OK,
                                                   [OUTCOME_REFUSED] = ROLE_ERROR,
                                                   [OUTCOME_UNKNOWN] = ROLE_UNKNOWN,
                                                   [OUTCOME_NOT_SENT] = ROLE_WARN};
    return ROLES[outcome];
}

static void pane_activity_add(struct str *out, const char *text) {
    if (text)
        utf8_sanitise(out, text, strlen(text));
    else
        str_add(out, symbol(SYMBOL_ABSENT));
}

static void pane_activity_cell(void *context, size_t row, int column, struct table_cell *out) {
    struct shell *shell = context;
    const struct outcome_record *record = &activity_of(shell)->list->records.items[row];
    switch ((enum activity_column)column) {
    case ACTIVITY_AT:
        clock_format(out->text, record->at, shell_zone(shell), shell_now(shell));
        out->role = clock_is_ahead(record->at, shell_now(shell)) ? ROLE_WARN : out->role;
        break;
    case ACTIVITY_OUTCOME:
        str_add(out->text, outcome_name(record->last.outcome));
        out->role = record->twice ? ROLE_WARN : pane_activity_role_of(record->last.outcome);
        break;
    case ACTIVITY_STATUS:
        if (record->last.status)
            str_addf(out->text, "%d", record->last.status);
        break;
    case ACTIVITY_OPERATION:
        pane_activity_add(out->text, record->operation);
        break;
    case ACTIVITY_ID:
        pane_activity_add(out->text, record->last.response_id);
        break;
    case ACTIVITY_WHO:
        pane_activity_add(out->text, record->who);
        if (record->host) {
            str_add(out->text, " at ");
            pane_activity_add(out->text, record->host);
        }
        break;
    case ACTIVITY_PROFILE:
        pane_activity_add(out->text, record->profile);
        break;
    case ACTIVITY_N:
        if (record->n < 0)
            str_add(out->text, "team");
        else
            str_addf(out->text, "%lld", (long long)record->n);
        break;
    case ACTIVITY_COLUMN_COUNT:
        break;
    }
}

/* In words for the row under the cursor: the list has no room for it. */
static bool pane_activity_add_ahead(const struct shell *shell, struct str *out) {
    const struct outcome_record *record = activity_record(activity_of(shell));
    return record && clock_format_ahead(out, "", record->at, shell_now(shell));
}

/* What the row under the cursor has no room for, or what is missing in the list. */
static void add_remark(const struct shell *shell, struct str *out) {
    const struct activity_pane *pane = activity_of(shell);
    const struct outcome_record *record = activity_record(pane);
    if (record && record->twice)
        str_addf(out, "twice: also by %s", record->twice);
    else if (record && record->host)
        str_addf(out, "by %s at %s", record->who, record->host);
    else if (!pane_activity_add_ahead(shell, out) && pane->list->notice)
        str_add(out, pane->list->notice);
}

static void pane_activity_draw_head(struct shell *shell, struct canvas *canvas, struct rect row) {
    const struct activity_pane *pane = activity_of(shell);
    if (!pane->list) {
        canvas_text(canvas, row, 0, 1, ROLE_DIM, "reading the journal ...");
    } else if (pane->list->error.code != ERR_OK) {
        canvas_text(canvas, row, 0, 1, ROLE_ERROR, pane->list->error.text);
    } else {
        int x =
            1 + canvas_textf(canvas, row, 0, 1, ROLE_TEXT, "%s%s, %zu record%s", pane->only < 0 ? "every " : "only ",
                             pane->only < 0 ? "write" : outcome_name((enum outcome)pane->only), rows_of(pane),
                             plural_s(rows_of(pane)));
        if (pane->list->unknown > 0) {
            x += 2 + canvas_textf(canvas, row, 0, x + 2, ROLE_UNKNOWN, "%zu unknown: %s settles", pane->list->unknown,
                                  shell_key_of(shell, ACTION_SETTLE));
        }
        struct str remark;
        str_init(&remark, REMARK_BYTES);
        add_remark(shell, &remark);
        if (remark.len > 0)
            canvas_text(canvas, row, 0, x + 2, ROLE_WARN, remark.s);
        str_clear(&remark);
    }
}

static void draw_none(const struct shell *shell, struct canvas *canvas, struct rect area) {
    if (activity_of(shell)->only < 0) {
        canvas_text(canvas, area, 1, 2, ROLE_DIM, "Nothing was written from this machine yet.");
    } else {
        canvas_textf(canvas, area, 1, 2, ROLE_DIM, "No record has this outcome; %s shows others.",
                     shell_key_of(shell, ACTION_OUTCOMES));
    }
}

static void pane_activity_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct activity_pane *pane = activity_of(shell);
    pane_activity_draw_head(shell, canvas, rect_take_rows(&area, 1));
    if (pane->open) {
        activity_detail_draw(shell, canvas, rect_inset(area, 0, 1, 0, 0));
    } else if (pane->list && rows_of(pane) == 0 && pane->list->error.code == ERR_OK) {
        draw_none(shell, canvas, area);
    } else {
        struct table_source source = {.rows = rows_of(pane), .cell = pane_activity_cell, .context = shell};
        pane->columns[ACTIVITY_AT].min = pane->columns[ACTIVITY_AT].want =
            COLUMNS[ACTIVITY_AT].min + (shell_zone(shell) == CLOCK_LOCAL ? OFFSET_COLS : 0);
        table_draw(&pane->table, canvas, area, &source, true);
    }
    activity_settle_draw(shell, canvas, area);
    activity_find_draw(shell, canvas, area);
}

static bool pane_activity_hint(const struct shell *shell, struct str *out) {
    static const char *const SETTLING[] = {[SETTLE_PICK] = "Up Down choose, Enter goes on to the note, Esc cancels",
                                           [SETTLE_NOTE] = "Enter settles with this note, Esc cancels"};
    const struct activity_pane *pane = activity_of(shell);
    const struct outcome_record *record = activity_record(pane);
    if (pane->settle.stage != SETTLE_NONE) {
        str_add(out, SETTLING[pane->settle.stage]);
    } else if (pane->find.open) {
        str_add(out, "Enter goes to the newest record of this tag, Esc cancels");
    } else if (pane->open) {
        str_add(out, "/ finds");
        if (record && record->last.outcome == OUTCOME_UNKNOWN)
            shell_hint(shell, ACTION_SETTLE, "settles it", out);
        if (activity_has_id(record))
            shell_hint(shell, ACTION_RECORD_COPY, "copies the id", out);
        shell_hint(shell, ACTION_RECORDS_EXPORT, "exports the list", out);
        shell_hint(shell, ACTION_BACK, "back", out);
    }
    return out->len > 0;
}

static const struct table *pane_activity_table(const struct shell *shell) {
    const struct activity_pane *pane = activity_of(shell);
    return pane->open ? NULL : &pane->table;
}

const struct pane activity_pane = {.title = "Activity",
                                   .sections = {"activity", "list"},
                                   .size = sizeof(struct activity_pane),
                                   .init = pane_activity_init,
                                   .clear = pane_activity_clear,
                                   .table = pane_activity_table,
                                   .draw = pane_activity_draw,
                                   .act = pane_activity_act,
                                   .back = pane_activity_back,
                                   .key = pane_activity_key,
                                   .paste = pane_activity_paste,
                                   .event = pane_activity_event,
                                   .enter = pane_activity_enter,
                                   .hint = pane_activity_hint};
