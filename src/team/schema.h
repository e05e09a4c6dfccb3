#ifndef TEAM_SCHEMA_H
#define TEAM_SCHEMA_H
/* The tables of a team's store by version, and who may do what with them. Each part has its own in src/team/sql: plain
 * SQL of the subset that tests/lint/sql.sh holds. A version, once given out, is never changed; the next one adds to it.
 * Each statement can be run again. */

#include "team/sql/base.h"
#include "team/sql/desk.h"
#include "team/sql/intents.h"
#include "team/sql/journal.h"
#include "team/sql/proposals.h"
#include "team/sql/walk.h"

/* X(version, text) */
#define TEAM_SCHEMA_TABLE(X) \
    TEAM_BASE_TABLES(X)      \
    TEAM_JOURNAL_TABLES(X)   \
    TEAM_INTENTS_TABLES(X)   \
    TEAM_WALK_TABLES(X)      \
    TEAM_PROPOSALS_TABLES(X) \
    TEAM_DESK_TABLES(X)

/* X(table) */
#define TEAM_NAME_TABLE(X)  \
    TEAM_BASE_NAMES(X)      \
    TEAM_JOURNAL_NAMES(X)   \
    TEAM_INTENTS_NAMES(X)   \
    TEAM_WALK_NAMES(X)      \
    TEAM_PROPOSALS_NAMES(X) \
    TEAM_DESK_NAMES(X)

/* X(role, what it is for) */
#define TEAM_ROLE_TABLE(X)                                                         \
    X("bursar_reader", "sees what was written and by whom")                        \
    X("bursar_operator", "records writes; can neither change nor remove a record") \
    X("bursar_auditor", "reads every record, to verify the chains")                \
    X("bursar_owner", "owns the tables; nobody works under it")

/* X(table, right, role): the program needs those of the operator. */
#define TEAM_GRANT_TABLE(X)  \
    TEAM_BASE_GRANTS(X)      \
    TEAM_JOURNAL_GRANTS(X)   \
    TEAM_INTENTS_GRANTS(X)   \
    TEAM_WALK_GRANTS(X)      \
    TEAM_PROPOSALS_GRANTS(X) \
    TEAM_DESK_GRANTS(X)

#endif
