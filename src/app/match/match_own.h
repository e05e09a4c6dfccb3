#ifndef APP_MATCH_OWN_H
#define APP_MATCH_OWN_H
/* What the files of the reconciliation share. */

#include "app/match.h"

/* `id`, `amount,created~1d` into fields, which no column has yet. ERR_USAGE. */
enum err match_take_on(struct match *match, struct error *error) MUST_CHECK;
struct match_field *match_field_of(struct match *match, enum query_field_code code); /* NULL: no column */

/* What a message calls an option by which the table is read. */
enum match_word {
    MATCH_WORD_ON,
    MATCH_WORD_ON_FIELDS,
    MATCH_WORD_MAP,
    MATCH_WORD_CURRENCY,
    MATCH_WORD_CURRENCY_CODE,
    MATCH_WORD_DECIMAL,
    MATCH_WORD_AMOUNTS,
    MATCH_WORD_RAW,
    MATCH_WORD_DAYS,
    MATCH_WORDS
};
const char *match_word(const struct match_options *options, enum match_word word);

/* What a cell may mean. Two readings that are the same number count as one. */
struct match_reading {
    int64_t amount;
    enum match_decimal decimal;
    enum match_amounts amounts;
};
/* An amount of the table as the service's integer. ERR_INVALID with all readings where there is not exactly one. */
enum err match_amount(const struct match_options *options, const char *text, const char *currency, int64_t *out,
                      struct error *error) MUST_CHECK;
/* A day or time: it is at *from or later, and before *to. */
/* Of a time of the service that names no zone: it belongs to the day that it names. */
int64_t match_bare_instant(const struct query_zone *zone, int64_t wall);
enum err match_time(const struct match_options *options, const char *text, int64_t *from, int64_t *to,
                    struct error *error) MUST_CHECK;
/* The digits that a mask ends in; the whole of it where it ends in none. */
const char *match_mask_tail(const char *mask);

/* Texts that are there once. */
const char *match_keep(struct match *match, const char *text, size_t len);

/* Appends what partners have in common; false: the row lacks a value of `on`. */
bool match_key_of_row(const struct match *match, size_t row, struct str *out);
bool match_key_of_intent(const struct match *match, size_t intent, struct str *out);
uint32_t match_compare(const struct match *match, size_t row, size_t intent); /* a bit per field that differs */
void match_count(struct match *match);                                        /* the totals */

#endif
