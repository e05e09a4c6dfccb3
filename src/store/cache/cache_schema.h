#ifndef STORE_CACHE_SCHEMA_H
#define STORE_CACHE_SCHEMA_H
/* The tables of the cache. */

#include "store/schema.h"

extern const struct schema cache_schema;

/* Settings of a connection; before anything is read. */
enum err cache_configure(struct db *db, struct error *error) MUST_CHECK;

#endif
