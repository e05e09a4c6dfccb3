#ifndef TEAM_SQL_PROPOSALS_H
#define TEAM_SQL_PROPOSALS_H
/* What waits for a second person: a row of `proposals` names it, by digest, and rows of `decisions` say what became of
 * it. Both are added to and never changed. A proposal has two steps at most: 1 released, refused or withdrawn, and 2,
 * of a released one, sent, refused or withdrawn; who comes first takes the step. Of a webhook the URL and a fingerprint
 * under the team's key, of a user the sealed body. `role` is whom the store itself knows, `stored` by its clock. */

/* X(version, text) */
#define TEAM_PROPOSALS_TABLES(X)                                                                                   \
    X(2, "CREATE TABLE IF NOT EXISTS proposals ("                                                                  \
         "id TEXT PRIMARY KEY, console TEXT NOT NULL, who TEXT NOT NULL, host TEXT NOT NULL, role TEXT NOT NULL, " \
         "stored BIGINT NOT NULL, origin TEXT NOT NULL, account TEXT NOT NULL, profile TEXT NOT NULL, "            \
         "environment TEXT NOT NULL, operation TEXT NOT NULL, digest TEXT NOT NULL, url TEXT, fingerprint TEXT, "  \
         "sealed BYTEA)")                                                                                          \
    X(2, "CREATE INDEX IF NOT EXISTS proposals_stored ON proposals (origin, account, operation, stored, id)")      \
    X(2, "CREATE TABLE IF NOT EXISTS decisions ("                                                                  \
         "id TEXT NOT NULL, step BIGINT NOT NULL, kind TEXT NOT NULL, console TEXT NOT NULL, who TEXT NOT NULL, "  \
         "host TEXT NOT NULL, role TEXT NOT NULL, stored BIGINT NOT NULL, reason TEXT, record TEXT, "              \
         "PRIMARY KEY (id, step))")                                                                                \
    X(2, "CREATE INDEX IF NOT EXISTS decisions_stored ON decisions (step, stored)")

/* X(table) */
#define TEAM_PROPOSALS_NAMES(X) X("proposals") X("decisions")

/* X(table, right, role) */
#define TEAM_PROPOSALS_GRANTS(X)                \
    X("proposals", "SELECT", "bursar_reader")   \
    X("decisions", "SELECT", "bursar_reader")   \
    X("proposals", "SELECT", "bursar_auditor")  \
    X("decisions", "SELECT", "bursar_auditor")  \
    X("proposals", "SELECT", "bursar_operator") \
    X("proposals", "INSERT", "bursar_operator") \
    X("decisions", "SELECT", "bursar_operator") \
    X("decisions", "INSERT", "bursar_operator")

#define TEAM_PROPOSAL_ROWS                                                                                       \
    "SELECT p.id, p.who, p.host, p.role, p.stored, p.profile, p.environment, p.operation, p.digest, p.url, "     \
    "p.fingerprint, encode(p.sealed, 'hex'), CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT), current_user, "   \
    "p.origin, p.account, d.kind, d.who, d.host, d.role, d.stored, d.reason, d.console, e.kind, e.who, e.host, " \
    "e.role, e.stored, e.reason, e.record, p.console FROM proposals p LEFT JOIN decisions d ON d.id = p.id "     \
    "AND d.step = 1 LEFT JOIN decisions e ON e.id = p.id AND e.step = 2 "

/* X(name, number of parameters, text) */
#define TEAM_PROPOSALS_STATEMENTS(X)                                                                                  \
    X(PROPOSAL_ADD, 13,                                                                                               \
      "INSERT INTO proposals (id, console, who, host, role, stored, origin, account, profile, environment, "          \
      "operation, digest, url, fingerprint, sealed) VALUES ($1, $2, $3, $4, current_user, "                           \
      "CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT), $5, $6, $7, $8, $9, $10, $11, $12, decode($13, 'hex')) "     \
      "ON CONFLICT (id) DO NOTHING")                                                                                  \
    X(PROPOSALS_OF, 3,                                                                                                \
      TEAM_PROPOSAL_ROWS "WHERE p.origin = $1 AND p.account = $2 AND p.stored >= $3 ORDER BY p.stored DESC, p.id "    \
                         "LIMIT 200")                                                                                 \
    X(PROPOSALS_WITH, 3,                                                                                              \
      TEAM_PROPOSAL_ROWS "WHERE p.origin = $1 AND p.account = $2 AND LEFT(p.id, CHAR_LENGTH($3)) = $3 ORDER BY p.id " \
                         "LIMIT 2")                                                                                   \
    X(DECISION_ADD, 8,                                                                                                \
      "INSERT INTO decisions (id, step, kind, console, who, host, role, stored, reason, record) VALUES "              \
      "($1, $2, $3, $4, $5, $6, current_user, CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT), $7, $8) "             \
      "ON CONFLICT (id, step) DO NOTHING")                                                                            \
    X(RELEASED_SINCE, 1,                                                                                              \
      "SELECT e.record, p.who, p.host, d.who, d.host FROM decisions e JOIN proposals p ON p.id = e.id "               \
      "JOIN decisions d ON d.id = e.id AND d.step = 1 WHERE e.step = 2 AND e.kind = 'sent' AND e.stored >= $1 "       \
      "ORDER BY e.stored DESC LIMIT 1000")                                                                            \
    X(RELEASED_AS, 1,                                                                                                 \
      "SELECT e.record, p.who, p.host, d.who, d.host FROM decisions e JOIN proposals p ON p.id = e.id "               \
      "JOIN decisions d ON d.id = e.id AND d.step = 1 WHERE e.step = 2 AND e.record = $1 LIMIT 1")

#endif
