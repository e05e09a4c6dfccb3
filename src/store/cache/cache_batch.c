#include "cache_batch.h"

#include <string.h>

/* What a batch is written as: this, its texts, its rows, then the bytes of their text. Only this process reads it. */
struct batch_head {
    size_t n, texts[5], plain, packed; /* of a text SIZE_MAX: NULL */
    int64_t now;
    bool bare, rows_only;
};

static void add_text(struct str *out, const char *text, size_t *len) {
    *len = text ? strlen(text) : SIZE_MAX;
    if (text)
        str_add_n(out, text, *len);
}

/* The rows, and the bytes of those that are not packed. */
static void add_rows(const struct cache_batch *batch, struct batch_head *head, struct str *out) {
    size_t from = out->len, plain = 0;
    str_add_n(out, (const char *)batch->items, batch->n * sizeof *batch->items);
    for (size_t i = 0; i < batch->n; i++) {
        struct batch_row row = batch->items[i];
        if (batch->whole && !row.loose)
            continue;
        str_add_n(out, batch->plain.s + row.at, row.len);
        row.at = plain;
        plain += row.len;
        memcpy(out->s + from + i * sizeof row, &row, sizeof row);
    }
    head->plain = plain;
}

void cache_batch_write(const struct cache_batch *batch, struct str *out) {
    struct batch_head head = {.n = batch->n, .now = batch->now, .bare = batch->whole, .rows_only = batch->rows_only};
    const char *const texts[] = {batch->filter, batch->cursor, batch->next, batch->note_name, batch->note_text};
    size_t from = out->len;
    str_add_n(out, (const char *)&head, sizeof head);
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        add_text(out, texts[i], &head.texts[i]);
    add_rows(batch, &head, out);
    head.packed = batch->whole ? batch->packed.len : 0;
    str_add_n(out, batch->packed.s, head.packed);
    memcpy(out->s + from, &head, sizeof head);
}

static char *take_text(const char **at, size_t len) {
    char *text = len == SIZE_MAX ? NULL : mem_dup_n(*at, len);
    *at += text ? len : 0;
    return text;
}

static size_t written_len(const struct batch_head *head) {
    size_t len = sizeof *head + head->n * sizeof(struct batch_row) + head->plain + head->packed;
    for (size_t i = 0; i < COUNT_OF(head->texts); i++)
        len += head->texts[i] == SIZE_MAX ? 0 : head->texts[i];
    return len;
}

struct cache_batch *cache_batch_read(const char *bytes, size_t len) {
    struct batch_head head;
    const char *at = bytes + sizeof head;
    if (len < sizeof head)
        return NULL;
    memcpy(&head, bytes, sizeof head);
    if (written_len(&head) != len)
        return NULL;
    struct cache_batch *batch = cache_batch_empty(head.now);
    batch->bare = head.bare;
    batch->rows_only = head.rows_only;
    char **const texts[] = {&batch->filter, &batch->cursor, &batch->next, &batch->note_name, &batch->note_text};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        *texts[i] = take_text(&at, head.texts[i]);
    for (size_t i = 0; i < head.n; i++, at += sizeof(struct batch_row))
        memcpy(vec_add(batch), at, sizeof(struct batch_row));
    str_add_n(&batch->plain, at, head.plain);
    str_add_n(&batch->packed, at + head.plain, head.packed);
    return batch;
}
