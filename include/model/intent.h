#ifndef MODEL_INTENT_H
#define MODEL_INTENT_H
/* A payment intent as the interface document has it ("Intent"). Owns everything it points to. `raw` is its JSON exactly
 * as served. A row that could not be decoded is an intent too, with `broken` set and only raw and perhaps id filled, so
 * that one bad element never hides the others. Made by one thread, then moved. */

#include "base/mem.h"
#include "base/str.h"
#include "model/value.h"

/* How a value is read. */
enum field_kind {
    FIELD_IDENTITY,     /* identifies the row */
    FIELD_ID,           /* text even where it comes as a number */
    FIELD_TEXT,         /* text; a number there is not what the document says */
    FIELD_TIME,         /* a date and time, or a count of seconds or milliseconds */
    FIELD_FLAG,         /* true or false */
    FIELD_MONEY,        /* an integer; a currency inside it fills the one beside it */
    FIELD_MONEY_BESIDE, /* the same, but a currency inside it belongs to this amount only */
};
/* How much of a field goes into a text for a ticket: all of it, its last characters, the last characters of a mask
 * (perhaps all there is), or nothing. Ids of people and their cards are recognised by their ends; ids of the intent and
 * the ledger are the operator's own. */
enum field_handover { HANDOVER_WHOLE, HANDOVER_TAIL, HANDOVER_MASK, HANDOVER_HIDDEN };

/* What each kind is kept as, for the structures below: their fields stand in model/fields.def. */
#define FIELD_VALUE_IDENTITY value_text
#define FIELD_VALUE_ID value_text
#define FIELD_VALUE_TEXT value_text
#define FIELD_VALUE_TIME value_time
#define FIELD_VALUE_FLAG value_flag
#define FIELD_VALUE_MONEY value_number
#define FIELD_VALUE_MONEY_BESIDE value_number

struct transaction {
#define TRANSACTION_FIELD(code, name, kind, member, place) struct FIELD_VALUE_##kind member;
#include "model/fields.def"
};

struct credential {
    enum value_state state;
#define CREDENTIAL_FIELD(code, object, name, kind, member, handover) struct FIELD_VALUE_##kind member;
#include "model/fields.def"
};

struct ledger_account {
    enum value_state state;
#define LEDGER_FIELD(code, name, kind, member, handover) struct FIELD_VALUE_##kind member;
#include "model/fields.def"
};

struct intent {
    struct arena arena;
    char *raw;
    size_t raw_len;
    const char *broken; /* reason in words of this program, or NULL */

#define INTENT_FIELD(code, name, kind, member, handover) struct FIELD_VALUE_##kind member;
#include "model/fields.def"
    enum value_state transactions_state;
    struct transaction *transactions; /* in the arena */
    size_t n_transactions;
    enum value_state dispute, refund;                /* see intent_has_record */
    struct value_text dispute_status, refund_status; /* shown where the record has such a field */
    struct credential credential;
    struct ledger_account account;
    size_t unknown; /* fields the document does not name, at any level outside dispute and refund */
};

/* Whether a dispute or refund exists, for every count, flag, filter and file. The document says: an object, or null
 * where there is none. A value of another kind (text, a number, true, a list) counts as one too, VALUE_ODD; false, an
 * empty text and an empty list say that there is none and are read as null. */
bool intent_has_record(enum value_state state);
/* Whether the guaranteed amount counts in the intent's currency. */
bool intent_shares_currency(const struct intent *intent);

struct intent *intent_new(void);
void intent_free(struct intent *intent);
/* The id by which it is kept and compared with another; NULL: it has none, or an empty one, or cannot be read. */
const char *intent_id(const struct intent *intent);

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

/* The objects of an intent that fields stand in. */
enum field_object {
    FIELD_IN_INTENT,
    FIELD_IN_CREDENTIAL,
    FIELD_IN_BANK_ACCOUNT,
    FIELD_IN_CARD,
    FIELD_IN_LEDGER,
};

/* Every field of an intent outside transactions, dispute and refund. */
enum intent_field {
#define FIELD(code, object, name, kind, member, handover) INTENT_FIELD_##code,
#include "model/fields.def"
    INTENT_FIELD_COUNT
};
struct field_info {
    const char *path, *name;  /* from the top, dotted; in its object */
    enum field_object object; /* of a transaction's: FIELD_IN_INTENT */
    enum field_kind kind;
    enum field_handover handover;
    size_t at; /* of its value in struct intent, or of a transaction's in struct transaction */
};
extern const struct field_info INTENT_FIELDS[INTENT_FIELD_COUNT];
const char *intent_field_path(enum intent_field field);
int intent_field_find(const char *path); /* -1: none; the last path component alone is accepted where it is unique */
bool intent_field_is_number(enum intent_field field);
/* The text for a file: as served, invisible characters too; NULL where absent or null. */
const char *intent_field_exact(const struct intent *intent, enum intent_field field);
/* State and text as served; *text is NULL where absent or null. */
enum value_state intent_field_text(const struct intent *intent, enum intent_field field, const char **text);

/* NULL: a field of another kind, or INTENT_FIELD_COUNT. */
const struct value_number *intent_field_number(const struct intent *intent, enum intent_field field);
const struct value_time *intent_field_time(const struct intent *intent, enum intent_field field);
const struct value_flag *intent_field_flag(const struct intent *intent, enum intent_field field);

/* A set of fields. */
#define INTENT_BIT(code) (UINT64_C(1) << INTENT_FIELD_##code)
_Static_assert(INTENT_FIELD_COUNT < 64, "a bit for each");

enum transaction_field {
#define TRANSACTION_FIELD(code, name, kind, member, place) TRANSACTION_FIELD_##code,
#include "model/fields.def"
    TRANSACTION_FIELD_COUNT
};
extern const struct field_info TRANSACTION_FIELDS[TRANSACTION_FIELD_COUNT];
const char *transaction_field_path(enum transaction_field field);
enum value_state transaction_field_text(const struct transaction *transaction, enum transaction_field field,
                                        const char **text);

#endif
