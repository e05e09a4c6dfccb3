#include "scan.h"

#include "base/utf8.h"

#include <string.h>

/* Characters that word processors, phones and other keyboards write instead of the filter language's own. */
static const struct {
    int32_t sign;
    const char *plain;
} SIGNS[] = {
    {0x2264, "<="}, {0x2266, "<="}, {0x2A7D, "<="}, {0x2265, ">="}, {0x2267, ">="}, {0x2A7E, ">="},
    {0x2260, "!="}, {0x2212, "-"},  {0xFF0D, "-"},  {0xFF1D, "="},  {0xFF1C, "<"},  {0xFF1E, ">"},
    {0xFF01, "!"},  {0xFF1A, ":"},  {0xFF0C, ","},  {0xFF08, "("},  {0xFF09, ")"},  {0xFF5C, "|"},
};

static const char *query_plain_of(int32_t sign) {
    for (size_t i = 0; i < COUNT_OF(SIGNS); i++)
        if (SIGNS[i].sign == sign)
            return SIGNS[i].plain;
    return NULL;
}

/* “ ” „ ‟ « » 「 」 『 』 〝 〞 〟, the full-width one, and the plain one, which closes any of them. */
static bool is_quote(int32_t sign) {
    return (sign >= 0x201C && sign <= 0x201F) || sign == 0xAB || sign == 0xBB || sign == 0xFF02 || sign == '"' ||
           (sign >= 0x300C && sign <= 0x300F) || (sign >= 0x301D && sign <= 0x301F);
}

/* ‐ ‑ ‒ – — ― */
static bool is_dash(int32_t sign) {
    return sign >= 0x2010 && sign <= 0x2015;
}

/* ‘ ’ ‚ ‛ and their substitutes, which are also used as apostrophes. */
static bool is_single(int32_t sign) {
    return (sign >= 0x2018 && sign <= 0x201B) || sign == '\'' || sign == '`' || sign == 0xB4 || sign == 0xFF07;
}

/* ‹ › */
static bool is_angle(int32_t sign) {
    return sign == 0x2039 || sign == 0x203A;
}

typedef bool sign_fn(int32_t sign);

/* Where a value or a word may begin and end: elsewhere a single quote is an apostrophe. */
static bool may_begin(const char *s, size_t at) {
    while (at > 0 && (s[at - 1] == '-' || s[at - 1] == '*'))
        at--;
    size_t before = at;
    while (before > 0 && at - before < 3 && scan_blank(s + before, at - before) == 0)
        before--;
    return at == 0 || scan_blank(s + before, at - before) == at - before || strchr("(|,:=<>", s[at - 1]);
}

static bool may_end(const char *s, size_t len, size_t at) {
    int32_t cp = 0;
    if (at == len || scan_blank(s + at, len - at) > 0)
        return true;
    (void)utf8_decode(s + at, len - at, &cp);
    return strchr(")|,*", query_plain_of(cp) ? *query_plain_of(cp) : s[at]) != NULL;
}

/* Where a quote of this kind that opens at `at` is closed; len: nowhere. */
static size_t plain_closing(const char *s, size_t len, size_t at, sign_fn *is_sign) {
    int32_t cp;
    at += utf8_decode(s + at, len - at, &cp);
    for (size_t n; at < len; at += n) {
        n = utf8_decode(s + at, len - at, &cp);
        if (is_sign(cp) && (is_sign != is_single || may_end(s, len, at + n)))
            return at;
    }
    return len;
}

struct copier {
    const char *s;
    size_t len, at;
    struct plain *out;
};

/* ’ and ' can begin words too: only where one is closed is it a quote. */
static bool is_apostrophe(const struct copier *in, int32_t sign) {
    bool opens = sign >= 0x2018 && sign <= 0x201B && sign != 0x2019;
    return is_single(sign) && (!may_begin(in->out->text.s, in->out->text.len) ||
                               (!opens && plain_closing(in->s, in->len, in->at, is_single) == in->len));
}

/* The signs that close what this one opens; NULL: it opens no quote. */
static sign_fn *opened_by(const struct copier *in, int32_t sign) {
    if (is_quote(sign))
        return is_quote;
    if (is_angle(sign))
        return is_angle;
    return is_single(sign) && !is_apostrophe(in, sign) ? is_single : NULL;
}

static void plain_put(struct copier *in, const char *text, size_t len, size_t from) {
    for (size_t i = 0; i < len; i++)
        in->out->from[in->out->text.len + i] = from;
    str_add_n(&in->out->text, text, len);
}

/* Copies up to and including the closing quote. */
static void copy_quoted(struct copier *in) {
    size_t end;
    (void)scan_quoted(in->s, in->len, in->at, &end);
    for (; in->at < end; in->at++)
        plain_put(in, in->s + in->at, 1, in->at);
}

/* Between typographic quotes no other sign has a meaning; signs that plain quotes would give one are escaped. */
static void copy_typographic(struct copier *in, sign_fn *is_sign) {
    size_t end = plain_closing(in->s, in->len, in->at, is_sign), n;
    int32_t cp;
    n = utf8_decode(in->s + in->at, in->len - in->at, &cp);
    plain_put(in, "\"", 1, in->at);
    for (in->at += n; in->at < end; in->at += n) {
        n = utf8_decode(in->s + in->at, in->len - in->at, &cp);
        if (cp == '\\' || cp == '"')
            plain_put(in, "\\", 1, in->at);
        plain_put(in, in->s + in->at, n, in->at);
    }
    if (end == in->len)
        return;
    plain_put(in, "\"", 1, in->at);
    in->at += utf8_decode(in->s + in->at, in->len - in->at, &cp);
}

/* A dash before a term or a number is the hyphen that was meant; by itself or in a word it is text. */
static bool is_hyphen(const struct copier *in, int32_t sign, size_t n) {
    size_t next = in->at + n;
    return is_dash(sign) && next < in->len && scan_blank(in->s + next, in->len - next) == 0 &&
           may_begin(in->out->text.s, in->out->text.len);
}

void plain_take(struct arena *arena, const char *text, size_t len, struct plain *out) {
    struct copier in = {.s = text, .len = len, .out = out};
    str_init(&out->text, 2 * len + 2);
    out->from = arena_new(arena, (2 * len + 3) * sizeof *out->from);
    while (in.at < len) {
        int32_t cp;
        size_t n = utf8_decode(text + in.at, len - in.at, &cp);
        const char *plain = is_hyphen(&in, cp, n) ? "-" : query_plain_of(cp);
        if (cp == '"') {
            copy_quoted(&in);
            continue;
        }
        sign_fn *closes = cp == '"' ? NULL : opened_by(&in, cp);
        if (closes) {
            copy_typographic(&in, closes);
            continue;
        }
        plain_put(&in, plain ? plain : text + in.at, plain ? strlen(plain) : n, in.at);
        in.at += n;
    }
    out->from[out->text.len] = len;
}

bool plain_is(const char *text, size_t len) {
    int32_t cp;
    for (size_t at = 0; at < len; at += utf8_decode(text + at, len - at, &cp)) {
        (void)utf8_decode(text + at, len - at, &cp);
        if (query_plain_of(cp) || is_quote(cp) || is_angle(cp) ||
            ((is_single(cp) || is_dash(cp)) && may_begin(text, at)))
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
