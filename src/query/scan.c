#include "scan.h"

#include <string.h>

size_t scan_blank(const char *s, size_t len) {
    const unsigned char *u = (const unsigned char *)s;
    if (len == 0)
        return 0;
    if (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r')
        return 1;
    if (len >= 2 && u[0] == 0xC2 && u[1] == 0xA0)
        return 2;
    if (len < 3)
        return 0;
    bool general = u[0] == 0xE2 && u[1] == 0x80 && ((u[2] >= 0x80 && u[2] <= 0x8A) || u[2] == 0xAF);
    bool ideographic = u[0] == 0xE3 && u[1] == 0x80 && u[2] == 0x80;
    return general || ideographic ? 3 : 0;
}

size_t scan_run(const char *s, size_t len, size_t at, bool value) {
    static const char ENDS[] = {'"', '(', ')', '|'};
    while (at < len && scan_blank(s + at, len - at) == 0 && !memchr(ENDS, s[at], sizeof ENDS) &&
           !(value && s[at] == ','))
        at++;
    return at;
}

size_t scan_op_len(enum query_op op) {
    return strlen(query_op_text(op));
}

static bool op_at(const char *s, size_t len, enum query_op *op) {
    size_t best = 0;
    for (unsigned i = 0; i < QUERY_OP_COUNT; i++) {
        size_t n = scan_op_len((enum query_op)i);
        if (n > best && n <= len && memcmp(s, query_op_text((enum query_op)i), n) == 0) {
            best = n;
            *op = (enum query_op)i;
        }
    }
    return best > 0;
}

size_t scan_token(const char *s, size_t len) {
    size_t n = 1;
    while (n < len && n <= 6 && strchr("0123456789ABCDEFabcdef", s[n]) && s[n] != '\0')
        n++;
    return len > 0 && *s == '<' && n > 2 && n < len && s[n] == '>' ? n + 1 : 0;
}

size_t scan_op(const char *s, size_t at, size_t end, enum query_op *op) {
    size_t token;
    while (at < end && ((token = scan_token(s + at, end - at)) > 0 || !op_at(s + at, end - at, op)))
        at += token > 0 ? token : 1;
    return at;
}

bool scan_quoted(const char *s, size_t len, size_t at, size_t *end) {
    for (at++; at < len; at++) {
        if (s[at] == '\\' && at + 1 < len && (s[at + 1] == '"' || s[at + 1] == '\\')) {
            at++;
        } else if (s[at] == '"') {
            *end = at + 1;
            return true;
        }
    }
    *end = len;
    return false;
}

size_t scan_ellipsis(const char *s) {
    size_t n = 0;
    while (strncmp(s + n, "\xE2\x80\xA6", 3) == 0 || strncmp(s + n, "...", 3) == 0)
        n += 3;
    return n;
}
