#include "own.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SENTENCE_MAX = 400, LATE_MS = 10 * 60 * 1000 };

static const char *or_empty(const char *text) {
    return text ? text : "";
}

/* ---- the end of the chain ---- */

enum err team_chain_head(struct team *team, struct team_head *out, struct error *error) {
    struct team_values values = {0};
    struct team_rows rows;
    team_value(&values, team->place.console);
    enum err err = team_run(&team->connection, TSQL_HEAD, &values, &rows, error);
    if (err == ERR_OK && rows.n == 1) {
        out->seq = team_number(&rows, 0, 0) + 1;
        out->now = team_number(&rows, 0, 2);
        snprintf(out->link, sizeof out->link, "%s", team_text(&rows, 0, 1));
    } else if (err == ERR_OK) {
        err = error_set(error, ERR_STORE, "the team's store gave no end of this machine's chain");
    }
    team_rows_clear(&rows);
    return err;
}

static enum err team_count(struct team *team, enum team_statement statement, const struct team_values *values,
                           int64_t *count, struct error *error) {
    struct team_rows rows;
    enum err err = team_run(&team->connection, statement, values, &rows, error);
    *count = err == ERR_OK && rows.n > 0 ? team_number(&rows, 0, 0) : 0;
    team_rows_clear(&rows);
    return err;
}

/* ---- digests ---- */

enum { PRINTS_MAX = 8, PRINT_NAME_MAX = 32 };

/* What is sent, as the store knows it. */
struct prints {
    struct team_digest body;
    struct print {
        char name[PRINT_NAME_MAX];
        struct team_digest digest;
    } items[PRINTS_MAX];
    size_t n;
};

static void make_prints(struct team *team, const struct team_write *write, struct prints *out) {
    *out = (struct prints){0};
    team_digest_of(team, "body", write->origin, write->account, or_empty(write->operation), write->body,
                   write->body_len, &out->body);
    for (size_t i = 0; i < write->n_matches && out->n < PRINTS_MAX; i++) {
        const struct team_text *match = &write->matches[i];
        if (!match->text || !*match->text)
            continue;
        struct print *print = &out->items[out->n++];
        snprintf(print->name, sizeof print->name, "%s", match->name);
        team_digest_of(team, "match", write->origin, write->account, match->name, match->text, strlen(match->text),
                       &print->digest);
    }
}

enum err team_prints(struct team *team, const struct team_write *write, struct str *out, struct error *error) {
    struct prints prints;
    enum err err = team_key_use(team, error);
    if (err != ERR_OK)
        return err;
    make_prints(team, write, &prints);
    str_addf(out, "%s", prints.body.hex);
    for (size_t i = 0; i < prints.n; i++)
        str_addf(out, " %s=%s", prints.items[i].name, prints.items[i].digest.hex);
    return ERR_OK;
}

static bool take_hex(const char *text, size_t len, struct team_digest *out) {
    if (len != TEAM_HEX - 1 || strspn(text, "0123456789abcdef") < len)
        return false;
    memcpy(out->hex, text, len);
    out->hex[len] = '\0';
    return true;
}

static bool take_match_print(const char *text, size_t len, struct print *out) {
    const char *equals = memchr(text, '=', len);
    size_t name = equals ? (size_t)(equals - text) : 0;
    if (name == 0 || name >= sizeof out->name)
        return false;
    memcpy(out->name, text, name);
    out->name[name] = '\0';
    return take_hex(equals + 1, len - name - 1, &out->digest);
}

/* A line of team_prints; false: it is none. */
static bool read_prints(const char *line, struct prints *out) {
    size_t len = strcspn(line, " ");
    *out = (struct prints){0};
    if (!take_hex(line, len, &out->body))
        return false;
    for (const char *at = line + len; *at && out->n < PRINTS_MAX; at += len) {
        at += strspn(at, " ");
        len = strcspn(at, " ");
        if (len > 0 && !take_match_print(at, len, &out->items[out->n++]))
            return false;
    }
    return true;
}

/* ---- a record ---- */

struct begin_steps {
    struct team *team;
    const struct team_write *write;
    struct team_marks marks; /* of a record that comes afterwards */
    bool late;
    struct team_obstacle *obstacle; /* NULL: nobody asks */
    struct prints prints;
};

static enum err write_is_there(struct team *team, const char *id, bool *there, struct error *error) {
    struct team_values values = {0};
    int64_t count;
    team_value(&values, id);
    enum err err = team_count(team, TSQL_WRITE_THERE, &values, &count, error);
    *there = count > 0;
    return err;
}

static enum err add_write_row(struct begin_steps *steps, struct error *error) {
    struct team *team = steps->team;
    const struct team_write *write = steps->write;
    struct team_values values = {0};
    struct team_head head = {0};
    struct team_digest link;
    enum err err = team_chain_head(team, &head, error);
    if (err != ERR_OK)
        return err;
    team_value(&values, write->id);
    team_value(&values, team->place.console);
    team_value_number(&values, head.seq);
    team_value(&values, NULL); /* TEAM_WRITE_LINK */
    team_value_number(&values, write->at);
    team_value_number(&values, head.now);
    team_value_number(&values, steps->late);
    team_value(&values, team->place.who);
    team_value(&values, team->place.host);
    const char *const words[] = {write->profile, write->environment, write->origin, write->account, write->operation};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        team_value(&values, or_empty(words[i]));
    team_value(&values, steps->prints.body.hex);
    team_value(&values, write->idempotency);
    team_value(&values, write->import);
    team_value_number(&values, write->line);
    team_value(&values, write->repeats);
    team_value(&values, write->url);
    team_value(&values, write->fingerprint);
    team_value(&values, or_empty(write->owner));
    team_chain_link(team, head.link, "write", values.text, TEAM_WRITE_VALUES, TEAM_WRITE_LINK, &link);
    values.text[TEAM_WRITE_LINK] = link.hex;
    return team_run(&team->connection, TSQL_WRITE_ADD, &values, NULL, error);
}

static enum err add_match_rows(struct begin_steps *steps, struct error *error) {
    enum err err = ERR_OK;
    for (size_t i = 0; i < steps->prints.n && err == ERR_OK; i++) {
        struct team_values values = {0};
        team_value(&values, steps->prints.items[i].digest.hex);
        team_value(&values, steps->write->id);
        team_value(&values, steps->prints.items[i].name);
        err = team_run(&steps->team->connection, TSQL_MATCH_ADD, &values, NULL, error);
    }
    return err;
}

/* ---- what stands in the way ---- */

/* Nothing was heard of it for so long that a person may settle it. */
static bool is_long_silent(const struct outcome_record *record, int64_t now) {
    return record->last.outcome == OUTCOME_SENDING && now - record->at > LATE_MS;
}

static void add_since(struct str *out, int64_t at) {
    str_add(out, ", ");
    clock_format(out, at, CLOCK_UTC, at);
    str_add(out, " UTC");
}

/* By whom, since when, and what to do: it is read with a customer on the phone. */
static enum err tell_obstacle(const struct begin_steps *steps, const struct outcome_record *record, int64_t now,
                              struct error *error) {
    static const char *const WORDS[OUTCOME_COUNT] = {
        [OUTCOME_SENDING] = "the same is being sent by ",
        [OUTCOME_DONE] = "the same was registered already by ",
        [OUTCOME_UNKNOWN] = "the same was sent, and it is not known whether it was done, by "};
    struct str text;
    str_init(&text, SENTENCE_MAX);
    str_add(&text, WORDS[record->last.outcome] ? WORDS[record->last.outcome] : "the same was sent by ");
    outcome_add_person(&text, record);
    add_since(&text, record->at);
    if (record->last.outcome == OUTCOME_DONE && record->last.response_id)
        str_addf(&text, ", as %.80s", record->last.response_id);
    if (is_long_silent(record, now))
        str_addf(&text, "; nothing was heard of it since: bursar team resolve %.*s settles it", TEAM_ID_SHOWN,
                 record->team);
    else if (record->last.outcome == OUTCOME_SENDING)
        str_add(&text, "; wait until that has ended");
    else if (record->last.outcome == OUTCOME_UNKNOWN)
        str_addf(&text, "; bursar team resolve %.*s settles it for everybody", TEAM_ID_SHOWN, record->team);
    enum err err = error_set(error, ERR_INVALID, "%s", text.s);
    str_clear(&text);
    if (!steps->obstacle->is) {
        steps->obstacle->is = true;
        steps->obstacle->outcome = record->last.outcome;
        steps->obstacle->id = mem_dup(record->last.response_id);
    }
    return err;
}

static enum err read_open(struct begin_steps *steps, struct outcome_records *out, struct error *error) {
    struct team_values values = {0};
    struct team_rows rows;
    team_value(&values, or_empty(steps->write->origin));
    team_value(&values, or_empty(steps->write->account));
    team_value(&values, steps->prints.body.hex);
    enum err err = team_run(&steps->team->connection, TSQL_OPEN_OF, &values, &rows, error);
    if (err == ERR_OK)
        team_take_records(steps->team, &rows, NULL, out);
    team_rows_clear(&rows);
    return err;
}

static enum err drop_open(struct team *team, const char *id, struct error *error) {
    struct team_values values = {0};
    team_value(&values, id);
    return team_run(&team->connection, TSQL_OPEN_DROP, &values, NULL, error);
}

static enum err take_open_row(struct begin_steps *steps, bool *taken, struct error *error) {
    struct team_values values = {0};
    struct team_rows rows;
    const char *const words[] = {or_empty(steps->write->origin), or_empty(steps->write->account),
                                 steps->prints.body.hex,         steps->write->id,
                                 steps->team->place.console,     or_empty(steps->write->owner)};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        team_value(&values, words[i]);
    enum err err = team_run(&steps->team->connection, TSQL_OPEN_ADD, &values, &rows, error);
    *taken = rows.changed > 0;
    team_rows_clear(&rows);
    return err;
}

/* A repeat on purpose takes the place of the unknown record: the same body, as the local journal has it. Of a colleague
 * only the very record that is repeated. */
static bool may_take_over(const struct begin_steps *steps, const struct outcome_record *record) {
    return steps->write->repeats && record->last.outcome == OUTCOME_UNKNOWN &&
           (!record->host || str_equal(record->team, steps->write->repeats));
}

/* The unique constraint decides, not a look before it. */
static enum err take_write_lock(struct begin_steps *steps, int64_t now, struct error *error) {
    struct outcome_records open = {0};
    bool taken = false;
    enum err err = take_open_row(steps, &taken, error);
    if (err == ERR_OK && !taken)
        err = read_open(steps, &open, error);
    for (size_t i = 0; err == ERR_OK && i < open.n; i++)
        if (!may_take_over(steps, &open.items[i]))
            err = tell_obstacle(steps, &open.items[i], now, error);
        else if ((err = drop_open(steps->team, open.items[i].team, error)) == ERR_OK)
            err = take_open_row(steps, &taken, error);
    if (err == ERR_OK && !taken)
        err = error_set(error, ERR_STORE, "the team's store could not lock what is to be sent: try again");
    outcome_records_clear(&open);
    return err;
}

/* Another desk's record of the same, behind the lock. One that still seems to be sent was settled after this look at
 * the store began: all is looked at anew. */
static enum err judge_same(struct begin_steps *steps, const struct outcome_record *record, int64_t now,
                           struct error *error) {
    bool forbids = record->last.outcome == OUTCOME_DONE && steps->write->done_forbids;
    if (record->host && record->last.outcome == OUTCOME_SENDING)
        return team_ask_again(&steps->team->connection, error);
    return forbids ? tell_obstacle(steps, record, now, error) : ERR_OK;
}

/* Behind the lock: whoever had it before is settled by now, and seen. */
static enum err look_at_same(struct begin_steps *steps, int64_t now, struct error *error) {
    struct team_values values = {0};
    struct outcome_records same = {0};
    struct team_rows rows;
    const char *const words[] = {or_empty(steps->write->origin), or_empty(steps->write->account),
                                 steps->prints.body.hex, steps->write->id};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        team_value(&values, words[i]);
    enum err err = team_run(&steps->team->connection, TSQL_SAME, &values, &rows, error);
    if (err == ERR_OK)
        team_take_records(steps->team, &rows, NULL, &same);
    for (size_t i = 0; err == ERR_OK && i < same.n; i++)
        err = judge_same(steps, &same.items[i], now, error);
    team_rows_clear(&rows);
    outcome_records_clear(&same);
    return err;
}

/* ---- a mark ---- */

struct team_mark team_mark_of(const char *id, const struct outcome_event *event) {
    return (struct team_mark){.id = id,
                              .at = event->at,
                              .outcome = event->outcome,
                              .status = event->status,
                              .response_id = event->response_id,
                              .message = event->message,
                              .who = event->who,
                              .note = event->note};
}

static enum err add_mark_row(struct team *team, const struct team_mark *mark, struct error *error) {
    struct team_values number = {0}, values = {0};
    struct team_head head = {0};
    struct team_digest link;
    int64_t last = 0;
    team_value(&number, mark->id);
    enum err err = team_count(team, TSQL_MARK_NUMBER, &number, &last, error);
    if (err == ERR_OK)
        err = team_chain_head(team, &head, error);
    if (err != ERR_OK)
        return err;
    team_value(&values, mark->id);
    team_value_number(&values, last + 1);
    team_value(&values, team->place.console);
    team_value_number(&values, head.seq);
    team_value(&values, NULL); /* TEAM_MARK_LINK */
    team_value_number(&values, mark->at);
    team_value_number(&values, head.now);
    team_value(&values, mark->who && *mark->who ? mark->who : team->place.who);
    team_value(&values, team->place.host);
    team_value(&values, outcome_name(mark->outcome));
    team_value_number(&values, mark->status);
    team_value(&values, mark->response_id);
    team_value(&values, mark->message);
    team_value(&values, mark->note);
    team_chain_link(team, head.link, "mark", values.text, TEAM_MARK_VALUES, TEAM_MARK_LINK, &link);
    values.text[TEAM_MARK_LINK] = link.hex;
    return team_run(&team->connection, TSQL_MARK_ADD, &values, NULL, error);
}

static enum err mark_is_there(struct team *team, const struct team_mark *mark, bool *there, struct error *error) {
    struct team_values values = {0};
    int64_t count;
    team_value(&values, mark->id);
    team_value(&values, team->place.console);
    team_value_number(&values, mark->at);
    team_value(&values, outcome_name(mark->outcome));
    enum err err = team_count(team, TSQL_MARK_THERE, &values, &count, error);
    *there = count > 0;
    return err;
}

/* That it is unknown is no news where a colleague's word, or an answer, stands already. */
static enum err is_no_news(struct team *team, const struct team_mark *mark, bool *none, struct error *error) {
    struct team_values values = {0};
    int64_t settled = 0;
    enum err err = mark_is_there(team, mark, none, error);
    team_value(&values, mark->id);
    if (err == ERR_OK && !*none && mark->outcome == OUTCOME_UNKNOWN)
        err = team_count(team, TSQL_MARK_SETTLES, &values, &settled, error);
    *none = *none || settled > 0;
    return err;
}

/* The same mark is added once, however often this is done; one that settles unlocks. */
static enum err put_mark(struct team *team, const struct team_mark *mark, struct error *error) {
    bool there = false;
    enum err err = is_no_news(team, mark, &there, error);
    if (err == ERR_OK && !there)
        err = add_mark_row(team, mark, error);
    return err == ERR_OK && mark->outcome != OUTCOME_UNKNOWN ? drop_open(team, mark->id, error) : err;
}

/* ---- what is called ---- */

/* The record's own name tells whether an earlier attempt was committed. */
static enum err team_begin_steps(void *context, struct error *error) {
    struct begin_steps *steps = context;
    struct team_values none = {0};
    int64_t now = 0;
    bool there = false;
    enum err err = write_is_there(steps->team, steps->write->id, &there, error);
    if (err != ERR_OK || there)
        return err;
    err = team_count(steps->team, TSQL_NOW, &none, &now, error);
    if (err == ERR_OK && steps->write->proposal)
        err = team_proposal_take(steps->team, steps->write, steps->prints.body.hex, error);
    if (err == ERR_OK)
        err = take_write_lock(steps, now, error);
    if (err == ERR_OK)
        err = look_at_same(steps, now, error);
    if (err == ERR_OK)
        err = add_write_row(steps, error);
    return err == ERR_OK ? add_match_rows(steps, error) : err;
}

enum err team_begin(struct team *team, const struct team_write *write, struct team_obstacle *obstacle,
                    struct error *error) {
    struct begin_steps steps = {.team = team, .write = write, .obstacle = obstacle};
    *obstacle = (struct team_obstacle){0};
    enum err err = team_use(team, false, error);
    if (err != ERR_OK)
        return err;
    make_prints(team, write, &steps.prints);
    return team_transaction(&team->connection, team_begin_steps, &steps, error);
}

struct mark_steps {
    struct team *team;
    const struct team_mark *mark;
};

static enum err team_mark_steps(void *context, struct error *error) {
    struct mark_steps *steps = context;
    return put_mark(steps->team, steps->mark, error);
}

enum err team_mark(struct team *team, const struct team_mark *mark, struct error *error) {
    struct mark_steps steps = {team, mark};
    enum err err = team_use(team, false, error);
    return err == ERR_OK ? team_transaction(&team->connection, team_mark_steps, &steps, error) : err;
}

static enum err check_settling(const struct outcome_record *record, int64_t now, struct error *error) {
    if (is_long_silent(record, now) || (record->last.outcome == OUTCOME_UNKNOWN && !record->settled))
        return ERR_OK;
    if (record->last.outcome == OUTCOME_SENDING)
        return error_set(error, ERR_INVALID,
                         "it is being sent by %s since less than ten minutes: wait until that has ended", record->who);
    return error_set(error, ERR_INVALID, "it stands at %s and stays there", outcome_name(record->last.outcome));
}

static enum err team_settle_steps(void *context, struct error *error) {
    struct mark_steps *steps = context;
    struct team_values values = {0}, none = {0};
    struct outcome_records found = {0};
    struct team_rows rows;
    bool there = false;
    int64_t now = 0;
    team_value(&values, steps->mark->id);
    enum err err = mark_is_there(steps->team, steps->mark, &there, error);
    if (err != ERR_OK || there)
        return err;
    err = team_count(steps->team, TSQL_NOW, &none, &now, error);
    if (err == ERR_OK)
        err = team_run(&steps->team->connection, TSQL_ONE, &values, &rows, error);
    if (err != ERR_OK)
        return err;
    team_take_records(steps->team, &rows, NULL, &found);
    team_rows_clear(&rows);
    err = found.n == 1 ? check_settling(&found.items[0], now, error)
                       : error_set(error, ERR_INVALID, "there is no such record in the team's store");
    outcome_records_clear(&found);
    return err == ERR_OK ? put_mark(steps->team, steps->mark, error) : err;
}

enum err team_settle(struct team *team, const struct team_mark *mark, struct error *error) {
    struct mark_steps steps = {team, mark};
    enum err err = team_use(team, false, error);
    return err == ERR_OK ? team_transaction(&team->connection, team_settle_steps, &steps, error) : err;
}

/* It was sent already: nothing stands in its way, and where another holds the lock it gets none. */
static enum err team_merge_steps(void *context, struct error *error) {
    struct begin_steps *steps = context;
    bool there = false, taken = false;
    enum err err = write_is_there(steps->team, steps->write->id, &there, error);
    if (err == ERR_OK && !there)
        err = take_open_row(steps, &taken, error);
    if (err == ERR_OK && !there)
        err = add_write_row(steps, error);
    if (err == ERR_OK && !there)
        err = add_match_rows(steps, error);
    for (size_t i = 0; i < steps->marks.n && err == ERR_OK; i++) {
        struct team_mark mark = team_mark_of(steps->write->id, &steps->marks.items[i]);
        if (mark.outcome != OUTCOME_SENDING)
            err = put_mark(steps->team, &mark, error);
    }
    return err;
}

enum err team_merge(struct team *team, const struct team_write *write, const char *prints,
                    const struct team_marks *marks, struct error *error) {
    struct begin_steps steps = {.team = team, .write = write, .marks = *marks, .late = true};
    enum err err = team_use(team, false, error);
    if (err == ERR_OK && !read_prints(prints, &steps.prints))
        err = error_set(error, ERR_FILE, "the digests of a record that is to be merged cannot be read");
    return err == ERR_OK ? team_transaction(&team->connection, team_merge_steps, &steps, error) : err;
}
