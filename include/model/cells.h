#ifndef MODEL_CELLS_H
#define MODEL_CELLS_H
/* The packed columns of an intent: what is filtered, sorted and summed. Written by store beside the raw JSON, read by
 * index into its blocks; the only thing the two share. A blob is self-describing by a version byte; a reader refuses
 * those it does not know; in version 1 a transaction had no currency. Blobs of before CELLS_CREATED_BARE have not that
 * flag; it comes when the row is served again. */

#include "model/intent.h"

enum { CELLS_VERSION_FIRST = 1, CELLS_VERSION = 2 };

/* Words: few distinct values, compared whole. Texts and ids: compared as text. Order is the blob's. */
#define CELLS_TEXT_TABLE(X) \
    X(ID)                   \
    X(STATUS)               \
    X(TYPE)                 \
    X(DIRECTION)            \
    X(RAIL)                 \
    X(CURRENCY)             \
    X(DECLINE)              \
    X(BRAND)                \
    X(ACCOUNT_TYPE)         \
    X(USER) X(CREDENTIAL) X(BANK) X(ACCOUNT_NAME) X(CARD_MASK) X(ACCOUNT_MASK) X(ROUTING) X(EXPIRES) X(ACCOUNT_ID)
enum cells_text {
#define X(code) CELLS_##code,
    CELLS_TEXT_TABLE(X)
#undef X
        CELLS_TEXT_COUNT
};

enum cells_flag {
    CELLS_HAS_DISPUTE = 1,
    CELLS_HAS_REFUND = 2,
    CELLS_HAS_CREDENTIAL = 4,
    CELLS_HAS_UNKNOWN = 8,
    CELLS_ARCHIVED = 16,
    CELLS_AMOUNT_OK = 32, /* amount is an int64 */
    CELLS_GUARANTEE_OK = 64,
    CELLS_CREATED_OK = 128,
    CELLS_CREATED_BARE = 256, /* it names no zone: created_ms is its place as if it did UTC, its day is its own */
};

struct cells_slice {
    const char *s; /* NULL: absent or null; an odd one as served, an odd id aside */
    size_t len;
};

struct cells_transaction {
    struct cells_slice id, source, status, type, date, currency;
    int64_t amount;
    bool amount_ok;
};

/* A view into a blob (or into an intent); borrows it. */
struct cells {
    int64_t created_ms, amount, guarantee;
    unsigned flags;
    struct cells_slice text[CELLS_TEXT_COUNT];
    unsigned char version;
    size_t n_transactions;
    const unsigned char *transactions, *end; /* packed, for cells_transaction_next */
};

void cells_pack(const struct intent *intent, struct str *out);
/* false: damaged or another version. */
bool cells_read(const void *blob, size_t len, struct cells *out);
/* Walks the transactions: start with at = cells->transactions; false at the end or on damage. */
bool cells_transaction_next(const struct cells *cells, const unsigned char **at, struct cells_transaction *out);

#endif
