#include "base/redact.h"

#include "base/ascii.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNITS_MIN = 3, DIGITS_MIN = 6, BASE64_MIN = 8, BASE64_WHOLE_MIN = 6, FORM_BYTES = 1 << 20 };
enum { LONG_MIN = 24, LONG_CUT_MIN = 12, KEY_MIN = 16, PREFIX_MAX = 12, DATE_LEN = 10 };
static const int32_t ELLIPSIS = 0x2026;

/* A character as it is compared, and the bytes of the text that it was written with. */
struct unit {
    int32_t cp;
    uint32_t start, end;
};
struct units {
    struct unit *items;
    size_t n, cap;
};

static int hex_value(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Up to `most` digits of a base from s on; gives how many. */
static size_t read_number(const char *s, size_t len, int base, size_t most, int32_t *out) {
    size_t n = 0;
    for (*out = 0; n < len && n < most; n++) {
        int digit = hex_value(s[n]);
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
    if (s[1] != 'u' || read_number(s + 2, len - 2, 16, 4, cp) != 4)
        return 0;
    if (*cp >= 0xD800 && *cp < 0xDC00 && len >= 12 && s[6] == '\\' && s[7] == 'u' &&
        read_number(s + 8, len - 8, 16, 4, &low) == 4 && low >= 0xDC00 && low < 0xE000) {
        *cp = 0x10000 + ((*cp - 0xD800) << 10) + (low - 0xDC00);
        return 12;
    }
    return 6;
}

/* %40, and written so more than once: %2540. 0: it is none. */
static size_t read_percent_byte(const char *s, size_t len, char *out) {
    size_t at = 1;
    int32_t byte;
    if (len < 3 || *s != '%')
        return 0;
    while (len >= at + 4 && s[at] == '2' && s[at + 1] == '5' && read_number(s + at + 2, 2, 16, 2, &byte) == 2)
        at += 2;
    if (read_number(s + at, len - at, 16, 2, &byte) != 2)
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
    size_t at = hex ? 3 : 2, n = read_number(s + at, len - at, hex ? 16 : 10, 7, cp);
    return n && at + n < len && s[at + n] == ';' ? at + n + 1 : 0;
}

/* The sanitiser's: <1B>, <202E>. */
static size_t read_token(const char *s, size_t len, int32_t *cp) {
    size_t n = read_number(s + 1, len - 1, 16, 6, cp);
    return n >= 2 && n + 1 < len && s[n + 1] == '>' ? n + 2 : 0;
}

static size_t read_one(const char *s, size_t len, int32_t *cp) {
    size_t n = *s == '\\'  ? read_json(s, len, cp)
               : *s == '%' ? read_percent(s, len, cp)
               : *s == '&' ? read_entity(s, len, cp)
               : *s == '<' ? read_token(s, len, cp)
                           : 0;
    return n ? n : utf8_decode(s, len, cp);
}

static void add_unit(struct units *out, int32_t cp, size_t start, size_t end) {
    *vec_add(out) = (struct unit){cp, (uint32_t)start, (uint32_t)end};
}

/* '+' is a blank in forms, and the 62nd character of base64, which is '-' where addresses are safe; so '/' and '_'. */
static int32_t fold_ascii(int32_t cp) {
    return ascii_is_blank(cp) || cp == '+' || cp == '-' ? ' ' : cp == '_' ? '/' : ascii_lower((char)cp);
}

static void add_folded(struct units *out, int32_t cp, size_t start, size_t end) {
    char bytes[4];
    struct str folded;
    if (cp > 0 && cp < 0x80) {
        add_unit(out, fold_ascii(cp), start, end);
        return;
    }
    if (cp == ELLIPSIS || utf8_is_invisible(cp) || utf8_is_blank(cp)) {
        if (!utf8_is_invisible(cp))
            add_unit(out, cp == ELLIPSIS ? cp : ' ', start, end);
        return;
    }
    str_init(&folded, 256);
    utf8_fold(&folded, bytes, utf8_encode(cp, bytes));
    for (size_t at = 0; at < folded.len;) {
        int32_t part;
        at += utf8_decode(folded.s + at, folded.len - at, &part);
        add_unit(out, part > 0 && part < 0x80 ? fold_ascii(part) : part, start, end);
    }
    str_clear(&folded);
}

/* Both the text and each value go through here, so that they meet in one form. Nobody knows whether "\tim" is a tab
 * and "im" or tim behind a stroke, so a text is read twice: as it is meant by who escaped it, and as it stands. */
enum reading { AS_MEANT, AS_IT_STANDS, READINGS };
static void read_units(const char *s, size_t len, enum reading reading, struct units *out) {
    for (size_t at = 0; at < len;) {
        int32_t cp;
        size_t n = reading == AS_MEANT ? read_one(s + at, len - at, &cp) : utf8_decode(s + at, len - at, &cp);
        add_folded(out, cp, at, at + n);
        at += n;
    }
}

static void units_clear(struct units *units) {
    if (units->items)
        secret_wipe(units->items, units->n * sizeof *units->items);
    free(units->items);
}

/* ---- Finding ---- */

static bool is_digit(int32_t cp) {
    return cp >= '0' && cp <= '9';
}

static bool is_grouping(int32_t cp) {
    return cp < 0x80 && cp > 0 && strchr(" -./()", (char)cp);
}

/* A number of people's: its digits, however they are grouped. False: it is none. */
static bool keep_digits(const struct units *value, struct units *out) {
    for (size_t i = 0; i < value->n; i++) {
        int32_t cp = value->items[i].cp;
        if (is_digit(cp))
            *vec_add(out) = value->items[i];
        else if (!is_grouping(cp))
            return false;
    }
    return out->n >= DIGITS_MIN;
}

static bool is_cut(const struct units *text, size_t at) {
    return at >= text->n || text->items[at].cp == ELLIPSIS ||
           (at + 1 < text->n && text->items[at].cp == '.' && text->items[at + 1].cp == '.');
}

/* End of the value that begins at unit `from`, or of what a cut left of it; 0: it is not there. Of a long value its
 * first part is one wherever it stands. */
static size_t match(const struct units *text, size_t from, const struct units *value, bool digits, size_t cut_min) {
    size_t at = from, met = 0;
    while (met < value->n && at < text->n) {
        if (text->items[at].cp == value->items[met].cp)
            met++;
        else if (!digits || met == 0 || !is_grouping(text->items[at].cp))
            break;
        at++;
    }
    bool whole = met == value->n;
    if (value->n >= LONG_MIN && met >= LONG_CUT_MIN && met >= cut_min) /* no chance: a secret's beginning */
        return at;
    return whole || (met >= cut_min && is_cut(text, at)) ? at : 0;
}

struct taking {
    const struct units *texts; /* by reading; one that differs in nothing has no units */
    bool *gone;                /* of each byte of the text */
    const bool *exempt;        /* likewise */
    size_t cut_min;            /* so much of a value that was cut is one still */
};

static void take(const struct taking *taking, size_t start, size_t end) {
    for (size_t i = start; i < end; i++)
        if (taking->exempt[i])
            return;
    memset(taking->gone + start, true, end - start);
}

static void take_units(const struct taking *taking, const struct units *text, const struct units *value, bool digits) {
    for (size_t from = 0; value->n >= UNITS_MIN && from < text->n; from++) {
        if (text->items[from].cp != value->items[0].cp)
            continue;
        size_t end = match(text, from, value, digits, taking->cut_min);
        if (end)
            take(taking, text->items[from].start, text->items[end - 1].end);
    }
}

static void take_bytes(const struct taking *taking, const char *text, size_t len, const char *form, size_t form_len) {
    for (const char *at = text; (at = memmem(at, len - (size_t)(at - text), form, form_len)) != NULL; at += form_len)
        take(taking, (size_t)(at - text), (size_t)(at - text) + form_len);
}

/* At each of three places in its group, without the characters that its neighbours have a part in. */
static void take_base64(const struct taking *taking, const char *text, size_t len, const char *value) {
    static const size_t skip[] = {0, 2, 3};
    for (size_t before = 0; before < 3; before++) {
        struct str bytes, form;
        str_init(&bytes, FORM_BYTES);
        str_init(&form, 2 * FORM_BYTES);
        str_add_repeat(&bytes, 'x', before);
        str_add(&bytes, value);
        digest_base64(&form, bytes.s, bytes.len);
        size_t end = bytes.len * 8 / 6, whole = strcspn(form.s, "=");
        for (int safe = 0; safe < 2; safe++) {
            if (end >= skip[before] + BASE64_MIN)
                take_bytes(taking, text, len, form.s + skip[before], end - skip[before]);
            if (before == 0 && whole >= BASE64_WHOLE_MIN)
                take_bytes(taking, text, len, form.s, whole);
            for (size_t i = 0; i < form.len; i++)
                form.s[i] = form.s[i] == '+' ? '-' : form.s[i] == '/' ? '_' : form.s[i];
        }
        secret_wipe(bytes.s, bytes.len);
        secret_wipe(form.s, form.len);
        str_clear(&bytes);
        str_clear(&form);
    }
}

static bool is_blank(const struct units *value) {
    size_t n = 0;
    while (n < value->n && value->items[n].cp == ' ')
        n++;
    return n == value->n;
}

/* A value as it is written, and its digits however they are grouped. */
static void take_text(const struct taking *taking, const char *value, size_t len) {
    for (enum reading reading = 0; reading < READINGS; reading++) {
        const struct units *text = &taking->texts[reading];
        struct units units = {0}, digits = {0};
        if (text->n == 0)
            continue;
        read_units(value, len, reading, &units);
        if (!is_blank(&units))
            take_units(taking, text, &units, false);
        if (keep_digits(&units, &digits))
            take_units(taking, text, &digits, true);
        units_clear(&units);
        units_clear(&digits);
    }
}

static void take_hex(const struct taking *taking, const char *value, size_t len) {
    struct str hex;
    str_init(&hex, 2 * FORM_BYTES);
    for (size_t i = 0; i < len; i++)
        str_addf(&hex, "%02x", (unsigned)(unsigned char)value[i]);
    take_text(taking, hex.s, hex.len);
    secret_wipe(hex.s, hex.len);
    str_clear(&hex);
}

/* 1984-07-23 as 23.07.1984 and 07/23/1984. */
static void take_dates(const struct taking *taking, const char *value, size_t len) {
    char digits[DATE_LEN];
    if (len != DATE_LEN || value[4] != '-' || value[7] != '-')
        return;
    (void)snprintf(digits, sizeof digits, "%.2s%.2s%.4s", value + 8, value + 5, value);
    take_text(taking, digits, 8);
    (void)snprintf(digits, sizeof digits, "%.2s%.2s%.4s", value + 5, value + 8, value);
    take_text(taking, digits, 8);
    secret_wipe(digits, sizeof digits);
}

/* What is secret of whsec_...==: a service may quote it without what stands before and behind. */
static void take_key(const struct taking *taking, const char *value, size_t len) {
    size_t start = 0;
    for (size_t i = 0; i < len && i < PREFIX_MAX; i++)
        if (value[i] == '_')
            start = i + 1;
    while (len > start && value[len - 1] == '=')
        len--;
    if (len - start >= KEY_MIN)
        take_text(taking, value + start, len - start);
}

static void take_value(const struct taking *taking, const struct str *text, const char *value) {
    size_t len = strlen(value), start = utf8_trim_start(value, len), end = utf8_trim_end(value, len);
    if (start >= end)
        return;
    take_text(taking, value + start, end - start);
    take_dates(taking, value + start, end - start);
    take_key(taking, value + start, end - start);
    if (end - start >= UNITS_MIN) {
        take_hex(taking, value + start, end - start);
        take_base64(taking, text->s, text->len, value);
    }
}

static void put_together(struct str *text, const bool *gone, const char *mark) {
    struct str out;
    str_init(&out, text->max);
    for (size_t i = 0; i < text->len; i++) {
        if (!gone[i])
            str_add_n(&out, text->s + i, 1);
        else if (i == 0 || !gone[i - 1])
            str_add(&out, mark);
    }
    secret_wipe(text->s, text->len);
    str_clear(text);
    *text = out;
}

/* What this program says of a write's end, behind what the service said: it holds nobody's data, and it has to be read.
 * Without the values of a person called Not it was "Outcome: [...] done", of one called One "was d[...]". */
static const char *const own_words[] = {
    "Outcome: nothing was sent",
    "Outcome: not done",
    "Outcome: not known whether it was done",
};

static void keep(const struct str *text, const char *words, bool *kept) {
    size_t len = words ? strlen(words) : 0;
    for (const char *at = text->s; len && (at = strstr(at, words)) != NULL; at += len)
        memset(kept + (at - text->s), true, len);
}

void redact(struct str *text, const char *const *values, size_t n, const char *exempt) {
    enum { CUT_MIN = 4 };
    redact_as(text, values, n, exempt, &(struct redact_style){"[...]", CUT_MIN});
}

void redact_as(struct str *text, const char *const *values, size_t n, const char *exempt,
               const struct redact_style *style) {
    struct units texts[READINGS] = {0};
    if (text->len == 0 || n == 0)
        return;
    bool *gone = mem_new(text->len), *kept = mem_new(text->len);
    read_units(text->s, text->len, AS_MEANT, &texts[AS_MEANT]);
    if (strpbrk(text->s, "\\%&<") || strlen(text->s) < text->len)
        read_units(text->s, text->len, AS_IT_STANDS, &texts[AS_IT_STANDS]);
    keep(text, exempt, kept);
    for (size_t i = 0; i < COUNT_OF(own_words); i++)
        keep(text, own_words[i], kept);
    const struct taking taking = {texts, gone, kept, style->cut_min};
    for (size_t i = 0; i < n; i++)
        if (values[i])
            take_value(&taking, text, values[i]);
    if (memchr(gone, 1, text->len)) /* 1: a true */
        put_together(text, gone, style->mark);
    for (enum reading reading = 0; reading < READINGS; reading++)
        units_clear(&texts[reading]);
    free(gone);
    free(kept);
}
