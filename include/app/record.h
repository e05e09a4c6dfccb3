#ifndef APP_RECORD_H
#define APP_RECORD_H
/* An intent as text that leaves the program: for the clipboard, an export, the command line. Masked, only fields that
 * the interface document names are given, those of people and their means of payment by their last characters or not at
 * all. Numbers are the digits as served. Pure. */

#include "model/intent.h"
#include "model/money.h"

enum record_format { RECORD_CSV, RECORD_JSON, RECORD_NDJSON };

struct record_style {
    enum record_format format;
    bool masked;
    bool ascii;                      /* CSV: every other character becomes ? */
    const enum intent_field *fields; /* columns of CSV; NULL: every field */
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
    enum money_unit unit;
    int64_t seen; /* when the service last served it; CLOCK_NONE: not known */
};
void record_hand_over(const struct record_summary *summary, const struct intent *intent, struct str *out);

#endif
