/* Any bytes as an address: an origin parses to itself, and a value survives being encoded and taken out again. */
#include "base/mem.h"
#include "base/url.h"

#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_origin(const struct url *url) {
    struct url again;
    if (url_parse(url->origin, &again, NULL) != ERR_OK || !str_equal(again.origin, url->origin) || again.user)
        abort();
    if (url_is_loopback(url) != url_is_loopback(&again))
        abort();
    url_clear(&again);
}

static void check_value(const char *text) {
    struct str query;
    str_init(&query, 3 * strlen(text) + 16);
    str_add(&query, "a=1&cursor=");
    url_encode(&query, text, strlen(text));
    char *value = url_query_value(query.s, "cursor");
    if (!str_equal(value, text))
        abort();
    free(value);
    str_clear(&query);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = mem_dup_n((const char *)data, size);
    struct url url;
    setlocale(LC_CTYPE, "C.UTF-8");
    if (url_parse(text, &url, NULL) == ERR_OK)
        check_origin(&url);
    url_clear(&url);
    check_value(text);
    free(url_query_value(text, "cursor"));
    free(text);
    return 0;
}
