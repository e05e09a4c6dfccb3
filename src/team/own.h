#ifndef TEAM_OWN_H
#define TEAM_OWN_H
/* What the files of this layer share. */

#include "connection.h"
#include "team/team.h"

#include "base/digest.h"

enum { TEAM_HEX = 2 * DIGEST_LEN + 1, TEAM_SCRATCH_MAX = 1 << 20, TEAM_HOLDER = 33 };

struct team {
    struct team_place place;
    struct team_connection connection;
    struct machine_key key;
    bool has_key;
    bool looked;              /* schema and key of the store agree with ours, by this connection */
    char holder[TEAM_HOLDER]; /* names this handle among those that hold leases; "": not yet */
    struct str scratch;
};

/* ---- key.c ---- */
enum err team_key_use(struct team *team, struct error *error) MUST_CHECK;
/* Keyed, of a text of one kind within a scope; hex. */
struct team_digest {
    char hex[TEAM_HEX];
};
void team_digest_of(struct team *team, const char *kind, const char *origin, const char *account, const char *name,
                    const char *text, size_t len, struct team_digest *out);
void team_key_check_value(struct team *team, struct team_digest *out); /* tells whether two have the same key */

/* ---- schema.c ---- */
enum { TEAM_SCHEMA = 2 };
extern const char *const TEAM_TABLES[];
extern const size_t TEAM_TABLES_N;
/* Reads meta: ERR_CONFIG where the key differs, ERR_STORE where the schema does. */
enum err team_look_at_meta(struct team *team, struct error *error) MUST_CHECK;
#define TEAM_OPERATOR "bursar_operator" /* the role under which this program works */
struct team_right {
    const char *table, *right, *role;
};
extern const struct team_right TEAM_GRANTS[], TEAM_UNWANTED[];
extern const size_t TEAM_GRANTS_N, TEAM_UNWANTED_N;

/* ---- chain.c ---- */

/* The values of a row in the order of its INSERT; the link's place is filled by team_chain_link. */
struct team_head {
    int64_t seq, now; /* the number of the next entry; the store's clock */
    char link[TEAM_HEX];
};
/* The end of this console's chain, within a transaction. */
enum err team_chain_head(struct team *team, struct team_head *out, struct error *error) MUST_CHECK;
/* Link of a row: of the one before it and of every value but `link` itself, under the team's key. */
void team_chain_link(struct team *team, const char *before, const char *kind, const char *const *values, int n,
                     int link, struct team_digest *out);
enum { TEAM_WRITE_LINK = 3, TEAM_WRITE_VALUES = 22, TEAM_MARK_LINK = 4, TEAM_MARK_VALUES = 14 };

/* ---- proposals.c ---- */
/* Takes the step of sending for a write, whose body has this digest, within its transaction. */
enum err team_proposal_take(struct team *team, const struct team_write *write, const char *digest,
                            struct error *error) MUST_CHECK;
/* Says of records from `from` on who proposed and released them; of one record. */
enum err team_tell_releases(struct team *team, int64_t since, struct outcome_records *out, size_t from,
                            struct error *error) MUST_CHECK;
enum err team_tell_release(struct team *team, struct outcome_records *out, size_t at, struct error *error) MUST_CHECK;

/* ---- intents.c ---- */
/* A number for an origin with an account, another one for each kind. */
int64_t team_scope_of(struct team *team, const char *kind, const char *origin, const char *account);
struct arena;
struct team_intent;
void team_seal_intent(struct team *team, const char *raw, size_t len, struct str *out);
/* Of encode(raw, 'hex'); the text is in the arena. false: this key does not open it. */
bool team_take_intent(struct team *team, struct arena *arena, const char *hex, int64_t age, struct team_intent *out);

/* ---- rows.c ---- */

/* A text that somebody else wrote, harmless on a terminal from here on; NULL where there is none. */
char *team_clean(struct arena *arena, const struct team_rows *rows, int row, int column);
/* Appends the rows of a TEAM_RECORDS statement, sanitised. */
void team_take_records(const struct team *team, const struct team_rows *rows, const char *match,
                       struct outcome_records *out);
enum outcome team_outcome_of(const char *name);

#endif
