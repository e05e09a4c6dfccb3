#ifndef INDEX_BLOCK_H
#define INDEX_BLOCK_H
/* A block holds up to BLOCK_ROWS rows column by column. A row keeps its position; a removed one leaves a gap that goes
 * when the block is rebuilt. Loops over fixed-size columns run over the whole block, so that they compile to wide
 * instructions: what lies behind the last row is zero and masked out by `alive`. */

#include "index/index.h"

enum { BLOCK_BITS = 13, BLOCK_ROWS = 1 << BLOCK_BITS };

/* Columns of codes: the texts of an intent but its id, and the words and dates of its transactions. */
enum column { COLUMN_TX_STATUS = CELLS_TEXT_COUNT, COLUMN_TX_TYPE, COLUMN_TX_DATE, COLUMN_TX_CURRENCY, COLUMN_COUNT };

/* Codes as narrow as the largest one allows. 0: no value. */
struct codes {
    void *items;
    unsigned width; /* 1, 2 or 4 bytes */
    size_t cap;
    bool mapped; /* of a file: copied before it is changed, never freed */
};
void codes_init(struct codes *codes, size_t cap);
void codes_free(struct codes *codes);
void codes_reserve(struct codes *codes, size_t cap);
void codes_set(struct codes *codes, size_t at, uint32_t code);
static inline uint32_t codes_get(const struct codes *codes, size_t at) {
    if (codes->width == 1)
        return ((const uint8_t *)codes->items)[at];
    return codes->width == 2 ? ((const uint16_t *)codes->items)[at] : ((const uint32_t *)codes->items)[at];
}

/* Numbers as 32-bit distances from a base while they are near each other. A distance of 0 is INT64_MIN: none. */
struct numbers {
    int64_t base;
    uint32_t *narrow; /* NULL too while there is no number at all */
    int64_t *wide;    /* NULL while narrow is enough */
    size_t cap;
    bool mapped; /* as of codes */
};
void numbers_init(struct numbers *numbers, size_t cap);
void numbers_reserve(struct numbers *numbers, size_t cap);
void numbers_set(struct numbers *numbers, size_t at, int64_t number);
void numbers_free(struct numbers *numbers);
static inline int64_t numbers_get(const struct numbers *numbers, size_t at) {
    if (numbers->wide)
        return numbers->wide[at];
    return !numbers->narrow || numbers->narrow[at] == 0 ? INT64_MIN : numbers->base + numbers->narrow[at];
}

/* Values as a file holds them, which never change. */
struct dict_base {
    const char *bytes;      /* each value and a NUL */
    const uint32_t *starts; /* n + 1 */
    const uint32_t *slots;  /* codes by hash; 0: free */
    const uint32_t *foreign;
    size_t n, n_slots, n_foreign;
};

/* The distinct values of one column; code n is the n-th value: those of the base, then those that came since. */
struct dict {
    struct dict_base base;
    char *bytes; /* of those that came since, as those of the base */
    size_t len, cap;
    uint32_t *starts; /* n - base.n + 1 */
    size_t n, starts_cap;
    struct dict_slot {
        uint32_t code, hash; /* code 0: free; a different hash saves comparing the value */
    } * slots;
    size_t n_slots;
    struct {
        uint32_t *items;
        size_t n, cap;
    } foreign;       /* codes of values beyond ASCII */
    uint32_t *ranks; /* by code; of the first n_ranked values */
    size_t n_ranked;
};
uint32_t dict_code(struct dict *dict, const char *text, size_t len);
const char *dict_text(const struct dict *dict, uint32_t code, size_t *len);
const uint32_t *dict_ranks(struct dict *dict, bool exact); /* 1 is the first; of 0 no rank */
/* Puts a code where its text is looked for in the slots of a base. */
void dict_put_slot(uint32_t *slots, size_t n_slots, uint32_t code, const char *text, size_t len);
void dict_clear(struct dict *dict);
size_t dict_bytes(const struct dict *dict);

enum number_column {
    NUMBER_CREATED,
    NUMBER_AMOUNT,
    NUMBER_GUARANTEE,
    NUMBER_FIRST_SEEN,
    NUMBER_CONFIRMED,
    NUMBER_CHANGED,
    NUMBER_TRANSITIONS, /* a bit each */
    NUMBER_COUNT
};

/* Flags beside those of the cells. */
enum { BLOCK_TX_AMOUNT_OK = 1 };

struct file_block;

struct block {
    uint32_t id;
    size_t n, live;
    const struct file_block *stored; /* NULL: it was made here */
    uint64_t checked;                /* parts of the file that were found sound, a bit each (file.h) */
    bool mapped;                     /* keys, flags, texts and tx_start, tx_ok are the file's */
    unsigned char *alive;            /* 1 or 0 */
    uint16_t *order;                 /* the live positions by key; NULL: all of them as they stand */
    int64_t *keys;
    struct numbers numbers[NUMBER_COUNT];
    uint32_t *flags;                  /* enum cells_flag */
    struct codes codes[COLUMN_COUNT]; /* that of the id is not used; tx ones go by transaction */
    uint32_t *text_start;             /* n + 1 */
    char *text; /* a row: its id, then id and source of each transaction, each with a NUL (text.c) */
    size_t text_cap;
    uint32_t *tx_start; /* n + 1 */
    size_t tx_cap;
    struct numbers tx_amount;
    unsigned char *tx_ok;
    struct {
        uint16_t *items;
        size_t n, cap;
    } foreign; /* positions whose text goes beyond ASCII */
};

/* A row as a block takes it. */
struct block_row {
    int64_t key, numbers[NUMBER_COUNT];
    uint32_t flags;
    uint32_t codes[CELLS_TEXT_COUNT];
    const char *text;
    size_t text_len;
    struct {
        struct block_tx {
            int64_t amount;
            bool ok;
            uint32_t status, type, date, currency;
        } * items;
        size_t n, cap;
    } tx;
};

struct block *block_new(uint32_t id);
void block_free(struct block *block);
size_t block_bytes(const struct block *block); /* without what is mapped */
/* block->n < BLOCK_ROWS; returns the position. */
size_t block_append(struct block *block, const struct block_row *row);
/* Replaces a row in place, which is possible where its text and number of transactions are as before; false: not
 * possible, and nothing was done. */
bool block_replace(struct block *block, size_t at, const struct block_row *row);
void block_kill(struct block *block, size_t at);
void block_read(const struct block *block, size_t at, struct block_row *out);
void block_trim(struct block *block); /* gives spare memory back */
bool block_find(const struct block *block, int64_t key, size_t *at);
size_t block_count_upto(const struct block *block, int64_t key); /* live rows */
/* TRANSITION_BIT of those observed of a row. */
static inline uint64_t block_transitions(const struct block *block, size_t at) {
    int64_t bits = numbers_get(&block->numbers[NUMBER_TRANSITIONS], at);
    return bits == INT64_MIN ? 0 : (uint64_t)bits;
}
/* The i-th live position by key. */
static inline size_t block_at(const struct block *block, size_t i) {
    return block->order ? block->order[i] : i;
}
static inline int64_t block_low(const struct block *block) {
    return block->keys[block_at(block, 0)];
}
static inline int64_t block_high(const struct block *block) {
    return block->keys[block_at(block, block->live - 1)];
}

/* text.c: the texts of a row. TEXT_SAME stands for a source equal to the intent's id, TEXT_NONE for no value. */
enum { TEXT_SAME = '\1', TEXT_NONE = '\2' };
void text_add(struct str *out, struct cells_slice slice);
/* The part at *at as it was put in; moves to the next. id: what TEXT_SAME stands for. */
struct cells_slice text_next(const char **at, struct cells_slice id);
bool text_is_ascii(const char *s, size_t len);

/* search.c: a folded needle in ASCII text of any case. */
struct search {
    const char *needle;
    size_t len, places[3]; /* compared first: where its rarest bytes are */
};
void search_init(struct search *search, const char *needle, size_t len, const size_t frequency[256]);
/* Texts lie one after the other, the i-th from starts[i] to starts[i + 1]; found[i] is set to 1 where the needle is. */
void search_texts(const struct search *search, const char *bytes, const uint32_t *starts, size_t n,
                  unsigned char *found);

/* run.c: the first place in [low, high) whose key, of ascending ones, is not below; `high` where none is. */
size_t keys_first_not_below(const int64_t *keys, size_t low, size_t high, int64_t key);

/* What the ids put so far have in common, for sorting them; of rows removed since too, which does no harm. */
struct id_shape {
    bool any, absent; /* an id, a row without one */
    bool used[256];
    char first[64]; /* the beginning of the first one */
    size_t shared;  /* bytes of it that all begin with */
};

struct file_map;
struct across;

struct index {
    struct file_map *map;  /* NULL: all of it was made here */
    bool damaged;          /* the file is not what was written */
    uint64_t edits;        /* counts changes */
    struct block **blocks; /* by id; NULL: free */
    size_t n_blocks, blocks_cap;
    struct {
        uint32_t *items; /* ids in the order of their keys */
        size_t n, cap;
    } sequence;
    struct dict dicts[COLUMN_COUNT];
    size_t count;
    struct id_shape ids;
    struct across *across; /* findings that rest on other rows; NULL: to be found anew */
    struct str text;       /* of the row being put */
    struct block_row row;  /* its transactions' memory is kept */
};

/* across.c: findings that rest on other rows. False: the file is damaged, or the question was dropped. */
bool across_find(struct index *index, const atomic_bool *cancel);
void across_drop(struct index *index); /* a row came, changed or went */
size_t across_bytes(const struct index *index);
/* FINDING_BIT, a byte for each row; NULL: none has any. */
const unsigned char *across_bits(const struct index *index, const struct block *block);

/* findings.c: rows with any of the findings asked for; and those of one row. After across_find where they need it. */
void findings_add(const struct index *index, const struct block *block, unsigned asked, int64_t now,
                  unsigned char *out);
unsigned findings_at(const struct index *index, const struct block *block, size_t at, int64_t now);

uint32_t index_add_block(struct index *index,
                         size_t place); /* where it stands in the sequence; an id, and no block yet */

/* A handle is block id and position. */
static inline uint32_t handle_of(const struct block *block, size_t at) {
    return block->id << BLOCK_BITS | (uint32_t)at;
}

/* compile.c, evaluate.c: a plan against the dictionaries of an index, good until the index changes. */
struct program;
struct program *program_new(struct index *index, const struct query_plan *plan);
void program_free(struct program *program);
/* mask[i] = 1 for each live row that matches, else 0. */
void program_evaluate(struct program *program, const struct block *block, unsigned char mask[BLOCK_ROWS]);

/* tally.c: totals. */
struct tally;
struct tally *tally_new(struct index *index, bool totals);
void tally_free(struct tally *tally);
void tally_add(struct tally *tally, const struct block *block, const unsigned char *mask);
void tally_report(const struct tally *tally, struct index_result *out);

/* grid.c: counts and sums by places on up to three axes; NULL: none are asked for. */
struct grid;
struct grid *grid_new(struct index *index, const struct index_query *query);
void grid_free(struct grid *grid);
void grid_add(struct grid *grid, const struct block *block, const unsigned char *mask);
/* Rows of the earlier period that is compared; how many they are. */
size_t grid_add_earlier(struct grid *grid, const struct block *block, const unsigned char *mask);
void grid_end(struct grid *grid); /* called once all rows were added */
void grid_report(const struct grid *grid, struct index_result *out, size_t over_limit, size_t limit);

/* sort.c: stable. */
void sort_handles(struct index *index, struct index_sort by, uint32_t *handles, size_t n);
/* sort_ids.c */
void sort_ids(const struct index *index, bool descending, uint32_t *handles, size_t n);
/* radix.c: sorts items by their bits from shift on, stable; bits: how many there can be. spare has room for n. */
void radix_sort(uint64_t *items, uint64_t *spare, size_t n, unsigned shift, unsigned bits);

#endif
