#include "import_own.h"

#include "api/api.h"
#include "app/file.h"
#include "base/mem.h"
#include "base/redact.h"
#include "base/secret.h"
#include "model/service_error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 4096, RESULTS_MAX = 256 << 20 };

void import_init(struct import *import, const struct profile *profile) {
    *import = (struct import){.profile = profile, .hold = CLOCK_NONE};
    str_init(&import->text, FILE_IMPORT_MAX);
}

static void row_clear(struct import_row *row) {
    user_clear(&row->user);
    free(row->id);
    free(row->error);
    free(row->warning);
    free(row->key);
    free(row->name);
}

void import_clear(struct import *import) {
    for (size_t i = 0; i < import->columns.n; i++)
        free(import->columns.items[i].name);
    for (size_t i = 0; i < import->rows.n; i++)
        row_clear(&import->rows.items[i]);
    for (size_t i = 0; i < import->duplicates.n; i++)
        free(import->duplicates.items[i].text);
    for (size_t i = 0; i < import->results.n; i++)
        import_result_clear(&import->results.items[i]);
    free(import->columns.items);
    free(import->rows.items);
    headings_clear(&import->map);
    free(import->duplicates.items);
    free(import->results.items);
    secret_clear_str(&import->text);
    free(import->path);
    free(import->results_path);
    free(import->name);
    free(import->notice);
    free(import->read_as);
    write_clear(&import->write);
    import_init(import, import->profile);
}

static enum err app_import_fail(struct import *import, enum err err) {
    if (err != ERR_OK)
        import->stage = IMPORT_FAILED;
    return err;
}

/* ---- The file ---- */

void import_open(struct import *import, const char *path, const char *map, const struct import_options *options,
                 struct effects *effects) {
    struct file_ask *ask = file_ask_new(FILE_IMPORT, path);
    import_clear(import);
    import->options = *options;
    import->path = mem_dup(path);
    import->results_path = import_results_path(path, options->folder);
    ask->beside = mem_dup(map);
    ask->results = mem_dup(import->results_path);
    import->stage = IMPORT_OPENING;
    import->ticket = effects_file(effects, ask);
}

static void look_next(struct import *import, struct effects *effects);

void import_set_column(struct import *import, size_t column, int field) {
    if (import->stage == IMPORT_MAPPING && column < import->columns.n)
        import->columns.items[column].field = field;
}

enum err import_map_done(struct import *import, int64_t now, struct effects *effects, struct error *error) {
    enum err err = import_check_columns(import, error);
    if (err == ERR_OK) {
        import->stage = IMPORT_LOOKING;
        import->at = 0;
        err = app_import_fail(import, import_read(import, now, &import->stop));
        if (err == ERR_OK)
            look_next(import, effects);
    }
    return err;
}

static void take_opened(struct import *import, struct event *event, struct effects *effects) {
    struct file_answer *answer = event_get(event, file_answer);
    enum err err = answer->error.code;
    import->stop = answer->error;
    if (err == ERR_OK)
        err = import_map(import, answer->beside.s, answer->beside.len, &import->stop);
    if (err == ERR_OK && answer->has_results) {
        import->has_results = true;
        err = import_results_read(import, answer->results.s, answer->results.len, &import->stop);
    }
    if (err == ERR_OK) {
        import->text = answer->text;
        str_init(&answer->text, FILE_IMPORT_MAX);
        err = import_read_header(import, &import->stop);
    }
    if (app_import_fail(import, err) != ERR_OK)
        return;
    import->stage = IMPORT_MAPPING;
    if (!import->options.ask_mapping && import_map_done(import, event->now, effects, &import->stop) != ERR_OK)
        import->stage = IMPORT_FAILED;
}

/* ---- The looks ---- */

/* Asks what the journal knows now of rows of the earlier run that are not in the file any more. */
static void ask_gone(struct import *import, struct effects *effects) {
    while (import->asked < import->results.n && import->results.items[import->asked].state != IMPORT_UNKNOWN)
        import->asked++;
    if (import->asked == import->results.n) {
        import->at = 0;
        import->ticket = 0;
        import->stage = IMPORT_READY;
        return;
    }
    struct journal_ask *ask = journal_ask_new(JOURNAL_SHOW);
    ask->n = import->results.items[import->asked].record;
    import->ticket = effects_journal(effects, ask);
}

static void take_gone(struct import *import, const struct journal_answer *answer, struct effects *effects) {
    if (answer->error.code == ERR_OK && answer->records.n == 1)
        import_result_settle(&import->results.items[import->asked], &answer->records.items[0]);
    import->asked++;
    ask_gone(import, effects);
}

static void look_next(struct import *import, struct effects *effects) {
    while (import->at < import->rows.n && import->rows.items[import->at].state == IMPORT_BAD)
        import->at++;
    if (import->at == import->rows.n) {
        if (app_import_fail(import, import_merge(import, &import->stop)) == ERR_OK)
            ask_gone(import, effects);
        return;
    }
    struct journal_ask *ask = journal_ask_new(JOURNAL_ROW);
    ask->write = create_ask(import->profile, &import->rows.items[import->at].user, NULL, NULL);
    import->ticket = effects_journal(effects, ask);
}

/* Of several records of one body the one that says most counts: done, then unknown, then refused. */
static int weight(const struct outcome_record *record) {
    static const int WEIGHTS[OUTCOME_COUNT] = {[OUTCOME_DONE] = 4,
                                               [OUTCOME_UNKNOWN] = 3,
                                               [OUTCOME_SENDING] = 3,
                                               [OUTCOME_REFUSED] = 2,
                                               [OUTCOME_NOT_SENT] = 1};
    return WEIGHTS[record->last.outcome];
}

/* What a colleague has open is not this run's to settle: the row waits for a later one. */
static void refuse_row(struct import_row *row, const struct outcome_record *record) {
    struct str text;
    str_init(&text, LINE_MAX_BYTES);
    create_tell(record, &text);
    if (record->last.outcome == OUTCOME_UNKNOWN) {
        str_add(&text, ": ");
        create_tell_settling(record, &text);
    }
    free(row->error);
    row->error = str_take(&text);
    import_settle(row, IMPORT_BAD);
}

static void take_record(const struct import *import, struct import_row *row, const struct outcome_record *record) {
    static const enum import_state STATES[OUTCOME_COUNT] = {[OUTCOME_SENDING] = IMPORT_ELSEWHERE,
                                                            [OUTCOME_DONE] = IMPORT_DONE,
                                                            [OUTCOME_REFUSED] = IMPORT_REFUSED,
                                                            [OUTCOME_UNKNOWN] = IMPORT_UNKNOWN};
    enum outcome outcome = record->last.outcome;
    row->record = record->n;
    bool untold = outcome == OUTCOME_REFUSED && write_status_is_of_any_body(record->last.status);
    if (outcome == OUTCOME_NOT_SENT || untold || (outcome == OUTCOME_REFUSED && import->options.refused))
        return;
    if (record->host && outcome != OUTCOME_DONE) {
        refuse_row(row, record);
        return;
    }
    import_settle(row, STATES[outcome]);
    row->earlier = true;
    row->id = mem_dup(record->last.response_id);
    row->error = mem_dup(outcome == OUTCOME_DONE      ? NULL
                         : outcome == OUTCOME_SENDING ? "it is being sent by another program"
                                                      : record->last.message);
}

static void app_import_add_duplicate(struct import *import, const struct outcome_record *record) {
    struct str text;
    str_init(&text, LINE_MAX_BYTES);
    create_tell(record, &text);
    struct import_duplicate *duplicate = vec_add(&import->duplicates);
    *duplicate = (struct import_duplicate){.row = import->at, .record = record->n, .text = str_take(&text)};
}

static void take_look(struct import *import, const struct journal_answer *answer, struct effects *effects) {
    struct import_row *row = &import->rows.items[import->at];
    const struct outcome_record *best = NULL;
    if (answer->error.code != ERR_OK) {
        (void)error_set(&import->stop, answer->error.code, "nothing is sent: %s", answer->error.text);
        import->stage = IMPORT_FAILED;
        return;
    }
    if (!import->name)
        import->name = mem_dup(answer->nonce);
    if (answer->notice && !import->notice)
        import->notice = mem_dup(answer->notice);
    if (answer->other_profile && !import->notice) {
        struct str text;
        str_init(&text, ERROR_TEXT_MAX);
        (void)create_tell_others(answer, &text);
        import->notice = str_take(&text);
    }
    free(row->key);
    free(row->name);
    row->key = mem_dup(answer->nonce);
    row->name = mem_dup(answer->name);
    for (size_t i = 0; i < answer->records.n; i++) {
        const struct outcome_record *record = &answer->records.items[i];
        if (!record->match && (!best || weight(record) > weight(best)))
            best = record;
    }
    if (best)
        take_record(import, row, best);
    /* A row that is not sent needs no comparison: thousands of finished rows may share a phone number. */
    for (size_t i = 0; row->state == IMPORT_WAITING && i < answer->records.n; i++)
        if (answer->records.items[i].match)
            app_import_add_duplicate(import, &answer->records.items[i]);
    import->at++;
    look_next(import, effects);
}

/* ---- The start ---- */

static size_t count_earlier(const struct import *import, enum import_state state) {
    size_t n = 0;
    for (size_t i = 0; i < import->rows.n; i++) {
        const struct import_row *row = &import->rows.items[i];
        n += row->earlier && row->state == state;
    }
    return n;
}

enum err import_may_start(const struct import *import, struct error *error) {
    size_t elsewhere = count_earlier(import, IMPORT_ELSEWHERE);
    size_t unknown = count_earlier(import, IMPORT_UNKNOWN) + import_count(import).gone_unknown;
    size_t sent = unknown + count_earlier(import, IMPORT_DONE) + count_earlier(import, IMPORT_REFUSED);
    if (elsewhere > 0) {
        return error_set(error, ERR_INVALID,
                         "another program is sending %zu row%s of this file now: wait until it has ended; nothing was "
                         "sent",
                         elsewhere, plural_s(elsewhere));
    }
    if (!import->options.resume && sent > 0) {
        return error_set(error, ERR_INVALID,
                         "%zu row%s sent before: --resume goes on with the others; nothing was sent", sent,
                         sent == 1 ? " was" : "s were");
    }
    if (!import->options.resume && import->has_results) {
        return error_set(
            error, ERR_INVALID,
            "%s is there, from an earlier run: --resume goes on with it, or move it away; nothing was sent",
            import->results_path);
    }
    if (unknown > 0 && !import->options.skip_unknown && import_count(import).left > 0)
        return import_unknown(import, "", ", --skip-unknown goes on with the rest; nothing was sent", error);
    return ERR_OK;
}

static void keep_all(struct import *import, enum file_task task, struct effects *effects) {
    struct file_ask *ask = file_ask_new(task, import->path);
    struct str text;
    str_init(&text, RESULTS_MAX);
    import_results(import, &text);
    ask->results = mem_dup(import->results_path);
    ask->text = str_take(&text);
    import->ticket = effects_file(effects, ask);
}

/* ---- One row after the other ---- */

static void app_import_finish(struct import *import, struct effects *effects) {
    import->ending = true;
    keep_all(import, FILE_RESULT_END, effects);
}

void import_start(struct import *import, int64_t now, struct effects *effects) {
    if (import->stage != IMPORT_READY)
        return;
    import->stage = IMPORT_RUNNING;
    import->since = now;
    if (import_may_start(import, &import->stop) == ERR_OK)
        keep_all(import, FILE_RESULTS, effects);
    else if (import->stop.code == ERR_UNKNOWN)
        app_import_finish(import, effects);
    else
        import->stage = IMPORT_FAILED;
}

bool import_again(struct import *import) {
    if (import->stage != IMPORT_ENDED || import_count(import).of[IMPORT_WAITING] == 0)
        return false;
    for (size_t i = 0; i < import->rows.n; i++)
        import->rows.items[i].earlier = import->rows.items[i].state != IMPORT_WAITING;
    write_clear(&import->write);
    error_clear(&import->stop);
    import->at = import->failures = import->sent = import->waits = 0;
    import->sending_ms = import->held = 0;
    import->ending = import->stopping = import->pausing = false;
    import->options.resume = true;
    import->stage = IMPORT_READY;
    return true;
}

static void send_next(struct import *import, int64_t now, struct effects *effects) {
    while (import->at < import->rows.n && import->rows.items[import->at].state != IMPORT_WAITING)
        import->at++;
    if (import->at == import->rows.n) {
        app_import_finish(import, effects);
        return;
    }
    if (import_holds(import, now, effects))
        return;
    struct import_row *row = &import->rows.items[import->at];
    struct write_ask *ask = create_ask(import->profile, &row->user, NULL, row->key);
    ask->one_of_many = true;
    ask->import = mem_dup(import->name);
    ask->line = (int64_t)row->line;
    write_clear(&import->write);
    import->since = import->last = now;
    row->state = IMPORT_SENDING;
    (void)write_start(&import->write, ask, effects);
}

/* A service may quote what it was sent. */
static char *without_values(const struct user *user, const char *line, const char *id) {
    const char *values[USER_FIELD_COUNT];
    struct str text;
    size_t n = 0;
    for (int i = 0; i < USER_FIELD_COUNT; i++)
        if (user_has(user, (enum user_field)i) && i != USER_VERIFIED)
            values[n++] = user->text[i];
    str_init(&text, LINE_MAX_BYTES);
    str_add(&text, line ? line : "");
    char *request = service_error_line_id(line);
    redact(&text, values, n, &(struct redact_ids){id, request});
    free(request);
    return str_take(&text);
}

static void check_stop(struct import *import, const struct import_row *row) {
    const struct write_result *result = import->write.result;
    const char *words = row->error ? row->error : "";
    enum err err = ERR_OK;
    if (result->trouble) {
        err = error_set(&import->stop, ERR_STORE, "line %zu: its outcome could not be noted in the journal: %s",
                        row->line, result->trouble);
    } else if (row->state == IMPORT_UNKNOWN && !import->options.skip_unknown) {
        err = error_set(&import->stop, ERR_UNKNOWN, "stopped at line %zu, record %" PRId64 ": %s", row->line,
                        row->record, words);
    } else if (row->state == IMPORT_NOT_SENT) {
        err = error_set(&import->stop, ERR_INCOMPLETE, "stopped at line %zu: %s", row->line, words);
    } else if (import->options.failures > 0 && import->failures >= (size_t)import->options.failures) {
        err = error_set(&import->stop, ERR_INCOMPLETE, "stopped at line %zu: the service refused %zu row%s", row->line,
                        import->failures, plural_s(import->failures));
    }
    (void)err; /* kept in stop */
}

/* Between two rows: looks for a reason to stop, then sends the next one. */
static void app_import_go_on(struct import *import, int64_t now, struct effects *effects) {
    if (import->stop.code != ERR_OK) {
        app_import_finish(import, effects);
    } else if (import->stopping) {
        (void)error_set(&import->stop, ERR_INCOMPLETE, "stopped");
        app_import_finish(import, effects);
    } else if (import->pausing && import_count(import).left > 0) {
        import->pausing = false;
        import->stage = IMPORT_PAUSED;
    } else {
        send_next(import, now, effects);
    }
}

static void keep_row(struct import *import, struct effects *effects) {
    struct str text;
    struct file_ask *ask = file_ask_new(FILE_RESULT_ADD, import->path);
    str_init(&text, LINE_MAX_BYTES * 4);
    import_result_row(import, import->at, &text);
    ask->text = str_take(&text);
    import->ticket = effects_file(effects, ask);
    import->at++;
}

/* A colleague was first, since the row was looked up: what they did is not done again. */
static void take_elsewhere(struct import *import, struct effects *effects) {
    struct import_row *row = &import->rows.items[import->at];
    const struct write_result *result = import->write.result;
    bool done = result->elsewhere.outcome == OUTCOME_DONE;
    free(row->error);
    row->error = done ? NULL : mem_dup(result->receipt.line);
    free(row->id);
    row->id = done ? mem_dup(result->elsewhere.id) : NULL;
    import_settle(row, done ? IMPORT_DONE : IMPORT_BAD);
    keep_row(import, effects);
}

static void app_import_take_result(struct import *import, int64_t now, struct effects *effects) {
    static const enum import_state STATES[OUTCOME_COUNT] = {[OUTCOME_DONE] = IMPORT_DONE,
                                                            [OUTCOME_REFUSED] = IMPORT_REFUSED,
                                                            [OUTCOME_UNKNOWN] = IMPORT_UNKNOWN,
                                                            [OUTCOME_NOT_SENT] = IMPORT_NOT_SENT};
    struct import_row *row = &import->rows.items[import->at];
    const struct write_result *result = import->write.result;
    enum import_state state = STATES[write_outcome(result)];
    if (result->elsewhere.is) {
        take_elsewhere(import, effects);
        return;
    }
    if (import_throttled(import, result, now)) {
        row->state = IMPORT_WAITING;
        row->record = result->n;
        app_import_go_on(import, now, effects);
        return;
    }
    free(row->error);
    row->error = state == IMPORT_DONE ? NULL : without_values(&row->user, result->receipt.line, result->receipt.id);
    row->id = mem_dup(result->receipt.id); /* as it came, whatever it holds (F9) */
    row->record = result->n;
    import->sent += state != IMPORT_NOT_SENT;
    import->waits = state == IMPORT_NOT_SENT ? import->waits : 0;
    import->held = state == IMPORT_NOT_SENT ? import->held : 0;
    import->sending_ms += now > import->since ? now - import->since : 0;
    import->failures += state == IMPORT_REFUSED;
    import_settle(row, state);
    check_stop(import, row);
    keep_row(import, effects);
}

static void app_import_take_kept(struct import *import, const struct file_answer *answer, int64_t now,
                                 struct effects *effects) {
    import->ticket = 0;
    if (answer->error.code != ERR_OK) {
        (void)error_set(&import->stop, answer->error.code, "%s: nothing more is sent without it", answer->error.text);
        import->unwritten = true;
        import->stage = IMPORT_ENDED;
    } else if (import->ending) {
        import->stage = IMPORT_ENDED;
    } else {
        app_import_go_on(import, now, effects);
    }
}

void import_pause(struct import *import) {
    import->pausing = import->stage == IMPORT_RUNNING && !import->ending;
}

void import_go_on(struct import *import, int64_t now, struct effects *effects) {
    import->pausing = false;
    if (import->stage == IMPORT_PAUSED) {
        import->stage = IMPORT_RUNNING;
        send_next(import, now, effects);
    }
}

void import_stop(struct import *import, struct effects *effects) {
    import->stopping = true;
    if (import->stage == IMPORT_PAUSED) {
        (void)error_set(&import->stop, ERR_INCOMPLETE, "stopped");
        import->stage = IMPORT_RUNNING;
        app_import_finish(import, effects);
    }
}

/* Nothing is being sent while the import waits: a pause or stop that was asked for takes effect at once. */
static void app_import_take_timer(struct import *import, int64_t now, struct effects *effects) {
    if (import->stage == IMPORT_RUNNING && import->hold != CLOCK_NONE && !write_is_running(&import->write))
        app_import_go_on(import, now, effects);
}

bool import_update(struct import *import, struct event *event, struct effects *effects) {
    bool mine = event->ticket == import->ticket && import->ticket != 0;
    if (event->kind == EVENT_CLOCK_SET) {
        import_clock_set(import, event_get(event, clock_shifted)->shift);
        return false;
    }
    if (mine && event->kind == EVENT_FILE && import->stage == IMPORT_OPENING)
        take_opened(import, event, effects);
    else if (mine && event->kind == EVENT_FILE)
        app_import_take_kept(import, event_get(event, file_answer), event->now, effects);
    else if (event_is_timer(event, TIMER_IMPORT))
        app_import_take_timer(import, event->now, effects);
    else if (mine && event->kind == EVENT_JOURNAL && import->stage == IMPORT_LOOKING && import->at == import->rows.n)
        take_gone(import, event_get(event, journal_answer), effects);
    else if (mine && event->kind == EVENT_JOURNAL && import->stage == IMPORT_LOOKING)
        take_look(import, event_get(event, journal_answer), effects);
    else if (write_update(&import->write, event))
        app_import_take_result(import, event->now, effects);
    else
        return false;
    return true;
}
