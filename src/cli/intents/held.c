#include "held.h"

#include "base/mem.h"
#include "wire/page.h"

#include <stdlib.h>
#include <string.h>

static const size_t BYTES_MAX = (size_t)256 << 20;

static void held_drop(struct held *held, struct held_row *row) {
    if (row->raw) {
        held->bytes -= row->len;
        held->rows--;
        free(row->raw);
    }
    *row = (struct held_row){.printed = row->printed};
}

void held_clear(struct held *held) {
    for (size_t i = 0; i < held->n; i++)
        free(held->items[i].raw);
    free(held->items);
    *held = (struct held){0};
}

void held_put(struct held *held, size_t place, const struct intent *intent) {
    while (held->n <= place)
        *vec_add(held) = (struct held_row){0};
    struct held_row *row = &held->items[place];
    if (place < held->from) {
        held->late++;
        return;
    }
    held_drop(held, row);
    if (intent) {
        *row = (struct held_row){.raw = mem_dup_n(intent->raw, intent->raw_len), .len = intent->raw_len};
        held->bytes += row->len;
        held->rows++;
    }
}

bool held_has(const struct held *held, size_t place) {
    return place < held->n && (held->items[place].raw || held->items[place].printed);
}

bool held_is_full(const struct held *held) {
    return held->bytes > BYTES_MAX;
}

enum err held_print(struct held *held, struct output *output, struct error *error) {
    enum err err = ERR_OK;
    for (; held->from < held->n && err == ERR_OK; held->from++) {
        struct held_row *row = &held->items[held->from];
        if (row->raw) {
            struct intent *intent = wire_intent(row->raw, row->len);
            err = output_intent(output, intent, error);
            intent_free(intent);
            held_drop(held, row);
            row->printed = true;
        }
    }
    return err;
}
