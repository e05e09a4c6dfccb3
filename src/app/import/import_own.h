#ifndef APP_IMPORT_OWN_H
#define APP_IMPORT_OWN_H
/* What the files of the import share. */

#include "app/import.h"

/* Appends to a list of remarks. */
void import_remark(char **remarks, const char *text);
/* Ends a row: its personal text is wiped. */
void import_settle(struct import_row *row, enum import_state state);
/* Field of a header by the mapping and the known names. */
int import_header_field(const struct import *import, const char *text);
/* A mapping file: lines `Header = field.path`, `-` leaves a column out, # begins a comment. ERR_INVALID with its line.
 */
enum err import_map(struct import *import, const char *text, size_t len, struct error *error) MUST_CHECK;
/* The columns by the first line of `text`. */
enum err import_read_header(struct import *import, struct error *error) MUST_CHECK;
/* ERR_INVALID where a column is not known, or no column is a field. */
enum err import_check_columns(const struct import *import, struct error *error) MUST_CHECK;
/* ERR_INVALID: the columns that are not known, each with what it may be, as lines of a mapping file. */
enum err import_unknown_columns(const struct import *import, struct error *error) MUST_CHECK;
/* The rows; those that cannot be sent are BAD. Wipes `text`. now decides what lies in the future. */
enum err import_read(struct import *import, int64_t now, struct error *error) MUST_CHECK;
/* Why a spreadsheet must have changed this cell; NULL: it looks unchanged. user: the whole row. */
const char *import_spreadsheet_damage(const struct user *user, enum user_field field);

/* Whether the next row has to wait, for the service or the pace; then the timer runs. */
void import_clock_set(struct import *import, int64_t shift);
bool import_holds(struct import *import, int64_t now, struct effects *effects);
/* The service asked to wait: notes when the import goes on. False: it did not, or so many times that the run stops. */
bool import_throttled(struct import *import, const struct write_result *result, int64_t now);

/* ERR_UNKNOWN with the number of rows of unknown outcome, and how they are settled. */
enum err import_unknown(const struct import *import, const char *before, const char *after, struct error *error);

/* The result file of a run before. ERR_INVALID where it is no such file. */
enum err import_results_read(struct import *import, const char *text, size_t len, struct error *error) MUST_CHECK;
void import_result_clear(struct import_result *result);
/* Updates an earlier result by what its record says now. */
void import_result_settle(struct import_result *result, const struct outcome_record *record);
/* Called once the journal was asked about all rows: joins earlier results with the rows that sent the same, and marks
 * rows that look like earlier writes. The results that remain belong to rows that are not in the file any more.
 * ERR_INVALID: the result file belongs to another file, or was made under another profile. */
enum err import_merge(struct import *import, struct error *error) MUST_CHECK;
/* One line a row (row, line, outcome, id, error, journal, digest), no personal text. */
void import_result_row(const struct import *import, size_t row, struct str *out);

#endif
