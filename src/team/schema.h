#ifndef TEAM_SCHEMA_H
#define TEAM_SCHEMA_H
/* The tables of a team's store by version, and who may do what with them: plain SQL of the subset that
 * tests/lint/sql.sh holds. A version, once given out, is never changed; the next one adds to it. Each statement can be
 * run again. Nothing personal: digests under the team's key, ids, words and times (ms since 1970, UTC). */

/* X(version, text) */
#define TEAM_SCHEMA_TABLE(X)                                                                                          \
    X(1, "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)")                              \
    X(1,                                                                                                              \
      "CREATE TABLE IF NOT EXISTS writes ("                                                                           \
      "id TEXT PRIMARY KEY, console TEXT NOT NULL, seq BIGINT NOT NULL, link TEXT NOT NULL, at BIGINT NOT NULL, "     \
      "stored BIGINT NOT NULL, late BIGINT NOT NULL, who TEXT NOT NULL, host TEXT NOT NULL, profile TEXT NOT NULL, "  \
      "environment TEXT NOT NULL, origin TEXT NOT NULL, account TEXT NOT NULL, operation TEXT NOT NULL, "             \
      "digest TEXT NOT NULL, idempotency TEXT, import TEXT, line BIGINT NOT NULL, repeats TEXT, url TEXT, "           \
      "fingerprint TEXT, owner TEXT NOT NULL, UNIQUE (console, seq))")                                                \
    X(1, "CREATE INDEX IF NOT EXISTS writes_digest ON writes (origin, account, digest)")                              \
    X(1, "CREATE INDEX IF NOT EXISTS writes_stored ON writes (stored, id)")                                           \
    X(1, "CREATE TABLE IF NOT EXISTS marks ("                                                                         \
         "id TEXT NOT NULL, k BIGINT NOT NULL, console TEXT NOT NULL, seq BIGINT NOT NULL, link TEXT NOT NULL, "      \
         "at BIGINT NOT NULL, stored BIGINT NOT NULL, who TEXT NOT NULL, host TEXT NOT NULL, outcome TEXT NOT NULL, " \
         "status BIGINT NOT NULL, response_id TEXT, message TEXT, note TEXT, PRIMARY KEY (id, k), "                   \
         "UNIQUE (console, seq))")                                                                                    \
    X(1, "CREATE TABLE IF NOT EXISTS matches ("                                                                       \
         "digest TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (digest, id))")                     \
    X(1, "CREATE INDEX IF NOT EXISTS matches_id ON matches (id)")                                                     \
    X(1, "CREATE TABLE IF NOT EXISTS open_writes ("                                                                   \
         "origin TEXT NOT NULL, account TEXT NOT NULL, digest TEXT NOT NULL, id TEXT NOT NULL, "                      \
         "console TEXT NOT NULL, owner TEXT NOT NULL, PRIMARY KEY (origin, account, digest))")                        \
    X(1, "CREATE INDEX IF NOT EXISTS open_writes_id ON open_writes (id)")                                             \
    X(1, "CREATE INDEX IF NOT EXISTS open_writes_console ON open_writes (console)")

/* X(role, what it is for) */
#define TEAM_ROLE_TABLE(X)                                                         \
    X("bursar_reader", "sees what was written and by whom")                        \
    X("bursar_operator", "records writes; can neither change nor remove a record") \
    X("bursar_auditor", "reads every record, to verify the chains")                \
    X("bursar_owner", "owns the tables; nobody works under it")

/* X(table, right, role, verb): the program needs those of the operator. */
#define TEAM_GRANT_TABLE(X)                       \
    X("meta", "SELECT", "bursar_reader")          \
    X("writes", "SELECT", "bursar_reader")        \
    X("marks", "SELECT", "bursar_reader")         \
    X("matches", "SELECT", "bursar_reader")       \
    X("open_writes", "SELECT", "bursar_reader")   \
    X("meta", "SELECT", "bursar_auditor")         \
    X("writes", "SELECT", "bursar_auditor")       \
    X("marks", "SELECT", "bursar_auditor")        \
    X("open_writes", "SELECT", "bursar_auditor")  \
    X("meta", "SELECT", "bursar_operator")        \
    X("writes", "SELECT", "bursar_operator")      \
    X("writes", "INSERT", "bursar_operator")      \
    X("marks", "SELECT", "bursar_operator")       \
    X("marks", "INSERT", "bursar_operator")       \
    X("matches", "SELECT", "bursar_operator")     \
    X("matches", "INSERT", "bursar_operator")     \
    X("open_writes", "SELECT", "bursar_operator") \
    X("open_writes", "INSERT", "bursar_operator") \
    X("open_writes", "DELETE", "bursar_operator")

#endif
