#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H
/* The tables of a database: making them, and telling a file that is ours from any other. */

#include "db.h"

struct schema {
    const char *const *texts; /* each CREATE statement, as SQLite keeps it */
    size_t n;
    const char *before; /* settings that an empty file alone takes, or NULL: later they would write to it */
    const char *rows;   /* first rows, or NULL */
    uint32_t application, version;
    size_t added;        /* so many texts at the end are new in this version: a file of the one before gets them */
    const char *upgrade; /* and what else it needs, or NULL */
};

enum schema_state { SCHEMA_EMPTY, SCHEMA_OURS, SCHEMA_NEWER, SCHEMA_OTHER, SCHEMA_BEFORE };

/* By the file's own header, without a lock: EMPTY, NEWER, OTHER, or OURS as far as it tells. */
enum err schema_peek(struct db *db, const struct schema *schema, enum schema_state *out,
                     struct error *error) MUST_CHECK;
/* Compares every table's text: a file with a trigger, a view or a changed table is another one. */
enum err schema_look(struct db *db, const struct schema *schema, enum schema_state *out,
                     struct error *error) MUST_CHECK;
/* Looks, makes the tables in an empty file, and those that are new in a file of the version before. Before the switch
 * to WAL, so that the file's own header says whose it is from the first moment on. */
enum err schema_ready(struct db *db, const struct schema *schema, enum schema_state *out,
                      struct error *error) MUST_CHECK;

/* Asks for WAL; *got tells whether it holds. */
enum err schema_use_wal(struct db *db, bool *got, struct error *error) MUST_CHECK;

#endif
