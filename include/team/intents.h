#ifndef TEAM_INTENTS_H
#define TEAM_INTENTS_H
/* Intents that a team shares: what one console read of the service, the others take in by change number, and questions
 * beyond what a machine keeps are asked of all (src/README.md, A team's store). A scope is an origin with an account.
 * Times are ms; what was confirmed when is kept by the store's clock, so that a console's wrong one does no harm. */

#include "model/cells.h"
#include "team/team.h"

/* Needs the key: see team_use. */
int64_t team_scope(struct team *team, const char *origin, const char *account);

struct team_intent {
    const char *raw; /* its JSON as served; borrowed, or of the list */
    size_t raw_len;
    int64_t age_ms;     /* since the service last confirmed it */
    struct cells cells; /* given: borrowed. Taken: unset */
};

/* Stores rows as one change; a row that somebody confirmed later stays. At most TEAM_PUT_MAX. Left out are rows without
 * an id, or with one that is too long, and a row that the store refuses for what it holds; one with another text that
 * is too long for its column is stored, and counted among them since a question by it misses it. out: may be NULL. */
enum { TEAM_PUT_MAX = 500 };
struct team_put {
    int64_t change; /* its number; 0: there was none, or several since a row was refused */
    size_t left_out;
};
enum err team_intents_put(struct team *team, int64_t scope, const struct team_intent *rows, size_t n,
                          struct team_put *out, struct error *error) MUST_CHECK;

/* How far a console has taken in what others stored. Begun with {0}. */
struct team_place_of_changes {
    int64_t change;
    char *id;       /* of the last row of that change; heap, NULL: all of it */
    int64_t oldest; /* rows created before are left out; 0: none */
};
/* The number of the last change; 0: there was none. */
enum err team_change_last(struct team *team, int64_t scope, int64_t *change, struct error *error) MUST_CHECK;
struct team_intents {
    struct team_intent *items;
    size_t n, cap;
    bool more;     /* there is more already */
    size_t sealed; /* rows that this program's key does not open, left out */
    int64_t last_created;
    const char *last_id; /* of the last row of a question, for its next page; NULL: there was none */
    struct arena arena;
};
/* Up to 500 rows that were stored behind `place`, in the order of their changes; `place` is moved behind them. Rows
 * that this program's key does not open are left out and counted in *sealed (may be NULL). */
enum err team_intents_since(struct team *team, int64_t scope, struct team_place_of_changes *place,
                            struct team_intents *out, struct error *error) MUST_CHECK;
void team_intents_clear(struct team_intents *intents);

/* A span of time of which the store has every row, as of when; by whom. low and high: ms, both ends within. */
enum err team_span_add(struct team *team, int64_t scope, int64_t low, int64_t high, int64_t age_ms,
                       struct error *error) MUST_CHECK;

#endif
