#ifndef TEAM_WHERE_H
#define TEAM_WHERE_H
/* A statement that is put together of the pieces of sql/question.h, with its values as parameters. */

#include "own.h"
#include "team/sql/question.h"

#include "query/plan.h"

enum team_piece {
#define X(name, piece) PIECE_##name,
    TEAM_PIECE_TABLE(X)
#undef X
};

struct where {
    struct team *team;
    int64_t scope;
    struct arena arena; /* texts of the values */
    struct str text;
    struct {
        const char **items;
        size_t n, cap;
    } values;
    struct team_rows words[QUERY_FIELD_COUNT]; /* asked for once each */
    bool has_words[QUERY_FIELD_COUNT];
};

void where_init(struct where *where, struct team *team, int64_t scope);
void where_clear(struct where *where);
/* column: for `@`; value: for each `#`. NULL: the piece has none. */
void where_add(struct where *where, enum team_piece piece, const char *column, const char *value);
void where_add_number(struct where *where, enum team_piece piece, const char *column, int64_t number);
void where_add_after(struct where *where, int64_t created, const char *id); /* behind that row, newest first */
/* ` AND (...)`, nothing where every row is meant. ERR_INVALID: see team_question_rows. */
enum err where_add_plan(struct where *where, const struct query_plan *plan, struct error *error) MUST_CHECK;
enum err where_run(struct where *where, struct team_rows *rows, struct error *error) MUST_CHECK;

#endif
