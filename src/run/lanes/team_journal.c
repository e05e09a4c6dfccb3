#include "team_journal.h"

#include "team_away.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
    SETTLE_MS = 3000,
    UNKNOWN_MAX = 100,
    NAME_BYTES = 512,
    PRINTS_BYTES = 2048,
    NOTE_BYTES = 16 << 10,
    OVERLAP_MS = 60000,
    NOTED_DAYS = 90,
    NOTED_PORTION = 1000, /* of TSQL_NOTED_BY_OTHERS */
    LOOK_MAX = 10000
};

static const int64_t DAY_MS = 86400000;

/* ---- before a write ---- */

/* Structs of two strings, of different layers: copied instead of cast. The caller frees the array. */
static struct team_text *team_texts_of(const struct journal_write *write) {
    struct team_text *texts = mem_new_array(write->n_matches + 1, sizeof *texts);
    for (size_t i = 0; i < write->n_matches; i++)
        texts[i] = (struct team_text){write->matches[i].name, write->matches[i].text};
    return texts;
}

static struct team_write team_write_of(const struct journal_write *write, const struct team_text *texts) {
    return (struct team_write){.at = write->now,
                               .origin = write->scope.origin,
                               .profile = write->scope.profile,
                               .account = write->scope.account,
                               .environment = write->environment,
                               .operation = write->operation,
                               .body = write->body,
                               .body_len = write->body_len,
                               .matches = texts,
                               .n_matches = write->n_matches,
                               .idempotency = write->idempotency,
                               .import = write->import,
                               .line = write->line,
                               .url = write->url,
                               .fingerprint = write->fingerprint,
                               .proposal = write->proposal,
                               .done_forbids = write->lock_body && !write->again};
}

static void name_write(struct team_name *name) {
    struct str hex;
    str_init(&hex, sizeof name->hex);
    team_id_new(name->bytes);
    digest_hex(&hex, name->bytes, sizeof name->bytes);
    memcpy(name->hex, hex.s, sizeof name->hex);
    str_clear(&hex);
}

/* The name of the record that is repeated; nothing where it was never in the store. */
static enum err name_repeated(struct journal *journal, int64_t n, struct str *out, struct error *error) {
    struct journal_records records;
    journal_records_init(&records);
    enum err err = n ? journal_get(journal, n, &records, error) : ERR_OK;
    if (err == ERR_OK && records.n > 0 && records.items[0].team)
        str_add(out, records.items[0].team);
    journal_records_clear(&records);
    return err;
}

static enum err refuse_away(const struct error *fault, struct error *error) {
    return error_set(error, ERR_STORE,
                     "%s. The team requires its store for every write, so that nobody sends the same twice: try again "
                     "when it is there (bursar team check says), or set team_required = false in the profile, which "
                     "records on this machine alone and merges later",
                     fault->text);
}

/* Noted before the local record, on the disk: one that is not there afterwards was never sent. */
static enum err begin_away(struct team_side *side, const struct team_write *write, struct error *error) {
    struct str prints;
    str_init(&prints, PRINTS_BYTES);
    enum err err = team_prints(side->team, write, &prints, error);
    if (err == ERR_OK)
        err = team_away_add(side->folder, side->profile->name, write->id, prints.s, error);
    str_clear(&prints);
    return err;
}

static enum err begin_in_store(struct team_side *side, struct team_write *write, struct journal_write *local,
                               struct write_elsewhere *elsewhere, struct error *error) {
    struct team_obstacle obstacle = {0};
    struct error fault = {0};
    enum err err = team_begin(side->team, write, &obstacle, &fault);
    *elsewhere = (struct write_elsewhere){obstacle.is, obstacle.outcome, obstacle.id};
    if (err == ERR_STORE && team_is_away(side->team)) {
        if (write->proposal)
            return error_set(error, ERR_STORE, "%s. What a second person released is sent when it is there",
                             fault.text);
        local->team_away = !side->required;
        return side->required ? refuse_away(&fault, error) : begin_away(side, write, error);
    }
    return err == ERR_OK ? ERR_OK : error_set(error, err, "%s", fault.text);
}

enum err team_journal_begin(struct team_side *side, struct journal *journal, struct journal_write *write,
                            struct team_name *name, struct write_elsewhere *elsewhere, struct error *error) {
    struct str repeats;
    if (side->fault.code != ERR_OK)
        return error_set(error, side->fault.code, "%s", side->fault.text);
    struct team_text *texts = team_texts_of(write);
    struct team_write of_team = team_write_of(write, texts);
    enum err told = team_journal_settle(side, journal, NULL);
    (void)told; /* what is missing there is told another time */
    str_init(&repeats, NAME_BYTES);
    name_write(name);
    of_team.id = name->hex;
    of_team.owner = journal_owner(journal);
    enum err err = name_repeated(journal, write->repeats, &repeats, error);
    of_team.repeats = write->repeats ? repeats.s : NULL;
    if (err == ERR_OK)
        err = begin_in_store(side, &of_team, write, elsewhere, error);
    write->team = name->bytes;
    str_clear(&repeats);
    free(texts);
    return err;
}

void team_journal_take_back(struct team_side *side, const struct journal_write *write, const struct team_name *name) {
    struct team_mark mark = {.id = name->hex,
                             .at = write->now,
                             .outcome = OUTCOME_NOT_SENT,
                             .message = "there is no record of it on the machine that was to send it"};
    enum err err = write->team_away ? team_away_drop(side->folder, side->profile->name, name->hex, NULL)
                                    : team_mark(side->team, &mark, NULL);
    (void)err; /* a mark is told by team_journal_settle; a line of nothing that was sent harms nobody */
}

/* ---- after it ---- */

static struct outcome_event event_of(const struct journal_event *from) {
    return (struct outcome_event){.at = from->at,
                                  .outcome = (enum outcome)from->outcome,
                                  .status = from->status,
                                  .response_id = from->response_id,
                                  .message = from->message,
                                  .who = from->who,
                                  .note = from->note};
}

/* Taken in when it settled the record here. */
static bool is_colleagues_word(const struct outcome_event *event) {
    size_t len = event->note && event->who ? strlen(event->who) : 0, end = sizeof TEAM_WORD - 1;
    return len > end && strcmp(event->who + len - end, TEAM_WORD) == 0;
}

static bool is_to_be_told(const struct outcome_event *event) {
    return event->outcome != OUTCOME_SENDING && !is_colleagues_word(event);
}

static enum err tell_events(struct team_side *side, const struct journal_record *record, struct error *error) {
    enum err err = ERR_OK;
    for (size_t i = 0; i < record->n_events && err == ERR_OK; i++) {
        struct outcome_event event = event_of(&record->events[i]);
        struct team_mark mark = team_mark_of(record->team, &event);
        if (is_to_be_told(&event))
            err = team_mark(side->team, &mark, error);
    }
    return err;
}

/* Whoever settled it here or elsewhere is told by its note; a colleague's word is not sent back. */
enum err team_journal_mark(struct team_side *side, struct journal *journal, int64_t n, struct error *error) {
    struct journal_records records;
    journal_records_init(&records);
    enum err err = journal_get(journal, n, &records, error);
    if (err == ERR_OK && records.n > 0 && records.items[0].team && !records.items[0].team_away)
        err = tell_events(side, &records.items[0], error);
    else if (err == ERR_OK && records.n > 0 && records.items[0].team_away)
        err = team_journal_settle(side, journal, NULL); /* a record of its own is merged as soon as can be */
    journal_records_clear(&records);
    return err;
}

/* ---- what the store missed ---- */

/* A record that the store has and this home has not. This program makes one at a time, and this is none: it was never
 * sent. Of a program that ended it is not known, for its journal may be another by now, as on a copied disk or out of a
 * backup: it stays locked until a person settles it. */
static enum err tell_missing(struct team_side *side, const char *id, bool own, struct error *error) {
    struct outcome_records found = {0};
    struct team_mark mark = {.id = id,
                             .at = clock_now(),
                             .outcome = own ? OUTCOME_NOT_SENT : OUTCOME_UNKNOWN,
                             .message = own ? "the record could not be made on the machine that was to send it"
                                            : "the program ended, and its machine has no record of it"};
    enum err err = team_get(side->team, id, &found, error);
    if (err == ERR_OK && found.n > 0 && found.items[0].last.outcome == OUTCOME_SENDING)
        err = team_mark(side->team, &mark, error);
    outcome_records_clear(&found);
    return err;
}

/* Records of programs that ended are unknown by now, for the local journal was swept when it was opened. Whether it
 * ended is asked before its record is looked for: what it made until then is found. */
static enum err settle_one(struct team_side *side, struct journal *journal, const struct team_open_write *write,
                           struct error *error) {
    struct journal_records records;
    int64_t n = 0, now = clock_now();
    bool own = str_equal(write->owner, journal_owner(journal));
    bool ended = own || journal_has_ended(journal, write->owner, now, now);
    journal_records_init(&records);
    enum err err = journal_find_team(journal, write->id, &n, error);
    if (err == ERR_OK && n)
        err = journal_get(journal, n, &records, error);
    if (err == ERR_OK && records.n > 0)
        err = tell_events(side, &records.items[0], error);
    else if (err == ERR_OK && ended)
        err = tell_missing(side, write->id, own, error);
    journal_records_clear(&records);
    return err;
}

static enum err settle_open(struct team_side *side, struct journal *journal, struct error *error) {
    struct team_open open = {0};
    enum err err = team_open_mine(side->team, &open, error);
    for (size_t i = 0; i < open.n && err == ERR_OK; i++)
        err = settle_one(side, journal, &open.items[i], error);
    team_open_clear(&open);
    return err;
}

/* An outcome of this machine that the store did not hear before a colleague's word on it: both stand there then. */
static enum err tell_behind_word(struct team_side *side, struct journal *journal, const struct team_noted_write *write,
                                 struct error *error) {
    struct journal_records records;
    int64_t n = 0, outcomes = 0;
    journal_records_init(&records);
    enum err err = journal_find_team(journal, write->id, &n, error);
    if (err == ERR_OK && n)
        err = journal_get(journal, n, &records, error);
    for (size_t i = 0; records.n > 0 && i < records.items[0].n_events; i++) {
        struct outcome_event event = event_of(&records.items[0].events[i]);
        outcomes += is_to_be_told(&event) && event.outcome != OUTCOME_UNKNOWN;
    }
    if (err == ERR_OK && outcomes > write->told)
        err = tell_events(side, &records.items[0], error);
    journal_records_clear(&records);
    return err;
}

/* From where the last look ended, and a little before: a word is dated by the beginning of its transaction. */
static enum err tell_behind_words(struct team_side *side, struct journal *journal, struct error *error) {
    enum err err = ERR_OK;
    size_t n = NOTED_PORTION;
    int64_t since = side->noted ? side->noted - OVERLAP_MS : clock_now() - NOTED_DAYS * DAY_MS;
    while (err == ERR_OK && n == NOTED_PORTION) {
        struct team_noted noted = {0};
        err = team_noted_by_others(side->team, since, &noted, error);
        for (size_t i = 0; i < noted.n && err == ERR_OK; i++)
            err = tell_behind_word(side, journal, &noted.items[i], error);
        n = noted.n;
        if (err == ERR_OK && n > 0) {
            side->noted = noted.items[n - 1].at;
            since = side->noted + 1;
        }
        free(noted.items);
    }
    return err;
}

/* An unknown record of this home that a colleague settled is settled here too, in their name. */
static enum err take_in_one(struct team_side *side, struct journal *journal, const struct journal_record *record,
                            struct error *error) {
    struct outcome_records found = {0};
    struct str who;
    str_init(&who, NAME_BYTES);
    enum err err = team_get(side->team, record->team, &found, error);
    const struct outcome_record *there = err == ERR_OK && found.n > 0 ? &found.items[0] : NULL;
    if (there && there->settled && there->last.who && there->last.outcome != OUTCOME_UNKNOWN) {
        str_addf(&who, "%s%s", there->last.who, TEAM_WORD);
        struct journal_settle settle = {.now = clock_now(),
                                        .outcome = (enum journal_outcome)there->last.outcome,
                                        .who = who.s,
                                        .note = there->last.note,
                                        .response_id = there->last.response_id};
        err = journal_settle(journal, record->n, &settle, error);
    }
    str_clear(&who);
    outcome_records_clear(&found);
    return err;
}

static enum err take_in_settled(struct team_side *side, struct journal *journal, struct error *error) {
    struct journal_records records;
    struct journal_filter filter = JOURNAL_ANY;
    filter.outcome = JOURNAL_OUTCOME_UNKNOWN;
    filter.limit = UNKNOWN_MAX;
    journal_records_init(&records);
    enum err err = journal_list(journal, &filter, &records, error);
    for (size_t i = 0; i < records.n && err == ERR_OK; i++)
        if (records.items[i].team)
            err = take_in_one(side, journal, &records.items[i], error);
    journal_records_clear(&records);
    return err;
}

/* What was sent while the store was away. */
struct merging {
    struct team_side *side;
    struct journal *journal;
};

static enum err merge_record(struct team_side *side, const struct journal_record *record, const char *prints,
                             struct error *error) {
    struct outcome_event *events = mem_new_array(record->n_events + 1, sizeof *events);
    struct team_marks marks = {events, record->n_events};
    for (size_t i = 0; i < record->n_events; i++)
        events[i] = event_of(&record->events[i]);
    struct team_write write = {.id = record->team,
                               .at = record->at,
                               .origin = record->origin,
                               .profile = record->profile,
                               .account = record->account,
                               .environment = record->environment,
                               .operation = record->operation,
                               .idempotency = record->idempotency,
                               .import = record->import,
                               .line = record->line,
                               .url = record->url,
                               .fingerprint = record->fingerprint};
    enum err err = team_merge(side->team, &write, prints, &marks, error);
    free(events);
    return err;
}

/* *merged: it has its place in the store. One that is still being sent stays, and all where the store went away. */
static enum err merge_one(void *context, const char *name, const char *prints, bool *merged, struct error *error) {
    struct merging *merging = context;
    struct journal_records records;
    int64_t n = 0;
    if (team_is_out_of_reach(merging->side->team))
        return ERR_OK;
    journal_records_init(&records);
    enum err err = journal_find_team(merging->journal, name, &n, error);
    if (err == ERR_OK && n)
        err = journal_get(merging->journal, n, &records, error);
    bool sending = records.n > 0 && records.items[0].last.outcome == JOURNAL_OUTCOME_SENDING;
    if (err == ERR_OK && records.n > 0 && !sending)
        err = merge_record(merging->side, &records.items[0], prints, error);
    *merged = err == ERR_OK && records.n > 0 && !sending;
    journal_records_clear(&records);
    return err;
}

static bool is_due(const struct team_side *side) {
    return !side->settled || clock_mono() - side->settled > SETTLE_MS;
}

enum err team_journal_settle(struct team_side *side, struct journal *journal, struct error *error) {
    struct merging merging = {side, journal};
    size_t swept = 0;
    if (side->fault.code != ERR_OK || !is_due(side))
        return side->fault.code == ERR_OK ? ERR_OK : error_set(error, side->fault.code, "%s", side->fault.text);
    enum err err = team_use(side->team, true, error);
    if (err == ERR_OK)
        err = journal_sweep(journal, clock_now(), &swept, error);
    if (err != ERR_OK)
        return err;
    err = team_away_each(side->folder, side->profile->name, merge_one, &merging, error);
    enum err open = settle_open(side, journal, err == ERR_OK ? error : NULL);
    if (open == ERR_OK)
        open = tell_behind_words(side, journal, err == ERR_OK ? error : NULL);
    if (open == ERR_OK)
        open = take_in_settled(side, journal, err == ERR_OK ? error : NULL);
    err = err == ERR_OK ? open : err;
    if (err == ERR_OK)
        side->settled = clock_mono();
    return err;
}

/* ---- questions ---- */

enum err team_journal_look(struct team_side *side, const struct journal_write *write, struct outcome_records *out,
                           struct error *error) {
    struct team_text *texts = team_texts_of(write);
    struct team_write of_team = team_write_of(write, texts);
    enum err err = side->fault.code == ERR_OK ? team_look(side->team, &of_team, out, error)
                                              : error_set(error, side->fault.code, "%s", side->fault.text);
    free(texts);
    return err;
}

static int newest_record_first(const void *a, const void *b) {
    const struct outcome_record *one = a, *other = b;
    if (one->at != other->at)
        return one->at < other->at ? 1 : -1;
    return one->n < other->n ? 1 : one->n > other->n ? -1 : 0;
}

/* Own ones are there already: only what the store knows more of them comes along. */
static void tell_of_own(const struct outcome_record *of_team, struct outcome_records *out) {
    for (size_t i = 0; i < out->n; i++)
        if (str_equal(out->items[i].team, of_team->team)) {
            out->items[i].twice = outcome_dup(out, of_team->twice);
            out->items[i].released = outcome_dup(out, of_team->released);
        }
}

/* The text of a record moves with the list's arena. */
static void put_among(const struct outcome_record *record, struct outcome_records *out) {
    struct outcome_record copy = *record;
    const char **texts[] = {&copy.who,
                            &copy.profile,
                            &copy.account,
                            &copy.origin,
                            &copy.environment,
                            &copy.operation,
                            &copy.idempotency,
                            &copy.import,
                            &copy.url,
                            &copy.fingerprint,
                            &copy.last.response_id,
                            &copy.last.message,
                            &copy.last.who,
                            &copy.last.note,
                            &copy.team,
                            &copy.host,
                            &copy.twice,
                            &copy.released};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        *texts[i] = outcome_dup(out, *texts[i]);
    *vec_add(out) = copy;
}

enum err team_journal_list(struct team_side *side, int outcome, size_t limit, struct outcome_records *out,
                           struct error *error) {
    struct outcome_records found = {0};
    int days = side->profile->team_window_days;
    struct team_list list = {.since = days ? clock_now() - days * DAY_MS : 0,
                             .own = true,
                             .outcome = outcome,
                             .limit = limit,
                             .look_max = LOOK_MAX};
    if (side->fault.code != ERR_OK)
        return error_set(error, side->fault.code, "%s", side->fault.text);
    enum err err = team_use(side->team, true, error);
    if (err == ERR_OK)
        err = team_list(side->team, &list, &found, error);
    for (size_t i = 0; i < found.n; i++)
        if (found.items[i].host)
            put_among(&found.items[i], out);
        else if (found.items[i].twice || found.items[i].released)
            tell_of_own(&found.items[i], out);
    if (out->n > 1)
        qsort(out->items, out->n, sizeof *out->items, newest_record_first);
    if (limit && out->n > limit)
        out->n = limit;
    out->back_to = found.back_to;
    outcome_records_clear(&found);
    return err;
}

/* ---- one record ---- */

enum err team_journal_get(struct team_side *side, const char *digits, struct outcome_records *out,
                          struct error *error) {
    if (side->fault.code != ERR_OK)
        return error_set(error, side->fault.code, "%s", side->fault.text);
    return team_get(side->team, digits, out, error);
}

enum err team_journal_add_words(struct team_side *side, struct outcome_records *records, struct error *error) {
    enum err err = ERR_OK;
    if (side->fault.code != ERR_OK)
        return error_set(error, side->fault.code, "%s", side->fault.text);
    for (size_t i = 0; i < records->n && err == ERR_OK; i++)
        if (records->items[i].team && !records->items[i].host)
            err = team_add_words(side->team, records, &records->items[i], error);
    return err;
}

/* A note is kept for good, and somebody may paste the token into it. */
static enum err resolve_other(struct team_side *side, const char *name, const struct team_word *word,
                              struct error *error) {
    struct str note;
    str_init(&note, NOTE_BYTES);
    str_add(&note, word->note ? word->note : "");
    secret_redact(&note);
    struct team_mark mark = {.id = name,
                             .at = clock_now(),
                             .outcome = word->outcome,
                             .response_id = word->response_id,
                             .who = side->who.s,
                             .note = note.s};
    enum err err = note.s[strspn(note.s, " \t")] ? team_settle(side->team, &mark, error)
                                                 : error_set(error, ERR_INVALID, "a note is needed: how is it known?");
    str_clear(&note);
    return err;
}

static enum err resolve_own(struct team_side *side, struct journal *journal, const char *name,
                            const struct team_word *word, struct error *error) {
    int64_t n = 0;
    struct journal_settle settle = {.now = clock_now(),
                                    .outcome = (enum journal_outcome)word->outcome,
                                    .who = side->who.s,
                                    .note = word->note,
                                    .response_id = word->response_id};
    enum err err = journal_find_team(journal, name, &n, error);
    if (err == ERR_OK && n == 0)
        return resolve_other(side, name, word, error); /* it is in the store alone */
    if (err == ERR_OK)
        err = journal_settle(journal, n, &settle, error);
    return err == ERR_OK ? team_journal_mark(side, journal, n, error) : err;
}

enum err team_journal_resolve(struct team_side *side, struct journal *journal, const char *digits,
                              const struct team_word *word, struct outcome_records *out, struct error *error) {
    struct outcome_records found = {0};
    enum err err = team_journal_get(side, digits, &found, error);
    const struct outcome_record *record = err == ERR_OK && found.n > 0 ? &found.items[0] : NULL;
    if (err == ERR_OK && !record)
        err = error_set(error, ERR_USAGE, "there is no record %s in the team's store", digits);
    if (err == ERR_OK && (word->outcome == OUTCOME_SENDING || word->outcome == OUTCOME_UNKNOWN))
        err = error_set(error, ERR_INVALID, "settle it as done, refused or not-sent");
    if (err == ERR_OK && record)
        err = record->host ? resolve_other(side, record->team, word, error)
                           : resolve_own(side, journal, record->team, word, error);
    outcome_records_clear(&found);
    return err == ERR_OK ? team_journal_get(side, digits, out, error) : err;
}
