#include "app/export.h"
#include "text.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { PORTION = 200, PORTION_MAX = 64 << 20, ABOUT_MAX = 64 << 10 };

void export_ask_free(struct export_ask *ask) {
    if (ask) {
        free(ask->path);
        free(ask->text);
        free(ask);
    }
}
PAYLOAD_OWNED(export_ask, export_ask_free);

uint64_t effects_export(struct effects *effects, struct export_ask *ask) {
    return effects_ask(effects, EFFECT_EXPORT, payload_of(export_ask, ask));
}

void export_keys(struct export_job *job, int64_t *keys, size_t n) {
    job->keys = keys;
    job->n = n;
}

bool export_is_busy(const struct export_job *job) {
    return job->state != EXPORT_IDLE;
}

void export_clear(struct export_job *job) {
    notes_free(job->notes);
    sample_clear(&job->sample);
    for (size_t i = 0; job->ids && i < job->n; i++)
        free(job->ids[i]);
    free(job->ids);
    free(job->keys);
    free(job->path);
    free(job->filter);
    free(job->sort);
    *job = (struct export_job){0};
}

/* Takes text. */
static void app_export_ask(struct export_job *job, enum export_step step, struct str *text, struct effects *effects) {
    struct export_ask *ask = mem_new(sizeof *ask);
    ask->step = step;
    ask->database = job->style.format == RECORD_CELLS;
    ask->path = mem_dup(job->path);
    ask->len = text ? text->len : 0;
    ask->text = text ? str_take(text) : NULL;
    job->ticket = effects_export(effects, ask);
}

static void app_export_finish(struct export_job *job, const struct error *error) {
    job->state = EXPORT_IDLE;
    job->finished = true;
    if (error)
        job->error = *error;
}

static void app_export_stop(struct export_job *job, enum err err, const char *reason, struct effects *effects) {
    struct error error = {0};
    (void)error_set(&error, err, "%s", reason);
    app_export_ask(job, EXPORT_DROP, NULL, effects);
    app_export_finish(job, &error);
}

/* Which rows are exported is decided here, once: a cached row that a page confirms while the file is written gets
 * another number, and is then found by its id. */
static void note_ids(struct export_job *job, const struct browse *browse) {
    job->ids = mem_new_array(job->n + 1, sizeof *job->ids);
    for (size_t i = 0; i < job->n; i++) {
        size_t row = lookup_is_walked(job->keys[i]) ? browse_find_key(browse, job->keys[i]) : browse->n;
        const struct value_text *id = row < browse->n ? &browse->items[row].intent->id : NULL;
        job->ids[i] = id && id->state == VALUE_OK ? mem_dup(id->text) : NULL;
    }
}

static void app_export_begin(struct export_job *job, struct effects *effects) {
    struct str text;
    job->style.fields = job->style.n_fields > 0 ? job->fields : NULL;
    str_init(&text, PORTION_MAX);
    record_head(&job->style, &text);
    job->state = EXPORT_WRITING;
    app_export_ask(job, EXPORT_BEGIN, &text, effects);
}

void export_look(struct export_job *job, struct lookup *lookup, size_t expected, struct effects *effects) {
    job->left_out = expected;
    job->state = EXPORT_LOOKING;
    job->ticket = effects_lookup(effects, lookup);
}

static const char *extension(const struct export_job *job) {
    switch (job->style.format) {
    case RECORD_CSV:
        return job->style.reader == CSV_FOR_PROGRAMS ? "CSV" : "CSV for a spreadsheet program";
    case RECORD_JSON:
        return "JSON";
    case RECORD_NDJSON:
        return "NDJSON";
    default:
        return "SQLite, table intents";
    }
}

static void add_columns(const struct export_job *job, struct str *out) {
    if (!record_has_columns(job->style.format) || !job->style.fields)
        return;
    str_add(out, "columns: those chosen for the list\n");
}

/* Whether these rows are all, and what is missing: in the words of app/coverage.h. */
static void add_complete(const struct export_job *job, struct str *out) {
    struct coverage coverage = job->coverage;
    coverage.left_out = job->mismatched;
    str_add(out, coverage_is_whole(&coverage) ? "complete: yes: all that the service has; "
                                              : "complete: no: what was read so far; ");
    coverage_text(&coverage, COVERAGE_FULL, job->now, out);
    str_add_char(out, '\n');
}

static void export_add_about(const struct export_job *job, struct str *out) {
    const char *name = strrchr(job->path, '/');
    str_addf(out, "file: %s\nformat: %s\nwritten: ", name ? name + 1 : job->path, extension(job));
    text_time(out, job->now);
    str_addf(out, "\nprofile: %s (%s)\n", job->profile, job->word);
    str_addf(out, "rows: %zu, %s\n", job->written, job->scope == EXPORT_MARKS ? "marked by hand" : "the list on show");
    if (job->sample.wanted > 0) {
        str_add(out, "sample: ");
        sample_text(&job->sample, out);
        str_add_char(out, '\n');
    }
    str_addf(out, "filter: %s\n", job->scope == EXPORT_MARKS ? "none: marks" : *job->filter ? job->filter : "none");
    str_addf(out, "sort: %s\n", *job->sort ? job->sort : "none: as sent by the service");
    if (job->scope == EXPORT_RESULT)
        add_complete(job, out);
    if (job->gone > 0)
        str_addf(out, "left the list: %zu, not among the rows\n", job->gone);
    str_addf(out, "values: %s\n", job->style.masked ? "masked" : "as served, with personal data");
    add_columns(job, out);
    if (job->left_out > 0)
        str_addf(out, "left out: %zu, which cannot be read or went away meanwhile\n", job->left_out);
}

static void app_export_end(struct export_job *job, struct effects *effects) {
    struct str text;
    str_init(&text, ABOUT_MAX);
    export_add_about(job, &text);
    job->state = EXPORT_ENDING;
    app_export_ask(job, EXPORT_END, &text, effects);
}

/* The same rule as in `intents list`: a row that does not match the filter is not exported, even where the service sent
 * it. */
static bool app_export_takes(struct export_job *job, const struct browse *browse, const struct intent *intent) {
    bool broken = !intent || intent->broken;
    bool mismatched = !broken && job->scope == EXPORT_RESULT && !browse_row_matches(browse, intent);
    job->left_out += broken;
    job->mismatched += mismatched;
    return !broken && !mismatched;
}

static void app_export_add_row(struct export_job *job, const struct browse *browse, const struct intent *intent,
                               struct str *out) {
    if (!app_export_takes(job, browse, intent))
        return;
    record_row(&job->style, intent, job->written == 0, out);
    job->written++;
}

/* The last portion includes the text behind the last row. */
static void write_portion(struct export_job *job, struct str *text, struct effects *effects) {
    job->whole = job->at >= job->n;
    if (job->whole)
        record_tail(&job->style, job->written > 0, text);
    if (text->truncated) {
        str_clear(text);
        app_export_stop(job, ERR_LIMIT, "a portion of rows is larger than can be held", effects);
        return;
    }
    job->state = EXPORT_WRITING;
    app_export_ask(job, EXPORT_ADD, text, effects);
}

static size_t portion_of(const struct export_job *job) {
    return job->n - job->at < PORTION ? job->n - job->at : PORTION;
}

static const struct intent *walked_intent(const struct export_job *job, const struct browse *browse, size_t at) {
    size_t row = browse_find_key(browse, job->keys[at]);
    if (row == browse->n)
        row = browse_find(browse, job->ids[at]);
    return row < browse->n ? browse->items[row].intent : NULL;
}

/* A row of the walk is taken as it is now, every other one as it was read from the cache (NULL: it was not there). */
static const struct intent *intent_at(const struct export_job *job, const struct browse *browse,
                                      const struct lookup_rows *rows, size_t i) {
    if (lookup_is_walked(job->keys[job->at]))
        return walked_intent(job, browse, job->at);
    return rows && i < rows->n ? rows->items[i].intent : NULL;
}

static void add_portion(struct export_job *job, const struct browse *browse, const struct lookup_rows *rows,
                        struct effects *effects) {
    size_t n = portion_of(job);
    struct str text;
    str_init(&text, PORTION_MAX);
    for (size_t i = 0; i < n; i++, job->at++)
        app_export_add_row(job, browse, intent_at(job, browse, rows, i), &text);
    write_portion(job, &text, effects);
}

/* Whether the rows of the next portion are all of the walk. */
static bool app_export_is_at_hand(const struct export_job *job) {
    size_t n = portion_of(job), walked = 0;
    while (walked < n && lookup_is_walked(job->keys[job->at + walked]))
        walked++;
    return walked == n;
}

static void app_export_next(struct export_job *job, const struct browse *browse, struct effects *effects) {
    if (job->whole) {
        app_export_end(job, effects);
    } else if (app_export_is_at_hand(job)) {
        add_portion(job, browse, NULL, effects);
    } else {
        job->state = EXPORT_READING;
        job->ticket = effects_lookup_rows(effects, job->keys + job->at, portion_of(job), job->at);
    }
}

/* What was drawn are the rows from now on. */
static void take_drawn(struct export_job *job) {
    size_t n = 0;
    sample_sort(&job->sample);
    for (size_t i = 0; i < job->n; i++) {
        size_t drawn = i + 1;
        if (n < job->sample.n)
            memcpy(&drawn, job->sample.items[n].row, sizeof drawn);
        char *id = job->ids[i];
        job->ids[i] = NULL;
        if (drawn == i) {
            job->keys[n] = job->keys[i];
            job->ids[n++] = id;
        } else {
            free(id);
        }
    }
    job->n = n;
    job->at = 0;
}

static void draw_portion(struct export_job *job, const struct browse *browse, const struct lookup_rows *rows) {
    size_t n = portion_of(job);
    for (size_t i = 0; i < n; i++, job->at++) {
        unsigned char rank[DIGEST_LEN];
        const struct intent *intent = intent_at(job, browse, rows, i);
        if (!app_export_takes(job, browse, intent))
            continue;
        sample_rank(&job->sample, intent, rank);
        sample_put(&job->sample, rank, &job->at, sizeof job->at);
    }
}

/* Rows are read twice where some are drawn: which these are depends on the last one too. */
static void draw_next(struct export_job *job, const struct browse *browse, struct effects *effects) {
    while (job->at < job->n && app_export_is_at_hand(job))
        draw_portion(job, browse, NULL);
    if (job->at < job->n) {
        job->state = EXPORT_DRAWING;
        job->ticket = effects_lookup_rows(effects, job->keys + job->at, portion_of(job), job->at);
    } else {
        take_drawn(job);
        app_export_begin(job, effects);
    }
}

void export_start(struct export_job *job, const struct browse *browse, struct effects *effects) {
    note_ids(job, browse);
    if (job->sample.wanted > 0)
        draw_next(job, browse, effects);
    else
        app_export_begin(job, effects);
}

static void take_rows_read(struct export_job *job, const struct browse *browse, const struct lookup_result *found,
                           struct effects *effects) {
    size_t met = 0; /* not used: each damaged row counts as left out */
    lookup_damage(&job->coverage, &met, found);
    if (job->state == EXPORT_READING) {
        add_portion(job, browse, &found->rows, effects);
    } else {
        draw_portion(job, browse, &found->rows);
        draw_next(job, browse, effects);
    }
}

static void take_lookup_result(struct export_job *job, const struct browse *browse, struct lookup_result *found,
                               struct effects *effects) {
    if (found->error.code != ERR_OK || found->n == 0) {
        struct error error = {0};
        (void)error_set(&error, found->error.code != ERR_OK ? found->error.code : ERR_STORE, "%s",
                        found->error.code != ERR_OK ? found->error.text : "no marked row is at hand");
        app_export_finish(job, &error);
        return;
    }
    export_keys(job, found->keys, found->n);
    found->keys = NULL;
    job->left_out = job->left_out > found->n ? job->left_out - found->n : 0;
    export_start(job, browse, effects);
}

static void take_written(struct export_job *job, const struct browse *browse, const struct error *failure,
                         struct effects *effects) {
    if (failure->code != ERR_OK) {
        app_export_finish(job, failure);
    } else if (job->state == EXPORT_ENDING) {
        app_export_finish(job, NULL);
    } else {
        job->made = true;
        app_export_next(job, browse, effects);
    }
}

bool export_update(struct export_job *job, const struct browse *browse, struct event *event, struct effects *effects) {
    if (job->state == EXPORT_IDLE || event->ticket != job->ticket)
        return false;
    if (event->kind == EVENT_EXPORTED)
        take_written(job, browse, event_get(event, error), effects);
    else if (event->kind == EVENT_LOOKUP_ROWS && (job->state == EXPORT_READING || job->state == EXPORT_DRAWING))
        take_rows_read(job, browse, event_get(event, lookup_result), effects);
    else if (event->kind == EVENT_LOOKUP && job->state == EXPORT_LOOKING)
        take_lookup_result(job, browse, event_get(event, lookup_result), effects);
    else
        return false;
    return true;
}

void export_cancel(struct export_job *job, struct effects *effects) {
    if (!export_is_busy(job))
        return;
    if (job->state == EXPORT_READING || job->state == EXPORT_LOOKING || job->state == EXPORT_DRAWING)
        effects_cancel(effects, job->ticket);
    app_export_stop(job, ERR_CANCELLED, "cancelled", effects);
}
