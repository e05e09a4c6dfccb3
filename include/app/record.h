#ifndef APP_RECORD_H
#define APP_RECORD_H
/* An intent as text that leaves the program: to the clipboard, an export, the command line. Masked text has only fields
 * that the interface document names; those of people and their means of payment are cut to their last characters or
 * left out. Numbers are the digits as served. Pure. */

#include "app/columns.h"
#include "base/csv.h"
#include "config/reasons.h"
#include "model/intent.h"
#include "model/money.h"
#include "model/notes.h"

/* Cells of CSV besides the fields of an intent. *_MAJOR: the integer converted by the profile's unit, where the profile
 * states one. Of several transactions: a sum for each currency and a count for each status. `broken` says why a row is
 * broken; its other cells are empty. What operators here noted is there only where its column is chosen. */
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
    X(BROKEN, "broken")                                \
    X(TAGS, "tags")                                    \
    X(NOTES, "notes")                                  \
    X(BUSINESS_DATE, "business_date")
enum record_field {
    RECORD_BEFORE = INTENT_FIELD_COUNT - 1,
#define X(code, name) RECORD_##code,
    RECORD_FIELD_TABLE(X)
#undef X
        RECORD_FIELD_COUNT
};
const char *record_field_name(unsigned field);
/* Appends the cells that belong to one column of a list to the n that are there; returns the new number. */
size_t record_fields_of_column(int column, const struct money_rule *rule, unsigned char *out, size_t n);
/* The same for every field, where no columns are chosen. */
size_t record_fields_all(const struct money_rule *rule, unsigned char *out);
/* A cell that is no field of the intent. */
struct record_style;
void record_cell(const struct record_style *style, const struct intent *intent, unsigned field, struct str *out);
bool record_cell_is_number(unsigned field);

/* CELLS: for a table of a database, rows of cells one behind the other, each a letter, its text and a NUL. */
enum record_format { RECORD_CSV, RECORD_JSON, RECORD_NDJSON, RECORD_CELLS };
enum { RECORD_CELL_NULL = '-', RECORD_CELL_INTEGER = 'i', RECORD_CELL_TEXT = 't' };
bool record_has_columns(enum record_format format);

struct record_style {
    enum record_format format;
    bool masked;
    bool ascii;                  /* CSV: every other character becomes ? */
    enum csv_reader_kind reader; /* of CSV */
    struct money_rule money;
    struct columns_here here;
    const unsigned char *fields; /* columns of CSV and CELLS, of the intent and of enum record_field; NULL: all */
    size_t n_fields;
};

/* Appends a field's text, masked where it has to be; absent and null values give nothing. False: nothing was added. */
bool record_masked(const struct intent *intent, enum intent_field field, struct str *out);

/* The text before the first row, a row, and the text after the last, so that a file can be written in portions. */
void record_head(const struct record_style *style, struct str *out);
void record_row(const struct record_style *style, const struct intent *intent, bool first, struct str *out);
void record_tail(const struct record_style *style, bool any, struct str *out);

/* For a ticket: the facts of one intent in a dozen lines, masked. */
struct record_summary {
    const char *environment, *profile;
    struct money_rule money;
    int64_t now;                   /* some findings rest on it */
    const struct related *related; /* other intents that findings rest on; NULL: not known */
    int64_t seen;                  /* when the service last served it; CLOCK_NONE: not known */
    const struct reasons *reasons; /* NULL: none */
    const struct notes *notes;     /* NULL: none */
};
/* What the file says of the intent's decline; NULL: nothing. */
const struct reason *record_reason(const struct reasons *reasons, const struct intent *intent);
void record_hand_over(const struct record_summary *summary, const struct intent *intent, struct str *out);

#endif
