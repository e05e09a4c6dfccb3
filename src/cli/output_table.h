#ifndef CLI_OUTPUT_TABLE_H
#define CLI_OUTPUT_TABLE_H
/* Intents as an aligned table. The first rows are held back until the columns' widths are known; what comes after keeps
 * them, so that a walk of any length streams. Private to the layer. */

#include "cli/output.h"

#include "base/str.h"

struct table_writer;

struct table_writer *table_writer_new(const struct output_options *options);
void table_writer_free(struct table_writer *writer);
/* The cells of a row, for table_writer_add. */
void table_writer_pack(const struct table_writer *writer, const struct intent *intent, struct str *out);
/* Each appends what is ready to out. */
void table_writer_add(struct table_writer *writer, const char *packed, size_t len, struct str *out);
void table_writer_end(struct table_writer *writer, struct str *out);

#endif
