#ifndef MODEL_CACHE_FIGURES_H
#define MODEL_CACHE_FIGURES_H
/* What is told of a cache: filled by the store, printed by the command line, and neither sees the other. */

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

struct cache_stats {
    int64_t rows, pages, walks, sightings;
    int64_t unlisted;             /* of the rows: the last complete reading of the list did not find them */
    int64_t dropped;              /* damaged rows dropped since the cache was made */
    int64_t file, log, free;      /* bytes: database, its log, unused within the database */
    int64_t newest_ms, oldest_ms; /* created_at of the ends; 0: none, or not known */
    int64_t fetched;              /* newest page; 0: none */
};

struct cache_report {
    int64_t rows, pages, sightings;             /* checked */
    int64_t bad_rows, bad_pages, bad_sightings; /* rows and pages among them were dropped */
    int64_t json, stored;                       /* bytes of the rows: as served, as kept */
    bool count_wrong;                           /* the kept count differed; it is put right */
    char problem[200];                          /* of the file itself; "": sound */
};

struct cache_purged {
    int64_t rows;
    size_t aside;  /* files set aside earlier, removed */
    bool log_left; /* another console reads: its log is emptied when that ends */
    bool aside_left;
};

/* Schema watch: a name of a field or a value that the document does not have. */
struct cache_read_unknown_fields {
    const char *kind, *name;
    int64_t n, first, last; /* times seen; first and last when */
};
/* A list owns all its text in one arena. */
struct cache_unknown_fields {
    struct arena arena;
    struct cache_read_unknown_fields *items; /* by kind, most seen first */
    size_t n, cap;
};
void cache_unknown_fields_init(struct cache_unknown_fields *watch);
void cache_unknown_fields_clear(struct cache_unknown_fields *watch);

#endif
