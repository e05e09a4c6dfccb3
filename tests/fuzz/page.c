/* Any bytes as a listing: no crash, no leak; what is accepted as sound is sound, and its text is quiet. */
#include "wire/page.h"

#include "base/utf8.h"
#include "wire/errors.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_row(const struct intent *row) {
    for (int i = 0; i < INTENT_FIELD_COUNT; i++) {
        const char *text = NULL;
        enum value_state state = intent_field_text(row, (enum intent_field)i, &text);
        if ((state == VALUE_OK || state == VALUE_ODD) != (text != NULL) || (text && !utf8_is_clean(text, strlen(text))))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct wire_shape shapes[] = {{"data", "next_cursor", ""}, {"", NULL, NULL}, {"a.b", "a.c", "a.d"}};
    const char *body = (const char *)data;
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        struct page page;
        struct error error = {0};
        enum err err = wire_page(body, size, &shapes[i], &page, &error);
        if (err != error.code || (err == ERR_OK && page.broken == 0 && wire_kind_of(body, size) == WIRE_NOT_JSON))
            abort();
        for (size_t k = 0; k < page.n; k++)
            check_row(page.items[k]);
        page_clear(&page);
    }
    return 0;
}
