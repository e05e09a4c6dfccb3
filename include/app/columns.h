#ifndef APP_COLUMNS_H
#define APP_COLUMNS_H
/* The columns of a list of intents, once for the console and the command line: which there are, and a choice of them in
 * an order with widths, as text `created,status,bank:30`. Pure. */

#include "model/intent.h"
#include "model/money.h"
#include "query/field.h"

/*  code, name, field of the intent (COUNT: made of several), field of the filter language, help */
#define COLUMN_TABLE(X)                                                                             \
    X(CREATED, "created", CREATED_AT, CREATED_FIELD, "when it was created")                         \
    X(STATUS, "status", STATUS, STATUS_FIELD, "status")                                             \
    X(DIRECTION, "direction", DIRECTION, DIRECTION_FIELD, "direction of the payment")               \
    X(AMOUNT, "amount", AMOUNT, AMOUNT_FIELD, "amount")                                             \
    X(CURRENCY, "currency", CURRENCY, CURRENCY_FIELD, "currency code")                              \
    X(USER, "user", USER_ID, USER_FIELD, "user id")                                                 \
    X(RAIL, "rail", RAIL, RAIL_FIELD, "rail the payment runs on")                                   \
    X(BANK, "bank", BANK_NAME, BANK_FIELD, "name of the bank")                                      \
    X(FLAGS, "flags", COUNT, FIELD_COUNT, "dispute, refund, archived credential, unknown fields")   \
    X(DECLINE, "decline", DECLINE_CATEGORY, DECLINE_FIELD, "decline category")                      \
    X(TYPE, "type", TYPE, TYPE_FIELD, "payment flow type")                                          \
    X(MASK, "mask", PAN_MASK, MASK_FIELD, "card mask, or the account's")                            \
    X(BRAND, "brand", BRAND, BRAND_FIELD, "card network")                                           \
    X(ID, "id", ID, ID_FIELD, "intent id")                                                          \
    X(GUARANTEE, "guarantee", GUARANTEE_AMOUNT, GUARANTEE_FIELD, "guaranteed amount")               \
    X(CREDENTIAL, "credential", CREDENTIAL_ID, CREDENTIAL_FIELD, "payment credential id")           \
    X(ROUTING, "routing", ROUTING, ROUTING_FIELD, "routing number")                                 \
    X(EXPIRES, "expires", EXPIRATION, EXPIRES_FIELD, "expiry date of the card")                     \
    X(ACCOUNT, "account", ACCOUNT_TYPE, ACCOUNT_FIELD, "type of the ledger account")                \
    X(ACCOUNT_NAME, "account.name", ACCOUNT_NAME, ACCOUNT_NAME_FIELD, "name of the ledger account") \
    X(ACCOUNT_ID, "account.id", ACCOUNT_ID, ACCOUNT_ID_FIELD, "id of the ledger account")
enum column {
#define X(code, name, field, query, help) COLUMN_##code,
    COLUMN_TABLE(X)
#undef X
        COLUMN_COUNT,
    COLUMN_USUAL = COLUMN_ID + 1 /* the first so many are shown where nothing was chosen */
};

/* "created status ... " */
#define COLUMN_NAMES_ONE(code, name, field, query, help) name " "
#define COLUMN_NAMES COLUMN_TABLE(COLUMN_NAMES_ONE)

struct column_info {
    const char *name, *help;
    enum intent_field field;     /* INTENT_FIELD_COUNT: made of several */
    enum query_field_code query; /* QUERY_FIELD_COUNT: none */
};
const struct column_info *column_info(int column);

/* A choice: n 0 is the usual one. widths: cells, 0 by itself. */
struct column_set {
    int n;
    unsigned char items[COLUMN_COUNT];
    unsigned char widths[COLUMN_COUNT]; /* by column */
};
enum { COLUMN_WIDTH_MAX = 200 };

/* ERR_USAGE names the word that is no column and the nearest one that is. "" is the usual set. */
enum err columns_parse(const char *text, struct column_set *out, struct error *error) MUST_CHECK;
void columns_print(const struct column_set *set, struct str *out); /* "" for the usual set without widths */
bool columns_equal(const struct column_set *a, const struct column_set *b);
void columns_usual(struct column_set *set); /* the usual columns, one by one; widths stay */
/* With every column in it, chosen ones first. */
void columns_all(const struct column_set *set, struct column_set *all);
int columns_find(const struct column_set *set, int column); /* its place, or -1 */
void columns_move(struct column_set *set, int column, int step);
/* Value as served of a field, a mask from where it is; NULL where there is none. */
const char *column_text(const struct intent *intent, int column);
/* An amount for people: by the profile's rule; with its own code where that is not the intent's; in brackets what was
 * served and is no amount. False, and nothing, where there is none. */
bool column_money(const struct intent *intent, int column, const struct money_rule *rule, struct str *out);
/* "dispute refund", what a row has of its flags in words. */
void column_flags(const struct intent *intent, struct str *out);

#endif
