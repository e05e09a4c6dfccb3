#include "columns.h"

#define X(column, text) {column, CELLS_##text},
const struct team_column TEAM_WORD_COLUMNS[TEAM_WORDS] = {TEAM_WORD_TABLE(X)};
const struct team_column TEAM_ID_COLUMNS[TEAM_IDS] = {TEAM_ID_TABLE(X)};
#undef X
