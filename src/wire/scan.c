#include "scan.h"

#include "base/str.h"
#include "base/utf8.h"

#include <string.h>

enum { PLAIN = 1, DIGIT = 2, NUMERIC = 4, HEX = 8, HIGH = 16, SPACE = 32 };

/* PLAIN: inside a string with nothing to look at. NUMERIC: may stand in a number. */
static unsigned char wire_scan_class_of(unsigned char c) {
    unsigned found = c >= 0x20 && c < 0x80 && c != '"' && c != '\\' ? PLAIN : 0;
    if (c >= 0x80)
        found |= HIGH;
    if (c >= '0' && c <= '9')
        found |= DIGIT | NUMERIC | HEX;
    if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
        found |= HEX;
    if (c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E')
        found |= NUMERIC;
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t')
        found |= SPACE;
    return (unsigned char)found;
}

static bool wire_scan_is(unsigned char c, unsigned wanted) {
    return (wire_scan_class_of(c) & wanted) != 0;
}

void wire_scan_init(struct wire_scan *scan, const char *s, size_t len) {
    *scan = (struct wire_scan){.s = s, .len = len};
    if (len >= 3 && memcmp(s, "\xEF\xBB\xBF", 3) == 0)
        scan->at = 3;
}

static enum wire_token wire_scan_bad(struct wire_scan *scan, const char *fault) {
    scan->fault = fault;
    scan->start = scan->at;
    return TOKEN_BAD;
}

/* Four hex digits at `at`, or -1. */
static int32_t hex4(const struct wire_scan *scan, size_t at) {
    int32_t value = 0;
    if (scan->len < 4 || at > scan->len - 4)
        return -1;
    for (size_t i = at; i < at + 4; i++) {
        unsigned char c = (unsigned char)scan->s[i];
        if (!wire_scan_is(c, HEX))
            return -1;
        value = value * 16 + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

/* At the four digits of \u; steps over them and over the second half of a pair. */
static bool unicode_escape(struct wire_scan *scan) {
    int32_t unit = hex4(scan, scan->at);
    if (unit < 0)
        return false;
    scan->at += 4;
    scan->nul |= unit == 0;
    if (unit < 0xD800 || unit > 0xDFFF)
        return true;
    bool more = scan->at + 2 <= scan->len && scan->s[scan->at] == '\\' && scan->s[scan->at + 1] == 'u';
    int32_t low = unit < 0xDC00 && more ? hex4(scan, scan->at + 2) : -1;
    if (low >= 0xDC00 && low <= 0xDFFF)
        scan->at += 6;
    else
        scan->surrogate = true;
    return true;
}

static bool wire_scan_escape(struct wire_scan *scan) {
    scan->at++;
    if (scan->at >= scan->len)
        return false;
    char c = scan->s[scan->at++];
    return c == 'u' ? unicode_escape(scan) : c != '\0' && strchr("\"\\/bfnrt", c);
}

static enum wire_token wire_scan_string(struct wire_scan *scan) {
    bool high = false;
    scan->at++;
    while (scan->at < scan->len) {
        unsigned char c = (unsigned char)scan->s[scan->at];
        if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
            scan->at++;
        } else if (c >= 0x80) {
            high = true;
            scan->at++;
        } else if (c == '"') {
            scan->at++;
            scan->bad_utf8 |= high && !utf8_is_valid(scan->s + scan->start, scan->at - scan->start);
            return TOKEN_STRING;
        } else if (c != '\\') {
            return wire_scan_bad(scan, "a control character in a string");
        } else if (!wire_scan_escape(scan)) {
            return wire_scan_bad(scan,
                                 scan->at >= scan->len ? "it ends inside a string" : "an unknown escape in a string");
        }
    }
    return wire_scan_bad(scan, "it ends inside a string");
}

static size_t wire_scan_digits(const char *s, size_t len, size_t at) {
    while (at < len && wire_scan_is((unsigned char)s[at], DIGIT))
        at++;
    return at;
}

/* The grammar of RFC 8259, section 6, over the whole token; *whole: without fraction and exponent. */
static bool wire_scan_is_number(const char *s, size_t len, bool *whole) {
    size_t at = len > 0 && s[0] == '-' ? 1 : 0, start = at;
    at = wire_scan_digits(s, len, at);
    if (at == start || (s[start] == '0' && at > start + 1))
        return false;
    *whole = at == len;
    if (at < len && s[at] == '.') {
        start = ++at;
        at = wire_scan_digits(s, len, at);
        if (at == start)
            return false;
    }
    if (at < len && (s[at] == 'e' || s[at] == 'E')) {
        at++;
        if (at < len && (s[at] == '+' || s[at] == '-'))
            at++;
        start = at;
        at = wire_scan_digits(s, len, at);
        if (at == start)
            return false;
    }
    return at == len;
}

static enum wire_token wire_scan_number(struct wire_scan *scan) {
    bool whole = false;
    long long value;
    const char *s = scan->s + scan->start;
    while (scan->at < scan->len && wire_scan_is((unsigned char)scan->s[scan->at], NUMERIC))
        scan->at++;
    size_t len = scan->at - scan->start;
    if (!wire_scan_is_number(s, len, &whole))
        return wire_scan_bad(scan, "not a number as JSON spells them");
    bool minus_zero = len == 2 && s[0] == '-' && s[1] == '0';
    scan->plain = whole && !minus_zero && (len <= 18 || str_to_int64(s, len, &value));
    return TOKEN_NUMBER;
}

static enum wire_token word(struct wire_scan *scan, const char *text, enum wire_token token) {
    size_t len = strlen(text);
    if (scan->len - scan->at < len || memcmp(scan->s + scan->at, text, len) != 0)
        return wire_scan_bad(scan, "a word that is not JSON");
    scan->at += len;
    return token;
}

static enum wire_token wire_scan_mark(struct wire_scan *scan, enum wire_token token) {
    scan->at++;
    return token;
}

enum wire_token wire_scan_next(struct wire_scan *scan) {
    while (scan->at < scan->len && wire_scan_is((unsigned char)scan->s[scan->at], SPACE))
        scan->at++;
    scan->start = scan->at;
    if (scan->at >= scan->len)
        return TOKEN_END;
    switch (scan->s[scan->at]) {
    case '{':
        return wire_scan_mark(scan, TOKEN_OPEN_OBJECT);
    case '}':
        return wire_scan_mark(scan, TOKEN_CLOSE_OBJECT);
    case '[':
        return wire_scan_mark(scan, TOKEN_OPEN_ARRAY);
    case ']':
        return wire_scan_mark(scan, TOKEN_CLOSE_ARRAY);
    case ',':
        return wire_scan_mark(scan, TOKEN_COMMA);
    case ':':
        return wire_scan_mark(scan, TOKEN_COLON);
    case '"':
        return wire_scan_string(scan);
    case 't':
        return word(scan, "true", TOKEN_TRUE);
    case 'f':
        return word(scan, "false", TOKEN_FALSE);
    case 'n':
        return word(scan, "null", TOKEN_NULL);
    default:
        return scan->s[scan->at] == '-' || wire_scan_is((unsigned char)scan->s[scan->at], DIGIT)
                   ? wire_scan_number(scan)
                   : wire_scan_bad(scan, "a character that is not JSON");
    }
}

/* The scanner has checked the escape. */
static size_t wire_scan_add_escape(struct str *out, const struct wire_scan *scan, size_t at) {
    static const char names[] = "bfnrt", values[] = "\b\f\n\r\t";
    char bytes[4], c = scan->s[at];
    if (c != 'u') {
        const char *found = strchr(names, c);
        str_add_char(out, c != '\0' && found ? values[found - names] : c);
        return at + 1;
    }
    int32_t unit = hex4(scan, at + 1);
    at += 5;
    if (unit >= 0xD800 && unit < 0xDC00 && at + 2 <= scan->len && scan->s[at] == '\\' && scan->s[at + 1] == 'u') {
        int32_t low = hex4(scan, at + 2);
        if (low >= 0xDC00 && low <= 0xDFFF) {
            unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
            at += 6;
        }
    }
    str_add_n(out, bytes, utf8_encode(unit, bytes));
    return at;
}

void wire_unescape(struct str *out, const char *token, size_t len) {
    const struct wire_scan scan = {.s = token, .len = len};
    size_t at = 1;
    while (at + 1 < len) {
        const char *stop = memchr(token + at, '\\', len - 1 - at);
        size_t end = stop ? (size_t)(stop - token) : len - 1;
        str_add_n(out, token + at, end - at);
        at = stop ? wire_scan_add_escape(out, &scan, end + 1) : end;
    }
}

bool wire_string_is(const char *token, size_t len, const char *name, size_t name_len) {
    if (!memchr(token, '\\', len))
        return len == name_len + 2 && memcmp(token + 1, name, name_len) == 0;
    struct str text;
    str_init(&text, len);
    wire_unescape(&text, token, len);
    bool same = text.len == name_len && memcmp(text.s, name, name_len) == 0;
    str_clear(&text);
    return same;
}
