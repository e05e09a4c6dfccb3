#ifndef MODEL_CELLS_H
#define MODEL_CELLS_H
/* The packed columns of an intent: what is filtered, sorted and summed. Written by store beside the raw JSON, read by
 * index into its blocks; the only format that the two share. Each blob begins with its version; a version that is not
 * known is not read. In version 1 a transaction had no currency. Blobs that were written before CELLS_CREATED_BARE
 * existed do not have that flag until the service sends the row again. The texts are those of model/fields.def. */

#include "model/intent.h"

/* A text that was added in a later version than that of a blob is absent in it. */
union cells_versions {
    char transaction_currency[2];
#define CELL(code, field, place, version, sighted) char code[version];
#include "model/fields.def"
};
enum { CELLS_VERSION_FIRST = 1, CELLS_VERSION = sizeof(union cells_versions) /* the greatest of them */ };

/* The texts; their numbers are their order in a blob. */
enum cells_text {
#define CELL(code, field, place, version, sighted) CELLS_##code = (place),
#include "model/fields.def"
    CELLS_TEXT_COUNT = 0
#define CELL(code, field, place, version, sighted) +1
#include "model/fields.def"
};
/* Of the texts. */
struct cells_text_info {
    enum intent_field field;
    unsigned char version; /* the first version that has it */
    bool sighted;          /* when it changes, the old value is kept as a sighting */
};
const struct cells_text_info *cells_text_info(enum cells_text text);
int cells_text_of(enum intent_field field); /* -1: none */

enum cells_flag {
    CELLS_HAS_DISPUTE = 1,
    CELLS_HAS_REFUND = 2,
    CELLS_HAS_CREDENTIAL = 4,
    CELLS_HAS_UNKNOWN = 8,
    CELLS_ARCHIVED = 16,
    CELLS_AMOUNT_OK = 32, /* amount is an int64 */
    CELLS_GUARANTEE_OK = 64,
    CELLS_CREATED_OK = 128,
    /* It names no zone: created_ms orders it as if it were UTC, its day is the one that it names. */
    CELLS_CREATED_BARE = 256,
    /* Of the rules of model/finding.h: a blob of before them has none; see CELLS_JUDGED. */
    CELLS_SUM_DIFFERS = 1 << 9,
    CELLS_CURRENCY_DIFFERS = 1 << 10,
    CELLS_GUARANTEE_ABOVE = 1 << 11,
    CELLS_SOURCE_OTHER = 1 << 12,
    CELLS_DECLINE_BARE = 1 << 13,
    CELLS_NOT_SETTLED = 1 << 14,
    CELLS_CREDENTIAL_PAST = 1 << 15,
    CELLS_VALUE_UNKNOWN = 1 << 16,
    /* Those rules were judged where it was packed. A rule that comes later needs the next bit for this, so that blobs
     * of before it are judged again. */
    CELLS_JUDGED = 1 << 17,
};

struct cells_slice {
    const char *s; /* NULL: absent or null; a value of another kind is as served, except for an id */
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

bool cells_is_bare(const struct value_time *time); /* it could be read, but names no zone */
void cells_pack(const struct intent *intent, struct str *out);
/* Written by a later version of the program, which knows more of an intent: this one cannot read it. */
bool cells_is_newer(const void *blob, size_t len);
/* false: damaged, or of a version that is not known. */
bool cells_read(const void *blob, size_t len, struct cells *out);
/* Walks the transactions: start with at = cells->transactions; false at the end or on damage. */
bool cells_transaction_next(const struct cells *cells, const unsigned char **at, struct cells_transaction *out);

#endif
