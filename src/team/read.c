#include "own.h"

#include "arrays.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PORTION = 1000, NAME_BYTES = 512 };

static enum err take_all_records(struct team *team, enum team_statement statement, const struct team_values *values,
                                 const char *match, struct outcome_records *out, int *n, struct error *error) {
    struct team_rows rows;
    enum err err = team_run(&team->connection, statement, values, &rows, error);
    if (err == ERR_OK)
        team_take_records(team, &rows, match, out);
    if (n)
        *n = rows.n;
    team_rows_clear(&rows);
    return err;
}

/* ---- a look ---- */

/* Own ones are told by the local journal. */
static void drop_own(struct outcome_records *records, size_t from) {
    size_t kept = from;
    for (size_t i = from; i < records->n; i++)
        if (records->items[i].host)
            records->items[kept++] = records->items[i];
    records->n = kept;
}

static enum err look_for_same(struct team *team, const struct team_write *write, struct outcome_records *out,
                              struct error *error) {
    struct team_values values = {0};
    struct team_digest digest;
    size_t before = out->n;
    team_digest_of(team, "body", write->origin, write->account, write->operation, write->body, write->body_len,
                   &digest);
    team_value(&values, write->origin ? write->origin : "");
    team_value(&values, write->account ? write->account : "");
    team_value(&values, digest.hex);
    team_value(&values, "");
    enum err err = take_all_records(team, TSQL_SAME, &values, NULL, out, NULL, error);
    drop_own(out, before);
    return err;
}

/* A write that had no effect forbids nothing. */
static void drop_without_effect(struct outcome_records *records, size_t from) {
    size_t kept = from;
    for (size_t i = from; i < records->n; i++)
        if (records->items[i].last.outcome != OUTCOME_REFUSED && records->items[i].last.outcome != OUTCOME_NOT_SENT)
            records->items[kept++] = records->items[i];
    records->n = kept;
}

static enum err look_for_alike(struct team *team, const struct team_write *write, const struct team_text *match,
                               struct outcome_records *out, struct error *error) {
    struct team_values values = {0};
    struct team_digest digest;
    if (!match->text || !*match->text)
        return ERR_OK;
    team_digest_of(team, "match", write->origin, write->account, match->name, match->text, strlen(match->text),
                   &digest);
    team_value(&values, digest.hex);
    team_value(&values, team->place.console);
    team_value(&values, "");
    return take_all_records(team, TSQL_ALIKE, &values, match->name, out, NULL, error);
}

enum err team_look(struct team *team, const struct team_write *write, struct outcome_records *out,
                   struct error *error) {
    size_t before = out->n;
    enum err err = team_use(team, false, error);
    if (err == ERR_OK && write->body_len > 0)
        err = look_for_same(team, write, out, error);
    for (size_t i = 0; i < write->n_matches && err == ERR_OK; i++)
        err = look_for_alike(team, write, &write->matches[i], out, error);
    drop_without_effect(out, before);
    return err;
}

/* ---- one record ---- */

static struct outcome_event event_of_row(struct outcome_records *out, const struct team_rows *rows, int row) {
    const char *note = team_clean(&out->arena, rows, row, 4);
    return (struct outcome_event){.outcome = team_outcome_of(team_text(rows, row, 0)),
                                  .status = (int)team_number(rows, row, 1),
                                  .response_id = team_clean(&out->arena, rows, row, 2),
                                  .message = team_clean(&out->arena, rows, row, 3),
                                  .note = note,
                                  .at = team_number(rows, row, 5),
                                  .who = note ? team_clean(&out->arena, rows, row, 6) : NULL};
}

static enum err read_marks(struct team *team, const char *id, struct team_rows *rows, struct error *error) {
    struct team_values values = {0};
    team_value(&values, id);
    return team_run(&team->connection, TSQL_MARKS_OF, &values, rows, error);
}

static enum err take_events(struct team *team, struct outcome_records *out, struct outcome_record *record,
                            struct error *error) {
    struct team_rows rows;
    enum err err = read_marks(team, record->team, &rows, error);
    record->events = arena_new(&out->arena, ((size_t)rows.n + 1) * sizeof *record->events);
    for (int i = 0; i < rows.n; i++)
        record->events[record->n_events++] = event_of_row(out, &rows, i);
    team_rows_clear(&rows);
    return err;
}

/* Whether it was taken in as the word of a colleague when it settled the record here. */
static bool is_among_events(const struct outcome_record *record, const struct outcome_event *event) {
    for (size_t i = 0; i < record->n_events; i++)
        if (record->events[i].outcome == event->outcome && str_equal(record->events[i].note, event->note))
            return true;
    return false;
}

static void add_colleagues_word(struct outcome_records *records, struct outcome_record *record,
                                struct outcome_event event) {
    struct str who;
    str_init(&who, NAME_BYTES);
    str_addf(&who, "%s%s", event.who ? event.who : "?", TEAM_WORD);
    event.who = outcome_dup(records, who.s);
    str_clear(&who);
    record->events[record->n_events++] = event;
}

enum err team_add_words(struct team *team, struct outcome_records *records, struct outcome_record *record,
                        struct error *error) {
    struct team_rows rows = {0};
    enum err err = team_use(team, true, error);
    if (err == ERR_OK)
        err = read_marks(team, record->team, &rows, error);
    struct outcome_event *events = arena_new(&records->arena, (record->n_events + (size_t)rows.n + 1) * sizeof *events);
    for (size_t i = 0; i < record->n_events; i++)
        events[i] = record->events[i];
    record->events = events;
    for (int i = 0; i < rows.n; i++) {
        struct outcome_event event = event_of_row(records, &rows, i);
        if (!str_equal(team_text(&rows, i, 8), team->place.console) && !is_among_events(record, &event))
            add_colleagues_word(records, record, event);
    }
    team_rows_clear(&rows);
    return err;
}

enum err team_get(struct team *team, const char *id, struct outcome_records *out, struct error *error) {
    struct team_values values = {0};
    struct str after;
    size_t before = out->n;
    enum err err = team_use(team, false, error);
    str_init(&after, TEAM_ID_HEX + 2);
    str_addf(&after, "%s~", id); /* behind every digit */
    team_value(&values, id);
    team_value(&values, after.s);
    if (err == ERR_OK)
        err = take_all_records(team, TSQL_BEGUN_WITH, &values, NULL, out, NULL, error);
    if (err == ERR_OK && out->n > before + 1)
        err = error_set(error, ERR_USAGE, "several records of the team begin with %s: name more of it", id);
    if (err == ERR_OK && out->n == before + 1)
        err = take_events(team, out, &out->items[before], error);
    if (err == ERR_OK && out->n == before + 1)
        err = team_tell_release(team, out, before, error);
    str_clear(&after);
    return err;
}

/* ---- lists ---- */

static bool is_wanted(const struct team_list *list, const struct outcome_record *record) {
    return (list->own || record->host) && (list->outcome < 0 || (int)record->last.outcome == list->outcome);
}

static void keep_wanted(const struct team_list *list, struct outcome_records *records, size_t from) {
    size_t kept = from;
    for (size_t i = from; i < records->n; i++)
        if (is_wanted(list, &records->items[i]))
            records->items[kept++] = records->items[i];
    records->n = kept;
    if (list->limit && records->n > list->limit)
        records->n = list->limit;
}

/* The last row of a portion is where the next one begins. */
struct list_place {
    int64_t stored;
    char id[TEAM_ID_HEX + 1];
};

static enum err list_portion_of_team(struct team *team, const struct team_list *list, struct list_place *place, int *n,
                                     struct outcome_records *out, struct error *error) {
    struct team_values values = {0};
    struct team_rows rows;
    size_t before = out->n;
    team_value_number(&values, list->since);
    team_value_number(&values, place->stored);
    team_value(&values, place->id);
    enum err err = team_run(&team->connection, TSQL_SINCE, &values, &rows, error);
    if (err == ERR_OK)
        team_take_records(team, &rows, NULL, out);
    *n = rows.n;
    if (rows.n > 0) {
        place->stored = team_number(&rows, rows.n - 1, 3);
        snprintf(place->id, sizeof place->id, "%s", team_text(&rows, rows.n - 1, 0));
    }
    team_rows_clear(&rows);
    keep_wanted(list, out, before);
    return err;
}

static void tell_registered_twice(struct outcome_records *out, size_t from, const struct team_rows *rows, int row) {
    const char *id = team_text(rows, row, 0);
    for (size_t i = from; i < out->n; i++) {
        struct outcome_record *record = &out->items[i];
        if (record->twice || !str_equal(record->team, id))
            continue;
        struct str text;
        str_init(&text, NAME_BYTES);
        str_addf(&text, "%s at %s (%.*s)", team_clean(&out->arena, rows, row, 1), team_clean(&out->arena, rows, row, 2),
                 TEAM_ID_SHOWN, team_text(rows, row, 4));
        record->twice = outcome_dup(out, text.s);
        str_clear(&text);
    }
}

static enum err find_twice(struct team *team, int64_t since, struct outcome_records *out, size_t from,
                           struct error *error) {
    struct team_values values = {0};
    struct team_rows rows;
    team_value_number(&values, since);
    enum err err = team_run(&team->connection, TSQL_TWICE, &values, &rows, error);
    for (int i = 0; i < rows.n; i++)
        tell_registered_twice(out, from, &rows, i);
    team_rows_clear(&rows);
    return err;
}

enum err team_list(struct team *team, const struct team_list *list, struct outcome_records *out, struct error *error) {
    struct list_place place = {INT64_MAX, ""};
    size_t before = out->n;
    size_t looked = 0;
    int n = PORTION;
    enum err err = team_use(team, false, error);
    while (err == ERR_OK && n == PORTION && (!list->limit || out->n - before < list->limit)) {
        if (list->look_max && looked >= list->look_max) {
            out->back_to = place.stored;
            break;
        }
        err = list_portion_of_team(team, list, &place, &n, out, error);
        looked += (size_t)n;
    }
    if (err == ERR_OK)
        err = find_twice(team, list->since, out, before, error);
    return err == ERR_OK ? team_tell_releases(team, list->since, out, before, error) : err;
}

enum err team_open_mine(struct team *team, struct team_open *out, struct error *error) {
    struct team_values values = {0};
    struct team_rows rows = {0};
    team_value(&values, team->place.console);
    enum err err = team_use(team, false, error);
    if (err == ERR_OK)
        err = team_run(&team->connection, TSQL_OPEN_MINE, &values, &rows, error);
    for (int i = 0; i < rows.n; i++) {
        struct team_open_write *write = vec_add(out);
        snprintf(write->id, sizeof write->id, "%s", team_text(&rows, i, 0));
        write->owner = mem_dup(team_text(&rows, i, 1));
    }
    team_rows_clear(&rows);
    return err;
}

enum err team_noted_by_others(struct team *team, int64_t since, struct team_noted *out, struct error *error) {
    struct team_values values = {0};
    struct team_rows rows = {0};
    team_value(&values, team->place.console);
    team_value_number(&values, since);
    enum err err = team_use(team, false, error);
    if (err == ERR_OK)
        err = team_run(&team->connection, TSQL_NOTED_BY_OTHERS, &values, &rows, error);
    for (int i = 0; i < rows.n; i++) {
        struct team_noted_write *write = vec_add(out);
        snprintf(write->id, sizeof write->id, "%s", team_text(&rows, i, 0));
        write->at = team_number(&rows, i, 1);
        write->told = team_number(&rows, i, 2);
    }
    team_rows_clear(&rows);
    return err;
}

/* ---- which are there ---- */

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void tick_off(const struct team_rows *rows, const char *const *ids, size_t n, bool *there) {
    const char **found = mem_new_array((size_t)rows->n + 1, sizeof *found);
    for (int i = 0; i < rows->n; i++)
        found[i] = team_text(rows, i, 0);
    qsort(found, (size_t)rows->n, sizeof *found, by_text);
    for (size_t i = 0; i < n; i++)
        there[i] = bsearch(&ids[i], found, (size_t)rows->n, sizeof *found, by_text) != NULL;
    free(found);
}

enum err team_are_there(struct team *team, const char *const *ids, size_t n, bool *there, struct error *error) {
    enum err err = team_use(team, false, error);
    for (size_t at = 0; at < n && err == ERR_OK; at += PORTION) {
        size_t some = n - at < PORTION ? n - at : PORTION;
        struct team_values values = {0};
        struct team_rows rows;
        struct str array;
        str_init(&array, TEAM_SCRATCH_MAX);
        array_begin(&array);
        for (size_t i = 0; i < some; i++)
            array_add_text(&array, ids[at + i], strlen(ids[at + i]));
        array_end(&array);
        team_value(&values, array.s);
        err = team_run(&team->connection, TSQL_WRITES_THERE, &values, &rows, error);
        tick_off(&rows, ids + at, some, there + at);
        team_rows_clear(&rows);
        str_clear(&array);
    }
    return err;
}

void team_open_clear(struct team_open *open) {
    for (size_t i = 0; i < open->n; i++)
        free(open->items[i].owner);
    free(open->items);
    *open = (struct team_open){0};
}

/* ---- who is there ---- */

static char *member_text(const struct team_rows *rows, int row, int column) {
    const char *text = team_text(rows, row, column);
    struct str clean;
    str_init(&clean, NAME_BYTES);
    utf8_sanitise(&clean, text ? text : "", text ? strlen(text) : 0);
    return str_take(&clean);
}

enum err team_members(struct team *team, struct team_members *out, struct error *error) {
    struct team_rows rows = {0};
    enum err err = team_use(team, false, error);
    if (err == ERR_OK)
        err = team_run(&team->connection, TSQL_CONSOLES, NULL, &rows, error);
    for (int i = 0; i < rows.n; i++) {
        struct team_member *member = vec_add(out);
        *member = (struct team_member){.console = member_text(&rows, i, 0),
                                       .who = member_text(&rows, i, 1),
                                       .host = member_text(&rows, i, 2),
                                       .first = team_number(&rows, i, 3),
                                       .last = team_number(&rows, i, 4),
                                       .records = team_number(&rows, i, 5)};
    }
    team_rows_clear(&rows);
    return err;
}
