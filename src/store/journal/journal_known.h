#ifndef STORE_JOURNAL_KNOWN_H
#define STORE_JOURNAL_KNOWN_H
/* What the journal holds, in memory, built from the rows that were checked and from nothing else: where each record
 * stands, which marks are its, and which records hold a digest. Rows may come in two runs, the newest first and then
 * those before them, each run in its own order. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct known_record {
    uint32_t scope; /* number of a known_scope, from 1; 0: this record is not known (yet) */
    uint32_t last;  /* number of its newest mark; 0: none known */
    uint8_t outcome;
    bool settled;
};
struct known_mark {
    uint32_t record, before; /* the mark of the same record before it; 0: none */
    uint8_t outcome;
    bool settled;
};
struct known_scope {
    char *origin, *profile, *account; /* account NULL: from before it was kept */
};
struct known_map {
    struct known_slot {
        uint64_t key;
        uint32_t head; /* link, from 1; 0: the slot is free */
    } * slots;
    size_t cap, used;
    struct known_links {
        struct known_link {
            uint32_t n, next;
        } * items;
        size_t n, cap;
    } links;
};
struct journal_known {
    struct known_record *records;
    struct known_mark *marks;
    size_t n, records_cap, m, marks_cap; /* highest numbers known of */
    struct {
        struct known_scope *items;
        size_t n, cap;
    } scopes;
    struct known_map newer, older;
    int64_t *counts; /* per outcome, `outcomes` of them */
    size_t outcomes;
};

void known_init(struct journal_known *known, size_t outcomes);
void known_clear(struct journal_known *known);

struct known_write {
    int64_t n;
    const char *origin, *profile, *account;
};
void known_add_record(struct journal_known *known, const struct known_write *write);
void known_add_key(struct journal_known *known, uint64_t key, int64_t n, bool older);
void known_add_mark(struct journal_known *known, int64_t m, int64_t n, unsigned outcome, bool settled);

const struct known_record *known_record(const struct journal_known *known, int64_t n); /* NULL: not known */
const struct known_scope *known_scope(const struct journal_known *known, const struct known_record *record);

/* Records that hold a key, newest first; 0 at the end. */
struct known_walk {
    uint64_t key;
    int map;
    uint32_t link;
};
struct known_walk known_find(const struct journal_known *known, uint64_t key);
int64_t known_next(const struct journal_known *known, struct known_walk *walk);

#endif
