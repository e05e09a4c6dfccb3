#include "app/sample.h"

#include "base/mem.h"
#include "model/money.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void sample_init(struct sample *sample, size_t wanted, uint64_t seed) {
    *sample = (struct sample){.wanted = wanted, .seed = seed};
}

void sample_clear(struct sample *sample) {
    for (size_t i = 0; i < sample->n; i++)
        free(sample->items[i].row);
    free(sample->items);
    *sample = (struct sample){0};
}

void sample_rank(const struct sample *sample, const struct intent *intent, unsigned char out[DIGEST_LEN]) {
    unsigned char key[sizeof sample->seed];
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (unsigned char)(sample->seed >> 8 * i); /* the same on every machine */
    if (intent->id.state == VALUE_OK)
        digest_keyed(out, key, sizeof key, intent->id.text, strlen(intent->id.text));
    else
        digest_keyed(out, key, sizeof key, intent->raw, intent->raw_len);
}

static bool is_greater(const struct sample *sample, size_t a, size_t b) {
    return memcmp(sample->items[a].rank, sample->items[b].rank, DIGEST_LEN) > 0;
}

static void exchange(struct sample *sample, size_t a, size_t b) {
    struct sample_item item = sample->items[a];
    sample->items[a] = sample->items[b];
    sample->items[b] = item;
}

static void sift_down(struct sample *sample) {
    for (size_t at = 0, child; (child = 2 * at + 1) < sample->n; at = child) {
        if (child + 1 < sample->n && is_greater(sample, child + 1, child))
            child++;
        if (!is_greater(sample, child, at))
            return;
        exchange(sample, child, at);
    }
}

static void sift_up(struct sample *sample) {
    for (size_t at = sample->n - 1; at > 0 && is_greater(sample, at, (at - 1) / 2); at = (at - 1) / 2)
        exchange(sample, at, (at - 1) / 2);
}

static void sample_set(struct sample_item *item, const unsigned char rank[DIGEST_LEN], size_t order, const void *row,
                       size_t len) {
    memcpy(item->rank, rank, DIGEST_LEN);
    item->order = order;
    item->row = mem_dup_n(row, len);
    item->len = len;
}

void sample_put(struct sample *sample, const unsigned char rank[DIGEST_LEN], const void *row, size_t len) {
    size_t order = sample->seen++;
    if (sample->n < sample->wanted) {
        if (sample->n == sample->cap) {
            sample->cap = sample->cap * 2 + 64;
            sample->items = mem_resize(sample->items, sample->cap, sizeof *sample->items);
        }
        sample_set(&sample->items[sample->n++], rank, order, row, len);
        sift_up(sample);
    } else if (memcmp(rank, sample->items[0].rank, DIGEST_LEN) < 0) {
        free(sample->items[0].row);
        sample_set(&sample->items[0], rank, order, row, len);
        sift_down(sample);
    }
}

static int sample_compare(const void *a, const void *b) {
    const struct sample_item *left = a, *right = b;
    return (left->order > right->order) - (left->order < right->order);
}

void sample_sort(struct sample *sample) {
    if (sample->n > 1)
        qsort(sample->items, sample->n, sizeof *sample->items, sample_compare);
}

void sample_text(const struct sample *sample, struct str *out) {
    if (sample->seen == 0) {
        str_add(out, "nothing matches to draw from");
        return;
    }
    money_group_count(out, sample->n);
    str_add(out, " of ");
    money_group_count(out, sample->seen);
    str_addf(out, " intent%s, drawn by seed %" PRIu64, plural_s(sample->seen), sample->seed);
}
