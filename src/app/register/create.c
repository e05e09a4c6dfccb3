#include "app/create.h"

#include "api/user.h"
#include "base/mem.h"
#include "base/secret.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool has_key(const struct profile *profile) {
    return api_key_header(profile) || api_key_field(profile);
}

static void create_add_fields(struct write_ask *ask, const struct user *user) {
    for (int i = 0; i < USER_FIELD_COUNT; i++)
        if (user_has(user, (enum user_field)i))
            write_ask_field(ask, user_path((enum user_field)i), user->text[i]);
}

static void add_matches(struct write_ask *ask, const struct user *user) {
    struct str text;
    str_init(&text, USER_TEXT_MAX * 8);
    for (int i = 0; i < USER_MATCH_COUNT; i++) {
        str_reset(&text);
        if (user_match_text(user, (enum user_match)i, &text))
            write_ask_match(ask, user_match_name((enum user_match)i), text.s);
    }
    secret_clear_str(&text);
}

static char *taken(struct str *text) {
    char *copy = mem_dup(text->s);
    secret_clear_str(text);
    return copy;
}

/* The text that is compared with earlier writes. The operator's JSON is compared as it is only where it has more than a
 * user's fields; otherwise it is compared like a form with the same content. */
static char *create_plain_of(const struct profile *profile, const struct user *user, const char *given) {
    struct str text;
    if (given && api_user_unknown(profile, given, NULL) > 0)
        return mem_dup(given);
    str_init(&text, WIRE_USER_MAX);
    api_user_body(profile, user, NULL, &text);
    return taken(&text);
}

static char *given_body(const struct profile *profile, const char *given, const char *key, char **held_key) {
    struct str text;
    str_init(&text, WIRE_USER_MAX + WIRE_USER_KEY_MAX);
    api_user_given(profile, given, key, &text, held_key);
    return taken(&text);
}

/* The compared text is the body without its key: the key is random and would make every body different. */
void create_add_key(struct write_ask *ask, const struct profile *profile, const struct user *user, const char *key) {
    struct str text;
    free(ask->idempotency);
    ask->idempotency = mem_dup(key && has_key(profile) ? key : NULL);
    if (key && api_key_field(profile)) {
        str_init(&text, WIRE_USER_MAX + WIRE_USER_KEY_MAX);
        api_user_body(profile, user, key, &text);
        secret_free_text(ask->body);
        ask->body = taken(&text);
    }
}

struct write_ask *create_ask(const struct profile *profile, const struct user *user, const char *given,
                             const char *key) {
    char *held_key = NULL, *plain = create_plain_of(profile, user, given);
    char *body = given ? given_body(profile, given, key, &held_key) : mem_dup(plain);
    struct write_ask *ask = write_ask_new(API_CREATE_USER, body);
    ask->plain = plain;
    secret_free_text(body);
    if (!given)
        create_add_key(ask, profile, user, key);
    else
        ask->idempotency = held_key ? held_key : mem_dup(key && has_key(profile) ? key : NULL);
    ask->lock_body = true;
    create_add_fields(ask, user);
    add_matches(ask, user);
    return ask;
}

void create_unknown(const struct profile *profile, const char *given, struct str *out) {
    (void)api_user_unknown(profile, given, out);
}

/* Of several earlier writes the one that forbids most counts. One that was refused or not sent forbids nothing. */
static enum create_verdict verdict_of(const struct outcome_record *record) {
    static const enum create_verdict SAME[OUTCOME_COUNT] = {[OUTCOME_SENDING] = CREATE_ON_ITS_WAY,
                                                            [OUTCOME_DONE] = CREATE_SAME,
                                                            [OUTCOME_REFUSED] = CREATE_FREE,
                                                            [OUTCOME_UNKNOWN] = CREATE_UNKNOWN,
                                                            [OUTCOME_NOT_SENT] = CREATE_FREE};
    return record->match ? CREATE_ALIKE : SAME[record->last.outcome];
}

/* The record that is repeated, where the look found it to be of the very same and still unknown. */
static const struct outcome_record *find_repeated_same(const struct journal_answer *look, int64_t repeats) {
    for (size_t i = 0; repeats && i < look->records.n; i++) {
        const struct outcome_record *record = &look->records.items[i];
        if (record->n == repeats && verdict_of(record) == CREATE_UNKNOWN)
            return record;
    }
    return NULL;
}

/* A repeat that ended unknown as well is one matter with what it repeated: the same body, and no other key went along.
 * If each stood in the other's way, neither could be repeated. A colleague's is theirs to settle. */
static bool is_one_matter(const struct outcome_record *record, const struct outcome_record *repeated) {
    return repeated && !record->host && verdict_of(record) == CREATE_UNKNOWN &&
           (!record->idempotency || !repeated->idempotency || str_equal(record->idempotency, repeated->idempotency));
}

struct create_finding create_judge(const struct journal_answer *look, int64_t repeats) {
    const struct outcome_record *repeated = find_repeated_same(look, repeats);
    struct create_finding found = {CREATE_FREE, NULL};
    for (size_t i = 0; i < look->records.n; i++) {
        const struct outcome_record *record = &look->records.items[i];
        enum create_verdict verdict = verdict_of(record);
        if (verdict > found.verdict && record->n != repeats && !is_one_matter(record, repeated))
            found = (struct create_finding){verdict, record};
    }
    return found;
}

void create_tell(const struct outcome_record *record, struct str *out) {
    str_addf(out, "the %s%s as ", record->match ? "same " : "very same", record->match ? record->match : "");
    outcome_add_number(out, record->n);
    str_addf(out, ", %s", outcome_name(record->last.outcome));
    if (record->last.response_id)
        str_addf(out, " as %s", record->last.response_id);
    if (record->host) {
        str_add(out, " by ");
        outcome_add_person(out, record);
    }
}

void create_tell_settling(const struct outcome_record *record, struct str *out) {
    char digits[OUTCOME_TEAM_DIGITS + 1];
    if (record->n > 0) {
        str_addf(out, "bursar activity resolve %" PRId64 " settles it", record->n);
        return;
    }
    outcome_team_digits(record->n, digits);
    str_addf(out, "bursar team resolve %.8s settles it for everybody", digits);
}

bool create_tell_others(const struct journal_answer *look, struct str *out) {
    if (look->other_profile) {
        str_addf(out,
                 "profile %s names the same service and account, and what was sent under it does not count here: the "
                 "same user may be registered there",
                 look->other_profile);
    }
    return look->other_profile != NULL;
}

/* Of the record itself, else of another of its matter: one that was sent before the profile had a place for a key has
 * none. */
static const char *recorded_key(const struct journal_answer *look, int64_t repeats) {
    const struct outcome_record *repeated = find_repeated_same(look, repeats);
    const char *key = repeated && repeated->idempotency ? repeated->idempotency : look->idempotency;
    for (size_t i = 0; !key && i < look->records.n; i++)
        key = is_one_matter(&look->records.items[i], repeated) ? look->records.items[i].idempotency : NULL;
    return key;
}

const char *create_key(const struct profile *profile, const struct journal_answer *look, int64_t repeats,
                       const char *mine) {
    const char *recorded = repeats ? recorded_key(look, repeats) : NULL;
    return !has_key(profile) ? NULL : recorded ? recorded : mine ? mine : look->nonce;
}

void create_word(const struct profile *profile, int64_t repeats, struct str *out) {
    const char *word = profile_is_sandbox(profile) ? "" : profile->environment;
    str_add(out, word);
    if (repeats)
        str_addf(out, "%srepeat %" PRId64, *word ? " " : "", repeats);
}
