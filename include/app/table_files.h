#ifndef APP_TABLE_FILES_H
#define APP_TABLE_FILES_H
/* A database file that a table of rows is written into, for those who see no database: run fills it with the store. */

#include "base/error.h"

#include <stddef.h>

struct table_file;
struct table_files {
    /* Cells as record_head gives them: names of columns. ERR_FILE where a file of that name is there. */
    enum err (*begin)(const char *path, const char *names, size_t len, struct table_file **out, struct error *error);
    enum err (*add)(struct table_file *file, const char *cells, size_t len, struct error *error); /* whole rows */
    /* about: what the rows are, lines `name: value`. The file gets its name only now. Frees, also on failure. */
    enum err (*end)(struct table_file *file, const char *about, struct error *error);
    void (*drop)(struct table_file *file); /* NULL is allowed */
};

#endif
