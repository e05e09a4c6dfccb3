#include "app/rows.h"
#include "app/idset.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void rows_drop(struct browse *browse) {
    for (size_t i = 0; i < browse->n; i++) {
        intent_free(browse->items[i].intent);
    }
    browse->n = 0;
    browse->pages.n = 0;
    browse->new_rows = browse->broken_rows = browse->repeated_rows = 0;
    browse->newest_first = true;
    idset_reset(browse->ids);
}

static bool transactions_differ(const struct intent *a, const struct intent *b) {
    if (a->n_transactions != b->n_transactions) {
        return true;
    }
    for (size_t i = 0; i < a->n_transactions; i++) {
        for (enum transaction_field field = 0; field < TRANSACTION_FIELD_COUNT; field++) {
            const char *left, *right;
            enum value_state state = transaction_field_text(&a->transactions[i], field, &left);
            if (state != transaction_field_text(&b->transactions[i], field, &right) || !str_equal(left, right)) {
                return true;
            }
        }
    }
    return false;
}

/* Material fields only: what the operator would call a change. */
static bool differs(const struct intent *a, const struct intent *b) {
    if (a->dispute != b->dispute || a->refund != b->refund ||
        !str_equal(a->dispute_status.text, b->dispute_status.text) ||
        !str_equal(a->refund_status.text, b->refund_status.text) || transactions_differ(a, b)) {
        return true;
    }
    for (enum intent_field field = 0; field < INTENT_FIELD_COUNT; field++) {
        const char *left, *right;
        enum value_state state = intent_field_text(a, field, &left);
        if (state != intent_field_text(b, field, &right) || !str_equal(left, right)) {
            return true;
        }
    }
    return false;
}

/* The identity of a row, or NULL: such a row is shown and never matched with another. */
static const char *id_of(const struct intent *intent) {
    return intent->id.state == VALUE_OK && *intent->id.text ? intent->id.text : NULL;
}

static void note_order(struct browse *browse, const struct intent *intent) {
    if (browse->n == 0) {
        return;
    }
    const struct intent *last = browse->items[browse->n - 1].intent;
    if (last->created_at.state == VALUE_OK && intent->created_at.state == VALUE_OK &&
        intent->created_at.ms > last->created_at.ms) {
        browse->newest_first = false;
    }
}

bool rows_replace(struct browse *browse, struct intent *intent) {
    const char *id = id_of(intent);
    size_t row = browse_find(browse, id);
    if (row == browse->n) {
        return false;
    }
    struct browse_row *held = &browse->items[row];
    held->changed = held->changed || (held->intent && differs(held->intent, intent));
    intent_free(held->intent);
    held->intent = intent;
    return true;
}

/* A row without an id makes progress only where the very same bytes were not served before (variations A5, A13). */
static bool note_identity(struct browse *browse, const struct intent *intent, size_t row) {
    const char *id = id_of(intent);
    if (id) {
        return idset_put(browse->ids, id, strlen(id), row);
    }
    return idset_put(browse->ids, intent->raw, intent->raw_len, SIZE_MAX);
}

size_t rows_append(struct browse *browse, struct page *page, int64_t now) {
    size_t fresh = 0;
    struct browse_page *mark = vec_add(&browse->pages);
    *mark = (struct browse_page){.first = browse->n, .at = now};
    for (size_t i = 0; i < page->n; i++) {
        struct intent *intent = page_take_row(page, i);
        if (rows_replace(browse, intent)) {
            browse->repeated_rows++;
            continue;
        }
        note_order(browse, intent);
        fresh += note_identity(browse, intent, browse->n);
        browse->broken_rows += intent->broken != NULL;
        struct browse_row *row = vec_add(browse);
        *row = (struct browse_row){.intent = intent, .page = browse->pages.n - 1};
    }
    return fresh;
}

static void reindex(struct browse *browse) {
    idset_reset(browse->ids);
    for (size_t i = 0; i < browse->n; i++) {
        (void)note_identity(browse, browse->items[i].intent, i);
    }
}

void rows_prepend(struct browse *browse, struct intent **intents, size_t n, int64_t now) {
    if (n == 0) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        (void)vec_add(browse);
    }
    memmove(browse->items + n, browse->items, (browse->n - n) * sizeof *browse->items);
    for (size_t i = 0; i < n; i++) {
        browse->items[i] = (struct browse_row){.intent = intents[i], .page = 0, .is_new = true};
        browse->broken_rows += intents[i]->broken != NULL;
    }
    for (size_t i = 1; i < browse->pages.n; i++) {
        browse->pages.items[i].first += n;
    }
    if (browse->pages.n) {
        browse->pages.items[0].at = now;
    }
    browse->new_rows += n;
    reindex(browse);
}
