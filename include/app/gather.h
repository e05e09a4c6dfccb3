#ifndef APP_GATHER_H
#define APP_GATHER_H
/* What is made of the rows of an answer where the rows are: a question (app/lookup.h) takes it to the read lane, each
 * row is put to it there, and the answer brings it back. The first member of what is made. */

#include "model/cells.h"
#include "query/query.h"

struct gather;
struct gather_kind {
    /* Before the first row; once more from the start where a question has to be answered again. query is the
     * question's; NULL: every row. */
    void (*begin)(struct gather *gather, const struct query *query);
    /* Newest first, as the keys are. What the cells point to is good until this returns. */
    void (*take)(struct gather *gather, int64_t key, const struct cells *cells);
    void (*end)(struct gather *gather);
    void (*free)(struct gather *gather);
};
struct gather {
    const struct gather_kind *kind;
};
void gather_free(struct gather *gather); /* NULL: nothing */
/* It is of this kind: what its maker made. NULL: it is not, or there is none. */
struct gather *gather_of(struct gather *gather, const struct gather_kind *kind);

#endif
