#include "journal_lane.h"
#include "job.h"
#include "team_journal.h"

#include "base/clock.h"
#include "base/mem.h"
#include "model/user.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NONCE_BYTES = 16, NAME_BYTES = 128, LINE_BYTES = 64 << 10 };

struct journal_work {
    struct journal_ask *ask;
    struct journal_answer *answer; /* borrowed: the answer of the job */
    struct journal_lane *check;    /* older records still have to be checked, on this lane */
    struct error error;
};
PAYLOAD_TYPE(journal_work)

static void journal_work_free(struct journal_work *work) {
    journal_ask_free(work->ask);
    free(work);
}
PAYLOAD_OWNED(journal_work, journal_work_free);

/* A record that is made: the write is its owner's. */
struct begin_work {
    const struct write_ask *write;
    journal_begun_fn *begun;
    int64_t n;
    struct write_elsewhere elsewhere;
    struct error error;
};
PAYLOAD_TYPE(begin_work)

static void begin_work_free(struct begin_work *work) {
    free(work->elsewhere.id);
    free(work);
}
PAYLOAD_OWNED(begin_work, begin_work_free);

/* From any thread. */
void journal_who(struct str *out) {
    enum { ENTRY_BYTES = 16 << 10 };
    struct passwd entry, *found = NULL;
    char *bytes = mem_new(ENTRY_BYTES);
    if (getpwuid_r(getuid(), &entry, bytes, ENTRY_BYTES, &found) == 0 && found && entry.pw_name && *entry.pw_name)
        str_add(out, entry.pw_name);
    else
        str_addf(out, "uid %ld", (long)getuid());
    free(bytes);
}

void journal_lane_close(struct journal_lane *lane) {
    journal_close(lane->reader);
    lane->reader = NULL;
    journal_close(lane->journal);
    lane->journal = NULL;
    team_side_free(lane->team);
    lane->team = NULL;
}

void journal_lane_rest(void *lane_state) {
    struct journal_lane *lane = lane_state;
    team_rest(lane->team->team);
}

struct journal *journal_lane_use(struct journal_lane *lane, struct error *error) {
    if (!lane->tried) {
        lane->tried = true;
        lane->journal = journal_open(lane->folder, clock_now(), &lane->opening);
    }
    if (!lane->journal) {
        enum err err = error_set(error, ERR_STORE, "%s", lane->opening.error.text);
        (void)err;
    }
    return lane->journal;
}

static struct outcome_event copy_event(const struct journal_event *from, struct outcome_records *to) {
    return (struct outcome_event){.at = from->at,
                                  .outcome = (enum outcome)from->outcome,
                                  .status = from->status,
                                  .response_id = outcome_dup(to, from->response_id),
                                  .message = outcome_dup(to, from->message),
                                  .who = outcome_dup(to, from->who),
                                  .note = outcome_dup(to, from->note)};
}

static void copy_lists(const struct journal_record *from, struct outcome_records *to, struct outcome_record *out) {
    out->n_events = from->n_events;
    out->events = arena_new(&to->arena, (from->n_events + 1) * sizeof *out->events);
    for (size_t i = 0; i < from->n_events; i++)
        out->events[i] = copy_event(&from->events[i], to);
    out->n_fields = from->n_fields;
    out->fields = arena_new(&to->arena, (from->n_fields + 1) * sizeof *out->fields);
    for (size_t i = 0; i < from->n_fields; i++)
        out->fields[i] = outcome_dup(to, from->fields[i]);
}

static void copy_record(const struct journal_record *from, const char *match, struct outcome_records *to) {
    struct outcome_record record = {.n = from->n,
                                    .at = from->at,
                                    .who = outcome_dup(to, from->who),
                                    .profile = outcome_dup(to, from->profile),
                                    .account = outcome_dup(to, from->account),
                                    .origin = outcome_dup(to, from->origin),
                                    .environment = outcome_dup(to, from->environment),
                                    .operation = outcome_dup(to, from->operation),
                                    .idempotency = outcome_dup(to, from->idempotency),
                                    .draft = outcome_dup(to, from->draft),
                                    .import = outcome_dup(to, from->import),
                                    .url = outcome_dup(to, from->url),
                                    .fingerprint = outcome_dup(to, from->fingerprint),
                                    .line = from->line,
                                    .repeats = from->repeats,
                                    .last = copy_event(&from->last, to),
                                    .settled = from->settled,
                                    .match = outcome_dup(to, match),
                                    .team = outcome_dup(to, from->team)};
    copy_lists(from, to, &record);
    *vec_add(to) = record;
}

void journal_copy_records(const struct journal_records *from, struct outcome_records *to) {
    for (size_t i = 0; i < from->n; i++)
        copy_record(&from->items[i], NULL, to);
}

/* Both are structs of two strings, but of different layers: copied instead of cast. */
static struct journal_value *journal_lane_values_of(const struct write_texts *texts) {
    struct journal_value *values = mem_new_array(texts->n + 1, sizeof *values);
    for (size_t i = 0; i < texts->n; i++)
        values[i] = (struct journal_value){texts->items[i].name, texts->items[i].text};
    return values;
}

/* The caller frees fields and matches. */
static struct journal_write write_of(const struct journal_lane *lane, const struct write_ask *ask) {
    const char *body = ask->plain ? ask->plain : ask->body;
    return (struct journal_write){.now = clock_now(),
                                  .who = lane->who,
                                  .scope = lane->scope,
                                  .environment = lane->environment,
                                  .operation = ask->operation == API_CREATE_USER ? JOURNAL_USER : JOURNAL_WEBHOOK,
                                  .body = body,
                                  .body_len = strlen(body),
                                  .fields = journal_lane_values_of(&ask->fields),
                                  .n_fields = ask->fields.n,
                                  .matches = journal_lane_values_of(&ask->matches),
                                  .n_matches = ask->matches.n,
                                  .idempotency = ask->idempotency,
                                  .draft = ask->draft,
                                  .lock_body = ask->lock_body,
                                  .again = ask->again,
                                  .import = ask->import,
                                  .line = ask->line,
                                  .repeats = ask->repeats,
                                  .url = ask->url,
                                  .fingerprint = ask->fingerprint,
                                  .proposal = ask->proposal};
}

static void write_free(struct journal_write *write) {
    free((void *)write->fields);
    free((void *)write->matches);
}

/* ---- Before a write and after it ---- */

/* Where two persons have to agree, nothing leaves without what the second one released. */
static enum err check_released(const struct journal_lane *lane, const struct write_ask *write, struct error *error) {
    const struct profile *profile = lane->team ? lane->team->profile : NULL;
    bool user = write->operation == API_CREATE_USER;
    if (!profile || write->proposal || (user && write->import))
        return ERR_OK;
    if (user ? !profile_users_need_two(profile) : !profile_webhook_needs_two(profile))
        return ERR_OK;
    return error_set(error, ERR_INVALID, "a second person has to release this (%s = 2): propose it",
                     user ? "users_approval" : "webhook_approval");
}

static void begin_run(struct job *job, void *lane_state) {
    struct begin_work *work = job_work(job, begin_work);
    struct journal *journal = journal_lane_use(lane_state, &work->error);
    if (!journal)
        return;
    const struct journal_lane *lane = lane_state;
    struct journal_write write = write_of(lane, work->write);
    struct team_name name = {0};
    enum err err = check_released(lane, work->write, &work->error);
    if (err == ERR_OK && lane->team)
        err = team_journal_begin(lane->team, journal, &write, &name, &work->elsewhere, &work->error);
    if (err == ERR_OK && journal_begin(journal, &write, &work->n, &work->error) != ERR_OK) {
        work->n = 0;
        if (lane->team)
            team_journal_take_back(lane->team, &write, &name);
    }
    write_free(&write);
}

static void begin_done(struct job *job, void *owner) {
    struct begin_work *work = job_work(job, begin_work);
    work->begun(owner, job->answer.ticket, work->n, &work->elsewhere, &work->error);
}

/* Behind what it says already; between: where that is something. */
static void say_more(char **text, const char *between, const char *more) {
    struct str line;
    str_init(&line, LINE_BYTES);
    str_addf(&line, "%s%s%s", *text ? *text : "", *text ? between : "", more);
    free(*text);
    *text = str_take(&line);
}

/* The outcome stands on this machine's disk: what the store does not hear now, it hears when it is there again. */
static void tell_team(const struct journal_lane *lane, struct journal *journal, struct write_result *result) {
    struct journal_records records;
    if (!lane->team)
        return;
    journal_records_init(&records);
    enum err told = team_journal_mark(lane->team, journal, result->n, NULL);
    enum err read = journal_get(journal, result->n, &records, NULL);
    if (read == ERR_OK && records.n > 0 && records.items[0].team_away)
        say_more(&result->receipt.line, ". ",
                 "The team's store cannot be reached: this is recorded on this machine alone and merged "
                 "later; a colleague may have sent the same");
    else if (told != ERR_OK)
        say_more(&result->receipt.line, ". ",
                 "The team's store could not be told what became of it, and is told when it is there again");
    journal_records_clear(&records);
}

/* The result is the answer; a failure to note it in the record is added to it. */
static void mark_run(struct job *job, void *lane_state) {
    struct write_result *result = event_get(&job->answer, write_result);
    struct error error = {0};
    struct journal *journal = journal_lane_use(lane_state, &error);
    struct journal_mark mark = {.now = clock_now(),
                                .outcome = (enum journal_outcome)write_outcome(result),
                                .status = result->status,
                                .response_id = result->receipt.id,
                                .message = result->receipt.line};
    if (!journal || journal_mark(journal, result->n, &mark, &error) != ERR_OK) {
        free(result->trouble);
        result->trouble = mem_dup(error.text);
    } else {
        tell_team(lane_state, journal, result);
    }
}

/* ---- Questions ---- */

static void journal_lane_add_duplicates(const struct journal_duplicates *duplicates, const struct write_ask *ask,
                                        struct outcome_records *out) {
    for (size_t i = 0; i < duplicates->n; i++) {
        const struct journal_duplicate *duplicate = &duplicates->items[i];
        copy_record(&duplicates->records.items[duplicate->record], ask->matches.items[duplicate->match].name, out);
    }
}

static void say_others(struct journal_others *others, struct journal_answer *answer) {
    answer->n_others += others->n;
    if (!answer->other_profile) {
        answer->other_profile = others->profile;
        others->profile = NULL;
    }
}

static enum err journal_lane_compare(struct journal *journal, const struct journal_write *write,
                                     struct journal_work *work) {
    struct journal_answer *answer = work->answer;
    answer->compared = work->ask->n ? work->ask->n : answer->records.n ? answer->records.items[0].n : 0;
    if (!answer->compared)
        return ERR_OK;
    enum journal_same *same = mem_new_array(write->n_fields + 1, sizeof *same);
    enum err err = journal_compare(journal, answer->compared, write, same, &answer->body_same, &answer->error);
    answer->n_fields = write->n_fields;
    answer->fields = mem_new_array(write->n_fields + 1, sizeof *answer->fields);
    for (size_t i = 0; i < write->n_fields; i++)
        answer->fields[i] = (enum field_same)same[i];
    free(same);
    return err;
}

/* A record that is repeated on purpose provides its key, whether it resembles this write or not, and its outcome by
 * now: another program may have settled it. */
static enum err find_repeated(struct journal *journal, struct journal_work *work) {
    struct journal_answer *answer = work->answer;
    struct journal_records records;
    journal_records_init(&records);
    enum err err = work->ask->n ? journal_get(journal, work->ask->n, &records, &answer->error) : ERR_OK;
    if (err == ERR_OK && records.n > 0) {
        answer->idempotency = mem_dup(records.items[0].idempotency);
        answer->standing = (enum outcome)records.items[0].last.outcome;
    } else if (err == ERR_OK && work->ask->n) {
        err = error_set(&answer->error, ERR_INVALID, "there is no record %lld", (long long)work->ask->n);
    }
    journal_records_clear(&records);
    return err;
}

/* An import tells what became of each row; elsewhere a write that was not done forbids nothing. */
static void copy_same(const struct journal_records *same, bool all, struct outcome_records *to) {
    for (size_t i = 0; i < same->n; i++) {
        enum journal_outcome outcome = same->items[i].last.outcome;
        if (all || (outcome != JOURNAL_OUTCOME_REFUSED && outcome != JOURNAL_OUTCOME_NOT_SENT))
            copy_record(&same->items[i], NULL, to);
    }
}

/* The same row was sent already: what else resembles it does not matter any more. */
static bool journal_lane_is_settled(const struct journal_records *same) {
    for (size_t i = 0; i < same->n; i++) {
        enum journal_outcome outcome = same->items[i].last.outcome;
        if (outcome != JOURNAL_OUTCOME_REFUSED && outcome != JOURNAL_OUTCOME_NOT_SENT)
            return true;
    }
    return false;
}

/* Where the team does not require its store, one that is away costs what colleagues know, and that is said. */
static enum err look_at_team(const struct journal_lane *lane, struct journal *journal,
                             const struct journal_write *write, struct journal_answer *answer) {
    struct error fault = {0};
    enum err told = team_journal_settle(lane->team, journal, NULL);
    (void)told; /* what is missing there is told another time */
    enum err err = team_journal_look(lane->team, write, &answer->records, &fault);
    if (err == ERR_OK)
        return ERR_OK;
    if (lane->team->required || !team_is_away(lane->team->team))
        return error_set(&answer->error, err, "%s", fault.text);
    say_more(&answer->notice, "; ", fault.text);
    say_more(&answer->notice, "; ",
             "what is sent now is recorded on this machine alone, and a colleague may have sent the same");
    return ERR_OK;
}

/* The same body comes before what only resembles it. */
static enum err journal_lane_look(struct journal *journal, const struct journal_lane *lane, struct journal_work *work) {
    struct journal_answer *answer = work->answer;
    struct journal_records same;
    struct journal_duplicates duplicates;
    struct journal_write write = write_of(lane, work->ask->write);
    struct str name;
    journal_records_init(&same);
    journal_duplicates_init(&duplicates);
    str_init(&name, NAME_BYTES);
    enum err err = ERR_OK;
    if (write.body_len > 0) {
        journal_body_name(journal, &lane->scope, write.body, write.body_len, &name);
        answer->name = str_take(&name);
    }
    if (lane->team)
        err = look_at_team(lane, journal, &write, answer);
    if (err == ERR_OK && write.body_len > 0) {
        err = journal_same_body(journal, &lane->scope, write.body, write.body_len, &same, &duplicates.others,
                                &answer->error);
    }
    if (err == ERR_OK && !(work->ask->task == JOURNAL_ROW && journal_lane_is_settled(&same)))
        err = journal_duplicates(journal, &lane->scope, write.matches, write.n_matches, &duplicates, &answer->error);
    if (err == ERR_OK) {
        copy_same(&same, work->ask->task == JOURNAL_ROW, &answer->records);
        say_others(&duplicates.others, answer);
        journal_lane_add_duplicates(&duplicates, work->ask->write, &answer->records);
        err = work->ask->task == JOURNAL_LOOK ? journal_lane_compare(journal, &write, work) : ERR_OK;
    }
    if (err == ERR_OK)
        err = find_repeated(journal, work);
    str_clear(&name);
    journal_duplicates_clear(&duplicates);
    journal_records_clear(&same);
    write_free(&write);
    return err;
}

static enum err journal_lane_list(struct journal *journal, const struct journal_ask *ask,
                                  struct journal_records *records, struct error *error) {
    struct journal_filter filter = JOURNAL_ANY;
    struct journal_value tag = {user_match_name(USER_MATCH_TAG), ask->tag};
    filter.outcome = ask->only;
    filter.limit = ask->limit;
    filter.match = ask->tag ? &tag : NULL;
    size_t swept = 0; /* another console may have been killed since this one started */
    enum err sweeping = journal_sweep(journal, clock_now(), &swept, NULL);
    (void)sweeping; /* the records are listed all the same */
    return journal_list(journal, &filter, records, error);
}

static void say_how_far(struct journal_answer *answer) {
    struct str text;
    str_init(&text, NAME_BYTES * 4);
    str_add(&text, "of the team's records those since ");
    clock_format(&text, answer->records.back_to, CLOCK_UTC, answer->records.back_to);
    str_add(&text, " UTC were looked at; bursar activity --team --outcome looks at all");
    say_more(&answer->notice, "; ", text.s);
    str_clear(&text);
}

/* Without the team's records the local ones are listed all the same. */
static void list_team(const struct journal_lane *lane, const struct journal_ask *ask, struct journal_answer *answer) {
    struct error fault = {0};
    if (team_journal_list(lane->team, ask->only, ask->limit, &answer->records, &fault) == ERR_OK) {
        if (answer->records.back_to)
            say_how_far(answer);
        return;
    }
    say_more(&answer->notice, "; ", fault.text);
    say_more(&answer->notice, "; ", "records of colleagues are missing here");
}

static enum err read_records(struct journal *journal, const struct journal_lane *lane, struct journal_work *work) {
    struct journal_answer *answer = work->answer;
    char digits[OUTCOME_TEAM_DIGITS + 1];
    if (work->ask->task == JOURNAL_SHOW && work->ask->n < 0 && lane->team) {
        outcome_team_digits(work->ask->n, digits);
        return team_journal_get(lane->team, digits, &answer->records, &answer->error);
    }
    struct journal_records records;
    journal_records_init(&records);
    enum err err;
    if (work->ask->task == JOURNAL_LIST && lane->team) {
        enum err told = team_journal_settle(lane->team, journal, NULL);
        (void)told; /* what is missing there is told another time */
    }
    if (work->ask->task == JOURNAL_LIST)
        err = journal_lane_list(journal, work->ask, &records, &answer->error);
    else if (work->ask->task == JOURNAL_REGISTERED)
        err = journal_registered(journal, &lane->scope, work->ask->response_id, &records, &answer->error);
    else
        err = journal_get(journal, work->ask->n, &records, &answer->error);
    if (err == ERR_OK) /* where damage was met half way, the records read so far lack their outcomes, and would be shown
                          as unknown */
        journal_copy_records(&records, &answer->records);
    journal_records_clear(&records);
    if (err == ERR_OK && work->ask->task == JOURNAL_LIST && lane->team && !work->ask->tag)
        list_team(lane, work->ask, answer);
    if (err == ERR_OK && work->ask->task == JOURNAL_SHOW && lane->team) {
        enum err words = team_journal_add_words(lane->team, &answer->records, NULL);
        (void)words; /* without the store the record is shown as it stands here */
    }
    return err;
}

static enum err journal_lane_settle(struct journal *journal, const struct journal_lane *lane,
                                    struct journal_work *work) {
    char digits[OUTCOME_TEAM_DIGITS + 1];
    if (work->ask->n < 0 && lane->team) {
        struct team_word word = {work->ask->outcome, work->ask->note, work->ask->response_id};
        outcome_team_digits(work->ask->n, digits);
        return team_journal_resolve(lane->team, journal, digits, &word, &work->answer->records, &work->answer->error);
    }
    struct journal_settle settle = {.now = clock_now(),
                                    .outcome = (enum journal_outcome)work->ask->outcome,
                                    .who = lane->who,
                                    .note = work->ask->note,
                                    .response_id = work->ask->response_id};
    enum err err = journal_settle(journal, work->ask->n, &settle, &work->answer->error);
    if (err == ERR_OK && lane->team && team_journal_mark(lane->team, journal, work->ask->n, NULL) != ERR_OK)
        say_more(&work->answer->notice, "; ", "the team's store could not be told, and is told when it is there again");
    return err == ERR_OK ? read_records(journal, lane, work) : err;
}

/* While older records are still being checked, the number is told at the end of that. */
static void journal_lane_count_unknown(struct journal *journal, struct journal_answer *answer) {
    int64_t counts[JOURNAL_OUTCOME_COUNT] = {0};
    if (journal_is_checked(journal) && journal_counts(journal, counts, NULL) == ERR_OK)
        answer->unknown = (size_t)counts[JOURNAL_OUTCOME_UNKNOWN];
}

/* Nothing was ever recorded on a disk that takes no writing: who asks what was has the whole answer. */
static bool journal_lane_never_was(const struct journal_opening *opening) {
    bool unwritten = opening->state == JOURNAL_NO_FOLDER || opening->state == JOURNAL_READ_ONLY;
    return unwritten && opening->path[0] == '/' && access(opening->path, F_OK) != 0 && errno == ENOENT;
}

/* Records of a journal that cannot be used are shown all the same, below the reason. */
static void read_past_damage(struct journal_lane *lane, struct journal_work *work) {
    struct journal_opening opening;
    if (work->ask->task == JOURNAL_REGISTERED && !lane->journal && journal_lane_never_was(&lane->opening)) {
        work->answer->error = (struct error){0};
        return;
    }
    if (work->ask->task != JOURNAL_LIST && work->ask->task != JOURNAL_SHOW && work->ask->task != JOURNAL_REGISTERED)
        return;
    if (!lane->reader)
        lane->reader = journal_open_reading(lane->folder, clock_now(), &opening);
    if (lane->reader) {
        enum err err = read_records(lane->reader, lane, work); /* the first reason stays */
        (void)err;
    }
}

static void check_run(struct job *job, void *lane_state);
static void check_done(struct job *job, void *owner);

static void check_on(struct journal_lane *lane, event_fn *tell) {
    struct journal_work *work = mem_new(sizeof *work);
    work->check = lane;
    struct job *job = job_new(check_run, 0, payload_of(journal_work, work), tell);
    job->done = check_done;
    lane_push(lane->lane, &job->lane);
}

static struct journal_answer *journal_lane_answer_of(struct job *job, enum journal_task task) {
    struct journal_answer *answer = journal_answer_new(task);
    job_answer(job, EVENT_JOURNAL, payload_of(journal_answer, answer));
    return answer;
}

/* Checks some older records; jobs that came meanwhile are done before the next step. */
static void check_run(struct job *job, void *lane_state) {
    struct journal_work *work = job_work(job, journal_work);
    struct journal_lane *lane = lane_state;
    bool more = false;
    size_t swept = 0;
    if (lane->journal && journal_check_step(lane->journal, &more, &work->error) == ERR_OK && more)
        return;
    work->check = NULL;
    work->answer = journal_lane_answer_of(job, JOURNAL_COUNTS);
    if (lane->journal && journal_sweep(lane->journal, clock_now(), &swept, NULL) == ERR_OK)
        journal_lane_count_unknown(lane->journal, work->answer);
    work->answer->error = work->error;
}

/* Goes on with the next step, or tells the result; an answer to somebody does not wait for further steps. */
static void check_done(struct job *job, void *owner) {
    const struct journal_work *work = job_work(job, journal_work);
    if (work->check)
        check_on(work->check, job->tell);
    job_tell(job, owner);
}

static void answer_run(struct job *job, void *lane_state) {
    struct journal_work *work = job_work(job, journal_work);
    struct journal_lane *lane = lane_state;
    bool first = !lane->tried;
    struct str nonce;
    enum err err = ERR_OK;
    work->answer = journal_lane_answer_of(job, work->ask->task);
    str_init(&nonce, sizeof work->answer->nonce);
    secret_random_hex(&nonce, NONCE_BYTES);
    memcpy(work->answer->nonce, nonce.s, nonce.len);
    str_clear(&nonce);
    struct journal *journal = journal_lane_use(lane, &work->answer->error);
    if (!journal) {
        read_past_damage(lane, work);
        return;
    }
    if (work->ask->task == JOURNAL_LOOK || work->ask->task == JOURNAL_ROW)
        err = journal_lane_look(journal, lane, work);
    else if (work->ask->task == JOURNAL_SETTLE)
        err = journal_lane_settle(journal, lane, work);
    else if (work->ask->task != JOURNAL_COUNTS)
        err = read_records(journal, lane, work);
    if (err != ERR_OK && journal_is_damaged(journal))
        read_past_damage(lane, work);
    if (lane->lane && !lane->checking && !journal_is_checked(journal)) {
        lane->checking = true;
        work->check = lane;
    }
    if (work->ask->task != JOURNAL_ROW) /* not for each row of an import, of which there may be a hundred thousand */
        journal_lane_count_unknown(journal, work->answer);
    if (first && lane->opening.key_is_new)
        work->answer->notice = mem_dup(JOURNAL_KEY_IS_NEW);
}

struct lane_job *journal_ask_job(uint64_t ticket, struct journal_ask *ask, event_fn *tell) {
    struct journal_work *work = mem_new(sizeof *work);
    work->ask = ask;
    struct job *job = job_new(answer_run, ticket, payload_of(journal_work, work), tell);
    job->done = check_done;
    return &job->lane;
}

void perform_journal(struct performer *performer, struct effect *effect) {
    struct journal_ask *ask = effect_take(effect, journal_ask);
    lane_push(performer->journals, journal_ask_job(effect->ticket, ask, performer->tell));
}

struct lane_job *journal_begin_job(uint64_t ticket, const struct write_ask *ask, journal_begun_fn *begun) {
    struct begin_work *work = mem_new(sizeof *work);
    work->write = ask;
    work->begun = begun;
    struct job *job = job_new(begin_run, ticket, payload_of(begin_work, work), NULL);
    job->done = begin_done;
    return &job->lane;
}

struct lane_job *journal_mark_job(uint64_t ticket, struct write_result *result, event_fn *tell) {
    struct job *job = job_new(mark_run, ticket, (struct payload){0}, tell);
    job_answer(job, EVENT_WRITE, payload_of(write_result, result));
    return &job->lane;
}
