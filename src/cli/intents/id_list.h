#ifndef CLI_ID_LIST_H
#define CLI_ID_LIST_H
/* Lists of ids out of files, for `id:@file` in a filter: read once a run, with what was met of them. Private to the
 * layer. */

#include "app/coverage.h"
#include "cli/cli.h"
#include "model/intent.h"
#include "query/query.h"

struct query_lists id_lists_of(struct cli *cli);
/* Which filter they are of, for what is said of them. */
void id_lists_note(const struct cli *cli, const struct query *query);
bool id_lists_any(const struct cli *cli);
/* Notes the ids of an intent as found. Returns its place in the first list; SIZE_MAX: it is not in it. */
size_t id_lists_meet(struct cli *cli, const struct intent *intent);
/* `198 of 200 of @ids found; not found among 12,000 intents so far: a, b` on standard error, for each list. */
void id_lists_say(const struct cli *cli, size_t rows, const struct coverage *coverage);

/* Rows to be printed in the order of a list. */
struct listed_rows {
    struct listed_row {
        size_t rank, place;
        char *raw;
        size_t len;
    } * items;
    size_t n, cap;
};
void listed_put(struct listed_rows *rows, size_t rank, const struct intent *intent);
void listed_sort(struct listed_rows *rows);
void listed_clear(struct listed_rows *rows);

#endif
