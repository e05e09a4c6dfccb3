#include "journal_known.h"

#include "base/mem.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_MIN = 64 };

void known_init(struct journal_known *known, size_t outcomes) {
    *known = (struct journal_known){.outcomes = outcomes, .counts = mem_new_array(outcomes, sizeof(int64_t))};
}

static void map_clear(struct known_map *map) {
    free(map->slots);
    free(map->links.items);
    *map = (struct known_map){0};
}

void known_clear(struct journal_known *known) {
    for (size_t i = 0; i < known->scopes.n; i++) {
        free(known->scopes.items[i].origin);
        free(known->scopes.items[i].profile);
        free(known->scopes.items[i].account);
    }
    free(known->scopes.items);
    free(known->records);
    free(known->marks);
    free(known->counts);
    map_clear(&known->newer);
    map_clear(&known->older);
    *known = (struct journal_known){0};
}

/* An array that is indexed by number, zeroed as it grows. */
static void *journal_known_reserve(void *items, size_t index, size_t *cap, size_t size) {
    if (index < *cap)
        return items;
    size_t wanted = index + index / 2 + SLOTS_MIN;
    items = mem_resize(items, wanted, size);
    memset((char *)items + *cap * size, 0, (wanted - *cap) * size);
    *cap = wanted;
    return items;
}

static uint32_t scope_of(struct journal_known *known, const struct known_write *write) {
    /* The latest first: runs of one profile are the rule. */
    for (size_t i = known->scopes.n; i > 0; i--) {
        const struct known_scope *scope = &known->scopes.items[i - 1];
        if (str_equal(scope->profile, write->profile) && str_equal(scope->origin, write->origin) &&
            str_equal(scope->account, write->account))
            return (uint32_t)i;
    }
    struct known_scope *scope = vec_add(&known->scopes);
    scope->origin = mem_dup(write->origin);
    scope->profile = mem_dup(write->profile);
    scope->account = mem_dup(write->account);
    return (uint32_t)known->scopes.n;
}

static void stand(struct journal_known *known, struct known_record *record, uint32_t mark) {
    record->last = mark;
    record->outcome = known->marks[mark].outcome;
    record->settled = known->marks[mark].settled;
}

static void journal_known_count(struct journal_known *known, const struct known_record *record, int by) {
    if (record->scope && record->last && record->outcome < known->outcomes)
        known->counts[record->outcome] += by;
}

void known_add_record(struct journal_known *known, const struct known_write *write) {
    size_t n = (size_t)write->n;
    known->records = journal_known_reserve(known->records, n, &known->records_cap, sizeof *known->records);
    known->n = n > known->n ? n : known->n;
    known->records[n].scope = scope_of(known, write);
    journal_known_count(known, &known->records[n], 1);
}

/* Into the list of its record's marks, which is kept in order: older ones may come later. */
void known_add_mark(struct journal_known *known, int64_t m, int64_t n, unsigned outcome, bool settled) {
    size_t at = (size_t)m, of = (size_t)n;
    known->marks = journal_known_reserve(known->marks, at, &known->marks_cap, sizeof *known->marks);
    known->records = journal_known_reserve(known->records, of, &known->records_cap, sizeof *known->records);
    known->m = at > known->m ? at : known->m;
    known->marks[at] = (struct known_mark){.record = (uint32_t)n, .outcome = (uint8_t)outcome, .settled = settled};
    struct known_record *record = &known->records[of];
    if (of == 0)
        return;
    journal_known_count(known, record, -1);
    if (record->last < at) {
        known->marks[at].before = record->last;
        stand(known, record, (uint32_t)at);
    } else {
        uint32_t after = record->last;
        while (known->marks[after].before > at)
            after = known->marks[after].before;
        known->marks[at].before = known->marks[after].before;
        known->marks[after].before = (uint32_t)at;
    }
    journal_known_count(known, record, 1);
}

static struct known_slot *journal_known_slot_of(const struct known_map *map, uint64_t key) {
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15ULL >> 20) & (map->cap - 1);
    while (map->slots[at].head && map->slots[at].key != key)
        at = (at + 1) & (map->cap - 1);
    return &map->slots[at];
}

static void journal_known_grow(struct known_map *map) {
    struct known_map bigger = {.cap = map->cap ? map->cap * 2 : SLOTS_MIN, .used = map->used, .links = map->links};
    bigger.slots = mem_new_array(bigger.cap, sizeof *bigger.slots);
    for (size_t i = 0; i < map->cap; i++)
        if (map->slots[i].head)
            *journal_known_slot_of(&bigger, map->slots[i].key) = map->slots[i];
    free(map->slots);
    *map = bigger;
}

void known_add_key(struct journal_known *known, uint64_t key, int64_t n, bool older) {
    struct known_map *map = older ? &known->older : &known->newer;
    if (map->used * 2 >= map->cap)
        journal_known_grow(map);
    struct known_slot *slot = journal_known_slot_of(map, key);
    map->used += slot->head == 0;
    uint32_t next = slot->head;
    *vec_add(&map->links) = (struct known_link){(uint32_t)n, next};
    *slot = (struct known_slot){key, (uint32_t)map->links.n};
}

const struct known_record *known_record(const struct journal_known *known, int64_t n) {
    return n > 0 && (size_t)n <= known->n && known->records[n].scope ? &known->records[n] : NULL;
}

const struct known_scope *known_scope(const struct journal_known *known, const struct known_record *record) {
    return &known->scopes.items[record->scope - 1];
}

static uint32_t journal_known_head_of(const struct known_map *map, uint64_t key) {
    return map->cap ? journal_known_slot_of(map, key)->head : 0;
}

struct known_walk known_find(const struct journal_known *known, uint64_t key) {
    return (struct known_walk){.key = key, .link = journal_known_head_of(&known->newer, key)};
}

int64_t known_next(const struct journal_known *known, struct known_walk *walk) {
    if (!walk->link && walk->map == 0) {
        walk->map = 1;
        walk->link = journal_known_head_of(&known->older, walk->key);
    }
    if (!walk->link)
        return 0;
    const struct known_link *link = &(walk->map ? &known->older : &known->newer)->links.items[walk->link - 1];
    walk->link = link->next;
    return link->n;
}
