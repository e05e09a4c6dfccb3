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

static size_t shortened(size_t len) {
    return (len * 3 + 3) / 4;
}

static char other_case(char c) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter ? (char)(c ^ 0x20) : c;
}

/* The letters beyond ASCII that a value may have. */
static const struct accented {
    const char *composed, *apart;
    unsigned cp;
    char base;
} ACCENTED[] = {{"\xC3\xA9", "e\xCC\x81", 0xE9, 'e'}, {"\xC5\xBE", "z\xCC\x8C", 0x17E, 'z'}};

static const struct accented *accented_at(const char *s, size_t len) {
    for (size_t i = 0; i < COUNT_OF(ACCENTED); i++)
        if (len >= 2 && memcmp(s, ACCENTED[i].composed, 2) == 0)
            return &ACCENTED[i];
    return NULL;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_number(const char *value) {
    return strspn(value, "0123456789+-") == strlen(value);
}

static void write_one(struct str *out, const char *s, const struct accented *letter, int form) {
    unsigned cp = letter ? letter->cp : (unsigned char)*s;
    for (size_t i = 0; form == MARKS_PERCENT && i < (letter ? 2U : 1U); i++)
        str_addf(out, "%%%02X", (unsigned)(unsigned char)s[i]);
    if (form == MARKS_PERCENT)
        return;
    if (form == MARKS_HTML)
        str_addf(out, out->len % 2 ? "&#%u;" : "&#x%X;", cp);
    else if (letter)
        str_add(out, form == MARKS_APART ? letter->apart : letter->composed);
    else
        str_add_char(out, form == MARKS_UPPER ? other_case(*s) : *s);
}

void marks_write(struct str *out, const char *value, int form, bool json) {
    size_t len = form == MARKS_CUT ? shortened(strlen(value)) : strlen(value), digits = 0;
    if (form == MARKS_BASE64) {
        add_base64(out, value, len);
        return;
    }
    for (size_t i = 0; i < len;) {
        const struct accented *letter = accented_at(value + i, strlen(value) - i);
        if (form == MARKS_JSON)
            str_addf(out, json ? "\\u%04x" : "\\u%04X", letter ? letter->cp : (unsigned char)value[i]);
        else
            write_one(out, value + i, letter, form);
        str_add(out, form == MARKS_INVISIBLE ? "\xE2\x80\x8C" : "");
        digits += is_digit(value[i]);
        str_add(out, form == MARKS_GROUPED && is_number(value) && is_digit(value[i]) && digits % 3 == 0 ? " " : "");
        i += letter ? 2 : 1;
    }
    str_add(out, form == MARKS_CUT ? "\xE2\x80\xA6" : "");
}

bool marks_of_all(void) {
    return getenv("BURSAR_MARKERS") != NULL;
}

int marks_header_form(int form) {
    return form == MARKS_PERCENT || form == MARKS_BASE64 || form == MARKS_HTML || form == MARKS_UPPER ||
                   form == MARKS_GROUPED
               ? form
               : MARKS_RAW;
}

static size_t put_utf8(char *out, unsigned cp) {
    if (cp < 0x80)
        out[0] = (char)cp;
    else if (cp < 0x800)
        out[0] = (char)(0xC0 | cp >> 6), out[1] = (char)(0x80 | (cp & 0x3F));
    else
        out[0] = (char)(0xE0 | cp >> 12), out[1] = (char)(0x80 | (cp >> 6 & 0x3F)), out[2] = (char)(0x80 | (cp & 0x3F));
    return cp < 0x80 ? 1 : cp < 0x800 ? 2 : 3;
}

/* One byte as it stands, or an escaped character as UTF-8: what is written is never longer than what was read. */
static size_t read_one(const char *s, size_t len, char *out, size_t *written) {
    static const struct {
        const char *open;
        int base;
        size_t digits;
        char end;
    } forms[] = {{"%", 16, 2, 0}, {"\\u", 16, 4, 0}, {"&#x", 16, 4, ';'}, {"&#", 10, 4, ';'}, {"<", 16, 4, '>'}};
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        size_t open = strlen(forms[i].open), n = len - open < forms[i].digits ? len - open : forms[i].digits;
        if (len <= open || memcmp(s, forms[i].open, open) != 0)
            continue;
        char digits[5] = "", *rest;
        memcpy(digits, s + open, n);
        unsigned long code = strspn(digits, "0123456789abcdefABCDEF") > 0 ? strtoul(digits, &rest, forms[i].base) : 0;
        size_t used = code > 0 ? open + (size_t)(rest - digits) : 0;
        if (code == 0 || (forms[i].end ? used == len || s[used] != forms[i].end : used != open + forms[i].digits))
            continue;
        if (forms[i].open[0] == '%')
            out[0] = (char)code;
        *written = forms[i].open[0] == '%' ? 1 : put_utf8(out, (unsigned)code);
        return used + (forms[i].end != 0);
    }
    *out = *s;
    *written = 1;
    return 1;
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* Accents and what is invisible: no letters. */
static size_t unseen_at(const char *s, size_t len) {
    static const char *const UNSEEN[] = {"\xE2\x80\x8B", "\xE2\x80\x8C", "\xE2\x80\x8D", "\xCC\x81", "\xCC\x8C"};
    for (size_t i = 0; i < COUNT_OF(UNSEEN); i++)
        if (len >= strlen(UNSEEN[i]) && memcmp(s, UNSEEN[i], strlen(UNSEEN[i])) == 0)
            return strlen(UNSEEN[i]);
    return 0;
}

/* In place; gives the new length. */
static size_t fold(char *s, size_t len) {
    size_t n = 0;
    for (size_t at = 0; at < len;) {
        size_t unseen = unseen_at(s + at, len - at);
        const struct accented *letter = accented_at(s + at, len - at);
        if (unseen == 0)
            s[n++] = letter ? letter->base : lower(s[at]);
        at += unseen > 0 ? unseen : letter ? 2 : 1;
    }
    return n;
}

/* In place: digits without what stands between them. */
static size_t ungroup(char *s, size_t len) {
    size_t n = 0;
    for (size_t at = 0; at < len; at++)
        if (!memchr(" -.()/", s[at], 6) || n == 0 || !is_digit(s[n - 1]))
            s[n++] = s[at];
    return n;
}

static bool plain_holds(const char *bytes, size_t len, const char *value) {
    char *plain = mem_new(len + 1), *wanted = mem_dup(value);
    size_t n = 0, n_wanted = fold(wanted, strlen(wanted));
    for (size_t at = 0; at < len;) {
        size_t written;
        at += read_one(bytes + at, len - at, plain + n, &written);
        n += written;
    }
    n = fold(plain, n);
    bool found = memmem(plain, n, wanted, shortened(n_wanted)) != NULL;
    if (is_number(value)) {
        n_wanted = ungroup(wanted, n_wanted);
        found = found || memmem(plain, ungroup(plain, n), wanted, n_wanted);
    }
    free(plain);
    free(wanted);
    return found;
}

bool marks_hold(const char *bytes, size_t len, const char *value) {
    struct str coded;
    str_init(&coded, 4096);
    add_base64(&coded, value, strlen(value) / 3 * 3);
    bool found = (coded.len >= 8 && memmem(bytes, len, coded.s, coded.len)) || plain_holds(bytes, len, value);
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
