#include "support/marks.h"

#include "base/mem.h"
#include "support/damage.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void add_base64(struct str *out, const char *value, size_t len) {
    for (size_t i = 0; i < len; i += 3) {
        unsigned bits = 0;
        for (size_t j = 0; j < 3; j++)
            bits = bits << 8 | (i + j < len ? (unsigned char)value[i + j] : 0);
        for (size_t j = 0; j < 4; j++)
            str_add_char(out, j > len - i ? '=' : alphabet[bits >> (18 - 6 * j) & 63]);
    }
}

static size_t shortened(const char *value) {
    return (strlen(value) * 3 + 3) / 4;
}

static char other_case(char c) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter ? (char)(c ^ 0x20) : c;
}

void marks_write(struct str *out, const char *value, int form, bool json) {
    if (form == MARKS_BASE64) {
        add_base64(out, value, strlen(value));
        return;
    }
    size_t len = form == MARKS_CUT ? shortened(value) : strlen(value);
    for (size_t i = 0; i < len; i++) {
        unsigned c = (unsigned char)value[i];
        if (form == MARKS_JSON)
            str_addf(out, json ? "\\u%04x" : "\\u%04X", c);
        else if (form == MARKS_PERCENT)
            str_addf(out, "%%%02X", c);
        else if (form == MARKS_HTML)
            str_addf(out, i % 2 ? "&#%u;" : "&#x%X;", c);
        else
            str_add_char(out, form == MARKS_UPPER ? other_case(value[i]) : value[i]);
        str_add(out, form == MARKS_INVISIBLE ? "\xE2\x80\x8C" : "");
    }
    str_add(out, form == MARKS_CUT ? "\xE2\x80\xA6" : "");
}

/* One character in any form from s on; gives its bytes. 0 in *c: nothing that is seen. */
static size_t read_one(const char *s, size_t len, char *c) {
    static const struct {
        const char *open;
        int base;
        char end;
    } forms[] = {{"%", 16, 0}, {"\\u00", 16, 0}, {"&#x", 16, ';'}, {"&#", 10, ';'}};
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        size_t open = strlen(forms[i].open);
        if (len < open + 2 || memcmp(s, forms[i].open, open) != 0)
            continue;
        char digits[4] = "", *rest;
        memcpy(digits, s + open, len - open < 3 || !forms[i].end ? 2 : 3);
        long code = strtol(digits, &rest, forms[i].base);
        size_t n = open + (size_t)(rest - digits);
        if (code > 0 && code < 128 && (!forms[i].end || (n < len && s[n] == forms[i].end))) {
            *c = (char)code;
            return n + (forms[i].end != 0);
        }
    }
    if (len >= 3 && (memcmp(s, "\xE2\x80\x8C", 3) == 0 || memcmp(s, "\xE2\x80\x8B", 3) == 0)) {
        *c = '\0';
        return 3;
    }
    if (len >= 6 && (memcmp(s, "<200C>", 6) == 0 || memcmp(s, "<200B>", 6) == 0)) {
        *c = '\0';
        return 6;
    }
    *c = *s;
    return 1;
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool plain_holds(const char *bytes, size_t len, const char *value) {
    char *plain = mem_new(len + 1), *wanted = mem_dup(value);
    size_t n = 0;
    for (size_t at = 0; at < len;) {
        char c;
        at += read_one(bytes + at, len - at, &c);
        if (c)
            plain[n++] = lower(c);
    }
    for (char *at = wanted; *at; at++)
        *at = lower(*at);
    bool found = memmem(plain, n, wanted, shortened(value)) != NULL;
    free(plain);
    free(wanted);
    return found;
}

bool marks_hold(const char *bytes, size_t len, const char *value) {
    struct str coded;
    str_init(&coded, 4096);
    add_base64(&coded, value, strlen(value) / 3 * 3);
    bool found = (coded.len >= 8 && memmem(bytes, len, coded.s, coded.len) != NULL) || plain_holds(bytes, len, value);
    str_clear(&coded);
    return found;
}

void marks_none_in(const struct marks *marks, const char *where, const char *bytes, size_t len) {
    for (size_t i = 0; i < marks->n; i++)
        if (marks_hold(bytes, len, marks->values[i]))
            fail_msg("%s has the marker %zu:\n%.*s", where, i, len > 2000 ? 0 : (int)len, bytes);
}

static const struct marks *looked_for; /* nftw hands nothing on */
static size_t files_read;

static int look_into(const char *path, const struct stat *st, int kind, struct FTW *walk) {
    if (kind != FTW_F || !S_ISREG(st->st_mode))
        return 0;
    for (size_t i = 0; i < COUNT_OF(looked_for->exempt); i++)
        if (looked_for->exempt[i] && strcmp(path, looked_for->exempt[i]) == 0)
            return 0;
    if (strncmp(path + walk->base, "core", 4) == 0)
        fail_msg("%s was left", path);
    struct bytes all = bytes_read(path);
    assert_true(all.there);
    marks_none_in(looked_for, path, all.s, all.len);
    free(all.s);
    files_read++;
    return 0;
}

size_t marks_none_under(const struct marks *marks, const char *folder) {
    looked_for = marks;
    files_read = 0;
    (void)nftw(folder, look_into, 16, FTW_PHYS);
    assert_true(files_read > 0);
    return files_read;
}
