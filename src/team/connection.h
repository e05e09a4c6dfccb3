#ifndef TEAM_CONNECTION_H
#define TEAM_CONNECTION_H
/* One connection to a team's store: made when it is first needed and again after it broke, each step within a time
 * limit, transactions repeated as a whole where the engine asks for it. Owned by its struct team, one thread. */

#include "statements.h"

#include "base/secret.h"
#include "base/str.h"

#include <stdatomic.h>
#include <stdint.h>

enum { TEAM_SQLSTATE_LEN = 5, TEAM_PARAMETERS_MAX = 24 };

struct pg_conn;
struct pg_result;

struct team_connection {
    const char *store;                    /* borrowed: a URI, a service or a list of settings */
    const struct secret *password;        /* borrowed; NULL: libpq's own means */
    struct pg_conn *conn;                 /* NULL: not connected */
    bool away;                            /* the last failure was that it cannot be reached, */
    bool reached;                         /* or that it answers and cannot be used */
    char sqlstate[TEAM_SQLSTATE_LEN + 1]; /* of the last failure; "": none */
    bool unsure;                          /* the answer to the last COMMIT did not come */
    int64_t tried;                        /* monotonic ms of the last attempt that failed; 0: none */
    const atomic_bool *dropped; /* set by another thread: nobody waits for the question; NULL: none is asked */
};

/* Connects where there is no connection. ERR_STORE with away where it cannot be reached, and ERR_CONFIG where the
 * connection would not be safe. */
enum err team_connect(struct team_connection *connection, struct error *error) MUST_CHECK;
void team_disconnect(struct team_connection *connection);
/* Fails at once while the last attempt is younger than a few seconds: for what can wait. */
enum err team_connect_gently(struct team_connection *connection, struct error *error) MUST_CHECK;
bool team_connection_is_encrypted(const struct team_connection *connection);

/* Values of a statement; numbers are kept as text in it. */
struct team_values {
    const char *text[TEAM_PARAMETERS_MAX];
    char numbers[TEAM_PARAMETERS_MAX][24];
    int n;
};
void team_value(struct team_values *values, const char *text); /* borrowed; NULL: none */
void team_value_number(struct team_values *values, int64_t number);

struct team_rows {
    struct pg_result *result;
    int n;
    long long changed; /* rows that the statement added or removed */
};
/* values NULL: none. rows NULL: not wanted; else to be cleared, also on failure. */
enum err team_run(struct team_connection *connection, enum team_statement statement, const struct team_values *values,
                  struct team_rows *rows, struct error *error) MUST_CHECK;
/* One that where.c made of its pieces; values are parameters. Waits long, and can be cancelled: ERR_CANCELLED. */
enum err team_run_made(struct team_connection *connection, const char *text, int n, const char *const *values,
                       struct team_rows *rows, struct error *error) MUST_CHECK;
/* A statement of the schema, as it stands in its table. */
enum err team_run_schema(struct team_connection *connection, const char *text, struct error *error) MUST_CHECK;
void team_rows_clear(struct team_rows *rows);
const char *team_text(const struct team_rows *rows, int row, int column); /* NULL where there is none */
int64_t team_number(const struct team_rows *rows, int row, int column);   /* 0 where there is none */

bool team_state_is(const struct team_connection *connection, const char *sqlstate);
/* Of steps that saw the store as it was before another's commit: the whole transaction is done again. */
enum err team_ask_again(struct team_connection *connection, struct error *error);

/* Steps of one transaction. attempt: 0 first; later ones look whether an earlier one was committed before they write.
 */
typedef enum err team_steps_fn(void *context, struct error *error);
/* Serializable. Where two met (40001, 40P01, a unique number taken meanwhile), or the connection broke, all of it is
 * done again, a bounded number of times with a random pause; the steps do nothing outside the store, so that this is
 * safe. */
enum err team_transaction(struct team_connection *connection, team_steps_fn *steps, void *context,
                          struct error *error) MUST_CHECK;
/* What is read in one look. */
enum err team_reading(struct team_connection *connection, team_steps_fn *steps, void *context,
                      struct error *error) MUST_CHECK;

#endif
