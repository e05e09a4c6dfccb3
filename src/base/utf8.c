#include "base/utf8.h"

#include "utf8_scan.h"

#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <string.h>
#include <utf8proc.h>
#include <wchar.h>

/* The Unicode Standard, table 3-7: what may follow each lead byte. */
static const struct lead {
    unsigned char first, last, low, high; /* lead bytes, and the bounds of the second byte */
    unsigned char more, mask;             /* bytes after the lead, payload of the lead */
} leads[] = {
    {0xC2, 0xDF, 0x80, 0xBF, 1, 0x1F}, {0xE0, 0xE0, 0xA0, 0xBF, 2, 0x0F}, {0xE1, 0xEC, 0x80, 0xBF, 2, 0x0F},
    {0xED, 0xED, 0x80, 0x9F, 2, 0x0F}, {0xEE, 0xEF, 0x80, 0xBF, 2, 0x0F}, {0xF0, 0xF0, 0x90, 0xBF, 3, 0x07},
    {0xF1, 0xF3, 0x80, 0xBF, 3, 0x07}, {0xF4, 0xF4, 0x80, 0x8F, 3, 0x07},
};

static const struct lead *lead_of(unsigned char byte) {
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
        if (byte >= leads[i].first && byte <= leads[i].last)
            return &leads[i];
    return NULL;
}

bool utf8_step(const char *s, size_t len, int32_t *cp, size_t *taken) {
    const unsigned char *bytes = (const unsigned char *)s;
    *taken = 1;
    *cp = bytes[0];
    if (bytes[0] < 0x80)
        return true;
    const struct lead *lead = lead_of(bytes[0]);
    *cp = UTF8_REPLACEMENT;
    if (!lead)
        return false;
    int32_t value = bytes[0] & lead->mask;
    for (size_t i = 1; i <= lead->more; i++) {
        unsigned char low = i == 1 ? lead->low : 0x80, high = i == 1 ? lead->high : 0xBF;
        if (i >= len || bytes[i] < low || bytes[i] > high)
            return false;
        value = (value << 6) | (bytes[i] & 0x3F);
        *taken = i + 1;
    }
    *cp = value;
    return true;
}

size_t utf8_decode(const char *s, size_t len, int32_t *cp) {
    size_t taken;
    utf8_step(s, len, cp, &taken);
    return taken;
}

size_t utf8_encode(int32_t cp, char out[4]) {
    if (cp < 0 || cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
        cp = UTF8_REPLACEMENT;
    unsigned char bytes[4];
    utf8proc_ssize_t n = utf8proc_encode_char(cp, bytes);
    memcpy(out, bytes, (size_t)n);
    return (size_t)n;
}

bool utf8_is_valid(const char *s, size_t len) {
    for (size_t at = 0, taken; at < len; at += taken) {
        int32_t cp;
        if (!utf8_step(s + at, len - at, &cp, &taken))
            return false;
    }
    return true;
}

size_t utf8_count(const char *s, size_t len) {
    size_t n = 0;
    for (size_t at = 0; at < len; n++) {
        int32_t cp;
        at += utf8_decode(s + at, len - at, &cp);
    }
    return n;
}

bool utf8_locale(void) {
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

const char *utf8_charset(void) {
    return nl_langinfo(CODESET);
}

static locale_t utf8_object;

static void make_object(void) {
    utf8_object = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

/* wcwidth has no form that takes a locale. */
static int width_elsewhere(int32_t cp) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_object);
    if (utf8_object == (locale_t)0)
        return utf8proc_category(cp) == UTF8PROC_CATEGORY_CN ? -1 : utf8proc_charwidth(cp);
    locale_t before = uselocale(utf8_object);
    int width = wcwidth((wchar_t)cp);
    uselocale(before);
    return width;
}

int utf8_width(int32_t cp) {
    if (cp >= 0x20 && cp < 0x7F)
        return 1;
    int width = wcwidth((wchar_t)cp);
    return width < 0 && cp >= 0xA0 && !utf8_locale() ? width_elsewhere(cp) : width;
}
