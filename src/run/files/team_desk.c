#include "team_desk.h"

#include "base/clock.h"
#include "base/mem.h"
#include "run/lanes/team_journal.h"

#include <stdlib.h>

enum { PATH_BYTES = 4096, SQL_BYTES = 1 << 20 };

/* The key is made where there is none: whoever begins the team does that, and colleagues have it before. */
static enum err begin_team(const struct profile *profile, struct team_side **side, struct team_begun *begun,
                           struct error *error) {
    *begun = (struct team_begun){0};
    str_init(&begun->key_path, PATH_BYTES);
    enum err err = team_side_open(profile, side, error);
    if (err == ERR_OK)
        err = team_key_path(profile->team_key_file, &begun->key_path, error);
    return err == ERR_OK ? team_key_make(profile->team_key_file, &begun->key_made, error) : err;
}

static enum err desk_init(const struct profile *profile, struct team_begun *begun, struct error *error) {
    struct team_side *side = NULL;
    enum err err = begin_team(profile, &side, begun, error);
    if (err == ERR_OK)
        err = team_init(side->team, &begun->there, error);
    team_side_free(side);
    return err;
}

static enum err desk_print_sql(const struct profile *profile, struct team_begun *begun, struct str *out,
                               struct error *error) {
    struct team_side *side = NULL;
    enum err err = begin_team(profile, &side, begun, error);
    if (err == ERR_OK)
        err = team_print_sql(side->team, out, error);
    team_side_free(side);
    return err;
}

static enum err desk_check(const struct profile *profile, struct team_findings *out, struct error *error) {
    struct team_side *side = NULL;
    enum err err = team_side_open(profile, &side, error);
    if (err == ERR_OK)
        team_check(side->team, clock_now(), out);
    team_side_free(side);
    return err;
}

static enum err desk_status(const struct profile *profile, struct team_status *out, struct error *error) {
    struct team_side *side = NULL;
    enum err err = team_side_open(profile, &side, error);
    if (err == ERR_OK)
        err = team_status(side->team, out, error);
    team_side_free(side);
    return err;
}

static enum err desk_members(const struct profile *profile, struct team_members *out, struct error *error) {
    struct team_side *side = NULL;
    enum err err = team_side_open(profile, &side, error);
    if (err == ERR_OK)
        err = team_members(side->team, out, error);
    team_side_free(side);
    return err;
}

/* With the local journal beside it: what each missed of the other is told first. Both are to be closed. */
static enum err open_both(const struct profile *profile, struct team_side **side, struct journal **journal,
                          struct error *error) {
    struct journal_opening opening;
    enum err err = team_side_open(profile, side, error);
    if (err != ERR_OK)
        return err;
    *journal = journal_open(NULL, clock_now(), &opening);
    if (!*journal)
        return error_set(error, ERR_STORE, "%s", opening.error.text);
    enum err told = team_journal_settle(*side, *journal, NULL);
    (void)told; /* a store that cannot be used says so at the question itself */
    return ERR_OK;
}

static void close_both(struct team_side *side, struct journal *journal) {
    journal_close(journal);
    team_side_free(side);
}

static enum err desk_list(const struct profile *profile, const struct team_list *list, struct outcome_records *out,
                          struct error *error) {
    struct team_side *side = NULL;
    struct journal *journal = NULL;
    enum err err = open_both(profile, &side, &journal, error);
    if (err == ERR_OK)
        err = team_list(side->team, list, out, error);
    close_both(side, journal);
    return err;
}

static enum err desk_resolve(const struct profile *profile, const char *id, enum outcome outcome, const char *note,
                             struct outcome_records *out, struct error *error) {
    struct team_side *side = NULL;
    struct journal *journal = NULL;
    struct team_word word = {.outcome = outcome, .note = note};
    enum err err = open_both(profile, &side, &journal, error);
    if (err == ERR_OK)
        err = team_journal_resolve(side, journal, id, &word, out, error);
    close_both(side, journal);
    return err;
}

/* Of the records here those that have a name in the store. */
static size_t name_records(const struct journal_records *records, const char **ids, int64_t *numbers) {
    size_t n = 0;
    for (size_t i = 0; i < records->n; i++) {
        if (!records->items[i].team || records->items[i].team_away)
            continue;
        ids[n] = records->items[i].team;
        numbers[n++] = records->items[i].n;
    }
    return n;
}

static enum err verify_named(struct team_side *side, const struct journal_records *records, struct team_health *out,
                             struct error *error) {
    const char **ids = mem_new_array(records->n + 1, sizeof *ids);
    int64_t *numbers = mem_new_array(records->n + 1, sizeof *numbers);
    bool *there = mem_new_array(records->n + 1, sizeof *there);
    size_t n = name_records(records, ids, numbers);
    enum err err = team_are_there(side->team, ids, n, there, error);
    for (size_t i = 0; i < n && err == ERR_OK; i++) {
        if (there[i])
            continue;
        str_addf(&out->faults, "record %lld of this machine is not in the team's store any more\n",
                 (long long)numbers[i]);
        out->n_faults++;
    }
    free(there);
    free(numbers);
    free(ids);
    return err;
}

/* The end of a chain can be cut off without a trace in it: what this machine sent is known here. */
static enum err verify_own(struct team_side *side, struct journal *journal, struct team_health *out,
                           struct error *error) {
    struct journal_records records;
    struct journal_filter filter = JOURNAL_ANY;
    journal_records_init(&records);
    filter.profile = side->profile->name;
    filter.origin = side->profile->origin;
    enum err err = journal_list(journal, &filter, &records, error);
    if (err == ERR_OK)
        err = verify_named(side, &records, out, error);
    journal_records_clear(&records);
    return err;
}

static enum err desk_verify(const struct profile *profile, struct team_health *out, struct error *error) {
    struct team_side *side = NULL;
    struct journal *journal = NULL;
    struct error fault = {0};
    *out = (struct team_health){0};
    enum err err = open_both(profile, &side, &journal, error);
    if (err == ERR_OK) {
        err = team_verify(side->team, out, &fault);
        bool read = err == ERR_OK || err == ERR_CHECK_FAILED;
        if (read)
            err = verify_own(side, journal, out, error);
        else
            err = error_set(error, err, "%s", fault.text);
    }
    if (err == ERR_OK && out->n_faults > 0)
        err = error_set(error, ERR_CHECK_FAILED, "%zu fault%s in the team's records", out->n_faults,
                        plural_s(out->n_faults));
    close_both(side, journal);
    return err;
}

static enum err desk_tell(const struct profile *profile, struct error *error) {
    struct team_side *side = NULL;
    struct journal *journal = NULL;
    struct journal_opening opening;
    enum err err = team_side_open(profile, &side, error);
    if (err == ERR_OK && !(journal = journal_open(NULL, clock_now(), &opening)))
        err = error_set(error, ERR_STORE, "%s", opening.error.text);
    if (err == ERR_OK)
        err = team_journal_settle(side, journal, error);
    close_both(side, journal);
    return err;
}

static enum err desk_add_words(const struct profile *profile, struct outcome_records *records, struct error *error) {
    struct team_side *side = NULL;
    enum err err = team_side_open(profile, &side, error);
    if (err == ERR_OK)
        err = team_journal_add_words(side, records, error);
    team_side_free(side);
    return err;
}

const struct team_desk team_desk = {
    .init = desk_init,
    .print_sql = desk_print_sql,
    .check = desk_check,
    .status = desk_status,
    .members = desk_members,
    .verify = desk_verify,
    .list = desk_list,
    .resolve = desk_resolve,
    .tell = desk_tell,
    .add_words = desk_add_words,
};
