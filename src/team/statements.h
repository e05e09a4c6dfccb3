#ifndef TEAM_STATEMENTS_H
#define TEAM_STATEMENTS_H
/* Every statement that is sent to a team's store, as a table for each part: what PostgreSQL 13, CockroachDB and
 * YugabyteDB share (tests/lint/sql.sh refuses the rest). Values are parameters, $1 to $n, all of them text; nothing is
 * put together. No statement relies on the session, so that a pooler in transaction mode may stand between. */

#include "team/sql/base.h"
#include "team/sql/desk.h"
#include "team/sql/intents.h"
#include "team/sql/journal.h"
#include "team/sql/proposals.h"
#include "team/sql/walk.h"

/* X(name, number of parameters, text) */
#define TEAM_STATEMENTS(X)       \
    TEAM_BASE_STATEMENTS(X)      \
    TEAM_JOURNAL_STATEMENTS(X)   \
    TEAM_INTENTS_STATEMENTS(X)   \
    TEAM_WALK_STATEMENTS(X)      \
    TEAM_PROPOSALS_STATEMENTS(X) \
    TEAM_DESK_STATEMENTS(X)

enum team_statement {
#define X(name, n, text) TSQL_##name,
    TEAM_STATEMENTS(X)
#undef X
        TSQL_COUNT
};

extern const struct team_sql {
    int n; /* parameters */
    const char *text;
} TEAM_SQL[TSQL_COUNT];

#endif
