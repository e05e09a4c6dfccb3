#ifndef MODEL_INTENT_H
#define MODEL_INTENT_H
/* A payment intent as the interface document has it ("Intent"). Owns everything it points to. `raw` is its JSON exactly
 * as served. A row that could not be decoded is an intent too, with `broken` set and only raw and perhaps id filled, so
 * that one bad element never hides the others. Made by one thread, then moved. */

#include "base/mem.h"
#include "base/str.h"
#include "model/value.h"

struct transaction {
    struct value_text id, direction, currency, status, type, source_id, account_id;
    struct value_number amount;
    struct value_time created_at;
    struct value_text date; /* a calendar date, never shifted */
};

struct credential {
    enum value_state state;
    struct value_text id, bank_name;
    struct value_flag is_archived;
    struct value_text number_mask, routing;        /* account.* */
    struct value_text pan_mask, expiration, brand; /* card.* */
};

struct ledger_account {
    enum value_state state;
    struct value_text id, type, name;
    struct value_time created_at;
};

struct intent {
    struct arena arena;
    char *raw;
    size_t raw_len;
    const char *broken; /* reason in our own words, or NULL */

    struct value_text id, direction, user_id, currency, status, decline_category, rail, type;
    struct value_time created_at;
    struct value_number amount, guarantee_amount;
    enum value_state transactions_state;
    struct transaction *transactions; /* in the arena */
    size_t n_transactions;
    enum value_state dispute, refund;                /* see intent_has_record */
    struct value_text dispute_status, refund_status; /* shown where the record has such a field */
    struct credential credential;
    struct ledger_account account;
    size_t unknown; /* fields the document does not name, at any level outside dispute and refund */
};

/* Whether a dispute or refund is there, for every count, flag, filter and file. The document says: an object, or null
 * where there is none. What is of another kind (text, a number, true, a list) stands for one too, VALUE_ODD; false, an
 * empty text and an empty list say that there is none and are read as null. */
bool intent_has_record(enum value_state state);
/* Whether the guaranteed amount counts in the intent's currency. */
bool intent_shares_currency(const struct intent *intent);

struct intent *intent_new(void);
void intent_free(struct intent *intent);

/* The document's status values and flow types; unknown ones are shown verbatim. */
#define INTENT_STATUS_TABLE(X)   \
    X(CREATED, "created", 'C')   \
    X(APPROVED, "approved", 'A') \
    X(DECLINED, "declined", 'D') \
    X(PENDING, "pending", 'P')   \
    X(CANCELED, "canceled", 'X')
enum intent_status {
#define X(code, name, letter) INTENT_##code,
    INTENT_STATUS_TABLE(X)
#undef X
        INTENT_STATUS_COUNT,
    INTENT_STATUS_UNKNOWN = INTENT_STATUS_COUNT
};
enum intent_status intent_status_of(const char *text);
const char *intent_status_name(enum intent_status status);
char intent_status_letter(enum intent_status status); /* '?' for unknown */

#define INTENT_TYPE_TABLE(X) X(PRIMARY, "primary") X(CARD_ONLY, "card_only")
const char *intent_type_name(size_t index); /* NULL past the last */

/* Every field of an intent outside transactions, dispute and refund: one table for columns, detail, CSV and tests.
 * path: dotted, as in the JSON. kind: how it is read. */
#define INTENT_FIELD_TABLE(X)                                                                     \
    X(ID, "id", TEXT, id)                                                                         \
    X(CREATED_AT, "created_at", TIME, created_at)                                                 \
    X(STATUS, "status", TEXT, status)                                                             \
    X(DECLINE_CATEGORY, "decline_category", TEXT, decline_category)                               \
    X(DIRECTION, "direction", TEXT, direction)                                                    \
    X(AMOUNT, "amount", NUMBER, amount)                                                           \
    X(CURRENCY, "currency", TEXT, currency)                                                       \
    X(GUARANTEE_AMOUNT, "guarantee_amount", NUMBER, guarantee_amount)                             \
    X(TYPE, "type", TEXT, type)                                                                   \
    X(RAIL, "rail", TEXT, rail)                                                                   \
    X(USER_ID, "user_id", TEXT, user_id)                                                          \
    X(CREDENTIAL_ID, "payment_credential.id", TEXT, credential.id)                                \
    X(BANK_NAME, "payment_credential.bank_name", TEXT, credential.bank_name)                      \
    X(IS_ARCHIVED, "payment_credential.is_archived", FLAG, credential.is_archived)                \
    X(NUMBER_MASK, "payment_credential.account.number_mask", TEXT, credential.number_mask)        \
    X(ROUTING, "payment_credential.account.routing", TEXT, credential.routing)                    \
    X(PAN_MASK, "payment_credential.card.primary_account_number_mask", TEXT, credential.pan_mask) \
    X(EXPIRATION, "payment_credential.card.expiration", TEXT, credential.expiration)              \
    X(BRAND, "payment_credential.card.brand", TEXT, credential.brand)                             \
    X(ACCOUNT_ID, "account.id", TEXT, account.id)                                                 \
    X(ACCOUNT_TYPE, "account.type", TEXT, account.type)                                           \
    X(ACCOUNT_NAME, "account.name", TEXT, account.name)                                           \
    X(ACCOUNT_CREATED_AT, "account.created_at", TIME, account.created_at)

enum intent_field {
#define X(code, path, kind, member) INTENT_FIELD_##code,
    INTENT_FIELD_TABLE(X)
#undef X
        INTENT_FIELD_COUNT
};
const char *intent_field_path(enum intent_field field);
int intent_field_find(const char *path); /* -1: none; the last path component alone is accepted where it is unique */
bool intent_field_is_number(enum intent_field field);
/* State and text as served; *text is NULL where absent or null. */
enum value_state intent_field_text(const struct intent *intent, enum intent_field field, const char **text);

#define TRANSACTION_FIELD_TABLE(X)                \
    X(ID, "id", TEXT, id)                         \
    X(CREATED_AT, "created_at", TIME, created_at) \
    X(DATE, "date", TEXT, date)                   \
    X(TYPE, "type", TEXT, type)                   \
    X(STATUS, "status", TEXT, status)             \
    X(DIRECTION, "direction", TEXT, direction)    \
    X(AMOUNT, "amount", NUMBER, amount)           \
    X(CURRENCY, "currency", TEXT, currency)       \
    X(SOURCE_ID, "source_id", TEXT, source_id)    \
    X(ACCOUNT_ID, "account_id", TEXT, account_id)

enum transaction_field {
#define X(code, path, kind, member) TRANSACTION_FIELD_##code,
    TRANSACTION_FIELD_TABLE(X)
#undef X
        TRANSACTION_FIELD_COUNT
};
const char *transaction_field_path(enum transaction_field field);
enum value_state transaction_field_text(const struct transaction *transaction, enum transaction_field field,
                                        const char **text);

#endif
