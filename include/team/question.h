#ifndef TEAM_QUESTION_H
#define TEAM_QUESTION_H
/* Questions about all intents that a team shares, also those that this machine does not keep: the filter language,
 * asked of the store as SQL. What is asked is decided by the same tests as everywhere (query/plan.h): words are tested
 * here, against the list of those that the store has, so that no engine's own idea of equal letters counts. A term
 * about what the store keeps sealed, or does not know, is refused by its name. */

#include "query/plan.h"
#include "team/intents.h"

#include <stdatomic.h>

struct team_question {
    int64_t scope;
    const struct query_plan *plan; /* NULL: every row */
    int limit;
    /* The next page begins behind the last row of the one before: newest first, those without a time last. */
    int64_t after_created;
    const char *after_id; /* NULL: from the newest on */
    /* May be set by any thread: the question ends as soon as it can, with ERR_CANCELLED, and so does the store's work
     * on it. NULL: never. */
    const atomic_bool *dropped;
};

/* ERR_INVALID: the filter has something that the store cannot be asked; the text names it. */
enum err team_question_rows(struct team *team, const struct team_question *question, struct team_intents *out,
                            struct error *error) MUST_CHECK;

struct team_count {
    const char *value, *currency; /* NULL: none */
    int64_t intents, with_amount; /* those whose amount can be counted with */
    const char *sum;              /* of those amounts, exact, in digits */
};
struct team_counts {
    struct team_count *items;
    size_t n;
    bool cut; /* there are more values than are counted at once */
    struct arena arena;
};
/* Most first, each currency by itself. by: NULL for all as one, else one of team_question_column. */
enum err team_question_counts(struct team *team, const struct team_question *question, const char *by,
                              struct team_counts *out, struct error *error) MUST_CHECK;
void team_counts_clear(struct team_counts *counts);
/* The column of a field that can be counted by there; NULL: it cannot. */
const char *team_question_column(enum query_field_code field);

/* Spans of time of which the store has every row, oldest first. */
struct team_spans {
    struct team_span {
        int64_t low, high, age_ms;
        const char *who, *host;
    } * items;
    size_t n;
    struct arena arena;
};
enum err team_spans(struct team *team, int64_t scope, struct team_spans *out, struct error *error) MUST_CHECK;
void team_spans_clear(struct team_spans *spans);

#endif
