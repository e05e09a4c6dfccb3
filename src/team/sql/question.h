#ifndef TEAM_SQL_QUESTION_H
#define TEAM_SQL_QUESTION_H
/* Questions that are asked of all shared intents: a filter is printed as one WHERE of these pieces (src/team/where.c),
 * every value of it a parameter. In the place of `#` comes the number of the next parameter, in that of `@` a column of
 * src/team/columns.h. */

/* X(name, piece) */
#define TEAM_PIECE_TABLE(X)                                                                               \
    X(ROWS, "SELECT id, created, confirmed, CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT), ")          \
    X(SEALED, "encode(raw, 'hex') FROM intents WHERE scope = #")                                          \
    X(AFTER_TIME, " AND (created, id) < (CAST(# AS BIGINT), ")                                            \
    X(AFTER_ID, "#)")                                                                                     \
    X(NEWEST, " ORDER BY created DESC, id DESC LIMIT #")                                                  \
    X(TOTALS, "SELECT NULL, currency, COUNT(*), COUNT(amount), SUM(amount) FROM intents WHERE scope = #") \
    X(COUNTS, "SELECT @, currency, COUNT(*), COUNT(amount), SUM(amount) FROM intents WHERE scope = #")    \
    X(BY_CURRENCY, " GROUP BY currency ORDER BY 3 DESC, 2 LIMIT 5000")                                    \
    X(BY_COLUMN, " GROUP BY @, currency ORDER BY 3 DESC, 1, 2 LIMIT 5000")                                \
    X(OPENS, "(")                                                                                         \
    X(CLOSES, ")")                                                                                        \
    X(AND, " AND ")                                                                                       \
    X(OR, " OR ")                                                                                         \
    X(NOT, " IS NOT TRUE")                                                                                \
    X(NEVER, "1 = 0")                                                                                     \
    X(ALWAYS, "1 = 1")                                                                                    \
    X(IS, "@ = #")                                                                                        \
    X(IS_ONE_OF, "@ = ANY(CAST(# AS TEXT[]))")                                                            \
    X(IS_THERE, "@ IS NOT NULL")                                                                          \
    X(FROM, "@ >= #")                                                                                     \
    X(BEFORE, "@ < #")                                                                                    \
    X(BEGINS, "LEFT(@, CHAR_LENGTH(#)) = #")                                                              \
    X(ENDS, "RIGHT(@, CHAR_LENGTH(#)) = #")                                                               \
    X(HOLDS, "STRPOS(@, #) > 0")                                                                          \
    X(AT_LEAST, "@ >= CAST(# AS BIGINT)")                                                                 \
    X(AT_MOST, "@ <= CAST(# AS BIGINT)")                                                                  \
    X(FLAG, "flags & CAST(# AS BIGINT) <> 0")                                                             \
    X(NO_FLAG, "flags & CAST(# AS BIGINT) = 0")                                                           \
    X(NO_CURRENCY, "currency IS NULL")

#endif
