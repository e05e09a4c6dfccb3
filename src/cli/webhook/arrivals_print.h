#ifndef CLI_ARRIVALS_PRINT_H
#define CLI_ARRIVALS_PRINT_H
/* Events of the service on standard output. Private to the folder. */

#include "app/arrivals.h"
#include "base/str.h"

void arrivals_print_head(struct str *out);
/* A line of the table, with its end; two where it is wider than the columns (0: not known), so that no id is broken. */
void arrivals_print_row(const struct arrival *arrival, int64_t now, int columns, struct str *out);
enum { ARRIVALS_PRINT_INDENT = 29 }; /* of further lines */
/* An object on one line, without its end: no header, no body, nothing that signs. */
void arrivals_print_json(const struct arrival *arrival, struct str *out);
void arrivals_print_csv_head(struct str *out);
void arrivals_print_csv(const struct arrival *arrival, struct str *out);

#endif
