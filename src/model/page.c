#include "model/page.h"

#include <stdlib.h>

void page_init(struct page *page) {
    *page = (struct page){0};
}

void page_clear(struct page *page) {
    for (size_t i = 0; i < page->n; i++)
        intent_free(page->items[i]);
    free(page->items);
    free(page->next);
    free(page->more);
    free(page->beside);
    page_init(page);
}

struct intent *page_take_row(struct page *page, size_t index) {
    struct intent *row = page->items[index];
    page->items[index] = NULL;
    return row;
}
