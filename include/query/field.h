#ifndef QUERY_FIELD_H
#define QUERY_FIELD_H
/* The fields of the filter language, from model/fields.def: parser, completion, help, manual, sort and facets are made
 * from them. Constant data; any thread. */

#include "base/str.h"
#include "model/finding.h"
#include "model/transition.h"

enum query_type { QUERY_WORD, QUERY_ID, QUERY_TEXT, QUERY_NUMBER, QUERY_TIME, QUERY_SPAN, QUERY_FLAG };
/* How `:` compares a text. */
enum query_sense { QUERY_EQUAL, QUERY_PREFIX, QUERY_PART, QUERY_SUFFIX };

#define QUERY_OP_TABLE(X)                        \
    X(COLON, ":", "is, or is one of")            \
    X(EQ, "=", "is exactly")                     \
    X(NE, "!=", "is not")                        \
    X(LT, "<", "less than, or before its start") \
    X(LE, "<=", "at most, or up to its end")     \
    X(GT, ">", "more than, or after its end")    \
    X(GE, ">=", "at least, or from its start onwards")
enum query_op {
#define X(code, text, help) QUERY_OP_##code,
    QUERY_OP_TABLE(X)
#undef X
        QUERY_OP_COUNT
};

enum {
    QUERY_OPS_FLAG = 1 << QUERY_OP_COLON,
    QUERY_OPS_LIKE = QUERY_OPS_FLAG | 1 << QUERY_OP_EQ,
    QUERY_OPS_TEXT = QUERY_OPS_LIKE | 1 << QUERY_OP_NE,
    QUERY_OPS_ALL = (1 << QUERY_OP_COUNT) - 1,
};

enum query_field_code {
#define FILTER(code, field, rank, name, type, sense, ops, cell, privacy, help) QUERY_##code##_FIELD,
#include "model/fields.def"
    QUERY_FIELD_COUNT,
    QUERY_ANY_FIELD = QUERY_FIELD_COUNT /* a bare word */
};

struct query_field {
    const char *name;
    enum query_type type;
    enum query_sense sense;
    unsigned operators;      /* bit per enum query_op */
    enum cells_text column;  /* CELLS_TEXT_COUNT: not one text of the intent */
    enum intent_field field; /* INTENT_FIELD_COUNT: none, or several */
    bool personal;           /* of people or their means of payment */
    const char *help;
};

/* Values of `has`, `is` and `finding`; those of `finding` are the rules of model/finding.h, in their order. */
#define QUERY_FLAG_TABLE(X)                                                             \
    X(HAS_DISPUTE, HAS, "dispute", "a dispute record is there")                         \
    X(HAS_REFUND, HAS, "refund", "a refund record is there")                            \
    X(HAS_DECLINE, HAS, "decline", "a decline category is there")                       \
    X(HAS_STATUS, HAS, "status", "a status is there")                                   \
    X(HAS_TYPE, HAS, "type", "a flow type is there")                                    \
    X(HAS_RAIL, HAS, "rail", "a rail is there")                                         \
    X(HAS_CURRENCY, HAS, "currency", "a currency code is there")                        \
    X(HAS_BRAND, HAS, "brand", "a card network is there")                               \
    X(HAS_BANK, HAS, "bank", "the name of a bank is there")                             \
    X(HAS_USER, HAS, "user", "a user id is there")                                      \
    X(HAS_AMOUNT, HAS, "amount", "the amount is an integer that can be counted with")   \
    X(HAS_GUARANTEE, HAS, "guarantee", "so is the guaranteed amount")                   \
    X(HAS_TRANSACTIONS, HAS, "transactions", "at least one transaction")                \
    X(HAS_CREDENTIAL, HAS, "credential", "a payment credential is there")               \
    X(HAS_UNKNOWN, HAS, "unknown", "fields or values that the interface does not name") \
    X(HAS_FINDING, HAS, "finding", "any of the findings below")                         \
    X(HAS_NOTE, HAS, "note", "an operator's note is on it, or on its user")             \
    X(HAS_HANDOVER, HAS, "handover", "a colleague has it who is not done with it")      \
    X(IS_NEW, IS, "new", "first seen since the last visit")                             \
    X(IS_CHANGED, IS, "changed", "a change was observed since the last visit")          \
    X(IS_STALE, IS, "stale", "not confirmed by the service for a day")                  \
    X(IS_ARCHIVED, IS, "archived", "its credential is archived")                        \
    X(IS_MARKED, IS, "marked", "marked by hand, in the console only")                   \
    X(IS_VERIFIED, IS, "verified", "its signature verified; of received events only")   \
    FINDING_TABLE(QUERY_FINDING_ROW, X)
#define QUERY_FINDING_ROW(X, code, name, flag, judged, hint) X(FINDING_##code, FINDING, name, hint)
enum query_flag {
#define X(code, field, name, help) QUERY_##code,
    QUERY_FLAG_TABLE(X)
#undef X
        QUERY_FLAG_COUNT
};
#define QUERY_FLAG_BIT(flag) (UINT64_C(1) << (flag)) /* in a set of them */

const struct query_field *query_field(enum query_field_code code);
/* All in the order of help and completion: from *rank 0 on; false past the last. */
bool query_field_next(unsigned *rank, enum query_field_code *out);
/* By its name, or by the name that the interface document, or a column of tables and CSV, has for it; ASCII case is
 * ignored; QUERY_FIELD_COUNT: none. */
enum query_field_code query_field_find(const char *name, size_t len);
const char *query_op_text(enum query_op op);
const char *query_op_help(enum query_op op);

/* Whether an event of the service that was received here has something to compare with the field, or is asked for by
 * the flag: its intent's id, user and status, its own type (`type`), and when it came (`created` and what is made of
 * it). */
bool query_field_is_of_events(enum query_field_code code);
bool query_flag_is_of_events(enum query_flag flag);

/* The rules that a flag asks for, a bit each (FINDING_BIT); 0: it asks for none. */
unsigned query_flag_findings(enum query_flag flag);

struct query_flag_info {
    enum query_field_code field;
    const char *name, *help;
};
const struct query_flag_info *query_flag_info(enum query_flag flag);
/* The text that has to be there; CELLS_TEXT_COUNT: it asks for something else. */
enum cells_text query_flag_text(enum query_flag flag);
enum query_flag query_flag_find(enum query_field_code field, const char *name, size_t len); /* _COUNT: none */

/* The i-th value that the interface document or this language names for the field, NULL past the last. */
const char *query_field_known(enum query_field_code code, size_t i);
/* The one of those values that this text is, apart from case and accents; NULL: none. */
const char *query_field_named(enum query_field_code code, const char *value);
/* The i-th word that the list shows in the place of a served one, which it means in a filter too; NULL past the last.
 */
const char *query_field_shown(enum query_field_code code, size_t i, const char **served);

/* Up to QUERY_NEAR_MAX names like `name`, nearest first; borrowed. Returns how many. */
enum { QUERY_NEAR_MAX = 3 };
size_t query_field_near(const char *name, size_t len, const char *near[QUERY_NEAR_MAX]);
size_t query_name_near(const char *name, size_t len, const char *const *names, size_t n,
                       const char *near[QUERY_NEAR_MAX]);
/* Among the values named for the field. */
size_t query_known_near(enum query_field_code field, const char *name, size_t len, const char *near[QUERY_NEAR_MAX]);

/* The language in plain text for help and manual: grammar, fields with operators and help, values of has and is. */
void query_reference(struct str *out);

#endif
