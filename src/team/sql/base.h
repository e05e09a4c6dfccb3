#ifndef TEAM_SQL_BASE_H
#define TEAM_SQL_BASE_H
/* Transactions, what the store says of itself, and the table that names its version and its key. */

/* X(version, text) */
#define TEAM_BASE_TABLES(X) X(1, "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)")

/* X(table) */
#define TEAM_BASE_NAMES(X) X("meta")

/* X(table, right, role) */
#define TEAM_BASE_GRANTS(X)               \
    X("meta", "SELECT", "bursar_reader")  \
    X("meta", "SELECT", "bursar_auditor") \
    X("meta", "SELECT", "bursar_operator")

/* X(name, number of parameters, text) */
#define TEAM_BASE_STATEMENTS(X)                                                                                       \
    X(BEGIN, 0, "BEGIN ISOLATION LEVEL SERIALIZABLE")                                                                 \
    X(BEGIN_READING, 0, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")                                            \
    X(NO_IDLING, 0, "SET LOCAL idle_in_transaction_session_timeout = 5000")                                           \
    X(NO_DELAY, 0, "SET LOCAL statement_timeout = 8000")                                                              \
    X(COMMIT, 0, "COMMIT")                                                                                            \
    X(ROLLBACK, 0, "ROLLBACK")                                                                                        \
    X(META, 0, "SELECT name, value FROM meta")                                                                        \
    X(META_ADD, 2, "INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING")                    \
    X(SCHEMA_IS, 1,                                                                                                   \
      "INSERT INTO meta (name, value) VALUES ('schema', $1) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value") \
    X(VERSION, 0, "SELECT version()")                                                                                 \
    X(IS_READ_ONLY, 0, "SHOW transaction_read_only")                                                                  \
    X(ROLE, 0, "SELECT current_user")                                                                                 \
    X(HAS_TABLE, 1,                                                                                                   \
      "SELECT COUNT(*) FROM information_schema.tables WHERE table_name = $1 AND table_schema = current_schema()")     \
    X(HAS_RIGHT, 2, "SELECT has_table_privilege($1, $2)")                                                             \
    X(NOW, 0, "SELECT CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT)")

#endif
