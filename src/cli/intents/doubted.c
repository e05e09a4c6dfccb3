#include "doubted.h"

#include "base/mem.h"
#include "base/out.h"

#include <stdlib.h>

struct doubted {
    struct query_doubts doubts;
    struct query_plan *plans[QUERY_DOUBTS_MAX]; /* of what is tried; NULL: a row has it */
};

struct doubted *doubted_new(const struct query *query, const struct query_context *context) {
    struct doubted *doubted = mem_new(sizeof *doubted);
    query_doubts(query, &doubted->doubts);
    for (size_t i = 0; i < doubted->doubts.n; i++)
        doubted->plans[i] = query_plan_new(doubted->doubts.items[i].tried, context);
    return doubted;
}

void doubted_free(struct doubted *doubted) {
    if (!doubted)
        return;
    for (size_t i = 0; i < doubted->doubts.n; i++)
        query_plan_free(doubted->plans[i]);
    query_doubts_clear(&doubted->doubts);
    free(doubted);
}

void doubted_look(struct doubted *doubted, const struct query_row *row) {
    for (size_t i = 0; doubted && i < doubted->doubts.n; i++)
        if (doubted->plans[i] && query_match(doubted->plans[i], row)) {
            query_plan_free(doubted->plans[i]);
            doubted->plans[i] = NULL;
        }
}

void doubted_say(const struct doubted *doubted, size_t rows, FILE *to) {
    struct str text;
    size_t i = 0;
    while (doubted && i < doubted->doubts.n && !query_doubt_stands(&doubted->doubts.items[i], !doubted->plans[i]))
        i++;
    if (!doubted || i == doubted->doubts.n)
        return;
    str_init(&text, 2 * QUERY_TEXT_MAX);
    query_doubt_say(&doubted->doubts.items[i], rows, &text);
    out_say(to, "bursar: %s\n", text.s);
    str_clear(&text);
}
