#ifndef TEAM_SQL_DESK_H
#define TEAM_SQL_DESK_H
/* Notes, tags and views that a team shares, by their kind: added to, never changed. A row is sealed with the team's key
 * and named by a digest of what it says, so that it is there once however often it is sent. `scope` and `change` as for
 * intents. */

/* X(version, text) */
#define TEAM_DESK_TABLES(X)                                                                                           \
    X(2, "CREATE TABLE IF NOT EXISTS notes ("                                                                         \
         "scope BIGINT NOT NULL, id TEXT NOT NULL, change BIGINT NOT NULL, console TEXT NOT NULL, "                   \
         "who TEXT NOT NULL, host TEXT NOT NULL, stored BIGINT NOT NULL, kind TEXT NOT NULL, sealed BYTEA NOT NULL, " \
         "PRIMARY KEY (scope, id))")                                                                                  \
    X(2, "CREATE INDEX IF NOT EXISTS notes_change ON notes (scope, kind, change, id)")

/* X(table) */
#define TEAM_DESK_NAMES(X) X("notes")

/* X(table, right, role) */
#define TEAM_DESK_GRANTS(X)                 \
    X("notes", "SELECT", "bursar_reader")   \
    X("notes", "SELECT", "bursar_operator") \
    X("notes", "INSERT", "bursar_operator")

/* X(name, number of parameters, text) */
#define TEAM_DESK_STATEMENTS(X)                                                                               \
    X(NOTE_ADD, 8,                                                                                            \
      "INSERT INTO notes (scope, id, change, console, who, host, stored, kind, sealed) VALUES ($1, $2, $3, "  \
      "$4, $5, $6, CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT), $7, decode($8, 'hex')) "                 \
      "ON CONFLICT (scope, id) DO NOTHING")                                                                   \
    X(NOTES_SINCE, 4,                                                                                         \
      "SELECT change, id, console, who, host, stored, encode(sealed, 'hex') FROM notes WHERE scope = $1 AND " \
      "change >= $2 AND (change > $2 OR id > $3) AND kind = $4 ORDER BY change, id LIMIT 500")

#endif
