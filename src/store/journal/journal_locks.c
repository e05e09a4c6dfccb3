#include "journal_own.h"

#include <string.h>

static enum err has_body(struct journal *journal, int64_t n, const struct journal_write *write, bool *same,
                         struct error *error) {
    unsigned char digest[DIGEST_LEN];
    bool there;
    journal_digest(journal, "body", "", write->body ? write->body : "", write->body_len, digest);
    return journal_digest_is(journal, n, "body", "", digest, &there, same, error);
}

/* This machine refuses, not the service: the message says how to go on. */
static enum err stands_in_way(const struct journal_record *earlier, struct error *error) {
    long long n = (long long)earlier->n;
    switch (earlier->last.outcome) {
    case JOURNAL_OUTCOME_SENDING:
        return error_set(error, ERR_INVALID,
                         "the same is being sent by another program (record %lld): wait until that has ended", n);
    case JOURNAL_OUTCOME_DONE:
        return error_set(error, ERR_INVALID, "the same was registered already (record %lld)", n);
    default:
        return error_set(error, ERR_INVALID,
                         "it is not known whether the same was done already (record %lld): bursar activity resolve "
                         "%lld settles it first",
                         n, n);
    }
}

/* An earlier record stands in the way, unless it ended without effect or is repeated on purpose. */
static enum err journal_locks_check_earlier(struct journal *journal, const struct journal_write *write,
                                            const struct journal_record *earlier, int64_t *obstacle,
                                            struct error *error) {
    bool same = false;
    enum journal_outcome outcome = earlier->last.outcome;
    enum err err = ERR_OK;
    if (!journal_had_effect(outcome) || (outcome == JOURNAL_OUTCOME_DONE && write->again))
        return ERR_OK;
    if (outcome == JOURNAL_OUTCOME_UNKNOWN && write->repeats != 0)
        err = has_body(journal, earlier->n, write, &same, error);
    if (err != ERR_OK || same)
        return err;
    *obstacle = earlier->n;
    return stands_in_way(earlier, error);
}

static bool is_of_draft(const struct journal_record *record, const struct journal_write *write) {
    return str_equal(record->draft, write->draft);
}

static bool is_of_body(const struct journal_record *record, const struct journal_write *write) {
    return str_equal(record->operation, write->operation) && journal_in_scope(record, &write->scope);
}

/* Every record under the key that may have had an effect. */
static enum err journal_locks_check_key(struct journal *journal, const struct journal_write *write, uint64_t key,
                                        bool (*is_meant)(const struct journal_record *, const struct journal_write *),
                                        int64_t *obstacle, struct error *error) {
    struct known_walk walk = known_find(&journal->known, key);
    enum err err = ERR_OK;
    for (int64_t n; err == ERR_OK && (n = known_next(&journal->known, &walk)) != 0;) {
        const struct known_record *known = known_record(&journal->known, n);
        if (!known || !journal_had_effect((enum journal_outcome)known->outcome))
            continue;
        struct journal_records records;
        journal_records_init(&records);
        err = journal_collect(journal, n, &records, error);
        if (err == ERR_OK && records.n && is_meant(&records.items[0], write))
            err = journal_locks_check_earlier(journal, write, &records.items[0], obstacle, error);
        journal_records_clear(&records);
    }
    return err;
}

static enum err check_repeat(struct journal *journal, const struct journal_write *write, struct error *error) {
    if (write->repeats == 0)
        return ERR_OK;
    long long n = (long long)write->repeats;
    struct journal_record earlier = {0};
    struct arena arena = {0};
    bool same = false;
    enum err err = journal_standing(journal, write->repeats, &earlier, &arena, error);
    if (err == ERR_OK && earlier.last.outcome != JOURNAL_OUTCOME_UNKNOWN)
        err = error_set(error, ERR_INVALID, "record %lld is not unknown; only an unknown one is repeated", n);
    if (err == ERR_OK && !journal_in_scope(&earlier, &write->scope))
        err =
            error_set(error, ERR_INVALID,
                      "record %lld was sent to another address or account, or by another profile; repeat it there", n);
    if (err == ERR_OK)
        err = has_body(journal, write->repeats, write, &same, error);
    if (err == ERR_OK && !same)
        err = error_set(error, ERR_INVALID, "what would be sent is not what record %lld sent", n);
    arena_clear(&arena);
    return err;
}

enum err journal_check_locks(struct journal *journal, const struct journal_write *write, int64_t *obstacle,
                             struct error *error) {
    enum err err = ERR_OK;
    unsigned char digest[DIGEST_LEN];
    *obstacle = 0;
    if (write->draft)
        err = journal_locks_check_key(journal, write, journal_draft_key(write->draft), is_of_draft, obstacle, error);
    if (err == ERR_OK && write->lock_body) {
        journal_digest(journal, "body", "", write->body ? write->body : "", write->body_len, digest);
        err = journal_locks_check_key(journal, write, journal_key_of(digest), is_of_body, obstacle, error);
    }
    return err == ERR_OK ? check_repeat(journal, write, error) : err;
}
