#include "redact_units.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "redact_written.h"

#include <stdlib.h>

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

/* A typesetter's signs are those of a keyboard. */
static int32_t typed_as(int32_t cp) {
    bool quote = cp == 0x2018 || cp == 0x2019 || cp == 0x02BC;
    return quote ? '\'' : cp == 0x201C || cp == 0x201D ? '"' : cp >= 0x2010 && cp <= 0x2015 ? ' ' : cp;
}

static bool is_ideograph(int32_t cp) {
    return cp >= 0x3400 && cp <= 0x9FFF;
}

static void redact_units_add_folded(const struct sink *out, int32_t cp, size_t start, size_t end) {
    cp = typed_as(cp);
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
        size_t n = reading == AS_IT_STANDS ? written_decode(s + at, len - at, &cp)
                                           : written_read(s + at, len - at, reading == AS_NESTED, &cp);
        redact_units_add_folded(&out, cp, at, at + n);
        at += n;
    }
}
