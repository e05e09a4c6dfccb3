#ifndef INDEX_PROGRAM_H
#define INDEX_PROGRAM_H
/* A plan prepared for one index: each test knows by code which values of a column it takes. */

#include "block.h"

#include "query/axis.h"

/* What a column's values say, by code; NULL: none of them holds. */
struct takes {
    unsigned char *by_code;
};

enum test_cost { COST_CODES, COST_TRANSACTIONS, COST_TEXTS, COST_SEARCH, COST_ROWS };

struct program_node {
    enum query_kind kind;
    enum test_cost cost;
    size_t level; /* which buffer its later children use */
    struct program_node *first, *next;
    const struct query_test *test;
    struct takes takes[COLUMN_COUNT];
    struct search search;
    bool hours[QUERY_HOURS]; /* hours or weekdays that hold */
    uint64_t transitions;    /* those that hold */
};

struct program {
    struct index *index;
    const struct query_plan *plan;
    struct arena arena;
    struct program_node *root;
    unsigned char *buffers; /* BLOCK_ROWS for each level */
    size_t levels;
    unsigned char *transactions; /* a byte for each of the block with the most */
    unsigned char *classes;      /* exponent class by currency code, */
    unsigned char *tx_classes;   /* and by that of a transaction */
    size_t frequency[256];       /* of bytes in a sample of the texts */
    bool sampled;
};

#endif
