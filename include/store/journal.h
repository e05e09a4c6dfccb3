#ifndef STORE_JOURNAL_H
#define STORE_JOURNAL_H
/* The journal: an append-only record of every write to the service, on disk before its first byte leaves
 * (src/README.md, Promises). Of what was sent it holds keyed digests alone; names, mails and numbers are never in
 * clear, and are taken out of messages that quote them. Never discarded, never rebuilt: where it cannot be used there
 * is no handle, and without a handle nothing is written to the service. A handle is used by one thread at a time;
 * several handles and several consoles may have it open. Times are ms since 1970 UTC and come from the caller. */

#include "base/mem.h"
#include "store/machine_key.h"

#include <stdint.h>

struct journal;

/* ---- Opening ---- */

#define JOURNAL_STATE_TABLE(X)                                                     \
    X(OK, "ok")                                                                    \
    X(DAMAGED, "damaged")           /* or emptied, or not a journal */             \
    X(NEWER, "newer")               /* written by a newer program */               \
    X(UNSAFE, "unsafe")             /* a link, not ours, or open to others */      \
    X(NO_FOLDER, "no-folder")       /* the folder is missing and cannot be made */ \
    X(READ_ONLY, "read-only")       /* nothing can be written there */             \
    X(LOCK_REFUSED, "lock-refused") /* the file system does not lock */            \
    X(BUSY, "busy")                 /* another program holds it */                 \
    X(DISK_FULL, "disk-full")                                                      \
    X(NO_KEY, "no-key") /* machine.key cannot be read or made */                   \
    X(UNUSABLE, "unusable")

enum journal_state {
#define X(code, name) JOURNAL_##code,
    JOURNAL_STATE_TABLE(X)
#undef X
        JOURNAL_STATE_COUNT
};
const char *journal_state_name(enum journal_state state);

struct journal_opening {
    enum journal_state state;
    char path[4096];
    struct error error; /* what is wrong and what to do, where there is no handle */
    bool key_is_new;    /* records are there, but their key is lost: duplicates are not recognised; say it once */
    size_t swept;       /* records of ended programs that became unknown just now */
};
/* folder NULL: the operator's state folder. Records left in `sending` by programs that have ended become unknown;
 * those of running ones are not touched. The newest 10,000 records are checked before it returns, those before them by
 * journal_check_step, or at the latest before anything is added or looked up. Anything found that is not as it was
 * written is damage, wherever it is: there is no handle, and nothing is sent. A journal of version 1 is made into one
 * of this version, in one transaction. */
struct journal *journal_open(const char *folder, int64_t now, struct journal_opening *opening);
/* The same, but where it cannot be written, or is damaged, what is sound of it can still be read; opening then holds
 * state and reason all the same, and everything that adds fails. NULL: nothing can be read. */
struct journal *journal_open_reading(const char *folder, int64_t now, struct journal_opening *opening);
void journal_close(struct journal *journal);
/* Checks some 20,000 entries more of those that are due; *more: there are further ones. */
enum err journal_check_step(struct journal *journal, bool *more, struct error *error) MUST_CHECK;
bool journal_is_checked(const struct journal *journal); /* nothing is due */
bool journal_is_damaged(const struct journal *journal); /* met since; nothing is added to it any more */
/* The same sweep again; *swept adds up. */
enum err journal_sweep(struct journal *journal, int64_t now, size_t *swept, struct error *error) MUST_CHECK;

/* ---- Writing ---- */

#define JOURNAL_OUTCOME_TABLE(X)                                 \
    X(SENDING, "sending") /* on its way, or its program ended */ \
    X(DONE, "done") X(REFUSED, "refused") X(UNKNOWN, "unknown") X(NOT_SENT, "not-sent")

enum journal_outcome {
#define X(code, name) JOURNAL_OUTCOME_##code,
    JOURNAL_OUTCOME_TABLE(X)
#undef X
        JOURNAL_OUTCOME_COUNT
};
const char *journal_outcome_name(enum journal_outcome outcome);
int journal_outcome_find(const char *name); /* -1: none */

#define JOURNAL_USER "user.create"
#define JOURNAL_WEBHOOK "webhook.register"

/* One value that was sent (name: its dotted path), or one normalised text by which a duplicate is known (name: "email",
 * "name+birth"). Digested on the way in. */
struct journal_value {
    const char *name, *text;
};

/* Where a write goes and whose it is: what was sent is known by the three together. NULL counts as "". */
struct journal_scope {
    const char *origin, *profile, *account;
};

/* Strings may be NULL where absent. */
struct journal_write {
    int64_t now;
    const char *who, *environment;
    struct journal_scope scope;
    const char *operation; /* JOURNAL_USER, JOURNAL_WEBHOOK */
    const char *body;
    size_t body_len;
    const struct journal_value *fields, *matches;
    size_t n_fields, n_matches;
    const char *idempotency; /* key sent along; in clear, it is random */
    const char *draft;       /* one write per draft, over all consoles */
    bool lock_body;          /* one write per body and scope, over all runs: a body is its own draft */
    bool again;              /* the operator's word: one that is done does not stand in the way, an open one does */
    const char *import;      /* which import, and its line */
    int64_t line;
    int64_t repeats; /* number of the unknown record that this repeats on purpose; 0 */
    /* webhook.register */
    const char *url;
    const char *fingerprint;   /* of the secret; NULL: unsigned */
    const unsigned char *team; /* DIGEST_LEN bytes: the record's name in a team's store; NULL: there is none */
    bool team_away;            /* that store could not be reached: the record is to be merged */
    const char *proposal;      /* of the team, that this sends; not kept here */
};

/* Records "about to send", synced to the disk. Only after ERR_OK may a byte leave. *n: its number.
 * ERR_INVALID: this draft, or this body where it is locked, is being sent, was sent, or its outcome is unknown (repeats
 * names that record, and the body is the same: allowed); *n is then that record. ERR_STORE: the record could not be
 * written; *n is 0. */
enum err journal_begin(struct journal *journal, const struct journal_write *write, int64_t *n,
                       struct error *error) MUST_CHECK;

struct journal_mark {
    int64_t now;
    enum journal_outcome outcome; /* not SENDING */
    int status;                   /* 0: no answer */
    const char *response_id;
    const char *message; /* what the answer said; the values of journal_begin are taken out of it */
};
/* What became of it. A record that was swept while its program still ran takes its true outcome too; a settled one
 * does not: ERR_INVALID. */
enum err journal_mark(struct journal *journal, int64_t n, const struct journal_mark *mark,
                      struct error *error) MUST_CHECK;

/* The operator's word on an unknown record: done, refused or not sent, with a note that is not blank. */
struct journal_settle {
    int64_t now;
    enum journal_outcome outcome;
    const char *who, *note, *response_id;
};
enum err journal_settle(struct journal *journal, int64_t n, const struct journal_settle *settle,
                        struct error *error) MUST_CHECK;

/* ---- Reading ---- */

struct journal_event {
    int64_t at;
    enum journal_outcome outcome;
    int status;
    const char *response_id, *message, *who, *note; /* who: settled by; NULL where it was not settled */
};

struct journal_record {
    int64_t n, at;
    const char *who, *profile, *account, *origin, *environment, *operation; /* account NULL: of before it was kept */
    const char *idempotency, *draft, *import, *url, *fingerprint;
    int64_t line, repeats;
    struct journal_event last; /* where it stands */
    bool settled;
    const char *team; /* its name in a team's store, in hex; NULL: it has none, or was purged */
    bool team_away;
    /* Filled by journal_get alone. */
    const struct journal_event *events;
    size_t n_events;
    const char *const *fields; /* names of what was sent; none once purged */
    size_t n_fields;
};

struct journal_records {
    struct arena arena;
    struct journal_record *items;
    size_t n, cap;
};
void journal_records_init(struct journal_records *records);
void journal_records_clear(struct journal_records *records);

/* NULL, 0 or -1: any. */
struct journal_filter {
    const char *operation, *profile, *origin, *who, *import, *draft;
    const struct journal_scope *scope; /* of this scope alone */
    const struct journal_value *match; /* a normalised text that was sent along; purged records have none */
    int outcome;                       /* -1: any */
    int64_t since, until;              /* until: not included; 0: any */
    int64_t before;                    /* records with smaller numbers; 0: from the newest */
    size_t limit;                      /* 0: all */
};
#define JOURNAL_ANY ((struct journal_filter){.outcome = -1})
/* Newest first; appends. A long list is asked for in portions, by `before` and `limit`. */
enum err journal_list(struct journal *journal, const struct journal_filter *filter, struct journal_records *out,
                      struct error *error) MUST_CHECK;
/* One record with its events and the names of its fields; none appended: there is no such record. */
enum err journal_get(struct journal *journal, int64_t n, struct journal_records *out, struct error *error) MUST_CHECK;
/* The number of the record that has this name in a team's store; 0: none. */
enum err journal_find_team(struct journal *journal, const char *name, int64_t *n, struct error *error) MUST_CHECK;
/* Names this running program, for others that look whether it still runs. */
const char *journal_owner(const struct journal *journal);
bool journal_has_ended(const struct journal *journal, const char *owner, int64_t began, int64_t now);
/* How many records stand at each outcome. */
enum err journal_counts(struct journal *journal, int64_t counts[JOURNAL_OUTCOME_COUNT], struct error *error) MUST_CHECK;

/* Earlier writes of one origin and account. Those of the asking profile count as sent; those under another profile's
 * name (the same place and account, configured twice) do not, and are to be said once. */
struct journal_others {
    char *profile;  /* of the newest of them; NULL: none */
    bool is_signed; /* that one is a webhook's registration with a secret */
    size_t n;
};
void journal_others_clear(struct journal_others *others);

/* Earlier writes of this scope with an equal normalised text, newest first, one entry per record and text; not those
 * that were refused or not sent. */
enum { JOURNAL_ALIKE_MAX = 10 }; /* so many of one text are read; all are counted */
struct journal_duplicates {
    struct journal_records records;
    size_t found; /* counted, over all texts */
    struct journal_others others;
    struct journal_duplicate {
        size_t record; /* in records */
        size_t match;  /* in the texts asked for */
    } * items;
    size_t n, cap;
};
void journal_duplicates_init(struct journal_duplicates *duplicates);
void journal_duplicates_clear(struct journal_duplicates *duplicates);
enum err journal_duplicates(struct journal *journal, const struct journal_scope *scope,
                            const struct journal_value *matches, size_t n, struct journal_duplicates *out,
                            struct error *error) MUST_CHECK;

/* Earlier writes of this scope with the very same body (an import's row), newest first. others may be NULL; it adds up.
 */
enum err journal_same_body(struct journal *journal, const struct journal_scope *scope, const char *body, size_t len,
                           struct journal_records *out, struct journal_others *others, struct error *error) MUST_CHECK;

/* Appends a name for a body within its scope, which tells nothing without this machine's key: the scope's part, a dash,
 * the body's. */
void journal_body_name(struct journal *journal, const struct journal_scope *scope, const char *body, size_t len,
                       struct str *out);

/* Records of this scope's users whose answer gave this id, newest first, as journal_get has them. */
enum err journal_registered(struct journal *journal, const struct journal_scope *scope, const char *id,
                            struct journal_records *out, struct error *error) MUST_CHECK;

enum journal_same { JOURNAL_SAME, JOURNAL_CHANGED, JOURNAL_NEW, JOURNAL_NOT_KNOWN /* purged, or the key is lost */ };
/* Each value against what record n sent under that name; and *body_same for the whole body. */
enum err journal_compare(struct journal *journal, int64_t n, const struct journal_write *with,
                         enum journal_same *fields, bool *body_same, struct error *error) MUST_CHECK;

/* What this console knows of the endpoint registered in a scope: the last registration that was done. */
struct journal_webhook {
    struct journal_records records;  /* one, or none: nothing known */
    int64_t unknown_since;           /* number of a later registration whose outcome is open; 0: none */
    const char *unknown_url;         /* its URL, of the records' text */
    const char *unknown_fingerprint; /* its secret's; NULL: it was unsigned */
    bool unknown_ended;              /* it is not being sent any more and can be repeated */
    struct journal_others others;    /* registrations of the same place and account by another name, and later ones */
};
void journal_webhook_clear(struct journal_webhook *webhook);
enum err journal_webhook_last(struct journal *journal, const struct journal_scope *scope, struct journal_webhook *out,
                              struct error *error) MUST_CHECK;
/* The last registrations of other places or accounts that have the same secret: their records, each profile once. One
 * of the same origin and account is the same endpoint, whatever the profile's name, and shares nothing. */
enum err journal_secret_shared(struct journal *journal, const struct journal_scope *scope, const char *fingerprint,
                               struct journal_records *out, struct error *error) MUST_CHECK;

/* ---- Care ---- */

/* Of records that began before `before`: digests, messages, notes, drafts' and idempotency keys go; time, operator,
 * operation, outcome and id stay, and so does the chain. Open ones (sending, unknown) are left whole. *purged counts
 * records. Written through to the disk, the log emptied; *log_left: another console reads, so that its old pages stay
 * in the log for now. */
enum err journal_purge(struct journal *journal, int64_t before, int64_t now, int64_t *purged, bool *log_left,
                       struct error *error) MUST_CHECK;

/* The whole of it, looked at in whatever state it is. */
struct journal_health {
    struct journal_opening opening; /* state OK: sound, and the head agrees */
    int64_t records, entries;       /* that were read and are sound */
    int64_t confirmed;              /* entries that the head names; -1: it cannot be read */
    struct str faults;              /* of single rows and pages, one a line; the first of them */
    size_t n_faults;
};
/* ERR_CHECK_FAILED where anything is wrong; health is filled all the same. */
enum err journal_verify(const char *folder, int64_t now, struct journal_health *health, struct error *error) MUST_CHECK;
void journal_health_clear(struct journal_health *health);

#endif
