#ifndef BASE_CSV_H
#define BASE_CSV_H
/* RFC 4180, both ways. Writing guards text cells that a spreadsheet would run as a formula: a cell that
 * starts with = + - @ TAB CR or their full-width forms gets an apostrophe in front; numbers stay numbers. */

#include "base/str.h"

void csv_add_text(struct str *out, const char *text, size_t len); /* guarded, quoted where needed */
/* The same for a value from outside: a plain negative number is no formula and stays as it is, and a text that begins
 * with apostrophes before a formula gets one more, so that removing one gives the value back. Control characters become
 * tokens `<1B>`, all else is kept. No guard after csv_guard_off. */
void csv_add_value(struct str *out, const char *text, size_t len);
void csv_guard_off(void); /* of the whole program: for readers that are no spreadsheets (--csv-guard=off) */
void csv_add_number(struct str *out, const char *digits, size_t len); /* unguarded: the caller vouches it is a number */
void csv_end_cell(struct str *out);                                   /* after each cell: the comma */
void csv_end_row(struct str *out);                                    /* drops the last cell's comma, adds CRLF */

/* One record at a time from a whole text; cells point into the reader until the next call. */
struct csv_reader {
    const char *text;
    size_t len, at;
    char separator;   /* between cells: ',' unless the caller sets it before the first record */
    size_t line;      /* of the record last read, from 1 */
    size_t next_line; /* of the record after it */
    struct str buffer;
    size_t *starts, n, cap;
};
void csv_reader_init(struct csv_reader *reader, const char *text, size_t len); /* skips a BOM */
void csv_reader_clear(struct csv_reader *reader);
/* *more is false at the end; ERR_INVALID names line and column of a quoting fault. */
enum err csv_read(struct csv_reader *reader, bool *more, struct error *error) MUST_CHECK;
const char *csv_cell(const struct csv_reader *reader, size_t index, size_t *len); /* NULL past the last */

#endif
