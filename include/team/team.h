#ifndef TEAM_TEAM_H
#define TEAM_TEAM_H
/* The store that a team shares: PostgreSQL, or an engine that speaks its protocol. Here: the team's journal. A write is
 * committed in it before its first byte leaves, and a unique constraint there decides between two desks; what is sent
 * is known in it by digests under the team's key alone. Nothing is linked with libpq, and nothing is loaded or
 * connected before the first question. A handle is used by one thread at a time. Times are ms since 1970 UTC. */

#include "base/secret.h"
#include "model/outcome.h"
#include "model/team_report.h"

#include <stdatomic.h>
#include <stdint.h>

struct team;

/* Borrowed for the life of the handle. */
struct team_place {
    const char *store;             /* the setting team_store */
    const char *key_file;          /* NULL or "": the usual place */
    const struct secret *password; /* NULL: libpq's own means */
    const char *console;           /* names this home in the team's records */
    const char *who, *host;
};
struct team *team_new(const struct team_place *place); /* no I/O */
void team_free(struct team *team);

/* Connects, and looks at schema and key where that was not done yet. ERR_STORE, ERR_CONFIG: see team_is_away. gently:
 * fails at once for some seconds after an attempt that failed. */
enum err team_use(struct team *team, bool gently, struct error *error) MUST_CHECK;
/* Closes the connection, of which a server has only so many: the next use makes another. */
void team_rest(struct team *team);
/* While *dropped is set, whatever is asked ends as soon as it can, with ERR_CANCELLED or ERR_STORE: any thread may set
 * it. NULL: nobody does. Between two uses of the handle. */
void team_give_up_when(struct team *team, const atomic_bool *dropped);
/* The last failure was that nobody answers: refused, closed, or not there in time. A store that answers and lets nobody
 * in, or is slow, is not away. */
bool team_is_away(const struct team *team);
bool team_is_out_of_reach(const struct team *team); /* either */

/* ---- The team's key ---- */

/* The usual place of the key file. */
enum err team_key_path(const char *key_file, struct str *out, struct error *error) MUST_CHECK;
/* Makes the key where there is none; never replaces one. */
enum err team_key_make(const char *key_file, bool *made, struct error *error) MUST_CHECK;

/* ---- Beginning ---- */

/* Makes the tables where they are missing, with the rights that this role has. *there: they were there already. */
enum err team_init(struct team *team, bool *there, struct error *error) MUST_CHECK;
/* What the database's owner runs: tables, roles and grants. Needs the key, and no connection. */
enum err team_print_sql(struct team *team, struct str *out, struct error *error) MUST_CHECK;

/* Goes on as far as it can; the last finding says why not further. now: this machine's clock. */
void team_check(struct team *team, int64_t now, struct team_findings *out);

/* ---- The team's journal ---- */

#define TEAM_WORD " (team)" /* behind a colleague's name in a record of this machine that they settled */

struct team_text {
    const char *name, *text;
};
/* Names a write before there is a record of it, here and in the store: random. */
enum { TEAM_ID_BYTES = 32, TEAM_ID_HEX = 2 * TEAM_ID_BYTES, TEAM_ID_SHOWN = 8 };
void team_id_new(unsigned char id[TEAM_ID_BYTES]);

/* Strings may be NULL where absent. */
struct team_write {
    const char *id; /* hex */
    int64_t at;
    const char *owner; /* which running program of this home sends it */
    const char *origin, *profile, *account, *environment, *operation;
    const char *body;
    size_t body_len;
    const struct team_text *matches;
    size_t n_matches;
    const char *idempotency, *import, *url, *fingerprint;
    int64_t line;
    const char *repeats; /* id of the unknown record that this repeats on purpose; NULL */
    bool done_forbids;   /* the very same, done before, stands in the way */
    /* The proposal that this sends (team/proposals.h): in the same transaction it is noted as sent by this record.
     * Where it is not released, was sent already or is of another body, that is ERR_INVALID. NULL: none. */
    const char *proposal;
};

/* Appends a line with the digests of a write under the team's key, by which it can be merged when what was sent is
 * gone. ERR_CONFIG: the key. */
enum err team_prints(struct team *team, const struct team_write *write, struct str *out,
                     struct error *error) MUST_CHECK;

/* What stood in the way of a write, where it was a colleague's. */
struct team_obstacle {
    bool is;
    enum outcome outcome;
    char *id; /* that the service gave; NULL. The caller frees */
};
/* Records that the write is about to be sent: it is committed there when this returns ERR_OK. ERR_INVALID: the very
 * same is being sent, of unknown outcome, or done already; the text says by whom and since when, and what to do.
 * Otherwise the store could not be used and nothing may be sent, except where team_is_away and the profile allows it.
 * Safe to be called again with the same id, also after an answer that was lost. */
enum err team_begin(struct team *team, const struct team_write *write, struct team_obstacle *obstacle,
                    struct error *error) MUST_CHECK;

struct team_mark {
    const char *id;
    int64_t at;
    enum outcome outcome; /* not OUTCOME_SENDING */
    int status;
    const char *response_id, *message;
    const char *who, *note; /* of an operator's word on an unknown one; NULL otherwise */
};
struct team_mark team_mark_of(const char *id, const struct outcome_event *event); /* borrows */
/* What became of it. One that settles it (all but unknown) lets the very same be sent again. The same mark twice is
 * one. */
enum err team_mark(struct team *team, const struct team_mark *mark, struct error *error) MUST_CHECK;

/* The operator's word, with its note, on a record of anybody: one of unknown outcome, or that nothing was heard of for
 * ten minutes by the store's clock. ERR_INVALID: it stands otherwise. */
enum err team_settle(struct team *team, const struct team_mark *mark, struct error *error) MUST_CHECK;

/* A record that was made while the store was away, with its line of team_prints and what became of it: its marks,
 * oldest first. */
struct team_marks {
    const struct outcome_event *items;
    size_t n;
};
enum err team_merge(struct team *team, const struct team_write *write, const char *prints,
                    const struct team_marks *marks, struct error *error) MUST_CHECK;

/* Records that this home began and nobody settled. */
struct team_open {
    struct team_open_write {
        char id[TEAM_ID_HEX + 1];
        char *owner;
    } * items;
    size_t n, cap;
};
enum err team_open_mine(struct team *team, struct team_open *out, struct error *error) MUST_CHECK;
void team_open_clear(struct team_open *open);

/* Records of this home that a colleague gave an outcome to, and how many outcomes this home told of each; from `since`
 * on, by the store's clock, oldest first: some at a time, and none where there is none. */
struct team_noted {
    struct team_noted_write {
        char id[TEAM_ID_HEX + 1];
        int64_t at, told;
    } * items;
    size_t n, cap;
};
enum err team_noted_by_others(struct team *team, int64_t since, struct team_noted *out, struct error *error) MUST_CHECK;

/* Appends what colleagues said of a record of this home to its events. */
enum err team_add_words(struct team *team, struct outcome_records *records, struct outcome_record *record,
                        struct error *error) MUST_CHECK;

/* Which of these records the store has, in as few questions as can be. */
enum err team_are_there(struct team *team, const char *const *ids, size_t n, bool *there,
                        struct error *error) MUST_CHECK;

/* Records of other homes with the very same body, then those with an equal text (their `match`), newest first. */
enum err team_look(struct team *team, const struct team_write *write, struct outcome_records *out,
                   struct error *error) MUST_CHECK;
/* One record with its events; nothing is appended where there is none. id may be its first characters, where only one
 * has them. */
enum err team_get(struct team *team, const char *id, struct outcome_records *out, struct error *error) MUST_CHECK;
/* Newest first, of all homes (own: of this one too), from `since` on; limit 0: all. A record that was registered twice
 * says so in its `twice`; a list that ended at look_max says in `back_to` how far it came. */
enum err team_list(struct team *team, const struct team_list *list, struct outcome_records *out,
                   struct error *error) MUST_CHECK;

enum err team_members(struct team *team, struct team_members *out, struct error *error) MUST_CHECK;

/* ERR_CHECK_FAILED where a record was removed or altered; health is filled all the same. */
enum err team_verify(struct team *team, struct team_health *out, struct error *error) MUST_CHECK;

enum err team_status(struct team *team, struct team_status *out, struct error *error) MUST_CHECK;

#endif
