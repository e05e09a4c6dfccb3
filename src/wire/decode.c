#include "decode.h"

#include "base/digest.h"
#include "base/secret.h"
#include "base/str.h"
#include "base/utf8.h"
#include "wire/page.h"

#include <stdlib.h>
#include <string.h>

enum { REDACTED_MAX = 64 << 10 };

static const char ellipsis[] = "\xE2\x80\xA6";
static const char literal_open[] = "\"\\u0000";

/* Walks the whole text; from the first number on that is not a usual int64, copies it to scratch with such numbers as
 * strings. */
static bool decode_check(struct wire_slice text, struct str *scratch, struct wire_fault *fault) {
    struct wire_walk walk;
    size_t values = 0, copied = 0;
    enum wire_event found;
    wire_walk_init(&walk, text.s, text.len);
    while ((found = wire_walk_next(&walk)) != WALK_END && found != WALK_BAD && ++values <= WIRE_VALUES_MAX) {
        if (found != WALK_SCALAR || walk.token != TOKEN_NUMBER || walk.scan.plain)
            continue;
        str_add_n(scratch, text.s + copied, walk.start - copied);
        str_add(scratch, literal_open);
        str_add_n(scratch, text.s + walk.start, walk.end - walk.start);
        str_add_char(scratch, '"');
        copied = walk.end;
    }
    if (copied)
        str_add_n(scratch, text.s + copied, text.len - copied);
    *fault = (struct wire_fault){walk.fault, walk.scan.start, walk.limit};
    if (values > WIRE_VALUES_MAX)
        *fault = (struct wire_fault){"more than 100,000 parts", walk.scan.start, true};
    else if (!walk.fault && walk.scan.nul)
        fault->reason = "a NUL character in a string";
    else if (!walk.fault && walk.scan.surrogate)
        fault->reason = "half a surrogate pair in a string";
    else if (!walk.fault && walk.scan.bad_utf8)
        fault->reason = "a string that is not UTF-8";
    return !fault->reason;
}

json_t *wire_decode(struct wire_slice text, bool repeats, struct wire_fault *fault) {
    json_t *value = NULL;
    json_error_t refused;
    struct str scratch;
    str_init(&scratch, text.len + (sizeof literal_open + 1) * (size_t)WIRE_VALUES_MAX);
    if (text.len >= 3 && memcmp(text.s, "\xEF\xBB\xBF", 3) == 0)
        text = (struct wire_slice){text.s + 3, text.len - 3};
    if (!decode_check(text, &scratch, fault))
        goto out;
    const char *s = scratch.len ? scratch.s : text.s;
    size_t flags = JSON_ALLOW_NUL | JSON_DECODE_ANY | (repeats ? 0 : (size_t)JSON_REJECT_DUPLICATES);
    value = json_loadb(s, scratch.len ? scratch.len : text.len, flags, &refused);
    if (!value)
        *fault = (struct wire_fault){
            json_error_code(&refused) == json_error_duplicate_key ? "duplicate key" : "not valid JSON", 0, false};
out:
    str_clear(&scratch);
    return value;
}

const char *wire_literal(const json_t *value) {
    return json_is_string(value) && json_string_length(value) > 0 && json_string_value(value)[0] == '\0'
               ? json_string_value(value) + 1
               : NULL;
}

bool wire_is_string(const json_t *value) {
    return json_is_string(value) && !wire_literal(value);
}

json_t *wire_member(json_t *value, const char *path) {
    while (value && *path) {
        size_t len = strcspn(path, ".");
        char *name = mem_dup_n(path, len);
        value = json_object_get(value, name);
        free(name);
        path += len + (path[len] == '.');
    }
    return value;
}

size_t wire_cut(const char *s, size_t len, size_t max) {
    if (len <= max)
        return len;
    /* A code point has at most three bytes after its first. */
    for (int back = 0; back < 3 && max > 0 && ((unsigned char)s[max] & 0xC0) == 0x80; back++)
        max--;
    return max;
}

const char *wire_clean(struct arena *arena, const char *s, size_t len, size_t max) {
    size_t part = wire_cut(s, len, max);
    if (part == len && utf8_is_clean(s, len))
        return arena_dup_n(arena, s, len);
    struct str clean;
    str_init(&clean, 8 * part + sizeof ellipsis);
    utf8_sanitise(&clean, s, part);
    if (part < len)
        str_add(&clean, ellipsis);
    const char *text = arena_dup_n(arena, clean.s, clean.len);
    str_clear(&clean);
    return text;
}

/* Served letters that look like a token of the sanitiser: `<200B>`, `<...>`. */
static bool is_token_like(const char *s, size_t len) {
    size_t n = 1;
    while (n < len && n <= 7 && strchr("0123456789ABCDEF.", s[n]) && s[n])
        n++;
    return len > 0 && *s == '<' && n > 1 && n < len && s[n] == '>';
}

static void decode_add_marked(struct str *out, const char *s, size_t len) {
    for (size_t at = 0, from = 0; at <= len; at++)
        if (at == len || is_token_like(s + at, len - at)) {
            utf8_sanitise(out, s + from, at - from);
            str_add(out, at < len ? "<3C>" : "");
            from = at + 1;
        }
}

const char *wire_clean_id(struct arena *arena, const char *s, size_t len) {
    const char *text = wire_clean(arena, s, len, WIRE_STRING_MAX);
    bool same = strlen(text) == len && memcmp(text, s, len) == 0;
    bool like = memchr(s, '<', len) != NULL;
    if (same && !like)
        return text;
    struct str marked;
    size_t part = wire_cut(s, len, WIRE_STRING_MAX);
    str_init(&marked, 8 * part + 64);
    decode_add_marked(&marked, s, part);
    str_add(&marked, part < len ? ellipsis : "");
    if (part < len || strstr(marked.s, "<...>"))
        str_addf(&marked, "#%016llx", (unsigned long long)digest_short(s, len));
    text = arena_dup_n(arena, marked.s, marked.len);
    str_clear(&marked);
    return text;
}

char *wire_clean_redacted(const char *s, size_t len, size_t max) {
    struct str raw, clean;
    /* Redaction comes before the sanitiser and the cut, which could hide a secret from it. A text that fills its buffer
     * is also searched for the beginning of a secret at its end. */
    str_init(&raw, REDACTED_MAX + max);
    str_add_n(&raw, s, len);
    bool longer = raw.truncated;
    secret_redact(&raw);
    size_t part = wire_cut(raw.s, raw.len, max);
    str_init(&clean, 8 * part + sizeof ellipsis);
    utf8_sanitise(&clean, raw.s, part);
    if (part < raw.len || longer)
        str_add(&clean, ellipsis);
    str_clear(&raw);
    return str_take(&clean);
}
