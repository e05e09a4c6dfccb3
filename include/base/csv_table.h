#ifndef BASE_CSV_TABLE_H
#define BASE_CSV_TABLE_H
/* The one reader of tables as spreadsheets write them: comma, semicolon or TAB, found from the header and the rows
 * below it (a first line `sep=;` decides); a byte order mark; empty rows and columns as padding. Whatever makes the
 * file differ from plain CSV with commas is listed in `notes`, so that the operator is told before anything is done
 * with it. Cells point into the table until the next row. */

#include "base/csv.h"

enum { CSV_TABLE_COLUMNS_MAX = 256 };

struct csv_table {
    struct csv_reader reader;
    char **names; /* headings without blanks at their ends; "" in between: a column without a heading */
    size_t n;     /* up to the last one that has a name */
    size_t line;  /* of the header, from 1 */
    struct str notes;
};
struct csv_row {
    size_t line;
    size_t cells;   /* how many the row has; missing ones read as empty */
    size_t nowhere; /* column, from 1, of a value without a heading above it; 0: none */
};

/* Reads the header. ERR_INVALID with line, column and what to do: UTF-16, bytes that are not UTF-8 among the headings,
 * no header, too many columns. text is borrowed until csv_table_clear. */
enum err csv_table_open(struct csv_table *table, const char *text, size_t len, struct error *error) MUST_CHECK;
void csv_table_clear(struct csv_table *table);
/* The next row with something in it; *more false at the end. */
enum err csv_table_next(struct csv_table *table, struct csv_row *row, bool *more, struct error *error) MUST_CHECK;
/* Never NULL; a cell of blanks and fillers alone is "". */
const char *csv_table_cell(const struct csv_table *table, size_t column, size_t *len);

/* Why a spreadsheet must have changed this cell; NULL: it looks unchanged. number: only digits make sense in it, though
 * it is no amount. */
const char *csv_damage(const char *cell, bool number);

/* A heading as it is compared, whatever the locale: folded, letters and digits alone; blanks and fillers go. */
void csv_table_name(const char *text, struct str *out);

#endif
