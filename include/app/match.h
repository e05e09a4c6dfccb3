#ifndef APP_MATCH_H
#define APP_MATCH_H
/* Reconciliation: the rows of a table (a bank's list, a ledger's) against intents. Rows become partners where the
 * fields of `on` are equal, and only where neither has another candidate: what has several is ambiguous and is listed,
 * never chosen. The other columns are compared between partners. Nothing in the table is guessed: a number or day that
 * can be read two ways is refused with both readings. Pure, and owns all it holds; it travels with a lookup
 * (app/lookup.h) to the read lane, which calls match_begin, match_take for each intent and match_end. */

#include "app/headings.h"
#include "base/csv_table.h"
#include "base/mem.h"
#include "model/cells.h"
#include "model/money.h"
#include "query/field.h"
#include "query/plan.h"

enum match_outcome {
    MATCH_MATCHED,
    MATCH_DIFFERING, /* partners, of which other columns differ */
    MATCH_AMBIGUOUS, /* more than one candidate, on either side */
    MATCH_ONLY_FILE,
    MATCH_ONLY_HERE,
    MATCH_OUTCOMES
};
/* `matched`, `only-file`: for programs; and as a heading: `only in the file`. */
const char *match_outcome_name(enum match_outcome outcome);
const char *match_outcome_title(enum match_outcome outcome);

enum match_decimal { MATCH_DECIMAL_UNSAID, MATCH_DECIMAL_POINT, MATCH_DECIMAL_COMMA };
/* RAW: the service's integers; MAJOR: in units of the currency, `1234.50`. */
enum match_amounts { MATCH_AMOUNTS_UNSAID, MATCH_AMOUNTS_RAW, MATCH_AMOUNTS_MAJOR };
enum match_days { MATCH_DAYS_UNSAID, MATCH_DAYS_DMY, MATCH_DAYS_MDY };

/* How the table is to be read. Text and exponents are borrowed. */
struct match_options {
    const char *on;       /* "id", or "amount,currency,created~1d" */
    const char *currency; /* of every row, where no column has it; NULL */
    enum match_decimal decimal;
    enum match_amounts amounts;
    enum match_days days;
    struct money_rule money;
    struct query_zone zone; /* whose days the table's are, and its times without a zone, */
    const char *zone_words; /* in words; NULL: UTC */
    bool console;           /* messages name the fields of its form in place of the command line's options */
};

enum { MATCH_ROWS_MAX = 1000000, MATCH_FIELDS_MAX = 32, MATCH_FILE_MAX = 256 << 20 };
enum { MATCH_NONE = -1 };

struct match_field {
    enum query_field_code code;
    size_t column; /* of the table */
    bool on;
};

/* A row of the table. */
struct match_row {
    size_t line;
    int64_t amount;
    int64_t from, to;                    /* created at from and before to: as exact as the table has it */
    bool has_amount, has_created, lacks; /* lacks: a value of `on`, so that it can have no partner */
    enum match_outcome outcome;
    uint32_t differing; /* a bit per field */
    size_t group;
    size_t first, n; /* its candidates: places of `candidates`; of partners n is 1 */
};

/* An intent. */
struct match_intent {
    int64_t key, created, amount; /* created: CLOCK_NONE is none */
    int64_t at;                   /* created, of a time without a zone within the day that it names */
    bool has_amount;
    const char *id, *currency, *status; /* NULL: none */
    enum match_outcome outcome;
    size_t group;
    size_t n, row; /* how many rows it is a candidate of; the last of them */
};

/* Of one outcome, side and currency. */
struct match_total {
    enum match_outcome outcome;
    bool here;            /* of the intents; else of the table */
    const char *currency; /* NULL: without one */
    size_t rows, without; /* without: an amount */
    int64_t sum;
    bool overflow; /* beyond 64 bits: sum is 0 */
};

struct match {
    struct arena arena;
    struct match_options options; /* its texts are this one's */
    struct headings map;
    char *notes; /* how the table was read, where it is no plain one; NULL */
    struct match_field fields[MATCH_FIELDS_MAX];
    size_t n_fields;
    size_t account_mask; /* column, from 1, that has a mask where the field's has none; 0: none */
    int64_t tolerance;   /* ms, of created */
    struct str left_out; /* headings of columns that are not compared */
    struct {
        struct match_row *items;
        size_t n, cap;
    } rows;
    const char **row_texts; /* n_fields a row, as written; NULL: empty */
    size_t row_texts_cap;
    struct {
        struct match_intent *items;
        size_t n, cap;
    } intents;
    const char **intent_texts; /* n_fields an intent, of those that are texts */
    size_t intent_texts_cap;
    struct match_candidate {
        int64_t at; /* when it was created */
        size_t intent;
    } * candidates;
    size_t n_candidates;
    struct {
        struct match_total *items;
        size_t n, cap;
    } totals; /* by outcome, side and currency */
    size_t n_rows[MATCH_OUTCOMES], n_intents[MATCH_OUTCOMES];
    size_t n_groups;
    struct idset *groups;
    struct str key; /* of the row or intent being put */
    struct texts *texts;
};
struct match *match_new(const struct match_options *options);
void match_free(struct match *match);

/* Reads the mapping file (NULL: none) and the table, by what reads a file of at most out->max bytes. */
typedef enum err match_input_fn(const char *path, struct str *out, struct error *error);
enum err match_load(struct match *match, const char *map, const char *path, match_input_fn *input,
                    struct error *error) MUST_CHECK;
/* The same from memory. ERR_INVALID or ERR_USAGE: what cannot be read, with its line and column. */
enum err match_map(struct match *match, const char *text, size_t len, struct error *error) MUST_CHECK;
enum err match_read(struct match *match, const char *text, size_t len, struct error *error) MUST_CHECK;

void match_begin(struct match *match); /* also once more, where the intents changed meanwhile */
/* Texts of the cells at one address stay the same until match_end. */
void match_take(struct match *match, int64_t key, const struct cells *cells);
void match_end(struct match *match);

/* Whether everything has a partner that is equal in every column. */
bool match_is_clean(const struct match *match);
/* The total beside it on the other side; NULL: there is none. */
const struct match_total *match_other_side(const struct match *match, const struct match_total *total);
const char *match_row_text(const struct match *match, size_t row, enum query_field_code code); /* NULL: none */
const char *match_row_currency(const struct match *match, size_t row);
/* Appends `amount 12.00 in the file, 11.00 here; ...` of a row that differs; money NULL: amounts are the integers. */
void match_differences(const struct match *match, size_t row, const struct money_rule *money, struct str *out);

/* ---- What came of it, line by line ---- */

/* A row of the file, with its partner or alone, or an intent alone. MATCH_NOWHERE: it has none, or several. */
#define MATCH_NOWHERE SIZE_MAX
struct match_line {
    size_t row, intent;
};
struct match_lines {
    struct match_line *items;
    size_t n, cap;
};
const struct match_row *match_line_row(const struct match *match, const struct match_line *line);
const struct match_intent *match_line_intent(const struct match *match, const struct match_line *line);
/* Adds what an outcome has: the file's rows in its order, then intents, newest first. */
void match_list(const struct match *match, enum match_outcome outcome, struct match_lines *out);
/* Adds the intents that a row may be. */
void match_list_candidates(const struct match *match, size_t row, struct match_lines *out);
size_t match_line_candidates(const struct match *match,
                             const struct match_line *line); /* of an ambiguous one; else 0 */
/* Appends `line 2  EUR 12.00  a1  approved  amount 1200 in the file, 1100 here`. */
void match_say_line(const struct match *match, const struct match_line *line, struct str *out);

/* As CSV (base/csv.h): the same for the command line and for an export of the console. */
void match_csv_head(struct str *out);
void match_csv_line(const struct match *match, enum match_outcome outcome, const struct match_line *line,
                    struct str *out);
/* Calls add for the first intents that an ambiguous row may be. */
void match_each_candidate(const struct match *match, const struct match_line *line, struct str *out,
                          void (*add)(struct str *out, const char *id, bool first));

/* The sums of an outcome in a currency; NULL: none on that side. */
struct match_sum {
    const char *currency;
    const struct match_total *file, *here;
};
struct match_sums {
    struct match_sum *items;
    size_t n, cap;
};
void match_sums(const struct match *match, enum match_outcome outcome, struct match_sums *out); /* adds them */
/* Appends `1,234.50`, `beyond 64 bits`, and how many rows have no amount: `1.00 (2 without)`. NULL: nothing. */
void match_say_sum(const struct match *match, const struct match_total *total, struct str *out);
/* How the table was read, a sentence a line, each without its point; nothing where it was as plain as can be. */
void match_say_reading(const struct match *match, struct str *out);

#endif
