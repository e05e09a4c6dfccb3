#ifndef STORE_TABLE_FILE_H
#define STORE_TABLE_FILE_H
/* Rows as a database of their own, for who asks with SQL: the tables `intents` and `about`. It is written under another
 * name, 0600, and gets its own only once it is whole; a file of that name that is there stays as it is. Cells come as
 * app/record.h writes them: a letter, a text and a NUL each. An integer is stored as one, every other value as text, so
 * that no amount becomes a floating point number. One thread at a time. */

#include "base/error.h"

#include <stddef.h>

struct table_file;
enum err table_file_begin(const char *path, const char *names, size_t len, struct table_file **out,
                          struct error *error) MUST_CHECK;
enum err table_file_add(struct table_file *file, const char *cells, size_t len, struct error *error) MUST_CHECK;
/* Frees it, also where it fails: then nothing is left. about: lines `name: value`. */
enum err table_file_end(struct table_file *file, const char *about, struct error *error) MUST_CHECK;
void table_file_drop(struct table_file *file);

#endif
