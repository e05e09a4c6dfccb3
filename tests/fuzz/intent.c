/* Any bytes as a row, as a tree and as text: no crash, no leak, nothing that could act on a terminal. A row that is
 * accepted packs into cells that read back. */
#include "base/utf8.h"
#include "model/cells.h"
#include "wire/errors.h"
#include "wire/page.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_cells(const struct intent *row) {
    struct str blob;
    struct cells cells;
    struct cells_transaction one;
    size_t n = 0;
    str_init(&blob, SIZE_MAX);
    cells_pack(row, &blob);
    if (!cells_read(blob.s, blob.len, &cells))
        abort();
    const unsigned char *at = cells.transactions;
    while (cells_transaction_next(&cells, &at, &one))
        n++;
    if (n != row->n_transactions)
        abort();
    str_clear(&blob);
}

static void check_text(const char *raw, size_t len) {
    struct str text, again;
    struct tree tree;
    str_init(&text, SIZE_MAX);
    str_init(&again, SIZE_MAX);
    wire_compact(&text, raw, len, true);
    if (!utf8_is_clean(text.s, text.len))
        abort();
    wire_compact(&again, text.s, text.len, true);
    /* What was no JSON may have become some by being made quiet. */
    if (wire_kind_of(raw, len) != WIRE_NOT_JSON && !str_equal(text.s, again.s))
        abort();
    wire_pretty(&text, raw, len);
    wire_tree(raw, len, &tree);
    for (size_t i = 0; i < tree.n; i++)
        if (tree.items[i].text && !utf8_is_clean(tree.items[i].text, strlen(tree.items[i].text)))
            abort();
    tree_clear(&tree);
    str_clear(&text);
    str_clear(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *raw = (const char *)data;
    struct tree tree;
    struct intent *row = wire_intent(raw, size);
    check_cells(row);
    intent_free(row);
    check_text(raw, size);
    wire_tree_at(raw, size, "dispute", &tree);
    tree_clear(&tree);
    /* And as a blob. */
    struct cells cells;
    struct cells_transaction one;
    if (cells_read(data, size, &cells)) {
        const unsigned char *at = cells.transactions;
        while (cells_transaction_next(&cells, &at, &one))
            if ((const unsigned char *)one.id.s > cells.end)
                abort();
    }
    return 0;
}
