#ifndef STORE_CACHE_SCHEMA_H
#define STORE_CACHE_SCHEMA_H
/* The tables of the cache: making them, and telling a file that is ours from any other. */

#include "cache_own.h"

/* Settings of a connection; before anything is read. */
enum err cache_schema_configure(struct db *db, struct error *error) MUST_CHECK;
enum err cache_schema_create(struct db *db, struct error *error) MUST_CHECK;
enum cache_schema_state { SCHEMA_EMPTY, SCHEMA_OURS, SCHEMA_NEWER, SCHEMA_OTHER };
/* Compares every table's text: a file with a trigger, a view or a changed table is another one (faults D3). */
enum err cache_schema_look(struct db *db, enum cache_schema_state *out, struct error *error) MUST_CHECK;

#endif
