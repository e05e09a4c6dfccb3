#include "connection.h"

#include "address.h"
#include "pq.h"

#include "base/clock.h"
#include "base/mem.h"

#include <inttypes.h>
#include <libpq-fe.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* struct pg_conn and struct pg_result are libpq's own names behind PGconn and PGresult. */

enum {
    CONNECT_MS = 4000,
    STATEMENT_MS = 8000,
    QUESTION_MS = 120000, /* over everything that there is; Esc ends it */
    LOOK_MS = 50,         /* in which a cancel is noticed */
    ALL_MS = 12000,       /* after which a transaction is not begun again */
    GENTLE_MS = 5000,
    ATTEMPTS_MAX = 24,
    PAUSE_MS = 8,
    LOST_MAX = 12,
    WHY_MAX = 160
};

static void be_silent(void *context, const char *text) {
    (void)context;
    (void)text;
}

void team_disconnect(struct team_connection *connection) {
    PQfinish(connection->conn);
    connection->conn = NULL;
}

/* The first line of what libpq says, without its names. Reached: it is there, and lets nobody in or is slow. */
static enum err store_is_away(struct team_connection *connection, bool reached, const char *why, struct error *error) {
    size_t len = strcspn(why, "\n") < WHY_MAX ? strcspn(why, "\n") : WHY_MAX;
    connection->away = true;
    connection->reached = reached;
    connection->tried = clock_mono();
    enum err err = error_set(error, ERR_STORE, "the team's store %s: %.*s",
                             reached ? "is there and cannot be used" : "cannot be reached", (int)len, why);
    team_disconnect(connection);
    return err;
}

/* Waits for the socket; false at the deadline. */
static bool wait_for_socket(PGconn *conn, bool writing, int64_t until) {
    int64_t left = until - clock_mono();
    struct pollfd fd = {.fd = PQsocket(conn), .events = (short)(writing ? POLLIN | POLLOUT : POLLIN)};
    return left > 0 && fd.fd >= 0 && poll(&fd, 1, (int)left) > 0;
}

static bool is_given_up(const struct team_connection *connection) {
    return connection->dropped && atomic_load(connection->dropped);
}

/* As wait_for_socket, unless it is given up. */
static bool wait_or_cancel(struct team_connection *connection, bool writing, int64_t until) {
    while (!is_given_up(connection)) {
        int64_t look = clock_mono() + LOOK_MS;
        if (wait_for_socket(connection->conn, writing, look < until ? look : until))
            return true;
        if (clock_mono() >= until || PQsocket(connection->conn) < 0)
            return false;
    }
    return false;
}

/* *reached: TLS failed, or the server refused in words of its own, as at a wrong password. */
static bool finish_connecting(struct team_connection *connection, bool *reached) {
    PGconn *conn = connection->conn;
    int64_t until = clock_mono() + CONNECT_MS;
    PostgresPollingStatusType state = PGRES_POLLING_WRITING;
    ConnStatusType at = CONNECTION_STARTED;
    while (state == PGRES_POLLING_READING || state == PGRES_POLLING_WRITING) {
        if (!wait_or_cancel(connection, state == PGRES_POLLING_WRITING, until))
            return false;
        at = PQstatus(conn);
        state = PQconnectPoll(conn);
    }
    *reached = at == CONNECTION_SSL_STARTUP || strstr(PQerrorMessage(conn), "FATAL") != NULL;
    return state == PGRES_POLLING_OK && PQstatus(conn) == CONNECTION_OK;
}

static const char *connect_fault(const PGconn *conn) {
    const char *text = conn ? PQerrorMessage(conn) : "no memory";
    return *text ? text : "it did not answer in time";
}

enum err team_connect(struct team_connection *connection, struct error *error) {
    struct address address;
    bool reached = false;
    if (connection->conn && PQstatus(connection->conn) == CONNECTION_OK)
        return ERR_OK;
    enum err err = pq_load(error);
    team_disconnect(connection);
    if (err == ERR_OK)
        err = address_make(connection->store, connection->password, &address, error);
    if (err != ERR_OK)
        return err;
    PGconn *conn = PQconnectStartParams(address.words, address.values, 1);
    connection->conn = conn;
    if (!conn || PQstatus(conn) == CONNECTION_BAD || !finish_connecting(connection, &reached))
        return store_is_away(connection, reached, connect_fault(conn), error);
    (void)PQsetNoticeProcessor(conn, be_silent, NULL);
    (void)PQsetnonblocking(conn, 1);
    connection->away = connection->reached = false;
    connection->tried = 0;
    return ERR_OK;
}

enum err team_connect_gently(struct team_connection *connection, struct error *error) {
    bool open = connection->conn && PQstatus(connection->conn) == CONNECTION_OK;
    if (!open && connection->tried && clock_mono() - connection->tried < GENTLE_MS)
        return error_set(error, ERR_STORE, "the team's store cannot be reached");
    return team_connect(connection, error);
}

bool team_connection_is_encrypted(const struct team_connection *connection) {
    return connection->conn && PQsslInUse(connection->conn);
}

/* ---- one statement ---- */

void team_value(struct team_values *values, const char *text) {
    if (values->n == TEAM_PARAMETERS_MAX)
        mem_fatal("a statement of the team's store has too many values");
    values->text[values->n++] = text;
}

void team_value_number(struct team_values *values, int64_t number) {
    int at = values->n;
    team_value(values, NULL);
    snprintf(values->numbers[at], sizeof values->numbers[at], "%" PRId64, number);
    values->text[at] = values->numbers[at];
}

/* All of what was asked for is sent, and the answer has come; false where the connection broke or the time is up. */
static bool await_answer(struct team_connection *connection, int64_t until) {
    PGconn *conn = connection->conn;
    int left = PQflush(conn);
    while (left > 0 || PQisBusy(conn)) {
        if (left < 0 || !wait_or_cancel(connection, left > 0, until) || !PQconsumeInput(conn))
            return false;
        left = PQflush(conn);
    }
    return left == 0;
}

static PGresult *take_result(struct team_connection *connection, int64_t until) {
    PGconn *conn = connection->conn;
    PGresult *first = NULL, *next;
    while (await_answer(connection, until) && (next = PQgetResult(conn)) != NULL)
        if (first)
            PQclear(next);
        else
            first = next;
    return first;
}

#define READ_ONLY_WORDS "it can only be read: it is a replica, or was set so"

/* Codes that an operator meets, in words; others as the engine says it. */
static const struct {
    const char *state, *words;
} STATES[] = {
    {"42501", "this role may not do that: bursar team check names the right that is missing"},
    {"25006", READ_ONLY_WORDS},
    {"42P01", "it has no tables of bursar: bursar team init --print-sql prints what its owner runs"},
    {"53100", "its disk is full"},
    {"57014", "it did not answer in time"},
};

static enum err statement_fault(struct team_connection *connection, const PGresult *result, struct error *error) {
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *words = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    snprintf(connection->sqlstate, sizeof connection->sqlstate, "%s", state ? state : "");
    for (size_t i = 0; i < COUNT_OF(STATES); i++)
        words = team_state_is(connection, STATES[i].state) ? STATES[i].words : words;
    return error_set(error, ERR_STORE, "the team's store refused: %s", words ? words : "it said nothing");
}

/* Asked on a connection of its own that may wait without a limit, where nobody answers: by a thread that nobody waits
 * for. */
static void *send_cancel(void *context) {
    char why[WHY_MAX];
    PGcancel *cancel = context;
    (void)PQcancel(cancel, why, sizeof why);
    PQfreeCancel(cancel);
    return NULL;
}

static void cancel_there(PGconn *conn) {
    pthread_t thread;
    PGcancel *cancel = PQgetCancel(conn);
    if (cancel && pthread_create(&thread, NULL, send_cancel, cancel) == 0)
        (void)pthread_detach(thread);
    else if (cancel)
        PQfreeCancel(cancel);
}

/* What is still to come on this connection is of no use: the next question makes another. */
static enum err statement_cancelled(struct team_connection *connection, PGresult *result, struct error *error) {
    PQclear(result);
    cancel_there(connection->conn);
    team_disconnect(connection);
    return error_set(error, ERR_CANCELLED, "the question to the team's store was given up");
}

static enum err run_text(struct team_connection *connection, const char *text, int n, const char *const *values,
                         int64_t limit, struct team_rows *rows, struct error *error) {
    PGconn *conn = connection->conn;
    int64_t until = clock_mono() + limit;
    connection->sqlstate[0] = '\0';
    if (!conn)
        return store_is_away(connection, false, "the connection is closed", error);
    bool sent = PQsendQueryParams(conn, text, n, NULL, values, NULL, NULL, 0);
    PGresult *result = sent ? take_result(connection, until) : NULL;
    if (is_given_up(connection))
        return statement_cancelled(connection, result, error);
    if (!result || PQstatus(conn) != CONNECTION_OK) {
        /* Nothing is cancelled there: that is a connection of its own, without a limit, where nobody may answer. */
        bool reached = PQstatus(conn) == CONNECTION_OK;
        const char *why = PQerrorMessage(conn);
        PQclear(result);
        return store_is_away(connection, reached, *why ? why : "it did not answer in time", error);
    }
    ExecStatusType status = PQresultStatus(result);
    bool good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    enum err err = good ? ERR_OK : statement_fault(connection, result, error);
    if (err == ERR_OK && rows) {
        *rows = (struct team_rows){result, PQntuples(result), strtoll(PQcmdTuples(result), NULL, 10)};
        return ERR_OK;
    }
    PQclear(result);
    return err;
}

enum err team_run(struct team_connection *connection, enum team_statement statement, const struct team_values *values,
                  struct team_rows *rows, struct error *error) {
    const struct team_sql *sql = &TEAM_SQL[statement];
    if (rows)
        *rows = (struct team_rows){0};
    if (sql->n != (values ? values->n : 0))
        mem_fatal("a statement of the team's store was given another number of values");
    return run_text(connection, sql->text, sql->n, values ? values->text : NULL, STATEMENT_MS, rows, error);
}

enum err team_run_made(struct team_connection *connection, const char *text, int n, const char *const *values,
                       struct team_rows *rows, struct error *error) {
    *rows = (struct team_rows){0};
    return run_text(connection, text, n, values, QUESTION_MS, rows, error);
}

enum err team_run_schema(struct team_connection *connection, const char *text, struct error *error) {
    return run_text(connection, text, 0, NULL, STATEMENT_MS, NULL, error);
}

void team_rows_clear(struct team_rows *rows) {
    PQclear(rows->result);
    *rows = (struct team_rows){0};
}

const char *team_text(const struct team_rows *rows, int row, int column) {
    return PQgetisnull(rows->result, row, column) ? NULL : PQgetvalue(rows->result, row, column);
}

int64_t team_number(const struct team_rows *rows, int row, int column) {
    const char *text = team_text(rows, row, column);
    long long number = 0;
    return text && str_to_int64(text, strlen(text), &number) ? number : 0;
}

bool team_state_is(const struct team_connection *connection, const char *sqlstate) {
    return strcmp(connection->sqlstate, sqlstate) == 0;
}

enum err team_ask_again(struct team_connection *connection, struct error *error) {
    snprintf(connection->sqlstate, sizeof connection->sqlstate, "40001");
    return error_set(error, ERR_STORE, "the team's store changed meanwhile");
}

/* ---- transactions ---- */

static void pause_a_little(int attempt) {
    uint16_t random;
    secret_random(&random, sizeof random);
    int longest = PAUSE_MS << (attempt < 5 ? attempt : 5);
    (void)poll(NULL, 0, 1 + random % longest);
}

/* Others were at the same rows. A number that was taken meanwhile (23505) is one of those. */
static bool met_others(const struct team_connection *connection) {
    return team_state_is(connection, "40001") || team_state_is(connection, "40P01") ||
           team_state_is(connection, "23505");
}

/* A program that is stopped within a transaction must not hold its rows: the store ends it. Local to the transaction,
 * since a pooler may stand between. */
static enum err begin_attempt(struct team_connection *connection, enum team_statement begin, struct error *error) {
    static const enum team_statement FIRST[] = {TSQL_NO_IDLING, TSQL_NO_DELAY};
    struct error fault = {0};
    enum err err = team_run(connection, begin, NULL, NULL, &fault);
    for (size_t i = 0; i < COUNT_OF(FIRST) && err == ERR_OK; i++)
        err = team_run(connection, FIRST[i], NULL, NULL, &fault);
    if (err != ERR_OK && team_state_is(connection, "0A000")) /* a standby has no serializable transactions */
        return error_set(error, err, "the team's store refused: " READ_ONLY_WORDS);
    return err == ERR_OK ? ERR_OK : error_set(error, err, "%s", fault.text);
}

/* One attempt; the connection is at rest afterwards. A store that is started anew is back within a second or two: one
 * that was there is waited for that long. */
static enum err attempt_steps(struct team_connection *connection, enum team_statement begin, team_steps_fn *steps,
                              void *context, bool *connected, struct error *error) {
    char state[TEAM_SQLSTATE_LEN + 1];
    enum err err = team_connect(connection, error);
    *connected = *connected || err == ERR_OK;
    if (err == ERR_OK)
        err = begin_attempt(connection, begin, error);
    if (err == ERR_OK)
        err = steps(context, error);
    if (err == ERR_OK) {
        err = team_run(connection, TSQL_COMMIT, NULL, NULL, error);
        connection->unsure = err != ERR_OK && !connection->conn;
        return err;
    }
    memcpy(state, connection->sqlstate, sizeof state);
    if (connection->conn && team_run(connection, TSQL_ROLLBACK, NULL, NULL, NULL) != ERR_OK)
        team_disconnect(connection);
    memcpy(connection->sqlstate, state, sizeof state);
    return err;
}

static enum err run_attempts(struct team_connection *connection, enum team_statement begin, team_steps_fn *steps,
                             void *context, struct error *error) {
    enum err err = ERR_OK;
    bool connected = connection->conn != NULL;
    int broken = 0;
    int64_t until = clock_mono() + ALL_MS;
    connection->unsure = false;
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        struct error fault = {0};
        err = attempt_steps(connection, begin, steps, context, &connected, &fault);
        bool again = connection->conn ? met_others(connection) : connected && connection->away && broken++ < LOST_MAX;
        if (err == ERR_OK || err == ERR_INVALID || !again || clock_mono() > until || is_given_up(connection)) {
            if (err != ERR_OK)
                err = error_set(error, err, "%s", fault.text);
            break;
        }
        if (attempt + 1 == ATTEMPTS_MAX)
            err = error_set(error, ERR_STORE, "the team's store is too busy: try again in a moment");
        pause_a_little(attempt);
    }
    return err;
}

enum err team_transaction(struct team_connection *connection, team_steps_fn *steps, void *context,
                          struct error *error) {
    return run_attempts(connection, TSQL_BEGIN, steps, context, error);
}

enum err team_reading(struct team_connection *connection, team_steps_fn *steps, void *context, struct error *error) {
    return run_attempts(connection, TSQL_BEGIN_READING, steps, context, error);
}
