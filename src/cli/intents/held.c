#include "held.h"

#include "app/idset.h"
#include "base/mem.h"
#include "base/spool.h"

#include <stdlib.h>
#include <string.h>

enum { MEMORY_MAX = 16 << 20, ROW_MAX = 64 << 20, BYTE_BITS = 8 };

/* Before each row; len 0: it is not printed. */
struct record {
    size_t place, len;
};

void held_init(struct held *held, struct output *output) {
    *held = (struct held){.output = output, .spool = spool_new(MEMORY_MAX), .again = idset_new()};
    str_init(&held->row, ROW_MAX);
}

void held_clear(struct held *held) {
    spool_free(held->spool);
    idset_free(held->again);
    str_clear(&held->row);
    free(held->wanted);
    *held = (struct held){0};
}

static void set_wanted(struct held *held, size_t place, bool wanted) {
    unsigned char bit = (unsigned char)(1U << place % BYTE_BITS);
    if (place / BYTE_BITS >= held->cap) {
        size_t cap = held->cap * 2 + 1024;
        held->wanted = mem_resize(held->wanted, cap, 1);
        memset(held->wanted + held->cap, 0, cap - held->cap);
        held->cap = cap;
    }
    unsigned char *byte = &held->wanted[place / BYTE_BITS];
    *byte = (unsigned char)(wanted ? *byte | bit : *byte & ~bit);
}

void held_put(struct held *held, size_t place, const struct intent *intent) {
    if (place < held->from) {
        held->late++;
        return;
    }
    struct record record = {.place = place};
    str_reset(&held->row);
    str_add_n(&held->row, (const char *)&record, sizeof record);
    if (intent)
        output_pack(held->output, intent, &held->row);
    record.len = held->row.len - sizeof record;
    memcpy(held->row.s, &record, sizeof record);
    if (place < held->n)
        (void)idset_swap(held->again, (const char *)&place, sizeof place, (size_t)spool_len(held->spool));
    held->n = place < held->n ? held->n : place + 1;
    set_wanted(held, place, intent != NULL);
    spool_add(held->spool, held->row.s, held->row.len);
}

bool held_has(const struct held *held, size_t place) {
    return place < held->n && (held->wanted[place / BYTE_BITS] >> place % BYTE_BITS & 1) != 0;
}

bool held_is_full(const struct held *held) {
    return spool_is_full(held->spool);
}

/* The record at a place of the spool, and its row. NULL: it cannot be read. */
static const char *held_see(const struct held *held, struct spool_window *window, uint64_t at, struct record *record) {
    const char *bytes = spool_see(held->spool, window, at, sizeof *record);
    if (!bytes)
        return NULL;
    memcpy(record, bytes, sizeof *record);
    return spool_see(held->spool, window, at + sizeof *record, record->len);
}

static enum err print_last(const struct held *held, struct spool_window *window, const struct record *first,
                           const char *row, struct error *error) {
    struct record last = *first;
    size_t again = row ? idset_find(held->again, (const char *)&first->place, sizeof first->place) : SIZE_MAX;
    if (again != SIZE_MAX)
        row = held_see(held, window, again, &last);
    if (!row)
        return error_set(error, ERR_FILE, "what was read before cannot be read back");
    return last.len > 0 ? output_packed(held->output, row, last.len, error) : ERR_OK;
}

/* A place that is behind the next one is of a row that came again: it stands where its first record does. */
enum err held_print(struct held *held, struct error *error) {
    struct spool_window in_order = {0}, elsewhere = {0};
    struct record record = {0};
    enum err err = ERR_OK;
    uint64_t at = 0, end = spool_len(held->spool);
    while (at < end && err == ERR_OK) {
        const char *row = held_see(held, &in_order, at, &record);
        if (!row || record.place >= held->from) {
            err = print_last(held, &elsewhere, &record, row, error);
            held->from = record.place + 1;
        }
        at += sizeof record + record.len;
    }
    spool_window_clear(&in_order);
    spool_window_clear(&elsewhere);
    spool_reset(held->spool);
    idset_reset(held->again);
    return err;
}
