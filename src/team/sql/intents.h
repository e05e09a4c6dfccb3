#ifndef TEAM_SQL_INTENTS_H
#define TEAM_SQL_INTENTS_H
/* The intents that a team shares. A row is sealed with the team's key (raw); beside it stand, readable, the columns
 * that questions are asked by: ids and words of the service, amounts and times. Masks, routing numbers and names are in
 * the sealed text alone. `scope` is made of origin and account (team_scope). `change` counts the changes of a scope in
 * the order of their commits, since each transaction that stores rows takes its number out of the one row of `changes`.
 */

/* X(version, text) */
#define TEAM_INTENTS_TABLES(X)                                                                                         \
    X(2, "CREATE TABLE IF NOT EXISTS changes (scope BIGINT PRIMARY KEY, n BIGINT NOT NULL)")                           \
    X(2, "CREATE TABLE IF NOT EXISTS intents ("                                                                        \
         "scope BIGINT NOT NULL, created BIGINT NOT NULL, id TEXT COLLATE \"C\" NOT NULL, change BIGINT NOT NULL, "    \
         "confirmed BIGINT NOT NULL, status TEXT, type TEXT, direction TEXT, rail TEXT, currency TEXT, decline TEXT, " \
         "brand TEXT, account TEXT, bank TEXT, amount BIGINT, guarantee BIGINT, user_id TEXT COLLATE \"C\", "          \
         "credential TEXT COLLATE \"C\", account_id TEXT COLLATE \"C\", flags BIGINT NOT NULL, raw BYTEA NOT NULL, "   \
         "PRIMARY KEY (scope, created, id))" TEAM_PARTITIONED)                                                         \
    X(2, "CREATE INDEX IF NOT EXISTS intents_change ON intents (scope, change, id)")                                   \
    X(2, "CREATE INDEX IF NOT EXISTS intents_id ON intents (scope, id)")                                               \
    X(2, "CREATE INDEX IF NOT EXISTS intents_status ON intents (scope, status, created, id)")                          \
    X(2, "CREATE INDEX IF NOT EXISTS intents_user ON intents (scope, user_id, created, id)")                           \
    X(2, "CREATE INDEX IF NOT EXISTS intents_bank ON intents (scope, bank, status, created, id) "                      \
         "INCLUDE (currency, amount)")                                                                                 \
    X(2, "CREATE TABLE IF NOT EXISTS words (scope BIGINT NOT NULL, field TEXT NOT NULL, word TEXT NOT NULL, "          \
         "PRIMARY KEY (scope, field, word))")                                                                          \
    X(2, "CREATE TABLE IF NOT EXISTS spans (scope BIGINT NOT NULL, low BIGINT NOT NULL, high BIGINT NOT NULL, "        \
         "as_of BIGINT NOT NULL, who TEXT NOT NULL, host TEXT NOT NULL, PRIMARY KEY (scope, low, high))")

/* By quarters where the engine partitions tables; behind the table's text, so that it can be left away. */
#define TEAM_PARTITIONED " PARTITION BY RANGE (created)"

/* X(table) */
#define TEAM_INTENTS_NAMES(X) X("changes") X("intents") X("words") X("spans")

/* X(table, right, role) */
#define TEAM_INTENTS_GRANTS(X)                \
    X("changes", "SELECT", "bursar_reader")   \
    X("intents", "SELECT", "bursar_reader")   \
    X("words", "SELECT", "bursar_reader")     \
    X("spans", "SELECT", "bursar_reader")     \
    X("changes", "SELECT", "bursar_operator") \
    X("changes", "INSERT", "bursar_operator") \
    X("changes", "UPDATE", "bursar_operator") \
    X("intents", "SELECT", "bursar_operator") \
    X("intents", "INSERT", "bursar_operator") \
    X("intents", "UPDATE", "bursar_operator") \
    X("words", "SELECT", "bursar_operator")   \
    X("words", "INSERT", "bursar_operator")   \
    X("spans", "SELECT", "bursar_operator")   \
    X("spans", "INSERT", "bursar_operator")   \
    X("spans", "UPDATE", "bursar_operator")   \
    X("spans", "DELETE", "bursar_operator")

/* A row that was confirmed later here stays as it is: consoles bring what they read in any order. One whose text and
 * columns are the same keeps its change number, and is known to be confirmed later, to a minute. */
#define TEAM_INTENT_COLUMNS                                                                                           \
    "scope, created, id, change, confirmed, status, type, direction, rail, currency, decline, brand, account, bank, " \
    "amount, guarantee, user_id, credential, account_id, flags, raw"

/* X(name, number of parameters, text) */
#define TEAM_INTENTS_STATEMENTS(X)                                                                                     \
    X(CHANGE_NEXT, 1,                                                                                                  \
      "INSERT INTO changes (scope, n) VALUES ($1, 1) ON CONFLICT (scope) DO UPDATE SET n = changes.n + 1 "             \
      "RETURNING n, CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT)")                                                 \
    X(CHANGE_LAST, 1, "SELECT n FROM changes WHERE scope = $1")                                                        \
    X(INTENTS_PUT, 21,                                                                                                 \
      "INSERT INTO intents (" TEAM_INTENT_COLUMNS ") SELECT $1, r.a, r.b, $2, r.c, r.d, r.e, r.f, r.g, r.h, r.i, "     \
      "r.j, r.k, r.l, r.m, r.n, r.o, r.p, r.q, r.r, r.s FROM UNNEST(CAST($3 AS BIGINT[]), CAST($4 AS TEXT[]), "        \
      "CAST($5 AS BIGINT[]), CAST($6 AS TEXT[]), CAST($7 AS TEXT[]), CAST($8 AS TEXT[]), CAST($9 AS TEXT[]), "         \
      "CAST($10 AS TEXT[]), CAST($11 AS TEXT[]), CAST($12 AS TEXT[]), CAST($13 AS TEXT[]), CAST($14 AS TEXT[]), "      \
      "CAST($15 AS BIGINT[]), CAST($16 AS BIGINT[]), CAST($17 AS TEXT[]), CAST($18 AS TEXT[]), CAST($19 AS TEXT[]), "  \
      "CAST($20 AS BIGINT[]), CAST($21 AS BYTEA[])) AS r (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s) "   \
      "ON CONFLICT (scope, created, id) DO UPDATE SET change = CASE WHEN intents.raw = EXCLUDED.raw THEN "             \
      "intents.change ELSE EXCLUDED.change END, confirmed = EXCLUDED.confirmed, "                                      \
      "status = EXCLUDED.status, type = EXCLUDED.type, direction = EXCLUDED.direction, rail = EXCLUDED.rail, "         \
      "currency = EXCLUDED.currency, decline = EXCLUDED.decline, brand = EXCLUDED.brand, "                             \
      "account = EXCLUDED.account, bank = EXCLUDED.bank, amount = EXCLUDED.amount, guarantee = EXCLUDED.guarantee, "   \
      "user_id = EXCLUDED.user_id, credential = EXCLUDED.credential, account_id = EXCLUDED.account_id, "               \
      "flags = EXCLUDED.flags, raw = EXCLUDED.raw WHERE intents.confirmed <= EXCLUDED.confirmed AND "                  \
      "(intents.raw <> EXCLUDED.raw OR intents.confirmed + 60000 < EXCLUDED.confirmed)")                               \
    X(WORDS_PUT, 3,                                                                                                    \
      "INSERT INTO words (scope, field, word) SELECT $1, r.a, r.b FROM UNNEST(CAST($2 AS TEXT[]), "                    \
      "CAST($3 AS TEXT[])) AS r (a, b) ON CONFLICT (scope, field, word) DO NOTHING")                                   \
    X(WORDS_OF, 2, "SELECT word FROM words WHERE scope = $1 AND field = $2")                                           \
    X(INTENTS_SINCE, 4,                                                                                                \
      "SELECT change, id, confirmed, CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT), encode(raw, 'hex') FROM "       \
      "intents "                                                                                                       \
      "WHERE scope = $1 AND change >= $2 AND (change > $2 OR id > $3) AND (CAST($4 AS BIGINT) = 0 OR "                 \
      "created >= CAST($4 AS BIGINT) OR created < 0) ORDER BY change, id LIMIT 500")                                   \
    X(SPANS_OF, 1,                                                                                                     \
      "SELECT low, high, as_of, CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT), who, host FROM spans WHERE scope = " \
      "$1 ORDER BY low, high")                                                                                         \
    X(SPANS_WITHIN_DROP, 3, "DELETE FROM spans WHERE scope = $1 AND low >= $2 AND high <= $3")                         \
    X(SPAN_ADD, 6,                                                                                                     \
      "INSERT INTO spans (scope, low, high, as_of, who, host) VALUES ($1, $2, $3, "                                    \
      "CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT) - CAST($4 AS BIGINT), $5, $6) "                                \
      "ON CONFLICT (scope, low, high) DO UPDATE SET as_of = EXCLUDED.as_of, who = EXCLUDED.who, host = EXCLUDED.host")

#endif
