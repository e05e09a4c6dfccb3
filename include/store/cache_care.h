#ifndef STORE_CACHE_CARE_H
#define STORE_CACHE_CARE_H
/* Looking after a cache: figures, checking, limits, removal, and what the service sends that the document does not
 * name. The long ones work in short transactions, so that other consoles go on. Same threads as store/cache.h. */

#include "model/cache_figures.h"
#include "store/cache.h"

enum err cache_stats(struct cache *cache, struct cache_stats *out, struct error *error) MUST_CHECK;

/* ERR_CHECK_FAILED where anything was found; the report has it. `go_on` is asked now and then, NULL: to the end; false
 * ends it with ERR_CANCELLED. */
enum err cache_verify(struct cache *cache, bool (*go_on)(void *context, int64_t rows), void *context,
                      struct cache_report *report, struct error *error) MUST_CHECK;

/* At start and end. days: rows the service has not served for so long, and those from the future, go; 0 keeps. mb: the
 * oldest rows go until the file is within; 0: no limit. *removed counts rows. */
enum err cache_retain(struct cache *cache, int64_t now, int days, int mb, int64_t *removed,
                      struct error *error) MUST_CHECK;

/* Rows, pages, sightings, notes, counters, free pages and the log; files set aside too. The binding stays. */
enum err cache_purge(struct cache *cache, struct cache_purged *out, struct error *error) MUST_CHECK;
/* The files themselves, whatever is in them (foreign, newer, damaged). *removed: there was one. */
enum err cache_remove(const char *folder, const char *profile, bool *removed, struct error *error) MUST_CHECK;

/* Schema watch: names of fields and values that the document does not have, counted per profile. kind: "field",
 * "status", "type" ... Names are sanitised text; beyond CACHE_WATCH_MAX of a kind they are counted under "". */
enum { CACHE_WATCH_MAX = 500, CACHE_WATCH_NAME_MAX = 200 };
enum err cache_unknown_fields_add(struct cache *cache, const struct cache_read_unknown_fields *items, size_t n,
                                  int64_t now, struct error *error) MUST_CHECK;
enum err cache_unknown_fields(struct cache *cache, struct cache_unknown_fields *out, struct error *error) MUST_CHECK;

#endif
