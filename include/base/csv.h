#ifndef BASE_CSV_H
#define BASE_CSV_H
/* RFC 4180, both ways. Writing guards text cells that a spreadsheet would run as a formula: a cell that
 * starts with = + - @ TAB CR or their full-width forms gets an apostrophe in front; numbers stay numbers. */

#include "base/str.h"

#include <stdint.h>

/* Who reads what is written. A spreadsheet program that opens a file by its name takes the character set from a mark in
 * front and the separator from its locale, and reads every cell as if it were typed: leading zeros go, digits beyond
 * the fifteenth become zeros, 3-4 becomes a day. For it a text that could be read as anything else is written as
 * ="text", which stays text, and so is a number of more digits; where the decimal sign is a comma, cells are separated
 * by semicolons. */
enum csv_reader_kind { CSV_FOR_PROGRAMS, CSV_FOR_EXCEL, CSV_FOR_EXCEL_COMMA };
/* Of the whole program, until the next call; returns what held before. */
enum csv_reader_kind csv_write_for(enum csv_reader_kind kind);
enum csv_reader_kind csv_written_for(void);
/* What this machine's locale asks for: CSV_FOR_EXCEL or CSV_FOR_EXCEL_COMMA. */
enum csv_reader_kind csv_excel_of_locale(void);
/* The variable that names a locale which is not there, so that nobody knows what it asks for; NULL: it is there. */
const char *csv_locale_missing(void);
void csv_begin(struct str *out);                        /* before the first row: the mark, where there is one */
void csv_add_names(struct str *out, const char *names); /* cells of ours, `id,amount` */

void csv_add_text(struct str *out, const char *text, size_t len); /* guarded, quoted where needed */
/* The same for a value from outside: a plain negative number is no formula and stays as it is, and a text that begins
 * with apostrophes before a formula gets one more, so that removing one gives the value back. Control characters become
 * tokens `<1B>`, all else is kept. No guard after csv_guard_off. */
void csv_add_value(struct str *out, const char *text, size_t len);
void csv_guard_off(void); /* of the whole program: for readers that are no spreadsheets (--csv-guard=off) */
void csv_add_number(struct str *out, const char *digits, size_t len); /* unguarded: the caller vouches it is a number */
void csv_end_cell(struct str *out);                                   /* after each cell: the separator */
void csv_add_cell(struct str *out, const char *text);                 /* a whole cell by csv_add_value; NULL: empty */
void csv_add_integer(struct str *out, int64_t number);                /* a whole cell by csv_add_number */
void csv_end_row(struct str *out);                                    /* drops the last cell's separator, adds CRLF */

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
