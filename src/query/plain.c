#include "scan.h"

#include "base/utf8.h"

#include <string.h>

/* Signs that word processors, phones and other keyboards put in the place of the language's own. */
static const struct {
    int32_t sign;
    const char *plain;
} SIGNS[] = {
    {0x2264, "<="}, {0x2266, "<="}, {0x2A7D, "<="}, {0x2265, ">="}, {0x2267, ">="}, {0x2A7E, ">="},
    {0x2260, "!="}, {0x2212, "-"},  {0xFF0D, "-"},  {0xFF1D, "="},  {0xFF1C, "<"},  {0xFF1E, ">"},
    {0xFF01, "!"},  {0xFF1A, ":"},  {0xFF0C, ","},  {0xFF08, "("},  {0xFF09, ")"},  {0xFF5C, "|"},
};

static const char *plain_of(int32_t sign) {
    for (size_t i = 0; i < COUNT_OF(SIGNS); i++)
        if (SIGNS[i].sign == sign)
            return SIGNS[i].plain;
    return NULL;
}

/* “ ” „ ‟ « » and the full-width one. */
static bool is_quote(int32_t sign) {
    return (sign >= 0x201C && sign <= 0x201F) || sign == 0xAB || sign == 0xBB || sign == 0xFF02;
}

struct copier {
    const char *s;
    size_t len, at;
    struct plain *out;
};

static void put(struct copier *in, const char *text, size_t len, size_t from) {
    for (size_t i = 0; i < len; i++)
        in->out->from[in->out->text.len + i] = from;
    str_add_n(&in->out->text, text, len);
}

/* As it stands, up to and with its closing quote. */
static void copy_quoted(struct copier *in) {
    size_t end;
    (void)scan_quoted(in->s, in->len, in->at, &end);
    for (; in->at < end; in->at++)
        put(in, in->s + in->at, 1, in->at);
}

/* Between typographic quotes nothing else is a sign; what our own quotes would take for one is kept as text. */
static void copy_typographic(struct copier *in, size_t open) {
    int32_t cp;
    size_t n;
    put(in, "\"", 1, in->at);
    for (in->at += open; in->at < in->len; in->at += n) {
        n = utf8_decode(in->s + in->at, in->len - in->at, &cp);
        if (is_quote(cp) || cp == '"') {
            put(in, "\"", 1, in->at);
            in->at += n;
            return;
        }
        if (cp == '\\')
            put(in, "\\", 1, in->at);
        put(in, in->s + in->at, n, in->at);
    }
}

void plain_take(struct arena *arena, const char *text, size_t len, struct plain *out) {
    struct copier in = {.s = text, .len = len, .out = out};
    str_init(&out->text, 2 * len + 2);
    out->from = arena_new(arena, (2 * len + 3) * sizeof *out->from);
    while (in.at < len) {
        int32_t cp;
        size_t n = utf8_decode(text + in.at, len - in.at, &cp);
        const char *plain = plain_of(cp);
        if (cp == '"') {
            copy_quoted(&in);
            continue;
        }
        if (is_quote(cp)) {
            copy_typographic(&in, n);
            continue;
        }
        put(&in, plain ? plain : text + in.at, plain ? strlen(plain) : n, in.at);
        in.at += n;
    }
    out->from[out->text.len] = len;
}

bool plain_is(const char *text, size_t len) {
    int32_t cp;
    for (size_t at = 0; at < len; at += utf8_decode(text + at, len - at, &cp)) {
        (void)utf8_decode(text + at, len - at, &cp);
        if (plain_of(cp) || is_quote(cp))
            return false;
    }
    return true;
}

size_t plain_place(const struct plain *plain, size_t at) {
    return plain->from[at < plain->text.len ? at : plain->text.len];
}

void plain_place_back(struct query_node *node, const struct plain *plain) {
    for (; node; node = node->next) {
        node->at = plain_place(plain, node->at);
        node->end = plain_place(plain, node->end);
        plain_place_back(node->first, plain);
    }
}
