#include "redact_written.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "redact_entity.h"

#include <string.h>

static int redact_written_hex_value(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Up to `most` digits of a base from s on; gives how many. */
static size_t redact_written_read_number(const char *s, size_t len, int base, size_t most, int32_t *out) {
    size_t n = 0;
    for (*out = 0; n < len && n < most; n++) {
        int digit = redact_written_hex_value(s[n]);
        if (digit < 0 || digit >= base)
            break;
        *out = *out * base + digit;
    }
    return n;
}

size_t written_decode(const char *s, size_t len, int32_t *cp) {
    static const char REPLACEMENT[] = "\xEF\xBF\xBD";
    size_t n = utf8_decode(s, len, cp);
    if (*cp != UTF8_REPLACEMENT || (len >= 3 && memcmp(s, REPLACEMENT, 3) == 0))
        return n;
    *cp = (unsigned char)*s;
    return 1;
}

/* ---- Characters written byte by byte ---- */

/* 0: it is none. */
typedef size_t written_byte_fn(const char *s, size_t len, char *out);

static size_t read_bytes(const char *s, size_t len, written_byte_fn *read, int32_t *cp) {
    char bytes[4];
    size_t n = 0, at = 0, ends[sizeof bytes];
    while (n < sizeof bytes) {
        size_t taken = read(s + at, len - at, &bytes[n]);
        if (!taken)
            break;
        ends[n++] = at += taken;
    }
    return n ? ends[written_decode(bytes, n, cp) - 1] : 0;
}

static size_t read_hex_byte(const char *s, size_t len, size_t at, char *out) {
    int32_t byte;
    if (len < at + 2 || redact_written_read_number(s + at, 2, 16, 2, &byte) != 2)
        return 0;
    *out = (char)byte;
    return at + 2;
}

/* %40, and written so more than once: %2540. */
static size_t read_percent_byte(const char *s, size_t len, char *out) {
    size_t at = 1;
    int32_t byte;
    if (len < 3 || *s != '%')
        return 0;
    while (len >= at + 4 && s[at] == '2' && s[at + 1] == '5' &&
           redact_written_read_number(s + at + 2, 2, 16, 2, &byte) == 2)
        at += 2;
    return read_hex_byte(s, len, at, out);
}

static size_t read_percent(const char *s, size_t len, int32_t *cp) {
    return read_bytes(s, len, read_percent_byte, cp);
}

static size_t read_printable_byte(const char *s, size_t len, char *out) {
    return len > 0 && *s == '=' ? read_hex_byte(s, len, 1, out) : 0;
}

/* =40; at the end of a line the sign joins it to the next. */
static size_t read_printable(const char *s, size_t len, int32_t *cp) {
    enum { SOFT_HYPHEN = 0xAD };
    size_t end = len > 1 && s[1] == '\r' ? 2 : 1;
    if (len <= end || s[end] != '\n')
        return read_bytes(s, len, read_printable_byte, cp);
    *cp = SOFT_HYPHEN;
    return end + 1;
}

static size_t backslashes(const char *s, size_t len) {
    size_t n = 0;
    while (n < len && s[n] == '\\')
        n++;
    return n;
}

/* \x40, behind any number of backslashes. */
static size_t read_x_byte(const char *s, size_t len, char *out) {
    size_t n = backslashes(s, len);
    return n > 0 && n < len && s[n] == 'x' ? read_hex_byte(s, len, n + 1, out) : 0;
}

/* ---- Escapes ---- */

static size_t read_low_half(const char *s, size_t len, int32_t *low) {
    size_t n = backslashes(s, len);
    bool is_one = n > 0 && n + 5 <= len && s[n] == 'u' && redact_written_read_number(s + n + 1, 4, 16, 4, low) == 4 &&
                  *low >= 0xDC00 && *low < 0xE000;
    return is_one ? n + 5 : 0;
}

static size_t read_u(const char *s, size_t len, int32_t *cp) {
    int32_t low;
    if (redact_written_read_number(s + 2, len - 2, 16, 4, cp) != 4)
        return 0;
    size_t more = *cp >= 0xD800 && *cp < 0xDC00 ? read_low_half(s + 6, len - 6, &low) : 0;
    if (more)
        *cp = 0x10000 + ((*cp - 0xD800) << 10) + (low - 0xDC00);
    return 6 + more;
}

static size_t read_escape(const char *s, size_t len, int32_t *cp) {
    static const char from[] = "\"'\\/bfnrt", to[] = "\"'\\/\b\f\n\r\t";
    if (len < 2 || s[1] == '\0')
        return 0;
    const char *at = strchr(from, s[1]);
    if (at) {
        *cp = (unsigned char)to[at - from];
        return 2;
    }
    return s[1] == 'u' ? read_u(s, len, cp) : s[1] == 'x' ? read_bytes(s, len, read_x_byte, cp) : 0;
}

/* Backslashes before an escape were escaped themselves, once or more. */
static size_t read_escape_nested(const char *s, size_t len, int32_t *cp) {
    size_t n = backslashes(s, len), taken = read_escape(s + n - 1, len - n + 1, cp);
    if (!taken)
        *cp = '\\';
    return taken ? n - 1 + taken : n;
}

/* O''Brien, as a database and CSV have it. */
static size_t read_doubled(const char *s, size_t len, int32_t *cp) {
    *cp = (unsigned char)*s;
    return len > 1 && s[1] == *s ? 2 : 1;
}

/* ---- Entities and tokens ---- */

/* What stands behind the &: uuml; or #252; or #xfc; */
static size_t read_entity_rest(const char *s, size_t len, int32_t *cp) {
    size_t name = 0;
    while (name < len && name < ENTITY_NAME_MAX && ascii_is_word((unsigned char)s[name]))
        name++;
    if (name > 0)
        return name < len && s[name] == ';' && entity_find(s, name, cp) ? name + 1 : 0;
    if (len < 3 || *s != '#')
        return 0;
    bool hex = s[1] == 'x' || s[1] == 'X';
    size_t at = hex ? 2 : 1, n = redact_written_read_number(s + at, len - at, hex ? 16 : 10, 7, cp);
    return n && at + n < len && s[at + n] == ';' ? at + n + 1 : 0;
}

static size_t read_entity(const char *s, size_t len, int32_t *cp) {
    size_t n = read_entity_rest(s + 1, len - 1, cp);
    return n ? n + 1 : 0;
}

/* &amp;uuml; */
static size_t read_entity_nested(const char *s, size_t len, int32_t *cp) {
    static const char AMP[] = "amp;";
    enum { AMP_LEN = sizeof AMP - 1 };
    size_t at = 1;
    while (len - at >= AMP_LEN && memcmp(s + at, AMP, AMP_LEN) == 0)
        at += AMP_LEN;
    size_t n = read_entity_rest(s + at, len - at, cp);
    if (!n)
        *cp = '&';
    return at + n;
}

/* The sanitiser's: <1B>, <202E>. */
static size_t redact_written_read_token(const char *s, size_t len, int32_t *cp) {
    size_t n = redact_written_read_number(s + 1, len - 1, 16, 6, cp);
    return n >= 2 && n + 1 < len && s[n + 1] == '>' ? n + 2 : 0;
}

/* ---- The table ---- */

typedef size_t written_fn(const char *s, size_t len, int32_t *cp);

enum { LEADS = 128 };
/* By the first character: as it is meant, and nested. */
static written_fn *const FORMS[2][LEADS] = {
    {['\\'] = read_escape, ['%'] = read_percent, ['&'] = read_entity, ['<'] = redact_written_read_token},
    {['\\'] = read_escape_nested,
     ['%'] = read_percent,
     ['&'] = read_entity_nested,
     ['<'] = redact_written_read_token,
     ['='] = read_printable,
     ['\''] = read_doubled,
     ['"'] = read_doubled},
};

size_t written_read(const char *s, size_t len, bool nested, int32_t *cp) {
    unsigned char lead = (unsigned char)*s;
    written_fn *read = lead < LEADS ? FORMS[nested][lead] : NULL;
    size_t n = read ? read(s, len, cp) : 0;
    return n ? n : written_decode(s, len, cp);
}

bool written_has_escapes(const char *s) {
    return strpbrk(s, "\\%&<") != NULL;
}

bool written_has_nested(const char *s) {
    static const char *const SIGNS[] = {"\\\\", "&amp;", "''", "\"\"", "="};
    for (size_t i = 0; i < COUNT_OF(SIGNS); i++)
        if (strstr(s, SIGNS[i]))
            return true;
    return false;
}
