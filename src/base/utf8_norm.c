#include "base/utf8.h"

#include "base/mem.h"
#include "utf8_scan.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

static void add_valid(struct str *out, const char *s, size_t len) {
    for (size_t at = 0, taken; at < len; at += taken) {
        int32_t cp;
        if (utf8_step(s + at, len - at, &cp, &taken))
            str_add_n(out, s + at, taken);
        else
            str_add(out, "\xEF\xBF\xBD");
    }
}

static void utf8_norm_add_mapped(struct str *out, const char *s, size_t len, utf8proc_option_t options) {
    unsigned char *mapped = NULL;
    utf8proc_ssize_t n = utf8proc_map((const unsigned char *)s, (utf8proc_ssize_t)len, &mapped, options);
    if (n == UTF8PROC_ERROR_NOMEM)
        mem_fatal("out of memory");
    if (n >= 0)
        str_add_n(out, (const char *)mapped, (size_t)n);
    else
        str_add_n(out, s, len);
    free(mapped);
}

static void map(struct str *out, const char *s, size_t len, utf8proc_option_t options) {
    if (utf8_is_valid(s, len)) {
        utf8_norm_add_mapped(out, s, len, options);
        return;
    }
    struct str valid;
    str_init(&valid, 3 * len);
    add_valid(&valid, s, len);
    utf8_norm_add_mapped(out, valid.s, valid.len, options);
    str_clear(&valid);
}

static bool utf8_norm_is_ascii(const char *s, size_t len) {
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)s[i] >= 0x80)
            return false;
    return true;
}

void utf8_nfc(struct str *out, const char *s, size_t len) {
    if (utf8_norm_is_ascii(s, len))
        str_add_n(out, s, len);
    else
        map(out, s, len, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}

/* Letters that Unicode does not decompose, and what people type who do not have the key; lower case, since case is
 * folded. */
static const struct {
    const char *letter, *typed;
} LETTERS[] = {
    {"ł", "l"}, {"ø", "o"}, {"đ", "d"}, {"ð", "d"}, {"þ", "th"}, {"æ", "ae"}, {"œ", "oe"}, {"ı", "i"}, {"ħ", "h"},
    {"ŧ", "t"}, {"ŋ", "n"}, {"ĸ", "k"}, {"ɓ", "b"}, {"ɗ", "d"},  {"ɖ", "d"},  {"ƙ", "k"},  {"ƴ", "y"}, {"ŀ", "l"},
    {"ə", "e"}, {"ɛ", "e"}, {"ɔ", "o"}, {"ɩ", "i"}, {"ʋ", "v"},  {"ƒ", "f"},  {"ɣ", "g"},  {"ǝ", "e"}, {"ʼ", "'"},
    {"’", "'"}, {"‘", "'"}, {"ʻ", "'"}, {"–", "-"}, {"—", "-"},  {"‐", "-"},  {"−", "-"},
};

static void add_typed(struct str *out, const char *s, size_t len) {
    for (size_t at = 0, n; at < len; at += n) {
        int32_t cp;
        const char *typed = NULL;
        n = utf8_decode(s + at, len - at, &cp);
        for (size_t i = 0; n > 1 && i < COUNT_OF(LETTERS) && !typed; i++)
            if (strlen(LETTERS[i].letter) == n && memcmp(LETTERS[i].letter, s + at, n) == 0)
                typed = LETTERS[i].typed;
        str_add_n(out, typed ? typed : s + at, typed ? strlen(typed) : n);
    }
}

enum { JOINER_TOKEN = 6 };

/* `<200C>` or `<200D>`, as a joiner is kept where its letters do not need it. */
static bool is_joiner_token(const char *s, size_t len) {
    return len >= JOINER_TOKEN && memcmp(s, "<200", 4) == 0 &&
           (s[4] == 'C' || s[4] == 'D' || s[4] == 'c' || s[4] == 'd') && s[5] == '>';
}

/* A token can be in two parts around another one: what is left has none. */
static void utf8_norm_drop_joiners(struct str *out, const char *s, size_t len) {
    size_t from = out->len;
    for (size_t at = 0; at < len;) {
        const char *close = memchr(s + at, '>', len - at);
        size_t n = close ? (size_t)(close + 1 - s) - at : len - at;
        str_add_n(out, s + at, n);
        at += n;
        if (out->len - from >= JOINER_TOKEN && is_joiner_token(out->s + out->len - JOINER_TOKEN, JOINER_TOKEN))
            str_delete(out, out->len - JOINER_TOKEN, JOINER_TOKEN);
    }
}

bool utf8_has_joiner_token(const char *s, size_t len) {
    const char *next = len > 0 ? memchr(s, '<', len) : NULL;
    while (next && !is_joiner_token(next, len - (size_t)(next - s)))
        next = memchr(next + 1, '<', len - (size_t)(next + 1 - s));
    return next != NULL;
}

static void fold_without_tokens(struct str *out, const char *s, size_t len) {
    if (!utf8_norm_is_ascii(s, len)) {
        struct str folded;
        str_init(&folded, 32 * len + 32);
        map(&folded, s, len,
            UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK |
                UTF8PROC_IGNORE);
        add_typed(out, folded.s, folded.len);
        str_clear(&folded);
        return;
    }
    size_t at = out->len;
    str_add_n(out, s, len);
    for (; at < out->len; at++)
        if (out->s[at] >= 'A' && out->s[at] <= 'Z')
            out->s[at] = (char)(out->s[at] + ('a' - 'A'));
}

/* Joiners are not there for what is looked for, whether they are kept or shown as tokens (F58). */
void utf8_fold(struct str *out, const char *s, size_t len) {
    if (!utf8_has_joiner_token(s, len)) {
        fold_without_tokens(out, s, len);
        return;
    }
    struct str plain;
    str_init(&plain, len);
    utf8_norm_drop_joiners(&plain, s, len);
    fold_without_tokens(out, plain.s, plain.len);
    str_clear(&plain);
}
