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

/* A scheme in capitals is never in the normal form that is read without libcurl. */
static void check_normal(const char *text, const struct url *url) {
    if (strncmp(text, "http", 4) != 0)
        return;
    char *capitals = mem_dup(text);
    memcpy(capitals, "HTTP", 4);
    struct url other;
    enum err err = url_parse(capitals, &other, NULL);
    if ((err == ERR_OK) != (url->origin != NULL) || !str_equal(url->origin, other.origin) ||
        !str_equal(url->path, other.path) || !str_equal(url->query, other.query) || !str_equal(url->user, other.user))
        abort();
    url_clear(&other);
    free(capitals);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = mem_dup_n((const char *)data, size);
    struct url url;
    setlocale(LC_CTYPE, "C.UTF-8");
    if (url_parse(text, &url, NULL) == ERR_OK)
        check_origin(&url);
    check_normal(text, &url);
    url_clear(&url);
    check_value(text);
    free(url_query_value(text, "cursor"));
    free(text);
    return 0;
}
