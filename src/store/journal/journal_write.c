#include "journal_own.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/redact.h"
#include "base/secret.h"
#include "model/service_error.h"

#include <stdlib.h>
#include <string.h>

enum { MESSAGE_MAX = 500, NOTE_ROOM = 64, VALUES_MAX = 1 << 20 };

void journal_pending_add(struct journal *journal, int64_t n, const struct journal_write *write) {
    struct journal_pending *pending = vec_add(&journal->pending);
    pending->n = n;
    pending->secret = strcmp(write->operation, JOURNAL_WEBHOOK) == 0;
    str_init(&pending->values, VALUES_MAX);
    const struct journal_value *const lists[2] = {write->fields, write->matches};
    const size_t lens[2] = {write->n_fields, write->n_matches};
    for (int i = 0; i < 2; i++)
        for (size_t j = 0; j < lens[i]; j++)
            if (lists[i][j].text)
                str_add_n(&pending->values, lists[i][j].text, strlen(lists[i][j].text) + 1);
}

static struct journal_pending *find_pending(struct journal *journal, int64_t n) {
    for (size_t i = 0; i < journal->pending.n; i++)
        if (journal->pending.items[i].n == n)
            return &journal->pending.items[i];
    return NULL;
}

void journal_pending_drop(struct journal *journal, int64_t n) {
    struct journal_pending *pending = find_pending(journal, n);
    if (!pending)
        return;
    secret_clear_str(&pending->values);
    *pending = journal->pending.items[--journal->pending.n];
}

static void take_out_all(struct str *text, const struct journal_pending *pending, const struct redact_ids *ids) {
    struct {
        const char **items;
        size_t n, cap;
    } values = {0};
    for (size_t at = 0; at < pending->values.len; at += strlen(pending->values.s + at) + 1)
        *vec_add(&values) = pending->values.s + at;
    redact(text, values.items, values.n, pending->secret ? NULL : ids);
    free((void *)values.items);
}

char *journal_pending_redact(struct journal *journal, int64_t n, const char *message, const char *id) {
    if (!message)
        return NULL;
    struct str text;
    str_init(&text, MESSAGE_MAX * 16);
    str_add(&text, message);
    const struct journal_pending *pending = find_pending(journal, n);
    char *request = service_error_line_id(message);
    if (pending)
        take_out_all(&text, pending, &(struct redact_ids){id, request});
    free(request);
    if (text.len > MESSAGE_MAX) {
        size_t cut = MESSAGE_MAX;
        while (cut > 0 && ((unsigned char)text.s[cut] & 0xc0) == 0x80)
            cut--;
        str_delete(&text, cut, text.len - cut);
    }
    return str_take(&text);
}

/* An id is never redacted, as it is all that finds the user again (F9), but a secret is none. The caller frees it. */
static char *kept_id(struct journal *journal, int64_t n, const char *id) {
    const struct journal_pending *pending = find_pending(journal, n);
    struct str text;
    if (!id || !pending || !pending->secret)
        return mem_dup(id);
    str_init(&text, VALUES_MAX);
    str_add(&text, id);
    take_out_all(&text, pending, NULL);
    return str_take(&text);
}

/* ---- Programs that ended ---- */

/* Records in `sending` whose program has ended; its word comes from a lock, which is asked once a record. */
static enum err find_ended(struct journal *journal, int64_t now, struct journal_numbers *out, struct error *error) {
    enum err err = ERR_OK;
    if (journal->known.counts[JOURNAL_OUTCOME_SENDING] == 0)
        return ERR_OK;
    for (int64_t n = 1; n <= (int64_t)journal->known.n && err == ERR_OK; n++) {
        const struct known_record *known = known_record(&journal->known, n);
        if (!known || known->outcome != JOURNAL_OUTCOME_SENDING)
            continue;
        bool ended = false;
        err = journal_owner_ended(journal, n, now, &ended, error);
        if (err == ERR_OK && ended)
            *vec_add(out) = n;
    }
    return err;
}

static enum err sweep(struct journal *journal, int64_t now, size_t *swept, struct error *error) {
    struct journal_numbers ended = {0};
    enum err err = find_ended(journal, now, &ended, error);
    for (size_t i = 0; i < ended.n && err == ERR_OK; i++)
        err = journal_append_mark(
            journal,
            &(struct journal_mark_row){.n = ended.items[i],
                                       .at = now,
                                       .outcome = JOURNAL_OUTCOME_UNKNOWN,
                                       .message = "the program ended before the answer was recorded"},
            error);
    *swept += ended.n;
    free(ended.items);
    return err;
}

/* To add, with what ended programs left settled first: by now every record was checked, those too that an opening does
 * not look at. */
static enum err begin_swept(struct journal *journal, int64_t now, struct error *error) {
    struct journal_numbers ended = {0};
    size_t swept = 0;
    enum err err = journal_add_begin(journal, error);
    if (err != ERR_OK)
        return err;
    err = find_ended(journal, now, &ended, error);
    bool any = ended.n > 0;
    free(ended.items);
    if (err == ERR_OK && !any)
        return ERR_OK;
    err = journal_add_end(journal, err == ERR_OK ? sweep(journal, now, &swept, error) : err, error);
    return err == ERR_OK ? journal_add_begin(journal, error) : err;
}

/* ---- Before a write ---- */

static void journal_write_pack(struct str *out, char kind, const char *name, const unsigned char digest[DIGEST_LEN]) {
    size_t len = strlen(name) < UINT16_MAX ? strlen(name) : UINT16_MAX;
    str_add_char(out, kind);
    str_add_char(out, (char)(len >> 8));
    str_add_char(out, (char)(len & 0xff));
    str_add_n(out, name, len);
    str_add_n(out, (const char *)digest, DIGEST_LEN);
}

static void pack_value(struct journal *journal, struct str *out, char kind, const struct journal_value *value) {
    unsigned char digest[DIGEST_LEN];
    journal_digest(journal, kind == 'f' ? "field" : "match", value->name, value->text, strlen(value->text), digest);
    journal_write_pack(out, kind, value->name, digest);
}

static void pack_all(struct journal *journal, const struct journal_write *write, struct str *out) {
    unsigned char digest[DIGEST_LEN];
    if (write->body) {
        journal_digest(journal, "body", "", write->body, write->body_len, digest);
        journal_write_pack(out, 'b', "", digest);
    }
    if (write->team)
        journal_write_pack(out, write->team_away ? JOURNAL_TEAM_AWAY : JOURNAL_TEAM_NAME, "", write->team);
    for (size_t i = 0; i < write->n_fields; i++)
        if (write->fields[i].text)
            pack_value(journal, out, 'f', &write->fields[i]);
    for (size_t i = 0; i < write->n_matches; i++)
        if (write->matches[i].text && *write->matches[i].text)
            pack_value(journal, out, 'm', &write->matches[i]);
}

static enum err add_write(struct journal *journal, const struct journal_write *write, int64_t *n, struct error *error) {
    struct str digests;
    str_init(&digests, JOURNAL_TEXT_MAX);
    pack_all(journal, write, &digests);
    struct journal_write_row row = {
        .at = write->now,
        .who = write->who,
        .profile = write->scope.profile,
        .account = write->scope.account ? write->scope.account : "",
        .origin = write->scope.origin,
        .environment = write->environment,
        .operation = write->operation,
        .owner = journal->owner.s,
        .idempotency = write->idempotency,
        .draft = write->draft,
        .import = write->import,
        .line = write->line,
        .repeats = write->repeats,
        .url = write->url,
        .fingerprint = write->fingerprint,
        .digests = {digests.len ? digests.s : NULL, digests.len},
    };
    enum err err = digests.truncated ? error_set(error, ERR_STORE, "journal: what is to be sent has too many fields")
                                     : journal_append_write(journal, &row, error);
    *n = row.n;
    str_clear(&digests);
    return err;
}

static enum err record(struct journal *journal, const struct journal_write *write, int64_t *n, struct error *error) {
    enum err err = journal_check_locks(journal, write, n, error);
    if (err == ERR_OK)
        err = add_write(journal, write, n, error);
    if (err == ERR_OK)
        err = journal_append_mark(
            journal, &(struct journal_mark_row){.n = *n, .at = write->now, .outcome = JOURNAL_OUTCOME_SENDING}, error);
    return err;
}

/* The record is in the journal but was not confirmed: nothing is sent, and the record says so where that can still be
 * written. */
static void take_back(struct journal *journal, int64_t n, int64_t now) {
    struct journal_mark_row row = {.n = n,
                                   .at = now,
                                   .outcome = JOURNAL_OUTCOME_NOT_SENT,
                                   .message = "the record could not be confirmed; nothing was sent"};
    if (journal_add_begin(journal, NULL) == ERR_OK &&
        journal_add_end(journal, journal_append_mark(journal, &row, NULL), NULL) != ERR_OK)
        return; /* the next start finds it unknown, which is the safe side */
}

enum err journal_begin(struct journal *journal, const struct journal_write *write, int64_t *n, struct error *error) {
    *n = 0;
    enum err err = begin_swept(journal, write->now, error);
    if (err != ERR_OK)
        return err;
    err = record(journal, write, n, error);
    bool recorded = err == ERR_OK;
    err = journal_add_end(journal, err, error);
    if (err == ERR_OK) {
        journal_pending_add(journal, *n, write);
    } else if (recorded) {
        if (journal->tail.n >= *n)
            take_back(journal, *n, write->now);
        *n = 0;
    } else if (err != ERR_INVALID) {
        *n = 0;
    }
    return err;
}

/* ---- After it ---- */

enum err journal_standing(struct journal *journal, int64_t n, struct journal_record *out, struct arena *arena,
                          struct error *error) {
    struct journal_records records;
    journal_records_init(&records);
    enum err err = journal_collect(journal, n, &records, error);
    if (err == ERR_OK && records.n == 0)
        err = error_set(error, ERR_INVALID, "there is no record %lld", (long long)n);
    if (err == ERR_OK)
        *out = records.items[0];
    *arena = records.arena;
    records.arena = (struct arena){0};
    journal_records_clear(&records);
    return err;
}

static enum err check_open(struct journal *journal, int64_t n, bool settling, struct error *error) {
    struct journal_record now = {0};
    struct arena arena = {0};
    enum err err = journal_standing(journal, n, &now, &arena, error);
    arena_clear(&arena);
    if (err != ERR_OK)
        return err;
    bool sending = now.last.outcome == JOURNAL_OUTCOME_SENDING;
    bool open = now.last.outcome == JOURNAL_OUTCOME_UNKNOWN && !now.settled;
    if (open || (sending && !settling))
        return ERR_OK;
    if (sending)
        return error_set(error, ERR_INVALID, "record %lld is being sent at this moment: wait until that has ended",
                         (long long)n);
    return error_set(error, ERR_INVALID, "record %lld stands at %s and stays there", (long long)n,
                     journal_outcome_name(now.last.outcome));
}

static enum err journal_write_append(struct journal *journal, struct journal_mark_row *row, bool settling,
                                     struct error *error) {
    enum err err = settling ? begin_swept(journal, row->at, error) : journal_add_begin(journal, error);
    if (err != ERR_OK)
        return err;
    err = check_open(journal, row->n, settling, error);
    if (err == ERR_OK)
        err = journal_append_mark(journal, row, error);
    return journal_add_end(journal, err, error);
}

/* While no write waits, the log is written back, so that it holds only what is in progress: losing it then loses
 * little, and the head file shows it. A log that cannot be written back now is written back later. */
static void write_back(struct journal *journal) {
    (void)sqlite3_wal_checkpoint_v2(journal->db.handle, "main", SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
}

enum err journal_mark(struct journal *journal, int64_t n, const struct journal_mark *mark, struct error *error) {
    if (mark->outcome == JOURNAL_OUTCOME_SENDING)
        return error_set(error, ERR_INVALID, "an outcome is needed");
    char *message = journal_pending_redact(journal, n, mark->message, mark->response_id);
    char *id = kept_id(journal, n, mark->response_id);
    struct journal_mark_row row = {
        .n = n,
        .at = mark->now,
        .outcome = mark->outcome,
        .status = mark->status,
        .response_id = id,
        .message = message,
    };
    enum err err = journal_write_append(journal, &row, false, error);
    if (err == ERR_OK) {
        journal_pending_drop(journal, n);
        write_back(journal);
    }
    free(message);
    free(id);
    return err;
}

static bool journal_write_is_blank(const char *text) {
    for (; text && *text; text++)
        if (!ascii_is_blank((unsigned char)*text))
            return false;
    return true;
}

enum err journal_settle(struct journal *journal, int64_t n, const struct journal_settle *settle, struct error *error) {
    if (settle->outcome == JOURNAL_OUTCOME_SENDING || settle->outcome == JOURNAL_OUTCOME_UNKNOWN)
        return error_set(error, ERR_INVALID, "settle it as done, refused or not-sent");
    if (journal_write_is_blank(settle->note))
        return error_set(error, ERR_INVALID, "a note is needed: how is it known?");
    struct str note; /* somebody may paste the token into a note, and a record is kept for good */
    str_init(&note, 2 * strlen(settle->note) + NOTE_ROOM);
    str_add(&note, settle->note);
    secret_redact(&note);
    struct journal_mark_row row = {
        .n = n,
        .at = settle->now,
        .outcome = settle->outcome,
        .response_id = settle->response_id,
        .who = settle->who ? settle->who : "",
        .note = note.s,
    };
    enum err err = journal_write_append(journal, &row, true, error);
    str_clear(&note);
    return err;
}

/* Looked at first, so that a journal at rest is not written to. What is older than the newest is swept when it was
 * checked. */
enum err journal_sweep(struct journal *journal, int64_t now, size_t *swept, struct error *error) {
    struct journal_numbers ended = {0};
    size_t found = 0;
    enum err err = journal_look_begin(journal, false, error);
    if (err == ERR_OK)
        err = journal_look_end(journal, find_ended(journal, now, &ended, error), error);
    bool any = ended.n > 0;
    free(ended.items);
    if (err != ERR_OK || !any || journal->reading)
        return err;
    err = journal_add_begin(journal, error);
    if (err == ERR_OK)
        err = journal_add_end(journal, sweep(journal, now, &found, error), error);
    if (err == ERR_OK)
        *swept += found;
    return err;
}
