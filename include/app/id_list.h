#ifndef APP_ID_LIST_H
#define APP_ID_LIST_H
/* Lists of whole ids, for `id:@name` in a filter: out of a file, or pasted. And what was met of one: how many of its
 * ids are there, and in which order rows stand by it. Pure. */

#include "app/coverage.h"
#include "app/lookup.h"
#include "query/query.h"

enum { ID_LIST_MAX = 16 << 20 }; /* bytes of a file */

struct id_list {
    char *name;
    struct arena arena;
    struct {
        const char **items;
        size_t n, cap;
    } ids;
    struct idset *places; /* of ids */
};
struct id_list *id_list_new(const char *name);
void id_list_free(struct id_list *list); /* may be NULL */
/* Adds the ids of a text, each once. Blanks, commas, semicolons, quotes and new lines part them, as they come out of a
 * spreadsheet, a mail or a log. */
void id_list_split(struct id_list *list, const char *text, size_t len);
const char *id_list_at(const void *list, size_t i); /* NULL past the last */
/* Whether a text is nothing but several ids, so that it cannot be meant as a filter. */
bool id_list_is(const char *text, size_t len);

/* What was met of a list, for the one sentence about it. */
struct id_list_met {
    const char *name; /* without its sign */
    size_t n;
    const char *(*at)(const void *of, size_t i);
    const void *of;
    const unsigned char *found; /* by place */
    bool alone;                 /* the filter is the list and nothing else: what it leaves out is not there */
    size_t rows;                /* that were looked through */
};
/* What is said where an id that was not found has capitals. */
#define ID_CAPITALS "capitals and small letters are not the same in an id"
bool id_has_capitals(const char *id);
/* Appends `198 of 200 of @ids found; not found among 12,000 intents, so far: a, b`. True: all were found. */
bool id_list_say(const struct id_list_met *met, const struct coverage *coverage, int64_t now, struct str *out);

/* ---- Rows of an answer by the first list of its filter ---- */

struct listing;
struct listing *listing_new(const struct query *query);                             /* NULL: the filter has no list */
void listing_meet(struct listing *listing, int64_t key, const struct cells *cells); /* each matching row */
/* Notes in the answer what was found; keys that are given come into the list's order, rows of one id as they are. Frees
 * the listing, which may be NULL. */
void listing_end(struct listing *listing, int64_t *keys, size_t n, struct lookup_result *out);
/* What an answer met of the list of its filter; false: it has none. */
bool listing_met(const struct lookup_result *answer, const struct query *query, struct id_list_met *out);

/* ---- Those of a console, read when a filter names them ---- */

struct id_lists;
struct effects;
struct event;
struct id_lists *id_lists_new(void);
void id_lists_free(struct id_lists *lists);
struct query_lists id_lists_open(struct id_lists *lists); /* for the parser: names what it lacks */
void id_lists_outdate(struct id_lists *lists);            /* files may have changed: those named again are read again */
void id_lists_ask(struct id_lists *lists, struct effects *effects); /* for those that were named and are not there */
bool id_lists_are_awaited(const struct id_lists *lists);
bool id_lists_update(struct id_lists *lists, const struct event *event); /* true: it brought one */
/* Keeps pasted ids; appends the name that a filter has for them, with its sign. */
void id_lists_paste(struct id_lists *lists, const char *text, struct str *name);

#endif
