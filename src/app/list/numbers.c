#include "rows.h"

#include "base/mem.h"

#include <stdlib.h>

/* Each row of the walk has a number by which the column index knows it: its id may be missing, and its place changes.
 * The upper part, the place, ascends down the list with gaps, so that a row can be put between two others without
 * changing their numbers; where a gap is used up all rows are numbered anew. The lower part is a counter, so that no
 * number is given twice: an export or an answer with the number of a row that is gone finds no row, instead of a wrong
 * one. */

enum {
    PLACE_BITS = 36,
    SERIAL_BITS = 26,
    STEP = 256,
    PORTION = 1000, /* rows packed in one go: some milliseconds */
};

static const int64_t FIRST_CONFIRMED = (int64_t)1 << (PLACE_BITS - 2);
static const int64_t FIRST_CACHED = (int64_t)1 << (PLACE_BITS - 1);

static int64_t number_at(struct browse *browse, int64_t place) {
    int64_t serial = (int64_t)(browse->numbers_given++ & (((uint64_t)1 << SERIAL_BITS) - 1));
    return LOOKUP_WALK_KEYS | place << SERIAL_BITS | serial;
}

static int64_t numbers_place_of(const struct browse_row *row) {
    return (row->key & ~LOOKUP_WALK_KEYS) >> SERIAL_BITS;
}

/* Rows that the cache keeps come into the index from there. */
void rows_note_moved(struct browse *browse, const struct browse_row *row) {
    bool kept = !browse->moved.alone && row->intent && intent_id(row->intent);
    if (browse->moved.on && !kept)
        *vec_add(&browse->moved) = row->key;
}

void rows_number_anew(struct browse *browse) {
    browse->moved.anew = true;
    browse->moved.n = browse->moved.at = 0;
}

static void renumber(struct browse *browse) {
    rows_number_anew(browse);
    for (size_t i = 0; i < browse->n; i++) {
        bool cached = i >= browse->confirmed;
        size_t nth = cached ? i - browse->confirmed : i;
        browse->items[i].key = number_at(browse, (cached ? FIRST_CACHED : FIRST_CONFIRMED) + (int64_t)nth * STEP);
        rows_note_moved(browse, &browse->items[i]);
    }
}

void rows_number(struct browse *browse, size_t row) {
    struct browse_row *items = browse->items;
    bool cached = row >= browse->confirmed;
    bool first = row == (cached ? browse->confirmed : 0);
    int64_t place = first ? (cached ? FIRST_CACHED : FIRST_CONFIRMED) : numbers_place_of(&items[row - 1]) + STEP;
    items[row].key = number_at(browse, place);
    rows_note_moved(browse, &items[row]);
}

/* Numbers a run of new rows, [from, to), with equal steps between its neighbours; above the first row and below the
 * last there is always room. */
static bool spread(struct browse *browse, size_t from, size_t to) {
    struct browse_row *items = browse->items;
    int64_t n = (int64_t)(to - from), step = STEP, start;
    if (from == 0) {
        start = (to < browse->confirmed ? numbers_place_of(&items[to]) : FIRST_CONFIRMED) - n * STEP;
    } else {
        bool last = to == browse->confirmed;
        start = numbers_place_of(&items[from - 1]);
        step = last ? STEP : (numbers_place_of(&items[to]) - start) / (n + 1);
        start += step;
    }
    for (size_t i = from; i < to && step > 0; i++) {
        items[i].key = number_at(browse, start + (int64_t)(i - from) * step);
        rows_note_moved(browse, &items[i]);
    }
    return step > 0;
}

void rows_number_new(struct browse *browse) {
    for (size_t from = 0; from < browse->confirmed;) {
        size_t to = from;
        while (to < browse->confirmed && browse->items[to].key == 0)
            to++;
        if (to > from && !spread(browse, from, to)) {
            renumber(browse);
            return;
        }
        from = to + 1;
    }
}

size_t browse_find_key(const struct browse *browse, int64_t key) {
    size_t low = 0, high = browse->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (browse->items[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < browse->n && browse->items[low].key == key ? low : browse->n;
}

void browse_note_moves(struct browse *browse, bool given, bool alone) {
    browse->moved.on = true;
    browse->moved.alone = alone;
    browse->moved.given = given;
    rows_number_anew(browse);
    for (size_t i = 0; i < browse->n; i++)
        rows_note_moved(browse, &browse->items[i]);
}

bool browse_has_moves(const struct browse *browse) {
    return browse->moved.at < browse->moved.n;
}

static void numbers_add(struct walked_rows *out, const struct browse_row *row, bool alone) {
    if (row->intent && (alone || (!row->cached && !intent_id(row->intent)))) {
        size_t from = out->cells.len;
        cells_pack(row->intent, &out->cells);
        *vec_add(out) = (struct walked_row){row->key, row->confirmed, from, out->cells.len - from};
    }
}

static void add_moved(struct browse *browse, int64_t key, struct walked_rows *out) {
    size_t row = browse_find_key(browse, key);
    if (row < browse->n)
        numbers_add(out, &browse->items[row], browse->moved.alone);
    else
        *vec_add(out) = (struct walked_row){.key = key};
}

struct walked_rows *browse_take_moves(struct browse *browse) {
    struct walked_rows *out = walked_rows_new();
    out->anew = browse->moved.anew;
    out->alone = browse->moved.alone;
    while (browse_has_moves(browse) && out->n < PORTION)
        add_moved(browse, browse->moved.items[browse->moved.at++], out);
    bool tells = out->n > 0 || (out->anew && browse->moved.given);
    browse->moved.given = out->n > 0 || (browse->moved.given && !out->anew);
    browse->moved.anew = browse->moved.anew && !tells;
    if (!browse_has_moves(browse))
        browse->moved.n = browse->moved.at = 0;
    if (!tells) {
        walked_rows_free(out);
        return NULL;
    }
    return out;
}
