#ifndef APP_RECORD_H
#define APP_RECORD_H
/* An intent as text that leaves the program: for the clipboard, an export, the command line. Masked, only fields that
 * the interface document names are given, those of people and their means of payment by their last characters or not at
 * all. Numbers are the digits as served. Pure. */

#include "model/intent.h"
#include "model/money.h"

/* Cells of CSV beside the fields of an intent. Of *_MAJOR: what the profile's unit makes of the integers, there where
 * it states one. Of several transactions: a sum for each currency, a count for each status. The last says why a row is
 * broken; its other cells are empty. */
#define RECORD_FIELD_TABLE(X)                          \
    X(AMOUNT_MAJOR, "amount_major")                    \
    X(GUARANTEE_MAJOR, "guarantee_amount_major")       \
    X(TRANSACTIONS, "transactions")                    \
    X(TRANSACTIONS_AMOUNT, "transactions_amount")      \
    X(TRANSACTIONS_MAJOR, "transactions_amount_major") \
    X(TRANSACTIONS_STATUS, "transactions_status")      \
    X(DISPUTE, "dispute")                              \
    X(DISPUTE_STATUS, "dispute_status")                \
    X(REFUND, "refund")                                \
    X(REFUND_STATUS, "refund_status")                  \
    X(FLAGS, "flags")                                  \
    X(BROKEN, "broken")
enum record_field {
    RECORD_BEFORE = INTENT_FIELD_COUNT - 1,
#define X(code, name) RECORD_##code,
    RECORD_FIELD_TABLE(X)
#undef X
        RECORD_FIELD_COUNT
};
const char *record_field_name(unsigned field);
/* The cells of one column of a list, put behind n of them; the new number of them. */
size_t record_fields_of_column(int column, const struct money_rule *rule, unsigned char *out, size_t n);
/* Of every field, where no columns are chosen. */
size_t record_fields_all(const struct money_rule *rule, unsigned char *out);
/* A cell that is no field of the intent. */
void record_cell(const struct intent *intent, unsigned field, const struct money_rule *rule, struct str *out);
bool record_cell_is_number(unsigned field);

enum record_format { RECORD_CSV, RECORD_JSON, RECORD_NDJSON };

struct record_style {
    enum record_format format;
    bool masked;
    bool ascii; /* CSV: every other character becomes ? */
    struct money_rule money;
    const unsigned char *fields; /* columns of CSV, of the intent and of enum record_field; NULL: all */
    size_t n_fields;
};

/* A field's text, masked where it must be; absent and null give nothing. False: nothing was added. */
bool record_masked(const struct intent *intent, enum intent_field field, struct str *out);

/* What stands before, between and after rows, so that a file can be written in portions. */
void record_head(const struct record_style *style, struct str *out);
void record_row(const struct record_style *style, const struct intent *intent, bool first, struct str *out);
void record_tail(const struct record_style *style, bool any, struct str *out);

/* For a ticket: the facts of one intent in a dozen lines, masked. */
struct record_summary {
    const char *environment, *profile;
    struct money_rule money;
    int64_t seen; /* when the service last served it; CLOCK_NONE: not known */
};
void record_hand_over(const struct record_summary *summary, const struct intent *intent, struct str *out);

#endif
