#ifndef TEAM_SQL_WALK_H
#define TEAM_SQL_WALK_H
/* Who asks the service for a part of the list until when, and how many requests the team sent in each minute of the
 * last hour. Both by the store's clock alone. A part is a digest: a filter may name a person. */

/* X(version, text) */
#define TEAM_WALK_TABLES(X)                                                                                     \
    X(2, "CREATE TABLE IF NOT EXISTS leases (scope BIGINT NOT NULL, part TEXT NOT NULL, holder TEXT NOT NULL, " \
         "who TEXT NOT NULL, host TEXT NOT NULL, ends BIGINT NOT NULL, PRIMARY KEY (scope, part))")             \
    X(2, "CREATE TABLE IF NOT EXISTS spending (scope BIGINT NOT NULL, minute BIGINT NOT NULL, n BIGINT NOT "    \
         "NULL, PRIMARY KEY (scope, minute))")

/* X(table) */
#define TEAM_WALK_NAMES(X) X("leases") X("spending")

/* X(table, right, role) */
#define TEAM_WALK_GRANTS(X)                    \
    X("leases", "SELECT", "bursar_reader")     \
    X("spending", "SELECT", "bursar_reader")   \
    X("leases", "SELECT", "bursar_operator")   \
    X("leases", "INSERT", "bursar_operator")   \
    X("leases", "UPDATE", "bursar_operator")   \
    X("leases", "DELETE", "bursar_operator")   \
    X("spending", "SELECT", "bursar_operator") \
    X("spending", "INSERT", "bursar_operator") \
    X("spending", "UPDATE", "bursar_operator") \
    X("spending", "DELETE", "bursar_operator")

#define TEAM_NOW_MS "CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT)"
#define TEAM_NOW_MINUTE "CAST(FLOOR(EXTRACT(EPOCH FROM now()) / 60) AS BIGINT)"

/* X(name, number of parameters, text) */
#define TEAM_WALK_STATEMENTS(X)                                                                                       \
    X(LEASE_OF, 2, "SELECT holder, who, host, ends - " TEAM_NOW_MS " FROM leases WHERE scope = $1 AND part = $2")     \
    X(LEASE_TAKE, 6,                                                                                                  \
      "INSERT INTO leases (scope, part, holder, who, host, ends) VALUES ($1, $2, $3, $4, $5, " TEAM_NOW_MS            \
      " + CAST($6 AS BIGINT)) ON CONFLICT (scope, part) DO UPDATE SET holder = EXCLUDED.holder, who = EXCLUDED.who, " \
      "host = EXCLUDED.host, ends = EXCLUDED.ends")                                                                   \
    X(LEASE_DROP, 3, "DELETE FROM leases WHERE scope = $1 AND part = $2 AND holder = $3")                             \
    X(SPENT_ADD, 2,                                                                                                   \
      "INSERT INTO spending (scope, minute, n) VALUES ($1, " TEAM_NOW_MINUTE                                          \
      ", $2) ON CONFLICT (scope, minute) DO UPDATE SET n = spending.n + EXCLUDED.n")                                  \
    X(SPENT_FORGET, 1, "DELETE FROM spending WHERE scope = $1 AND minute <= " TEAM_NOW_MINUTE " - 60")                \
    X(SPENT_OF, 1,                                                                                                    \
      "SELECT " TEAM_NOW_MINUTE " - minute, n FROM spending WHERE scope = $1 AND minute > " TEAM_NOW_MINUTE           \
      " - 60 ORDER BY minute")

#endif
