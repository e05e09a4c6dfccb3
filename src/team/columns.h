#ifndef TEAM_COLUMNS_H
#define TEAM_COLUMNS_H
/* The readable columns of a shared intent, as src/team/sql/intents.h has them: which text of the cells stands in which.
 * What is not here (masks, routing numbers, names) is in the sealed text alone. */

#include "model/cells.h"

/* The store's indexes take entries of some 2,700 bytes: a longer text stands in the sealed text alone, so that a
 * question about it does not find its row. */
enum { TEAM_TEXT_MAX = 500 };
enum { TEAM_UNDATED = -1 /* `created` where the service gave no time that can be read */ };

/* X(column, cells text): few distinct values, kept in `words` too. In the order of INTENTS_PUT. */
#define TEAM_WORD_TABLE(X)     \
    X("status", STATUS)        \
    X("type", TYPE)            \
    X("direction", DIRECTION)  \
    X("rail", RAIL)            \
    X("currency", CURRENCY)    \
    X("decline", DECLINE)      \
    X("brand", BRAND)          \
    X("account", ACCOUNT_TYPE) \
    X("bank", BANK)
/* X(column, cells text): ids, asked for by their beginning. */
#define TEAM_ID_TABLE(X)        \
    X("user_id", USER)          \
    X("credential", CREDENTIAL) \
    X("account_id", ACCOUNT_ID)

#define X(column, text) +1
enum { TEAM_WORDS = 0 TEAM_WORD_TABLE(X), TEAM_IDS = 0 TEAM_ID_TABLE(X) };
#undef X

struct team_column {
    const char *name;
    enum cells_text text;
};
extern const struct team_column TEAM_WORD_COLUMNS[TEAM_WORDS], TEAM_ID_COLUMNS[TEAM_IDS];

#endif
