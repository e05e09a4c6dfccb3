#include "team/question.h"

#include "columns.h"
#include "where.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { COUNTS_MAX = 5000 };

/* What a question asks for; by: of counts. */
typedef enum err question_fn(struct where *where, const struct team_question *question, const char *by,
                             struct error *error);

/* rows: to be cleared, also on failure. */
static enum err run_question(struct team *team, const struct team_question *question, question_fn *add, const char *by,
                             struct team_rows *rows, struct error *error) {
    struct where where;
    *rows = (struct team_rows){0};
    team_give_up_when(team, question->dropped);
    enum err err = team_use(team, false, error);
    where_init(&where, team, question->scope);
    if (err == ERR_OK)
        err = add(&where, question, by, error);
    if (err == ERR_OK)
        err = where_run(&where, rows, error);
    where_clear(&where);
    team_give_up_when(team, NULL);
    return err;
}

/* ---- rows ---- */

/* Columns of ROWS. */
enum { ROW_ID, ROW_CREATED, ROW_CONFIRMED, ROW_NOW, ROW_RAW };

static void take_question_rows(struct team *team, const struct team_rows *rows, int limit, struct team_intents *out) {
    out->items = mem_new_array((size_t)rows->n + 1, sizeof *out->items);
    out->more = rows->n > limit;
    for (int i = 0; i < rows->n && i < limit; i++) {
        int64_t age = team_number(rows, i, ROW_NOW) - team_number(rows, i, ROW_CONFIRMED);
        if (team_take_intent(team, &out->arena, team_text(rows, i, ROW_RAW), age, &out->items[out->n]))
            out->n++;
        else
            out->sealed++;
    }
    int last = (rows->n < limit ? rows->n : limit) - 1;
    if (last >= 0) {
        out->last_created = team_number(rows, last, ROW_CREATED);
        const char *id = team_text(rows, last, ROW_ID); /* goes back into the next question */
        out->last_id = arena_dup_n(&out->arena, id, strlen(id));
    }
}

static enum err add_rows_question(struct where *where, const struct team_question *question, const char *by,
                                  struct error *error) {
    (void)by;
    where_add(where, PIECE_ROWS, NULL, NULL);
    where_add_number(where, PIECE_SEALED, NULL, question->scope);
    enum err err = where_add_plan(where, question->plan, error);
    if (err == ERR_OK && question->after_id)
        where_add_after(where, question->after_created, question->after_id);
    if (err == ERR_OK)
        where_add_number(where, PIECE_NEWEST, NULL, (int64_t)question->limit + 1);
    return err;
}

enum err team_question_rows(struct team *team, const struct team_question *question, struct team_intents *out,
                            struct error *error) {
    struct team_rows rows;
    *out = (struct team_intents){0};
    enum err err = run_question(team, question, add_rows_question, NULL, &rows, error);
    if (err == ERR_OK)
        take_question_rows(team, &rows, question->limit, out);
    team_rows_clear(&rows);
    return err;
}

/* ---- counts ---- */

const char *team_question_column(enum query_field_code field) {
    enum cells_text text = query_field(field)->column;
    for (size_t i = 0; i < TEAM_WORDS; i++)
        if (TEAM_WORD_COLUMNS[i].text == text)
            return TEAM_WORD_COLUMNS[i].name;
    return field == QUERY_USER_FIELD ? "user_id" : NULL;
}

static enum err add_counts_question(struct where *where, const struct team_question *question, const char *by,
                                    struct error *error) {
    where_add_number(where, by ? PIECE_COUNTS : PIECE_TOTALS, by, question->scope);
    enum err err = where_add_plan(where, question->plan, error);
    if (err == ERR_OK)
        where_add(where, by ? PIECE_BY_COLUMN : PIECE_BY_CURRENCY, by, NULL);
    return err;
}

static void take_counts(const struct team_rows *rows, struct team_counts *out) {
    out->items = mem_new_array((size_t)rows->n + 1, sizeof *out->items);
    out->n = (size_t)rows->n;
    out->cut = rows->n >= COUNTS_MAX;
    for (int i = 0; i < rows->n; i++)
        out->items[i] = (struct team_count){
            .value = team_clean(&out->arena, rows, i, 0),
            .currency = team_clean(&out->arena, rows, i, 1),
            .intents = team_number(rows, i, 2),
            .with_amount = team_number(rows, i, 3),
            .sum = team_clean(&out->arena, rows, i, 4),
        };
}

enum err team_question_counts(struct team *team, const struct team_question *question, const char *by,
                              struct team_counts *out, struct error *error) {
    struct team_rows rows;
    *out = (struct team_counts){0};
    enum err err = run_question(team, question, add_counts_question, by, &rows, error);
    if (err == ERR_OK)
        take_counts(&rows, out);
    team_rows_clear(&rows);
    return err;
}

void team_counts_clear(struct team_counts *counts) {
    free(counts->items);
    arena_clear(&counts->arena);
    *counts = (struct team_counts){0};
}

/* ---- what is whole ---- */

enum err team_spans(struct team *team, int64_t scope, struct team_spans *out, struct error *error) {
    struct team_values values = {0};
    struct team_rows rows = {0};
    *out = (struct team_spans){0};
    enum err err = team_use(team, true, error);
    team_value_number(&values, scope);
    if (err == ERR_OK)
        err = team_run(&team->connection, TSQL_SPANS_OF, &values, &rows, error);
    out->items = mem_new_array((size_t)rows.n + 1, sizeof *out->items);
    out->n = (size_t)rows.n;
    for (int i = 0; i < rows.n; i++)
        out->items[i] = (struct team_span){team_number(&rows, i, 0), team_number(&rows, i, 1),
                                           team_number(&rows, i, 3) - team_number(&rows, i, 2),
                                           team_clean(&out->arena, &rows, i, 4), team_clean(&out->arena, &rows, i, 5)};
    team_rows_clear(&rows);
    return err;
}

void team_spans_clear(struct team_spans *spans) {
    free(spans->items);
    arena_clear(&spans->arena);
    *spans = (struct team_spans){0};
}
