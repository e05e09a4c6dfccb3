#include "wire/delivery.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "wire/body.h"

#include <limits.h>
#include <string.h>

enum { DELIVERY_TEXT_MAX = 1024 };

static const char *wire_delivery_text_of(const struct body_value *object, const char *name, struct deliveries *out) {
    size_t len = 0;
    const char *raw = body_string(body_member(object, name), &len);
    struct str clean;
    str_init(&clean, DELIVERY_TEXT_MAX);
    utf8_sanitise(&clean, raw ? raw : "", len);
    const char *text = arena_dup_n(&out->arena, clean.s, clean.len);
    str_clear(&clean);
    return text;
}

static int wire_delivery_number_of(const struct body_value *object, const char *name) {
    long long number = body_integer(body_member(object, name));
    return number > 0 && number < INT_MAX ? (int)number : 0;
}

static void wire_delivery_add(const struct body_value *object, struct deliveries *out) {
    struct delivery *item = vec_add(out);
    size_t len = 0;
    const char *time = body_string(body_member(object, "time"), &len);
    *item = (struct delivery){.n = body_integer(body_member(object, "n")),
                              .event = wire_delivery_text_of(object, "event", out),
                              .kind = wire_delivery_text_of(object, "kind", out),
                              .outcome = wire_delivery_text_of(object, "outcome", out),
                              .scheme = wire_delivery_text_of(object, "signed", out),
                              .why = wire_delivery_text_of(object, "why", out),
                              .attempt = wire_delivery_number_of(object, "attempt"),
                              .status = wire_delivery_number_of(object, "status")};
    if (!time || !clock_parse(time, len, &item->at))
        item->at = CLOCK_NONE;
}

void wire_deliveries(const char *body, size_t len, struct deliveries *out) {
    for (size_t at = 0; at < len;) {
        const char *end = memchr(body + at, '\n', len - at);
        size_t line = end ? (size_t)(end - body) - at : len - at;
        struct body *tree = NULL;
        if (body_read(body + at, line, &tree, NULL) == ERR_OK && body_kind(body_root(tree)) == BODY_OBJECT)
            wire_delivery_add(body_root(tree), out);
        body_free(tree);
        at += line + 1;
    }
}
