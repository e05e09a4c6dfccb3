#ifndef TEAM_SQL_JOURNAL_H
#define TEAM_SQL_JOURNAL_H
/* The team's journal: records are added and never changed. Nothing personal: digests under the team's key, ids, words
 * and times (ms since 1970, UTC). */

/* X(version, text) */
#define TEAM_JOURNAL_TABLES(X)                                                                                        \
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
    X(1, "CREATE INDEX IF NOT EXISTS open_writes_console ON open_writes (console)")                                   \
    X(2, "CREATE INDEX IF NOT EXISTS marks_noted ON marks (stored) WHERE note IS NOT NULL")

/* X(table) */
#define TEAM_JOURNAL_NAMES(X) X("writes") X("marks") X("matches") X("open_writes")

/* X(table, right, role) */
#define TEAM_JOURNAL_GRANTS(X)                    \
    X("writes", "SELECT", "bursar_reader")        \
    X("marks", "SELECT", "bursar_reader")         \
    X("matches", "SELECT", "bursar_reader")       \
    X("open_writes", "SELECT", "bursar_reader")   \
    X("writes", "SELECT", "bursar_auditor")       \
    X("marks", "SELECT", "bursar_auditor")        \
    X("open_writes", "SELECT", "bursar_auditor")  \
    X("writes", "SELECT", "bursar_operator")      \
    X("writes", "INSERT", "bursar_operator")      \
    X("marks", "SELECT", "bursar_operator")       \
    X("marks", "INSERT", "bursar_operator")       \
    X("matches", "SELECT", "bursar_operator")     \
    X("matches", "INSERT", "bursar_operator")     \
    X("open_writes", "SELECT", "bursar_operator") \
    X("open_writes", "INSERT", "bursar_operator") \
    X("open_writes", "DELETE", "bursar_operator")

/* What a record is listed with, in the order that src/team/rows.c reads; the last mark is its outcome. */
#define TEAM_RECORD_COLUMNS                                                                                   \
    "w.id, w.console, w.at, w.stored, w.late, w.who, w.host, w.profile, w.environment, w.origin, w.account, " \
    "w.operation, w.idempotency, w.import, w.line, w.repeats, w.url, w.fingerprint, "                         \
    "m.outcome, m.status, m.response_id, m.message, m.note, m.stored, m.who, m.host "
#define TEAM_RECORDS                                                                          \
    "SELECT " TEAM_RECORD_COLUMNS "FROM writes w LEFT JOIN marks m ON m.id = w.id AND m.k = " \
    "(SELECT MAX(l.k) FROM marks l WHERE l.id = w.id) "

/* What was refused or never sent forbids nothing, and tells of nobody. */
#define TEAM_HAD_EFFECT "(m.outcome IS NULL OR m.outcome NOT IN ('refused', 'not-sent')) "
/* A user registered at two desks, of one body or of one tag, where one record came afterwards, or somebody's word said
 * of one that it was not sent. */
#define TEAM_TWICE "SELECT w.id, o.who, o.host, o.stored, o.id FROM writes w "
#define TEAM_TWICE_DONE                                                                                      \
    "JOIN marks x ON x.id = w.id AND x.outcome = 'done' JOIN marks y ON y.id = o.id AND y.outcome = 'done' " \
    "WHERE o.id <> w.id AND o.origin = w.origin AND o.account = w.account AND (w.late = 1 OR o.late = 1 OR " \
    "EXISTS (SELECT 1 FROM marks n WHERE n.id IN (w.id, o.id) AND n.outcome = 'not-sent' AND "               \
    "n.note IS NOT NULL)) "                                                                                  \
    "AND w.operation = 'user.create' AND o.operation = 'user.create' AND w.stored >= $1 "

/* X(name, number of parameters, text) */
#define TEAM_JOURNAL_STATEMENTS(X)                                                                                    \
    X(HEAD, 1,                                                                                                        \
      "SELECT h.seq, h.link, CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT) FROM "                                  \
      "(SELECT 0 AS seq, '' AS link "                                                                                 \
      "UNION ALL (SELECT seq, link FROM writes WHERE console = $1 ORDER BY seq DESC LIMIT 1) "                        \
      "UNION ALL (SELECT seq, link FROM marks WHERE console = $1 ORDER BY seq DESC LIMIT 1)) h "                      \
      "ORDER BY h.seq DESC LIMIT 1")                                                                                  \
    X(WRITE_THERE, 1, "SELECT COUNT(*) FROM writes WHERE id = $1")                                                    \
    X(WRITE_ADD, 22,                                                                                                  \
      "INSERT INTO writes (id, console, seq, link, at, stored, late, who, host, profile, environment, origin, "       \
      "account, operation, digest, idempotency, import, line, repeats, url, fingerprint, owner) VALUES "              \
      "($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)")        \
    X(MATCH_ADD, 3, "INSERT INTO matches (digest, id, name) VALUES ($1, $2, $3) ON CONFLICT (digest, id) DO NOTHING") \
    X(OPEN_ADD, 6,                                                                                                    \
      "INSERT INTO open_writes (origin, account, digest, id, console, owner) VALUES ($1, $2, $3, $4, $5, $6) "        \
      "ON CONFLICT (origin, account, digest) DO NOTHING")                                                             \
    X(OPEN_OF, 3,                                                                                                     \
      TEAM_RECORDS "JOIN open_writes o ON o.id = w.id WHERE o.origin = $1 AND o.account = $2 "                        \
                   "AND o.digest = $3")                                                                               \
    X(OPEN_DROP, 1, "DELETE FROM open_writes WHERE id = $1")                                                          \
    X(OPEN_MINE, 1, "SELECT id, owner FROM open_writes WHERE console = $1 ORDER BY id")                               \
    X(SAME, 4,                                                                                                        \
      TEAM_RECORDS "WHERE w.origin = $1 AND w.account = $2 AND w.digest = $3 AND w.id <> $4 AND " TEAM_HAD_EFFECT     \
                   "ORDER BY w.stored DESC, w.id LIMIT 50")                                                           \
    X(ALIKE, 3,                                                                                                       \
      TEAM_RECORDS                                                                                                    \
      "JOIN matches a ON a.id = w.id WHERE a.digest = $1 AND w.console <> $2 AND w.id <> $3 AND " TEAM_HAD_EFFECT     \
      "ORDER BY w.stored DESC, w.id LIMIT 10")                                                                        \
    X(ONE, 1, TEAM_RECORDS "WHERE w.id = $1")                                                                         \
    X(BEGUN_WITH, 2, TEAM_RECORDS "WHERE w.id >= $1 AND w.id < $2 ORDER BY w.id LIMIT 2")                             \
    X(SINCE, 3,                                                                                                       \
      TEAM_RECORDS "WHERE w.stored >= $1 AND (w.stored < $2 OR (w.stored = $2 AND w.id > $3)) "                       \
                   "ORDER BY w.stored DESC, w.id LIMIT 1000")                                                         \
    X(TWICE, 1,                                                                                                       \
      TEAM_TWICE                                                                                                      \
      "JOIN writes o ON o.origin = w.origin AND o.account = w.account AND o.digest = w.digest " TEAM_TWICE_DONE       \
      "UNION " TEAM_TWICE "JOIN matches a ON a.id = w.id AND a.name = 'tag' "                                         \
      "JOIN matches b ON b.digest = a.digest AND b.name = 'tag' JOIN writes o ON o.id = b.id " TEAM_TWICE_DONE        \
      "ORDER BY 1, 4 LIMIT 1000")                                                                                     \
    X(MARKS_OF, 1,                                                                                                    \
      "SELECT outcome, status, response_id, message, note, stored, who, host, console FROM marks WHERE id = $1 "      \
      "ORDER BY k")                                                                                                   \
    X(WRITES_THERE, 1, "SELECT id FROM writes WHERE id = ANY(CAST($1 AS TEXT[]))")                                    \
    X(MARK_SETTLES, 1, "SELECT COUNT(*) FROM marks WHERE id = $1 AND outcome <> 'unknown'")                           \
    X(NOTED_BY_OTHERS, 2,                                                                                             \
      "SELECT m.id, m.stored, (SELECT COUNT(*) FROM marks o WHERE o.id = m.id AND o.console = $1 AND "                \
      "o.outcome <> 'unknown') FROM marks m JOIN writes w ON w.id = m.id WHERE m.note IS NOT NULL AND "               \
      "m.stored >= $2 AND w.console = $1 AND m.console <> $1 ORDER BY m.stored, m.id LIMIT 1000")                     \
    X(MARK_NUMBER, 1, "SELECT COALESCE(MAX(k), 0) FROM marks WHERE id = $1")                                          \
    X(MARK_THERE, 4, "SELECT COUNT(*) FROM marks WHERE id = $1 AND console = $2 AND at = $3 AND outcome = $4")        \
    X(MARK_ADD, 14,                                                                                                   \
      "INSERT INTO marks (id, k, console, seq, link, at, stored, who, host, outcome, status, response_id, "           \
      "message, note) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)")                          \
    X(CONSOLES, 0,                                                                                                    \
      "SELECT console, who, host, MIN(stored), MAX(stored), COUNT(*) FROM writes GROUP BY console, who, host "        \
      "ORDER BY 5 DESC, 1 LIMIT 1000")                                                                                \
    X(CHAINS, 0, "SELECT DISTINCT console FROM writes UNION SELECT DISTINCT console FROM marks ORDER BY 1")           \
    X(CHAIN_WRITES, 2,                                                                                                \
      "SELECT id, console, seq, link, at, stored, late, who, host, profile, environment, origin, account, "           \
      "operation, digest, idempotency, import, line, repeats, url, fingerprint, owner FROM writes "                   \
      "WHERE console = $1 AND seq > $2 ORDER BY seq LIMIT 1000")                                                      \
    X(CHAIN_MARKS, 2,                                                                                                 \
      "SELECT id, k, console, seq, link, at, stored, who, host, outcome, status, response_id, message, note "         \
      "FROM marks WHERE console = $1 AND seq > $2 ORDER BY seq LIMIT 1000")                                           \
    X(COUNTS, 0, "SELECT (SELECT COUNT(*) FROM writes), (SELECT COUNT(*) FROM open_writes)")

#endif
