#include "file.h"

#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 8192, STEP_ROWS = 512, STEP_VALUES = 4096 };

enum save_phase { SAVE_MARK, SAVE_NUMBER, SAVE_DICTS, SAVE_ROWS, SAVE_END };

struct index_save {
    struct index *index;
    uint64_t edits; /* of the index, when it began */
    int64_t high;
    char *path, *temporary;
    int fd;
    uint64_t at; /* bytes written */
    bool failed, whole;
    enum save_phase phase;
    struct file_head head;
    struct {
        struct file_block *items;
        size_t n, cap;
    } blocks;
    /* Values that no row has any more are left out: by old code, the new one. */
    uint32_t *codes[COLUMN_COUNT];
    unsigned column;   /* the phase is at */
    size_t place, row; /* likewise, in the sequence and in the order of its keys */
    struct save_dict {
        char *bytes;
        size_t len, cap;
        uint32_t *starts, *slots;
        struct {
            uint32_t *items;
            size_t n, cap;
        } foreign;
        uint32_t code; /* of the index: those before are in it */
        size_t n;
    } dict;
    struct block *block; /* being filled */
    struct block_row copy;
};

/* Who has the lock writes. One that was killed left its file behind, which nobody holds; one that was renamed before
 * the lock was had is somebody's index by now. */
static int file_save_begin(const char *temporary) {
    struct stat info;
    int fd = open(temporary, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600);
    if (fd < 0)
        return -1;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && path_is_ours(fd, temporary, &info) && fchmod(fd, 0600) == 0 &&
        ftruncate(fd, 0) == 0)
        return fd;
    close(fd);
    return -1;
}

static void save_write(struct index_save *save, const void *bytes, size_t len) {
    save->failed = save->failed || !path_write_all(save->fd, bytes, len);
    save->at += len;
}

static void save_part(struct index_save *save, const void *bytes, size_t len, uint64_t seed, struct extent *out) {
    static const char nothing[FILE_ALIGN];
    *out = (struct extent){.at = 0};
    if (len == 0)
        return;
    save_write(save, nothing, (size_t)(-save->at % FILE_ALIGN));
    *out = (struct extent){.at = save->at, .len = len, .sum = file_sum(bytes, len, seed)};
    save_write(save, bytes, len);
}

static void save_ids(const struct id_shape *from, struct file_ids *out) {
    *out = (struct file_ids){.any = from->any, .absent = from->absent, .shared = from->shared};
    memcpy(out->first, from->first, sizeof out->first);
    for (size_t i = 0; i < COUNT_OF(out->used); i++)
        out->used[i] = from->used[i];
}

struct index_save *index_save_new(struct index *index, const char *path, int64_t high,
                                  const struct index_stamp *stamp) {
    char temporary[PATH_BYTES];
    int len = snprintf(temporary, sizeof temporary, "%s.new", path);
    int fd = len > 0 && (size_t)len < sizeof temporary ? file_save_begin(temporary) : -1;
    if (fd < 0)
        return NULL;
    struct index_save *save = mem_new(sizeof *save);
    save->index = index;
    save->edits = index->edits;
    save->high = high;
    save->path = mem_dup(path);
    save->temporary = mem_dup(temporary);
    save->fd = fd;
    save->failed = !index_check_dicts(index, PARTS_ALL);
    memcpy(save->head.magic, FILE_MAGIC, sizeof FILE_MAGIC);
    save->head.version = FILE_VERSION;
    save->head.order = FILE_ORDER;
    save->head.shape = file_shape();
    save->head.stamp = *stamp;
    save_ids(&index->ids, &save->head.ids);
    for (unsigned i = 0; i < COLUMN_COUNT; i++)
        save->codes[i] = mem_new_array(index->dicts[i].n + 1, sizeof *save->codes[i]);
    static const char nothing[sizeof save->head];
    save_write(save, nothing, sizeof nothing); /* its place */
    return save;
}

static void save_dict_clear(struct save_dict *dict) {
    free(dict->bytes);
    free(dict->starts);
    free(dict->slots);
    free(dict->foreign.items);
    *dict = (struct save_dict){.code = 0};
}

void index_save_free(struct index_save *save) {
    if (!save)
        return;
    if (!save->whole)
        (void)unlink(save->temporary);
    close(save->fd);
    for (unsigned i = 0; i < COLUMN_COUNT; i++)
        free(save->codes[i]);
    save_dict_clear(&save->dict);
    block_free(save->block);
    free(save->copy.tx.items);
    free(save->blocks.items);
    free(save->path);
    free(save->temporary);
    free(save);
}

/* The block that the phase is at; NULL: behind the last, or behind the last key. */
static struct block *save_source(struct index_save *save) {
    const struct index *index = save->index;
    struct block *block = save->place < index->sequence.n ? index->blocks[index->sequence.items[save->place]] : NULL;
    if (!block || block_low(block) > save->high)
        return NULL;
    save->failed = save->failed || !index_check(save->index, block, PARTS_ALL);
    return save->failed ? NULL : block;
}

static void mark_row(struct index_save *save, const struct block *block, size_t at) {
    for (unsigned i = 0; i < CELLS_TEXT_COUNT; i++)
        if (i != CELLS_ID)
            save->codes[i][codes_get(&block->codes[i], at)] = 1;
    for (unsigned i = COLUMN_TX_STATUS; i < COLUMN_COUNT; i++)
        for (size_t tx = block->tx_start[at]; tx < block->tx_start[at + 1]; tx++)
            save->codes[i][codes_get(&block->codes[i], tx)] = 1;
}

static void save_mark(struct index_save *save) {
    const struct block *block = save_source(save);
    for (size_t i = 0; block && i < block->n; i++)
        if (block->alive[i] && block->keys[i] <= save->high)
            mark_row(save, block, i);
    save->place++;
    if (!block)
        save->phase = SAVE_NUMBER;
}

static void save_renumber(struct index_save *save) {
    uint32_t *codes = save->codes[save->column], next = 0;
    codes[0] = 0;
    for (size_t i = 1; i <= save->index->dicts[save->column].n; i++)
        codes[i] = codes[i] ? ++next : 0;
    save->head.dicts[save->column].n = next;
    if (++save->column < COLUMN_COUNT)
        return;
    save->column = 0;
    save->phase = SAVE_DICTS;
}

static void save_dict_begin(struct save_dict *dict, struct file_dict *out) {
    out->n_slots = out->n + out->n / 4 + 1;
    dict->starts = mem_new_array(out->n + 1, sizeof *dict->starts);
    dict->slots = mem_new_array(out->n_slots, sizeof *dict->slots);
}

static void save_value(struct save_dict *dict, const struct file_dict *out, const char *text, size_t len) {
    if (dict->len + len + 1 > dict->cap) {
        dict->cap = (dict->len + len + 1) * 3 / 2;
        dict->bytes = mem_resize(dict->bytes, dict->cap, 1);
    }
    memcpy(dict->bytes + dict->len, text, len);
    dict->bytes[dict->len + len] = '\0';
    dict->len += len + 1;
    dict->starts[++dict->n] = (uint32_t)dict->len;
    dict_put_slot(dict->slots, out->n_slots, (uint32_t)dict->n, text, len);
    if (!text_is_ascii(text, len))
        *vec_add(&dict->foreign) = (uint32_t)dict->n;
}

static void save_dict_end(struct index_save *save, struct file_dict *out) {
    const struct save_dict *dict = &save->dict;
    const struct {
        const void *bytes;
        size_t len;
    } parts[DICT_PARTS] = {[DICT_BYTES] = {dict->bytes, dict->len},
                           [DICT_STARTS] = {dict->starts, (dict->n + 1) * sizeof *dict->starts},
                           [DICT_SLOTS] = {dict->slots, out->n_slots * sizeof *dict->slots},
                           [DICT_FOREIGN] = {dict->foreign.items, dict->foreign.n * sizeof *dict->foreign.items}};
    out->n_foreign = dict->foreign.n;
    for (unsigned i = 0; i < DICT_PARTS; i++)
        save_part(save, parts[i].bytes, dict->n > 0 ? parts[i].len : 0, file_dict_seed(save->column, i),
                  &out->parts[i]);
}

static void save_dicts(struct index_save *save) {
    const struct dict *from = &save->index->dicts[save->column];
    struct file_dict *out = &save->head.dicts[save->column];
    struct save_dict *dict = &save->dict;
    if (dict->code == 0)
        save_dict_begin(dict, out);
    for (int i = 0; i < STEP_VALUES && dict->code < from->n; i++) {
        size_t len;
        const char *text = dict_text(from, ++dict->code, &len);
        if (save->codes[save->column][dict->code] != 0)
            save_value(dict, out, text, len);
    }
    if (dict->code < from->n)
        return;
    save_dict_end(save, out);
    save_dict_clear(dict);
    if (++save->column < COLUMN_COUNT)
        return;
    save->place = 0;
    save->phase = SAVE_ROWS;
}

static void save_numbers(struct index_save *save, const struct numbers *numbers, size_t n, unsigned i, unsigned part,
                         struct file_block *out) {
    const void *items = numbers->wide ? (const void *)numbers->wide : numbers->narrow;
    size_t size = numbers->wide ? sizeof *numbers->wide : sizeof *numbers->narrow;
    out->base[i] = numbers->base;
    out->kinds[i] = numbers->wide ? FILE_NUMBERS_WIDE : numbers->narrow ? FILE_NUMBERS_NARROW : FILE_NUMBERS_NONE;
    save_part(save, items, items ? n * size : 0, file_seed(save->blocks.n - 1, part), &out->parts[part]);
}

static void save_codes(struct index_save *save, const struct block *block, struct file_block *out) {
    for (unsigned i = 0; i < COLUMN_COUNT; i++) {
        const struct codes *codes = &block->codes[i];
        size_t n = i == CELLS_ID ? 0 : i < COLUMN_TX_STATUS ? BLOCK_ROWS : out->n_tx;
        out->widths[i] = i == CELLS_ID ? 1 : (uint8_t)codes->width;
        save_part(save, codes->items, n * out->widths[i], file_seed(save->blocks.n - 1, PART_CODES + i),
                  &out->parts[PART_CODES + i]);
    }
}

static void save_block(struct index_save *save) {
    const struct block *block = save->block;
    struct file_block *out = vec_add(&save->blocks);
    *out = (struct file_block){
        .low = block_low(block), .high = block_high(block), .n = (uint32_t)block->n, .n_tx = block->tx_start[block->n]};
    const size_t starts = (BLOCK_ROWS + 1) * sizeof(uint32_t);
    const struct {
        const void *bytes;
        size_t len;
        enum part part;
    } parts[] = {{block->keys, BLOCK_ROWS * sizeof *block->keys, PART_KEYS},
                 {block->flags, BLOCK_ROWS * sizeof *block->flags, PART_FLAGS},
                 {block->text_start, starts, PART_TEXT_START},
                 {block->text, block->text_start[block->n], PART_TEXT},
                 {block->foreign.items, block->foreign.n * sizeof *block->foreign.items, PART_FOREIGN},
                 {block->tx_start, starts, PART_TX_START},
                 {block->tx_ok, out->n_tx, PART_TX_OK}};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        save_part(save, parts[i].bytes, parts[i].len, file_seed(save->blocks.n - 1, parts[i].part),
                  &out->parts[parts[i].part]);
    for (unsigned i = 0; i < NUMBER_COUNT; i++)
        save_numbers(save, &block->numbers[i], BLOCK_ROWS, i, PART_NUMBERS + i, out);
    save_numbers(save, &block->tx_amount, out->n_tx, NUMBER_COUNT, PART_TX_AMOUNT, out);
    save_codes(save, block, out);
    save->head.rows += block->n;
    block_free(save->block);
    save->block = NULL;
}

static void save_row(struct index_save *save, const struct block *from, size_t at) {
    struct block_row *row = &save->copy;
    block_read(from, at, row);
    for (unsigned i = 0; i < CELLS_TEXT_COUNT; i++)
        row->codes[i] = save->codes[i][row->codes[i]];
    for (size_t i = 0; i < row->tx.n; i++) {
        struct block_tx *tx = &row->tx.items[i];
        tx->status = save->codes[COLUMN_TX_STATUS][tx->status];
        tx->type = save->codes[COLUMN_TX_TYPE][tx->type];
        tx->date = save->codes[COLUMN_TX_DATE][tx->date];
        tx->currency = save->codes[COLUMN_TX_CURRENCY][tx->currency];
    }
    if (!save->block)
        save->block = block_new(0);
    (void)block_append(save->block, row);
    if (save->block->n == FILE_ROWS)
        save_block(save);
}

static void save_rows(struct index_save *save) {
    const struct block *block = save_source(save);
    for (int i = 0; block && i < STEP_ROWS && save->row < block->live; i++) {
        size_t at = block_at(block, save->row++);
        if (block->keys[at] <= save->high)
            save_row(save, block, at);
    }
    if (block && save->row < block->live)
        return;
    save->row = 0;
    save->place++;
    if (block)
        return;
    if (save->block)
        save_block(save);
    save->phase = SAVE_END;
}

static void save_end(struct index_save *save) {
    struct file_head *head = &save->head;
    head->n_blocks = save->blocks.n;
    save_part(save, save->blocks.items, save->blocks.n * sizeof *save->blocks.items, FILE_VERSION, &head->directory);
    head->size = save->at;
    head->sum = file_sum(head, offsetof(struct file_head, sum), FILE_VERSION);
    save->failed = save->failed || lseek(save->fd, 0, SEEK_SET) != 0;
    save_write(save, head, sizeof *head);
    save->failed = save->failed || rename(save->temporary, save->path) != 0;
    save->whole = !save->failed;
}

enum index_saving index_save_step(struct index_save *save) {
    static void (*const PHASES[])(struct index_save *) = {[SAVE_MARK] = save_mark,
                                                          [SAVE_NUMBER] = save_renumber,
                                                          [SAVE_DICTS] = save_dicts,
                                                          [SAVE_ROWS] = save_rows,
                                                          [SAVE_END] = save_end};
    save->failed = save->failed || save->index->edits != save->edits || save->index->damaged;
    if (!save->failed && !save->whole)
        PHASES[save->phase](save);
    return save->whole ? INDEX_SAVED : save->failed ? INDEX_NOT_SAVED : INDEX_SAVING;
}
