#include "statements.h"

const struct team_sql TEAM_SQL[TSQL_COUNT] = {
#define X(name, n, text) {n, text},
    TEAM_STATEMENTS(X)
#undef X
};
