#include "redact_units.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static int redact_units_hex_value(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Up to `most` digits of a base from s on; gives how many. */
static size_t redact_units_read_number(const char *s, size_t len, int base, size_t most, int32_t *out) {
    size_t n = 0;
    for (*out = 0; n < len && n < most; n++) {
        int digit = redact_units_hex_value(s[n]);
        if (digit < 0 || digit >= base)
            break;
        *out = *out * base + digit;
    }
    return n;
}

static size_t read_json(const char *s, size_t len, int32_t *cp) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    int32_t low;
    if (len < 2)
        return 0;
    const char *at = strchr(from, s[1]);
    if (s[1] && at) {
        *cp = (unsigned char)to[at - from];
        return 2;
    }
    if (s[1] != 'u' || redact_units_read_number(s + 2, len - 2, 16, 4, cp) != 4)
        return 0;
    if (*cp >= 0xD800 && *cp < 0xDC00 && len >= 12 && s[6] == '\\' && s[7] == 'u' &&
        redact_units_read_number(s + 8, len - 8, 16, 4, &low) == 4 && low >= 0xDC00 && low < 0xE000) {
        *cp = 0x10000 + ((*cp - 0xD800) << 10) + (low - 0xDC00);
        return 12;
    }
    return 6;
}

/* %40, also encoded more than once: %2540. 0: no such sequence. */
static size_t read_percent_byte(const char *s, size_t len, char *out) {
    size_t at = 1;
    int32_t byte;
    if (len < 3 || *s != '%')
        return 0;
    while (len >= at + 4 && s[at] == '2' && s[at + 1] == '5' &&
           redact_units_read_number(s + at + 2, 2, 16, 2, &byte) == 2)
        at += 2;
    if (redact_units_read_number(s + at, len - at, 16, 2, &byte) != 2)
        return 0;
    *out = (char)byte;
    return at + 2;
}

static size_t read_percent(const char *s, size_t len, int32_t *cp) {
    char bytes[4];
    size_t n = 0, at = 0, ends[sizeof bytes];
    while (n < sizeof bytes) {
        size_t taken = read_percent_byte(s + at, len - at, &bytes[n]);
        if (!taken)
            break;
        ends[n++] = at += taken;
    }
    return n ? ends[utf8_decode(bytes, n, cp) - 1] : 0;
}

static size_t read_entity(const char *s, size_t len, int32_t *cp) {
    static const struct {
        const char *name;
        int32_t cp;
    } names[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&nbsp;", 0xA0}};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (len >= strlen(names[i].name) && strncmp(s, names[i].name, strlen(names[i].name)) == 0) {
            *cp = names[i].cp;
            return strlen(names[i].name);
        }
    if (len < 4 || s[1] != '#')
        return 0;
    bool hex = s[2] == 'x' || s[2] == 'X';
    size_t at = hex ? 3 : 2, n = redact_units_read_number(s + at, len - at, hex ? 16 : 10, 7, cp);
    return n && at + n < len && s[at + n] == ';' ? at + n + 1 : 0;
}

/* A token of the sanitiser: <1B>, <202E>. */
static size_t redact_units_read_token(const char *s, size_t len, int32_t *cp) {
    size_t n = redact_units_read_number(s + 1, len - 1, 16, 6, cp);
    return n >= 2 && n + 1 < len && s[n + 1] == '>' ? n + 2 : 0;
}

static size_t redact_units_read_one(const char *s, size_t len, int32_t *cp) {
    size_t n = *s == '\\'  ? read_json(s, len, cp)
               : *s == '%' ? read_percent(s, len, cp)
               : *s == '&' ? read_entity(s, len, cp)
               : *s == '<' ? redact_units_read_token(s, len, cp)
                           : 0;
    return n ? n : utf8_decode(s, len, cp);
}

/* '+' is a blank in forms, and also the 62nd character of base64, written '-' in the URL-safe alphabet; '/' and '_'
 * likewise. */
static int32_t fold_ascii(int32_t cp) {
    return ascii_is_blank(cp) || cp == '+' || cp == '-' ? ' ' : cp == '_' ? '/' : ascii_lower((char)cp);
}

void unit_reader_init(struct unit_reader *reader) {
    *reader = (struct unit_reader){.cache = NULL};
    for (int32_t cp = 0; cp < UNITS_ASCII; cp++)
        reader->ascii[cp] = fold_ascii(cp);
}

void unit_reader_clear(struct unit_reader *reader) {
    if (reader->cache)
        secret_wipe(reader->cache, UNITS_CACHE * sizeof *reader->cache);
    free(reader->cache);
}

struct sink {
    struct unit_reader *reader;
    unit_fn *put;
    void *context;
};

static void add_unit(const struct sink *out, int32_t cp, size_t start, size_t end) {
    out->put(out->context, (struct unit){cp, (uint32_t)start, (uint32_t)end});
}

static int32_t folded_part(const struct unit_reader *reader, int32_t cp) {
    return cp >= 0 && cp < UNITS_ASCII ? reader->ascii[cp] : cp;
}

static void redact_units_add_mapped(const struct sink *out, int32_t cp, struct unit_fold *kept, size_t start,
                                    size_t end) {
    char bytes[4];
    struct str folded;
    size_t n = 0;
    str_init(&folded, 256);
    utf8_fold(&folded, bytes, utf8_encode(cp, bytes));
    for (size_t at = 0; at < folded.len; n++) {
        int32_t part;
        at += utf8_decode(folded.s + at, folded.len - at, &part);
        part = folded_part(out->reader, part);
        add_unit(out, part, start, end);
        if (n < UNITS_PARTS)
            kept->parts[n] = part;
    }
    str_clear(&folded);
    kept->n = n;
    kept->cp = n <= UNITS_PARTS ? cp : 0;
}

/* Folding a character by the library allocates memory each time: results are kept. */
static void redact_units_add_kept(const struct sink *out, int32_t cp, size_t start, size_t end) {
    struct unit_reader *reader = out->reader;
    if (!reader->cache)
        reader->cache = mem_new_array(UNITS_CACHE, sizeof *reader->cache);
    struct unit_fold *kept = &reader->cache[(uint32_t)cp % UNITS_CACHE];
    if (kept->cp != cp) {
        redact_units_add_mapped(out, cp, kept, start, end);
        return;
    }
    for (size_t i = 0; i < kept->n; i++)
        add_unit(out, kept->parts[i], start, end);
}

static bool is_ideograph(int32_t cp) {
    return cp >= 0x3400 && cp <= 0x9FFF;
}

static void redact_units_add_folded(const struct sink *out, int32_t cp, size_t start, size_t end) {
    if (cp >= 0 && cp < UNITS_ASCII) {
        add_unit(out, out->reader->ascii[cp], start, end);
    } else if (is_ideograph(cp)) {
        add_unit(out, cp, start, end);
    } else if (cp == REDACT_ELLIPSIS || utf8_is_invisible(cp) || utf8_is_blank(cp)) {
        if (!utf8_is_invisible(cp))
            add_unit(out, cp == REDACT_ELLIPSIS ? cp : ' ', start, end);
    } else {
        redact_units_add_kept(out, cp, start, end);
    }
}

/* The text and each value go through here, so that both are compared in the same form. */
void units_each(struct unit_reader *reader, const char *s, size_t len, enum reading reading, unit_fn *put,
                void *context) {
    const struct sink out = {reader, put, context};
    for (size_t at = 0; at < len;) {
        int32_t cp;
        if (reading == AS_BYTES) {
            add_unit(&out, (unsigned char)s[at], at, at + 1);
            at++;
            continue;
        }
        size_t n =
            reading == AS_MEANT ? redact_units_read_one(s + at, len - at, &cp) : utf8_decode(s + at, len - at, &cp);
        redact_units_add_folded(&out, cp, at, at + n);
        at += n;
    }
}
