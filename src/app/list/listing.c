#include "app/id_list.h"

#include "app/idset.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Rows of an answer by the list of ids in its filter. */

struct listing {
    const struct query_node *term;
    enum cells_text column;
    struct idset *places; /* of the ids */
    unsigned char *found; /* by place */
    struct {
        struct listing_row {
            int64_t key;
            size_t place, nth;
        } * items;
        size_t n, cap;
    } rows;
};

struct listing *listing_new(const struct query *query) {
    const struct query_node *term = query_list_term(query, NULL);
    if (!term)
        return NULL;
    struct listing *listing = mem_new(sizeof *listing);
    listing->term = term;
    listing->column = query_field(term->field)->column;
    listing->places = idset_new();
    listing->found = mem_new_array(term->n_values + 1, 1);
    for (size_t i = 0; i < term->n_values; i++)
        (void)idset_put(listing->places, term->values[i].text, strlen(term->values[i].text), i);
    return listing;
}

/* A row that another part of the filter let through has no place, and comes last. */
void listing_meet(struct listing *listing, int64_t key, const struct cells *cells) {
    struct cells_slice id = cells->text[listing->column];
    size_t place = id.s ? idset_find(listing->places, id.s, id.len) : SIZE_MAX, nth = listing->rows.n;
    if (place != SIZE_MAX)
        listing->found[place] = 1;
    *vec_add(&listing->rows) = (struct listing_row){key, place, nth};
}

static int listing_by_place(const void *a, const void *b) {
    const struct listing_row *x = a, *y = b;
    return x->place != y->place ? (x->place > y->place) - (x->place < y->place) : (x->nth > y->nth) - (x->nth < y->nth);
}

void listing_end(struct listing *listing, int64_t *keys, size_t n, struct lookup_result *out) {
    if (!listing)
        return;
    if (keys && n == listing->rows.n && n > 1) {
        qsort(listing->rows.items, n, sizeof *listing->rows.items, listing_by_place);
        for (size_t i = 0; i < n; i++)
            keys[i] = listing->rows.items[i].key;
    }
    free(out->listed);
    out->listed = listing->found;
    out->n_listed = listing->term->n_values;
    idset_free(listing->places);
    free(listing->rows.items);
    free(listing);
}

static const char *listing_id(const void *of, size_t i) {
    return ((const struct query_node *)of)->values[i].text;
}

bool listing_met(const struct lookup_result *answer, const struct query *query, struct id_list_met *out) {
    bool alone;
    const struct query_node *term = query_list_term(query, &alone);
    if (!term || !answer->listed || answer->n_listed != term->n_values)
        return false;
    *out = (struct id_list_met){.name = term->list + 1,
                                .n = term->n_values,
                                .at = listing_id,
                                .of = term,
                                .found = answer->listed,
                                .alone = alone,
                                .rows = answer->rows_scanned};
    return true;
}
